// RUN: sluice-opt --ckks-to-rns --split-input-file %s | FileCheck %s

// A product: three polynomials; the second is a product and a multiply-accumulate. Relinearisation switches the third and
// adds; the rescale to a level that is not nested (limbs 0, 1 dropped, 3 added) stays one operation.

#params = #ckks.params<logN = 3, limbs = [17, 97, 193, 113, 1697], special = [4], levels = [[3, 2], [0, 1, 2]],
                       digits = [[0, 1], [3], [2]], slots = 4, security = 0>

// CHECK: module attributes
// CHECK-SAME: rns.ring = #ring
// CHECK-SAME: sluice.ciphertext_products = 1 : i64
// CHECK-SAME: sluice.inputs = [{layout = #ckks.layout<shape = [4], lanes = 4, batch = 1, batched = false>, name = "x",
// CHECK-SAME:   polynomials = 2 : i64, range = [-1.000000e+00, 1.000000e+00], type = !ckks.ct<level = 1, scale = 2^8>},
// CHECK-SAME:   name = "input1"
// CHECK-SAME: sluice.name = "product"
// CHECK-SAME: sluice.outputs = [{{.*}}name = "output0", polynomials = 2 : i64, type = !ckks.ct<level = 0, scale = 2^16 * q0^-1 * q1^-1 * q3>
module attributes {ckks.params = #params} {
  // CHECK-LABEL: func.func @product(
  // CHECK-SAME: %[[A0:.*]]: !rns.poly<[0, 1, 2], eval>, %[[A1:.*]]: !rns.poly<[0, 1, 2], eval>, %[[B0:.*]]: !rns.poly<[0, 1, 2], eval>, %[[B1:.*]]: !rns.poly<[0, 1, 2], eval>)
  // CHECK-SAME: -> (!rns.poly<[3, 2], eval>, !rns.poly<[3, 2], eval>) {
  func.func @product(%a: !ckks.ct<level = 1, scale = 2^8> {ckks.name = "x", ckks.range = [-1.0, 1.0]},
                     %b: !ckks.ct<level = 1, scale = 2^8>)
      -> !ckks.ct<level = 0, scale = 2^16 * q0^-1 * q1^-1 * q3> {
    // CHECK: %[[D0:.*]] = rns.mul %[[A0]], %[[B0]]
    // CHECK: %[[CROSS:.*]] = rns.mul %[[A0]], %[[B1]]
    // CHECK: %[[D1:.*]] = rns.mac %[[CROSS]], %[[A1]], %[[B0]]
    // CHECK: %[[D2:.*]] = rns.mul %[[A1]], %[[B1]]
    %p = ckks.mul %a, %b : !ckks.ct<level = 1, scale = 2^8>, !ckks.ct<level = 1, scale = 2^8>
                           -> !ckks.ct<level = 1, scale = 2^16, size = 3>
    // CHECK: %[[KEY:.*]] = rns.key {kind = relinearize} : !rns.key
    // CHECK: %[[DIGITS:.*]] = rns.decompose %[[D2]] : {{.*}} -> !rns.digits<[0, 1, 2]>
    // CHECK: %[[U:.*]], %[[V:.*]] = rns.inner_product %[[DIGITS]] with %[[KEY]] : {{.*}} -> !rns.poly<[0, 1, 2, 4], eval>
    // CHECK: %[[UD:.*]] = rns.mod_down %[[U]] {by = [4]}
    // CHECK: %[[VD:.*]] = rns.mod_down %[[V]] {by = [4]}
    // CHECK: %[[C0:.*]] = rns.add %[[D0]], %[[UD]]
    // CHECK: %[[C1:.*]] = rns.add %[[D1]], %[[VD]]
    %r = ckks.relinearize %p : !ckks.ct<level = 1, scale = 2^16, size = 3> -> !ckks.ct<level = 1, scale = 2^16>
    // CHECK: %[[R0:.*]] = rns.rescale %[[C0]] : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[3, 2], eval>
    // CHECK: %[[R1:.*]] = rns.rescale %[[C1]]
    %s = ckks.rescale %r : !ckks.ct<level = 1, scale = 2^16> -> !ckks.ct<level = 0, scale = 2^16 * q0^-1 * q1^-1 * q3>
    // CHECK: return %[[R0]], %[[R1]]
    return %s : !ckks.ct<level = 0, scale = 2^16 * q0^-1 * q1^-1 * q3>
  }
}

// -----

// A square doubles by a sum. The plaintext operations touch c0 alone, or all polynomials; the factor of mul_scalar is
// round(-0.1 * 2^5) = -3, that of adjust_scale 2^5 = 32 (the ratio of the scales), each modulo 17, 97 and 193.

#params = #ckks.params<logN = 3, limbs = [17, 97, 193, 1697], special = [3], levels = [[0], [0, 1, 2]],
                       digits = [[0], [1], [2]], slots = 4, security = 0>

module attributes {ckks.params = #params} {
  // CHECK-LABEL: func.func @plain(
  // CHECK-SAME: %[[A0:[^:]*]]: {{[^)]*}}, %[[A1:[^:]*]]: {{[^)]*}})
  func.func @plain(%a: !ckks.ct<level = 1, scale = 2^5>) -> !ckks.ct<level = 1, scale = 2^25, size = 3> {
    // CHECK: %[[P0:.*]] = rns.add_scalar %[[A0]] {scalars = [3, 3, 3]}
    %0 = ckks.add_scalar %a {value = 0.1} : !ckks.ct<level = 1, scale = 2^5>
    // CHECK: %[[ONES:.*]] = rns.constant {kind = slots, values = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>, scale = "2^5", high = 32.0, low = 0.0} : !rns.poly<[0, 1, 2], eval>
    // CHECK: %[[Q0:.*]] = rns.add %[[P0]], %[[ONES]]
    %1 = ckks.add_plain %0 {value = dense<[1.0, 2.0]> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^5>
    // CHECK: %[[N0:.*]] = rns.negate %[[Q0]]
    // CHECK: %[[N1:.*]] = rns.negate %[[A1]]
    %2 = ckks.negate %1 : !ckks.ct<level = 1, scale = 2^5>
    // CHECK: rns.mul %[[N0]], %[[N0]]
    // CHECK: %[[CROSS:.*]] = rns.mul %[[N0]], %[[N1]]
    // CHECK: rns.add %[[CROSS]], %[[CROSS]]
    // CHECK: rns.mul %[[N1]], %[[N1]]
    %3 = ckks.square %2 : !ckks.ct<level = 1, scale = 2^5> -> !ckks.ct<level = 1, scale = 2^10, size = 3>
    // CHECK-COUNT-3: rns.mul_scalar {{.*}} {scalars = [14, 94, 190]}
    %4 = ckks.mul_scalar %3 {value = -0.1, scale = #ckks.scale<2^5>}
      : !ckks.ct<level = 1, scale = 2^10, size = 3> -> !ckks.ct<level = 1, scale = 2^15, size = 3>
    // CHECK: %[[W:.*]] = rns.constant {{.*}} scale = "2^5"
    // CHECK-COUNT-3: rns.mul {{.*}}, %[[W]]
    %5 = ckks.mul_plain %4 {value = dense<[0.5]> : tensor<1xf64>, scale = #ckks.scale<2^5>}
      : !ckks.ct<level = 1, scale = 2^15, size = 3> -> !ckks.ct<level = 1, scale = 2^20, size = 3>
    // CHECK-COUNT-3: rns.mul_scalar {{.*}} {scalars = [15, 32, 32]}
    %6 = ckks.adjust_scale %5
      : !ckks.ct<level = 1, scale = 2^20, size = 3> -> !ckks.ct<level = 1, scale = 2^25, size = 3>
    return %6 : !ckks.ct<level = 1, scale = 2^25, size = 3>
  }
}

// -----

// Rotations: automorphism of both halves, key switch of the second. 5^1 = 5; -1 is 3 modulo 4 slots, 5^3 = 13
// modulo 16; conjugation is 2N - 1 = 15. A rotation by the packing length is none. drop_level and reinterpret cost nothing.

#params = #ckks.params<logN = 3, limbs = [17, 97, 193], special = [2], levels = [[0], [0, 1]],
                       digits = [[0], [1]], slots = 4, security = 0>

module attributes {ckks.params = #params} {
  // CHECK-LABEL: func.func @rotations(
  // CHECK-SAME: %[[A0:[^:]*]]: {{[^)]*}}, %[[A1:[^:]*]]: {{[^)]*}})
  func.func @rotations(%a: !ckks.ct<level = 1, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^6> {
    // CHECK: %[[S0:.*]] = rns.automorphism %[[A0]] {element = 5}
    // CHECK: %[[S1:.*]] = rns.automorphism %[[A1]] {element = 5}
    // CHECK: %[[K:.*]] = rns.key {kind = galois, element = 5} : !rns.key
    // CHECK: %[[D:.*]] = rns.decompose %[[S1]]
    // CHECK: %[[U:.*]], %[[V:.*]] = rns.inner_product %[[D]] with %[[K]]
    // CHECK: %[[B:.*]] = rns.mod_down %[[U]]
    // CHECK: %[[C1:.*]] = rns.mod_down %[[V]]
    // CHECK: %[[C0:.*]] = rns.add %[[S0]], %[[B]]
    %0 = ckks.rotate %a {by = 1} : !ckks.ct<level = 1, scale = 2^5>
    // CHECK: rns.automorphism %[[C0]] {element = 15}
    // CHECK: rns.automorphism %[[C1]] {element = 15}
    // CHECK: rns.key {kind = galois, element = 15}
    %1 = ckks.conjugate %0 : !ckks.ct<level = 1, scale = 2^5>
    // CHECK: rns.key {kind = galois, element = 13}
    // CHECK: rns.mod_down
    // CHECK: %[[X1:.*]] = rns.mod_down
    // CHECK: %[[X0:.*]] = rns.add
    %2 = ckks.rotate %1 {by = -1} : !ckks.ct<level = 1, scale = 2^5>
    // CHECK-NOT: rns.automorphism
    %3 = ckks.rotate %2 {by = 4} : !ckks.ct<level = 1, scale = 2^5>
    // CHECK: %[[I:.*]] = rns.constant {kind = complex_slots, values = dense<[0.000000e+00, 1.000000e+00]> : tensor<2xf64>, scale = "2^0"
    // CHECK: %[[I0:.*]] = rns.mul %[[X0]], %[[I]]
    // CHECK: %[[I1:.*]] = rns.mul %[[X1]], %[[I]]
    %4 = ckks.mul_by_i %3 : !ckks.ct<level = 1, scale = 2^5>
    // CHECK: %[[E0:.*]] = rns.drop %[[I0]] : !rns.poly<[0, 1], eval> -> !rns.poly<[0], eval>
    // CHECK: %[[E1:.*]] = rns.drop %[[I1]]
    %5 = ckks.drop_level %4 : !ckks.ct<level = 1, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^5>
    // CHECK: return %[[E0]], %[[E1]]
    %6 = ckks.reinterpret %5 {factor = 0.5} : !ckks.ct<level = 0, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^6>
    return %6 : !ckks.ct<level = 0, scale = 2^6>
  }
}

// -----

// A larger modulus: the limb that is there stays, the others get the centred value. Complex entries are pairs.
module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113], levels = [[1], [0, 1, 2]], security = 0>} {
  // CHECK-LABEL: func.func @raised(
  // CHECK-SAME: %[[C0:.*]]: !rns.poly<[1], eval>, %[[C1:.*]]: !rns.poly<[1], eval>)
  // CHECK: %[[I:.*]] = rns.intt %[[C0]]
  // CHECK: %[[U:.*]] = rns.base_convert %[[I]] : !rns.poly<[1], coeff> -> !rns.poly<[0, 2], coeff>
  // CHECK: %[[E:.*]] = rns.ntt %[[U]]
  // CHECK: %[[A:.*]] = rns.concat %[[C0]], %[[E]]
  // CHECK: %[[R:.*]] = rns.drop %[[A]] : !rns.poly<[1, 0, 2], eval> -> !rns.poly<[0, 1, 2], eval>
  // CHECK: rns.base_convert
  func.func @raised(%x: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 1, scale = 2^5 * q1> {
    %0 = ckks.mod_raise %x : !ckks.ct<level = 0, scale = 2^5> -> !ckks.ct<level = 1, scale = q1>
    // CHECK: rns.constant {kind = complex_slots, values = dense<[1.000000e+00, 0.000000e+00, 0.000000e+00, -2.000000e+00]> : tensor<4xf64>
    %1 = ckks.mul_plain %0 {value = dense<[(1.0, 0.0), (0.0, -2.0)]> : tensor<2xcomplex<f64>>, scale = #ckks.scale<2^5>}
      : !ckks.ct<level = 1, scale = q1> -> !ckks.ct<level = 1, scale = 2^5 * q1>
    return %1 : !ckks.ct<level = 1, scale = 2^5 * q1>
  }
}

// -----

// Between two secrets, each switch with its own key. To the ephemeral one with its own special limb, 4; back with P, limb 3.
module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241], special = [3], levels = [[1], [1, 2]],
                   digits = [[1], [2]], security = 0, ephemeral = "ephemeral-32", ephemeral_special = [4]>} {
  // CHECK-LABEL: func.func @switched(
  // CHECK-SAME: %[[C0:.*]]: !rns.poly<[1], eval>, %[[C1:.*]]: !rns.poly<[1], eval>)
  // CHECK: %[[K:.*]] = rns.key {kind = to_ephemeral}
  // CHECK: %[[D:.*]] = rns.decompose %[[C1]]
  // CHECK: %[[B:.*]], %[[A:.*]] = rns.inner_product %[[D]] with %[[K]] : !rns.digits<[1]> with !rns.key -> !rns.poly<[1, 4], eval>
  // CHECK: %[[BD:.*]] = rns.mod_down %[[B]] {{.*}}[4]
  // CHECK: rns.add %[[C0]], %[[BD]]
  // CHECK: rns.base_convert
  // CHECK: rns.key {kind = to_main}
  // CHECK: rns.inner_product {{.*}} -> !rns.poly<[1, 2, 3], eval>
  func.func @switched(%x: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 1, scale = q1> {
    %0 = ckks.switch_key %x : !ckks.ct<level = 0, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^5, secret = ephemeral>
    %1 = ckks.mod_raise %0 : !ckks.ct<level = 0, scale = 2^5, secret = ephemeral> -> !ckks.ct<level = 1, scale = q1, secret = ephemeral>
    %2 = ckks.switch_key %1 : !ckks.ct<level = 1, scale = q1, secret = ephemeral> -> !ckks.ct<level = 1, scale = q1>
    return %2 : !ckks.ct<level = 1, scale = q1>
  }
}

// -----

// A view of more slots moves nothing; a rotation by 3 of two slots is one by 1, and plaintexts say how many slots they have.

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  // CHECK-LABEL: func.func @views(
  // CHECK-SAME: %[[A0:.*]]: !rns.poly<[0], eval>, %[[A1:.*]]: !rns.poly<[0], eval>)
  func.func @views(%a: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^5> {
    %0 = ckks.view_slots %a : !ckks.ct<level = 0, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^5, slots = 2>
    // CHECK-NEXT: %[[PLAIN:.*]] = rns.constant {kind = slots, {{.*}}slots = 2}
    // CHECK-NEXT: %[[B0:.*]] = rns.add %[[A0]], %[[PLAIN]]
    %1 = ckks.add_plain %0 {value = dense<[1.0, 2.0]> : tensor<2xf64>} : !ckks.ct<level = 0, scale = 2^5, slots = 2>
    // CHECK-NEXT: %[[C0:.*]] = rns.automorphism %[[B0]] {element = 5}
    // CHECK-NEXT: rns.automorphism %[[A1]] {element = 5}
    %2 = ckks.rotate %1 {by = 3} : !ckks.ct<level = 0, scale = 2^5, slots = 2>
    // CHECK: %[[D0:.*]] = rns.add %[[C0]]
    // CHECK: return %[[D0]],
    %3 = ckks.view_slots %2 : !ckks.ct<level = 0, scale = 2^5, slots = 2> -> !ckks.ct<level = 0, scale = 2^5>
    return %3 : !ckks.ct<level = 0, scale = 2^5>
  }
}
