// Every operation; the examples of RNSOps.td stand here word for word.
// RUN: sluice-opt --verify-roundtrip %s | FileCheck %s

!eval = !rns.poly<[0, 1, 2, 3], eval>
!chosen = !rns.digits<[0, 2], groups = [[0], [2]], over = [0, 1, 2, 3]>
!chosen_key = !rns.key<limbs = [3, 0, 1, 2], digits = [[0, 1], [2]]>

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 113, 193]>} {

// CHECK-LABEL: @ntt
func.func @ntt(%a: !rns.poly<[0, 1], coeff>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.ntt %{{.*}} : !rns.poly<[0, 1], coeff> -> !rns.poly<[0, 1], eval>
  %b = rns.ntt %a : !rns.poly<[0, 1], coeff> -> !rns.poly<[0, 1], eval>
  return %b : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @intt
func.func @intt(%a: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], coeff> {
  // CHECK: rns.intt %{{.*}} : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], coeff>
  %b = rns.intt %a : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], coeff>
  return %b : !rns.poly<[0, 1], coeff>
}

// CHECK-LABEL: @ntt_rows
func.func @ntt_rows(%a: !rns.poly<[0, 1], half_ntt>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.ntt_rows %{{.*}} : !rns.poly<[0, 1], half_ntt> -> !rns.poly<[0, 1], eval>
  %b = rns.ntt_rows %a : !rns.poly<[0, 1], half_ntt> -> !rns.poly<[0, 1], eval>
  return %b : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @intt_rows
func.func @intt_rows(%a: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], half_intt> {
  // CHECK: rns.intt_rows %{{.*}} : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], half_intt>
  %b = rns.intt_rows %a : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], half_intt>
  return %b : !rns.poly<[0, 1], half_intt>
}

// CHECK-LABEL: @add
func.func @add(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.add %{{.*}}, %{{.*}} : !rns.poly<[0, 1], eval>
  %c = rns.add %a, %b : !rns.poly<[0, 1], eval>
  // CHECK: rns.constant {generator = "of somebody else", kind = complex_slots, values = {{.*}}, high = 1.0, low = 0.0} : !rns.poly<[0], eval>
  %g = rns.constant {generator = "of somebody else", kind = complex_slots, values = dense<[0.0, 1.0]> : tensor<2xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0], eval>
  return %c : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @sub
func.func @sub(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.sub %{{.*}}, %{{.*}} : !rns.poly<[0, 1], eval>
  %c = rns.sub %a, %b : !rns.poly<[0, 1], eval>
  return %c : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @negate
func.func @negate(%a: !rns.poly<[0, 1], coeff>) -> !rns.poly<[0, 1], coeff> {
  // CHECK: rns.negate %{{.*}} : !rns.poly<[0, 1], coeff>
  %b = rns.negate %a : !rns.poly<[0, 1], coeff>
  return %b : !rns.poly<[0, 1], coeff>
}

// CHECK-LABEL: @mul
func.func @mul(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.mul %{{.*}}, %{{.*}} : !rns.poly<[0, 1], eval>
  %c = rns.mul %a, %b : !rns.poly<[0, 1], eval>
  return %c : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @mac
func.func @mac(%acc: !rns.poly<[0, 1], eval>, %a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.mac %{{.*}}, %{{.*}}, %{{.*}} : !rns.poly<[0, 1], eval>
  %d = rns.mac %acc, %a, %b : !rns.poly<[0, 1], eval>
  return %d : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @weighted_sum
func.func @weighted_sum(%b: !rns.poly<[0, 1], eval>, %a: !rns.poly<[0, 1], eval>, %k: !rns.poly<[0, 1], eval>, %l: !rns.poly<[0, 1], eval>,
                        %b1: !rns.poly<[0, 1], eval>, %a1: !rns.poly<[0, 1], eval>, %b2: !rns.poly<[0, 1], eval>, %a2: !rns.poly<[0, 1], eval>)
    -> (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) {
  // CHECK: rns.weighted_sum %{{.*}}, %{{.*}} plus [%{{.*}}, %{{.*}}] times [%{{.*}}, %{{.*}}] and [%{{.*}}, %{{.*}}] : !rns.poly<[0, 1], eval>
  %s, %t = rns.weighted_sum %b, %a plus [%k, %l] times [%b1, %b2] and [%a1, %a2] : !rns.poly<[0, 1], eval>
  return %s, %t : !rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @mul_scalar
func.func @mul_scalar(%a: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.mul_scalar %{{.*}} {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
  %b = rns.mul_scalar %a {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
  return %b : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @add_scalar
func.func @add_scalar(%a: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.add_scalar %{{.*}} {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
  %b = rns.add_scalar %a {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
  return %b : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @sub_mul_scalar
func.func @sub_mul_scalar(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.sub_mul_scalar %{{.*}}, %{{.*}} {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
  %c = rns.sub_mul_scalar %a, %b {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
  return %c : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @automorphism_of_digits
func.func @automorphism_of_digits(%d: !rns.digits<[0, 1]>) -> !rns.digits<[0, 1]> {
  // CHECK: rns.automorphism %{{.*}} {element = 5} : !rns.digits<[0, 1]>
  %e = rns.automorphism %d {element = 5} : !rns.digits<[0, 1]>
  return %e : !rns.digits<[0, 1]>
}

// CHECK-LABEL: @automorphism(
func.func @automorphism(%a: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.automorphism %{{.*}} {element = 5} : !rns.poly<[0, 1], eval>
  %b = rns.automorphism %a {element = 5} : !rns.poly<[0, 1], eval>
  return %b : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @drop
func.func @drop(%a: !rns.poly<[0, 1, 2], eval>) -> !rns.poly<[2, 0], eval> {
  // CHECK: rns.drop %{{.*}} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2, 0], eval>
  %b = rns.drop %a : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2, 0], eval>
  return %b : !rns.poly<[2, 0], eval>
}

// CHECK-LABEL: @concat
func.func @concat(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[3], eval>) -> !rns.poly<[0, 1, 3], eval> {
  // CHECK: rns.concat %{{.*}}, %{{.*}} : !rns.poly<[0, 1], eval>, !rns.poly<[3], eval> -> !rns.poly<[0, 1, 3], eval>
  %c = rns.concat %a, %b : !rns.poly<[0, 1], eval>, !rns.poly<[3], eval> -> !rns.poly<[0, 1, 3], eval>
  return %c : !rns.poly<[0, 1, 3], eval>
}

// CHECK-LABEL: @base_convert
func.func @base_convert(%a: !rns.poly<[0, 1], coeff>) -> !rns.poly<[2, 3], coeff> {
  // CHECK: rns.base_convert %{{.*}} : !rns.poly<[0, 1], coeff> -> !rns.poly<[2, 3], coeff>
  %b = rns.base_convert %a : !rns.poly<[0, 1], coeff> -> !rns.poly<[2, 3], coeff>
  return %b : !rns.poly<[2, 3], coeff>
}

// CHECK-LABEL: @base_convert_half
func.func @base_convert_half(%a: !rns.poly<[0, 1], half_intt>) -> !rns.poly<[2, 3], half_ntt> {
  // CHECK: rns.base_convert %{{.*}} : !rns.poly<[0, 1], half_intt> -> !rns.poly<[2, 3], half_ntt>
  %b = rns.base_convert %a : !rns.poly<[0, 1], half_intt> -> !rns.poly<[2, 3], half_ntt>
  return %b : !rns.poly<[2, 3], half_ntt>
}

// CHECK-LABEL: @rescale
func.func @rescale(%a: !rns.poly<[0, 1, 2], eval>) -> !rns.poly<[0, 3], eval> {
  // CHECK: rns.rescale %{{.*}} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 3], eval>
  %b = rns.rescale %a : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 3], eval>
  return %b : !rns.poly<[0, 3], eval>
}

// CHECK-LABEL: @mod_down
func.func @mod_down(%a: !rns.poly<[0, 1, 3], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.mod_down %{{.*}} {by = [3]} : !rns.poly<[0, 1, 3], eval> -> !rns.poly<[0, 1], eval>
  %b = rns.mod_down %a {by = [3]} : !rns.poly<[0, 1, 3], eval> -> !rns.poly<[0, 1], eval>
  return %b : !rns.poly<[0, 1], eval>
}

// CHECK-LABEL: @decompose
func.func @decompose(%a: !rns.poly<[0, 1, 2], eval>) -> !rns.digits<[0, 1, 2]> {
  // CHECK: rns.decompose %{{.*}} : !rns.poly<[0, 1, 2], eval> -> !rns.digits<[0, 1, 2]>
  %d = rns.decompose %a : !rns.poly<[0, 1, 2], eval> -> !rns.digits<[0, 1, 2]>
  return %d : !rns.digits<[0, 1, 2]>
}

// CHECK-LABEL: @mod_up
func.func @mod_up(%d: !rns.digits<[0, 1, 2]>) -> !rns.digits<[0, 1, 2], groups = [[0, 1], [2]], over = [0, 1, 2, 3]> {
  // CHECK: rns.mod_up %{{.*}} : !rns.digits<[0, 1, 2]> -> !rns.digits<[0, 1, 2], groups = {{\[}}[0, 1], [2]], over = [0, 1, 2, 3]>
  %u = rns.mod_up %d : !rns.digits<[0, 1, 2]> -> !rns.digits<[0, 1, 2], groups = [[0, 1], [2]], over = [0, 1, 2, 3]>
  return %u : !rns.digits<[0, 1, 2], groups = [[0, 1], [2]], over = [0, 1, 2, 3]>
}

// CHECK-LABEL: @key
func.func @key() -> (!rns.key, !rns.key<limbs = [3, 0, 1, 2], digits = [[0, 1], [2]]>, !rns.key) {
  // CHECK: rns.key {kind = relinearize} : !rns.key
  %r = rns.key {kind = relinearize} : !rns.key
  // CHECK: rns.key {kind = galois, element = 5} : !rns.key<limbs = [3, 0, 1, 2], digits = {{\[}}[0, 1], [2]]>
  %g = rns.key {kind = galois, element = 5} : !rns.key<limbs = [3, 0, 1, 2], digits = [[0, 1], [2]]>
  // CHECK: rns.key {kind = to_ephemeral} : !rns.key
  %e = rns.key {kind = to_ephemeral} : !rns.key
  // CHECK: rns.key {kind = to_main} : !rns.key
  %m = rns.key {kind = to_main} : !rns.key
  // CHECK: rns.key {kind = galois, element = 5} permuted : !rns.key
  %p = rns.key {kind = galois, element = 5} permuted : !rns.key
  return %r, %g, %p : !rns.key, !rns.key<limbs = [3, 0, 1, 2], digits = [[0, 1], [2]]>, !rns.key
}

// Abstract; chosen, at a level without limb 1; and polynomials that meet digit 1 of the key only.
// CHECK-LABEL: @inner_product
func.func @inner_product(%d: !rns.digits<[0, 1, 2]>, %k: !rns.key, %e: !chosen, %p: !eval, %l: !chosen_key)
    -> (!eval, !eval, !eval, !eval) {
  // CHECK: rns.inner_product %{{.*}} with %{{.*}} : !rns.digits<[0, 1, 2]> with !rns.key -> !rns.poly<[0, 1, 2, 3], eval>
  %b, %a = rns.inner_product %d with %k : !rns.digits<[0, 1, 2]> with !rns.key -> !rns.poly<[0, 1, 2, 3], eval>
  // CHECK: rns.inner_product %{{.*}} with %{{.*}} : !rns.digits<[0, 2], groups = {{\[}}[0], [2]], over = [0, 1, 2, 3]> with !rns.key<limbs = [3, 0, 1, 2], digits = {{\[}}[0, 1], [2]]> -> !rns.poly<[0, 1, 2, 3], eval>
  %b1, %a1 = rns.inner_product %e with %l : !chosen with !chosen_key -> !eval
  // CHECK: rns.inner_product %{{.*}}, %{{.*}} with %{{.*}} : !rns.poly<[0, 1, 2, 3], eval>, !rns.poly<[0, 1, 2, 3], eval> with !rns.key<
  %b2, %a2 = rns.inner_product %p, %p with %l : !eval, !eval with !chosen_key -> !eval
  // CHECK: rns.inner_product %{{.*}} with %{{.*}} {key_digits = [1]} : !rns.poly<[0, 1, 2, 3], eval> with !rns.key<
  %b3, %a3 = rns.inner_product %p with %l {key_digits = [1]} : !eval with !chosen_key -> !eval
  // CHECK: rns.inner_product %{{.*}}, %{{.*}} with %{{.*}} attributes {rns.slots = array<i32: 0, 1, 2, 3, 4, 5, 6, 7>} : !rns.poly<
  %b4, %a4 = rns.inner_product %p, %p with %l attributes {rns.slots = array<i32: 0, 1, 2, 3, 4, 5, 6, 7>} : !eval, !eval with !chosen_key -> !eval
  // CHECK: rns.inner_product %{{.*}} with %{{.*}} {key_digits = [1]} attributes {rns.slots = array<i32: 0, 1, 2, 3, 4, 5, 6, 7>} : !rns.poly<
  %b5, %a5 = rns.inner_product %p with %l {key_digits = [1]} attributes {rns.slots = array<i32: 0, 1, 2, 3, 4, 5, 6, 7>} : !eval with !chosen_key -> !eval
  return %b, %a1, %b2, %a3 : !eval, !eval, !eval, !eval
}

// CHECK-LABEL: @constant
func.func @constant() -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.constant {kind = slots, values = dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf64>, scale = "2^45", high = 35184372088832.0, low = 0.0} : !rns.poly<[0, 1], eval>
  %c = rns.constant {kind = slots, values = dense<[0.5, 1.0]> : tensor<2xf64>, scale = "2^45",
                     high = 35184372088832.0, low = 0.0} : !rns.poly<[0, 1], eval>
  // CHECK: rns.constant {kind = slots, values = dense<1.000000e+00> : tensor<2xf64>, scale = "2^0", high = 1.0, low = 0.0, slots = 8} : !rns.poly<[0], eval>
  %s = rns.constant {kind = slots, values = dense<1.0> : tensor<2xf64>, scale = "2^0", high = 1.0, low = 0.0, slots = 8} : !rns.poly<[0], eval>
  // CHECK: rns.constant {kind = complex_slots, values = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0, 1], eval>
  %i = rns.constant {kind = complex_slots, values = dense<[0.0, 1.0]> : tensor<2xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0, 1], eval>
  return %c : !rns.poly<[0, 1], eval>
}

}

// CHECK-LABEL: @zero
func.func @zero() -> !rns.poly<[2], eval> {
  // CHECK: rns.zero : !rns.poly<[2], eval>
  %z = rns.zero : !rns.poly<[2], eval>
  return %z : !rns.poly<[2], eval>
}

// CHECK-LABEL: @limb_kernel
func.func @limb_kernel(%a: !rns.poly<[0, 1], eval>, %b: !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK: rns.limb_kernel %{{.*}}, %{{.*}} : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  // CHECK-NEXT: ^bb0(%[[X:.*]]: !rns.poly<[0, 1], eval>, %[[Y:.*]]: !rns.poly<[0, 1], eval>):
  %c = rns.limb_kernel %a, %b : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
  ^bb0(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 1], eval>):
    // CHECK: rns.mul %[[X]], %[[Y]]
    %p = rns.mul %x, %y : !rns.poly<[0, 1], eval>
    %s = rns.add %p, %x : !rns.poly<[0, 1], eval>
    // CHECK: rns.yield %{{.*}} : !rns.poly<[0, 1], eval>
    rns.yield %s : !rns.poly<[0, 1], eval>
  }
  return %c : !rns.poly<[0, 1], eval>
}
