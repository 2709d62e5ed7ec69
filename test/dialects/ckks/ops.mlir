// Every operation, floating and settled; the examples of CKKSOps.td stand here word for word.
// RUN: sluice-opt --verify-roundtrip %s | FileCheck %s

!ct0 = !ckks.ct<level = 0, scale = 2^45>
!ct2 = !ckks.ct<level = 2, scale = 2^45>

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241], special = [3],
                                              levels = [[0], [0, 1], [0, 1, 2]], digits = [[0], [1], [2]],
                                              ephemeral = "ephemeral-32", ephemeral_special = [4]>} {

// CHECK-LABEL: @floating
func.func @floating(%a: !ckks.ct, %b: !ckks.ct) -> !ckks.ct {
  // CHECK: ckks.add %{{.*}}, %{{.*}} : !ckks.ct
  %0 = ckks.add %a, %b : !ckks.ct
  // CHECK: ckks.sub %{{.*}}, %{{.*}} : !ckks.ct
  %1 = ckks.sub %0, %b : !ckks.ct
  // CHECK: ckks.negate %{{.*}} : !ckks.ct
  %2 = ckks.negate %1 : !ckks.ct
  // CHECK: ckks.mul %{{.*}}, %{{.*}} : !ckks.ct
  %3 = ckks.mul %2, %a : !ckks.ct
  // CHECK: ckks.square %{{.*}} : !ckks.ct
  %4 = ckks.square %3 : !ckks.ct
  // CHECK: ckks.rotate %{{.*}} {by = -1} : !ckks.ct
  %5 = ckks.rotate %4 {by = -1} : !ckks.ct
  // CHECK: ckks.conjugate %{{.*}} : !ckks.ct
  %6 = ckks.conjugate %5 : !ckks.ct
  // CHECK: ckks.mul_by_i %{{.*}} : !ckks.ct
  %7 = ckks.mul_by_i %6 : !ckks.ct
  // CHECK: ckks.add_plain %{{.*}} {value = dense<[1.000000e+00, -2.500000e+00]> : tensor<2xf64>} : !ckks.ct
  %8 = ckks.add_plain %7 {value = dense<[1.0, -2.5]> : tensor<2xf64>} : !ckks.ct
  // CHECK: ckks.mul_plain %{{.*}} {value = dense<[1.000000e+00, -2.500000e+00]> : tensor<2xf64>} : !ckks.ct
  %9 = ckks.mul_plain %8 {value = dense<[1.0, -2.5]> : tensor<2xf64>} : !ckks.ct
  // CHECK: ckks.add_scalar %{{.*}} {value = -1.0e+30} : !ckks.ct
  %10 = ckks.add_scalar %9 {value = -1.0e30 : f64} : !ckks.ct
  // CHECK: ckks.mul_scalar %{{.*}} {value = 0.1} : !ckks.ct
  %11 = ckks.mul_scalar %10 {value = 0.1} : !ckks.ct
  // CHECK: ckks.reinterpret %{{.*}} {factor = 4.0} : !ckks.ct
  %12 = ckks.reinterpret %11 {factor = 4} : !ckks.ct
  // CHECK: ckks.polynomial %{{.*}} {basis = monomial, coefficients = dense<{{.*}}> : tensor<3xf64>} : !ckks.ct
  %13 = ckks.polynomial %12 {basis = monomial, coefficients = dense<[0.0, 1.0, 2.0]> : tensor<3xf64>} : !ckks.ct
  return %13 : !ckks.ct
}

// CHECK-LABEL: @traced
func.func @traced(%x: tensor<30xf64>) -> tensor<30xf64> {
  // CHECK: ckks.polynomial %{{.*}} {basis = chebyshev, coefficients = dense<{{.*}}> : tensor<2xf64>, interval = [-8.000000e+00, 8.000000e+00]} : tensor<30xf64>
  %0 = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.5, 1.0]> : tensor<2xf64>,
                           interval = [-8.0, 8.0]} : tensor<30xf64>
  return %0 : tensor<30xf64>
}

// CHECK-LABEL: @add
func.func @add(%a: !ct2, %b: !ct2) -> !ct2 {
  // CHECK: ckks.add %{{.*}}, %{{.*}} : !ckks.ct<level = 2, scale = 2^45>
  %c = ckks.add %a, %b : !ckks.ct<level = 2, scale = 2^45>
  return %c : !ct2
}

// CHECK-LABEL: @sub
func.func @sub(%a: !ct2, %b: !ct2) -> !ct2 {
  // CHECK: ckks.sub %{{.*}}, %{{.*}} : !ckks.ct<level = 2, scale = 2^45>
  %c = ckks.sub %a, %b : !ckks.ct<level = 2, scale = 2^45>
  return %c : !ct2
}

// CHECK-LABEL: @negate
func.func @negate(%a: !ct2) -> !ct2 {
  // CHECK: ckks.negate %{{.*}} : !ckks.ct<level = 2, scale = 2^45>
  %b = ckks.negate %a : !ckks.ct<level = 2, scale = 2^45>
  return %b : !ct2
}

// CHECK-LABEL: @mul
func.func @mul(%a: !ct2, %b: !ckks.ct<level = 2, scale = 2^40>) -> !ckks.ct<level = 2, scale = 2^85, size = 3> {
  // CHECK: ckks.mul %{{.*}}, %{{.*}} : !ckks.ct<level = 2, scale = 2^45>, !ckks.ct<level = 2, scale = 2^40> -> !ckks.ct<level = 2, scale = 2^85, size = 3>
  %c = ckks.mul %a, %b : !ckks.ct<level = 2, scale = 2^45>, !ckks.ct<level = 2, scale = 2^40>
                         -> !ckks.ct<level = 2, scale = 2^85, size = 3>
  return %c : !ckks.ct<level = 2, scale = 2^85, size = 3>
}

// CHECK-LABEL: @square
func.func @square(%a: !ct2) -> !ckks.ct<level = 2, scale = 2^90, size = 3> {
  // CHECK: ckks.square %{{.*}} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^90, size = 3>
  %b = ckks.square %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^90, size = 3>
  return %b : !ckks.ct<level = 2, scale = 2^90, size = 3>
}

// CHECK-LABEL: @relinearize
func.func @relinearize(%a: !ckks.ct<level = 2, scale = 2^90, size = 3>) -> !ckks.ct<level = 2, scale = 2^90> {
  // CHECK: ckks.relinearize %{{.*}} : !ckks.ct<level = 2, scale = 2^90, size = 3> -> !ckks.ct<level = 2, scale = 2^90>
  %b = ckks.relinearize %a : !ckks.ct<level = 2, scale = 2^90, size = 3> -> !ckks.ct<level = 2, scale = 2^90>
  return %b : !ckks.ct<level = 2, scale = 2^90>
}

// CHECK-LABEL: @rescale
func.func @rescale(%a: !ckks.ct<level = 2, scale = 2^90>) -> !ckks.ct<level = 1, scale = 2^90 * q2^-1> {
  // CHECK: ckks.rescale %{{.*}} : !ckks.ct<level = 2, scale = 2^90> -> !ckks.ct<level = 1, scale = 2^90 * q2^-1>
  %b = ckks.rescale %a : !ckks.ct<level = 2, scale = 2^90> -> !ckks.ct<level = 1, scale = 2^90 * q2^-1>
  return %b : !ckks.ct<level = 1, scale = 2^90 * q2^-1>
}

// CHECK-LABEL: @drop_level
func.func @drop_level(%a: !ct2) -> !ct0 {
  // CHECK: ckks.drop_level %{{.*}} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  %b = ckks.drop_level %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %b : !ct0
}

// CHECK-LABEL: @adjust_scale
func.func @adjust_scale(%a: !ct2) -> (!ckks.ct<level = 2, scale = 2^45 * q2>, !ckks.ct<level = 2, scale = 2^82 * q2^-1>) {
  // CHECK: ckks.adjust_scale %{{.*}} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45 * q2>
  %b = ckks.adjust_scale %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45 * q2>
  // 2^37 / 113 = 2^30.2: rounded, with an error below 2^-31.
  // CHECK: ckks.adjust_scale %{{.*}} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^82 * q2^-1>
  %c = ckks.adjust_scale %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^82 * q2^-1>
  return %b, %c : !ckks.ct<level = 2, scale = 2^45 * q2>, !ckks.ct<level = 2, scale = 2^82 * q2^-1>
}

// CHECK-LABEL: @reinterpret
func.func @reinterpret(%a: !ct2) -> !ckks.ct<level = 2, scale = 2^48> {
  // CHECK: ckks.reinterpret %{{.*}} {factor = 0.125} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^48>
  %b = ckks.reinterpret %a {factor = 0.125} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^48>
  return %b : !ckks.ct<level = 2, scale = 2^48>
}

// CHECK-LABEL: @rotate
func.func @rotate(%a: !ct2) -> !ct2 {
  // CHECK: ckks.rotate %{{.*}} {by = 5} : !ckks.ct<level = 2, scale = 2^45>
  %b = ckks.rotate %a {by = 5} : !ckks.ct<level = 2, scale = 2^45>
  return %b : !ct2
}

// CHECK-LABEL: @conjugate
func.func @conjugate(%a: !ct2) -> !ct2 {
  // CHECK: ckks.conjugate %{{.*}} : !ckks.ct<level = 2, scale = 2^45>
  %b = ckks.conjugate %a : !ckks.ct<level = 2, scale = 2^45>
  return %b : !ct2
}

// CHECK-LABEL: @mul_by_i
func.func @mul_by_i(%a: !ct2) -> !ct2 {
  // CHECK: ckks.mul_by_i %{{.*}} : !ckks.ct<level = 2, scale = 2^45>
  %b = ckks.mul_by_i %a : !ckks.ct<level = 2, scale = 2^45>
  return %b : !ct2
}

// CHECK-LABEL: @add_plain
func.func @add_plain(%a: !ct2) -> !ct2 {
  // CHECK: ckks.add_plain %{{.*}} {value = dense<[1.000000e+00, -2.500000e+00]> : tensor<2xf64>} : !ckks.ct<level = 2, scale = 2^45>
  %b = ckks.add_plain %a {value = dense<[1.0, -2.5]> : tensor<2xf64>} : !ckks.ct<level = 2, scale = 2^45>
  return %b : !ct2
}

// CHECK-LABEL: @mod_raise
func.func @mod_raise(%a: !ckks.ct<level = 0, scale = 2^40>) -> !ckks.ct<level = 2, scale = q0> {
  // CHECK: ckks.mod_raise %{{.*}} : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = q0>
  %b = ckks.mod_raise %a : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = q0>
  return %b : !ckks.ct<level = 2, scale = q0>
}

// CHECK-LABEL: @switch_key
func.func @switch_key(%a: !ckks.ct<level = 0, scale = 2^40>) -> !ckks.ct<level = 2, scale = q0> {
  // CHECK: ckks.switch_key %{{.*}} : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 0, scale = 2^40, secret = ephemeral>
  %b = ckks.switch_key %a : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 0, scale = 2^40, secret = ephemeral>
  %c = ckks.mod_raise %b : !ckks.ct<level = 0, scale = 2^40, secret = ephemeral> -> !ckks.ct<level = 2, scale = q0, secret = ephemeral>
  // CHECK: ckks.switch_key %{{.*}} : !ckks.ct<level = 2, scale = q0, secret = ephemeral> -> !ckks.ct<level = 2, scale = q0>
  %d = ckks.switch_key %c : !ckks.ct<level = 2, scale = q0, secret = ephemeral> -> !ckks.ct<level = 2, scale = q0>
  return %d : !ckks.ct<level = 2, scale = q0>
}

// CHECK-LABEL: @complex_entries
func.func @complex_entries(%a: !ct2) -> !ckks.ct<level = 2, scale = 2^105> {
  // CHECK: ckks.mul_plain %{{.*}} {value = dense<[(1.000000e+00,0.000000e+00), (0.000000e+00,-2.000000e+00)]> : tensor<2xcomplex<f64>>, scale = #ckks.scale<2^30>}
  %b = ckks.mul_plain %a {value = dense<[(1.0, 0.0), (0.0, -2.0)]> : tensor<2xcomplex<f64>>, scale = #ckks.scale<2^30>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^75>
  // CHECK: ckks.linear_transform %{{.*}} {indices = [1], diagonals = dense<{{.*}}> : tensor<1x2xcomplex<f64>>, scale = #ckks.scale<2^30>}
  %c = ckks.linear_transform %b {indices = [1], diagonals = dense<[[(1.0, 4.0), (0.0, 1.0)]]> : tensor<1x2xcomplex<f64>>, scale = #ckks.scale<2^30>}
       : !ckks.ct<level = 2, scale = 2^75> -> !ckks.ct<level = 2, scale = 2^105>
  return %c : !ckks.ct<level = 2, scale = 2^105>
}

// CHECK-LABEL: @generators
func.func @generators(%a: !ct2) -> !ckks.ct<level = 2, scale = 2^105> {
  // CHECK: ckks.mul_plain %{{.*}} {value = {{.*}}, scale = #ckks.scale<2^30>, generator = #ckks.dft_diagonal<matrix = <direction = coefficients_to_slots, log_slots = 1, first = 1, count = 1, factor = -1.000000e-01 : f64, form = from_halves, halved_column = true>, index = 1, rotation = 3>}
  %b = ckks.mul_plain %a {value = dense<(1.0, 0.0)> : tensor<4xcomplex<f64>>, scale = #ckks.scale<2^30>,
                          generator = #ckks.dft_diagonal<matrix = <direction = coefficients_to_slots, log_slots = 1, first = 1, count = 1, factor = -1.000000e-01 : f64, form = from_halves, halved_column = true>, index = 1, rotation = 3>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^75>
  // CHECK: ckks.linear_transform %{{.*}} {indices = [1], {{.*}}, scale = #ckks.scale<2^30>, generator = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 5.000000e-01 : f64>}
  %c = ckks.linear_transform %b {indices = [1], diagonals = dense<(1.0, 4.0)> : tensor<1x2xcomplex<f64>>, scale = #ckks.scale<2^30>,
                                 generator = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 5.000000e-01 : f64>}
       : !ckks.ct<level = 2, scale = 2^75> -> !ckks.ct<level = 2, scale = 2^105>
  return %c : !ckks.ct<level = 2, scale = 2^105>
}

// CHECK-LABEL: @mul_plain
func.func @mul_plain(%a: !ct2) -> !ckks.ct<level = 2, scale = 2^45 * q2> {
  // CHECK: ckks.mul_plain %{{.*}} {value = dense<[1.000000e+00, -2.500000e+00]> : tensor<2xf64>, scale = #ckks.scale<q2>} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45 * q2>
  %b = ckks.mul_plain %a {value = dense<[1.0, -2.5]> : tensor<2xf64>, scale = #ckks.scale<q2>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45 * q2>
  return %b : !ckks.ct<level = 2, scale = 2^45 * q2>
}

// CHECK-LABEL: @add_scalar
func.func @add_scalar(%a: !ct2) -> !ct2 {
  // CHECK: ckks.add_scalar %{{.*}} {value = 0.5} : !ckks.ct<level = 2, scale = 2^45>
  %b = ckks.add_scalar %a {value = 0.5} : !ckks.ct<level = 2, scale = 2^45>
  return %b : !ct2
}

// CHECK-LABEL: @mul_scalar
func.func @mul_scalar(%a: !ct2) -> !ct2 {
  // CHECK: ckks.mul_scalar %{{.*}} {value = 3.0, scale = #ckks.scale<2^0>} : !ckks.ct<level = 2, scale = 2^45>
  %b = ckks.mul_scalar %a {value = 3.0, scale = #ckks.scale<2^0>} : !ckks.ct<level = 2, scale = 2^45>
  return %b : !ct2
}

// CHECK-LABEL: @linear_transform
func.func @linear_transform(%a: !ckks.ct, %c: !ct2) -> (!ckks.ct, !ckks.ct<level = 2, scale = 2^75>) {
  // CHECK: ckks.linear_transform %{{.*}} {indices = [0, 1], diagonals = dense<{{.*}}> : tensor<2x2xf64>} : !ckks.ct
  %b = ckks.linear_transform %a {indices = [0, 1], diagonals = dense<[[1.0, 4.0], [2.0, 3.0]]> : tensor<2x2xf64>}
       : !ckks.ct
  // CHECK: ckks.linear_transform %{{.*}} {indices = [1], diagonals = dense<{{.*}}> : tensor<1x2xf64>, scale = #ckks.scale<2^30>} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^75>
  %d = ckks.linear_transform %c {indices = [1], diagonals = dense<[[1.0, 4.0]]> : tensor<1x2xf64>, scale = #ckks.scale<2^30>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^75>
  return %b, %d : !ckks.ct, !ckks.ct<level = 2, scale = 2^75>
}

// CHECK-LABEL: @polynomial
func.func @polynomial(%a: !ct2) -> !ct0 {
  // CHECK: ckks.polynomial %{{.*}} {basis = chebyshev, coefficients = dense<{{.*}}> : tensor<4xf64>, interval = [-8.000000e+00, 8.000000e+00]} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  %b = ckks.polynomial %a {basis = chebyshev, coefficients = dense<[0.5, 1.0, 0.0, -0.25]> : tensor<4xf64>,
                           interval = [-8.0, 8.0]}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %b : !ct0
}

// x^2 / 2 + i x
// CHECK-LABEL: @complex_polynomial
func.func @complex_polynomial(%a: !ct2) -> !ct0 {
  // CHECK: ckks.polynomial %{{.*}} {basis = monomial, coefficients = dense<[(0.000000e+00,0.000000e+00), (0.000000e+00,1.000000e+00), (5.000000e-01,0.000000e+00)]> : tensor<3xcomplex<f64>>} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  %b = ckks.polynomial %a {basis = monomial, coefficients = dense<[(0.0, 0.0), (0.0, 1.0), (0.5, 0.0)]> : tensor<3xcomplex<f64>>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %b : !ct0
}

}

// Without a chain nothing says how many levels and slots there are.
module @bare {
// CHECK-LABEL: @view_slots
func.func @view_slots(%a: !ckks.ct<level = 2, scale = 2^45, slots = 8>) -> !ckks.ct<level = 2, scale = 2^45> {
  // CHECK: ckks.view_slots %{{.*}} : !ckks.ct<level = 2, scale = 2^45, slots = 8> -> !ckks.ct<level = 2, scale = 2^45, slots = 2>
  %b = ckks.view_slots %a : !ckks.ct<level = 2, scale = 2^45, slots = 8> -> !ckks.ct<level = 2, scale = 2^45, slots = 2>
  // CHECK: ckks.view_slots %{{.*}} : !ckks.ct<level = 2, scale = 2^45, slots = 2> -> !ckks.ct<level = 2, scale = 2^45>
  %c = ckks.view_slots %b : !ckks.ct<level = 2, scale = 2^45, slots = 2> -> !ckks.ct<level = 2, scale = 2^45>
  return %c : !ckks.ct<level = 2, scale = 2^45>
}

// CHECK-LABEL: @refresh
func.func @refresh(%a: !ckks.ct) -> !ckks.ct {
  // CHECK: ckks.refresh %{{.*}} : !ckks.ct
  %b = ckks.refresh %a : !ckks.ct
  return %b : !ckks.ct
}

// CHECK-LABEL: @bootstrap
func.func @bootstrap(%a: !ckks.ct<level = 0, scale = 2^35>, %e: !ckks.ct<level = 2, scale = 2^55>) -> !ckks.ct<level = 2, scale = 2^35> {
  // CHECK: ckks.bootstrap %{{.*}} {range = 12.0, message_bound = 0.0078125, degree = 30, double_angles = 3, coefficients_to_slots = [2, 1], slots_to_coefficients = [3]} : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 2, scale = 2^35>
  %b = ckks.bootstrap %a {range = 12.0, message_bound = 0.0078125, degree = 30, double_angles = 3,
                          coefficients_to_slots = [2, 1], slots_to_coefficients = [3]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 2, scale = 2^35>
  // CHECK: slots_to_coefficients = [3], arcsine_degree = 7}
  %c = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 30, double_angles = 3,
                          coefficients_to_slots = [2, 1], slots_to_coefficients = [3], arcsine_degree = 7}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 2, scale = 2^35>
  // The rest has defaults too, and stands in any order.
  // CHECK: slots_to_coefficients = [3], nodes = han_ki, order = slots_to_coefficients_first, real, iterations = 2, log_gain = 20}
  %d = ckks.bootstrap %e {range = 12.0, message_bound = 0.125, degree = 30, double_angles = 3, coefficients_to_slots = [2, 1],
                          slots_to_coefficients = [3], iterations = 2, real, log_gain = 20, arcsine_degree = 1,
                          order = slots_to_coefficients_first, nodes = han_ki}
       : !ckks.ct<level = 2, scale = 2^55> -> !ckks.ct<level = 4, scale = 2^55>
  return %c : !ckks.ct<level = 2, scale = 2^35>
}
}
