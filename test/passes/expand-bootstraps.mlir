// A bootstrap of four slots, from level 0 to 2. RUN lines show the expansion, and that nothing of it is special to later passes.
// RUN: sluice-opt --expand-bootstraps %s | FileCheck %s
// RUN: sluice-opt --expand-bootstraps --evaluate-polynomials --lower-linear-transforms --ckks-to-rns --hoist %s | FileCheck %s --check-prefix=RNS

#params = #ckks.params<logN = 3, limbs = [1125899906842273, 1125899906842177, 1125899906842033, 1125899906841713, 1125899906841377,
  1125899906840897, 1125899906840833, 1125899906840609, 1125899906840593, 1125899906840273],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6],
  [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  digits = [[1], [2], [3], [4], [5], [6], [7], [8], [9]], security = 0>
module attributes {ckks.params = #params} {

// The raised operand is four times as large, so that errors of the first key switches count a quarter. Two levels for the factors V_1 and V_2 of
// CoeffsToSlots; the first one leads to a power of two, and each rescale takes away the rest.
// CHECK-LABEL: func.func @f
// CHECK: %[[RAISED:.*]] = ckks.mod_raise %{{.*}} : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 8, scale = q1>
// CHECK: %[[SCALED:.*]] = ckks.adjust_scale %[[RAISED]] {{.*}} -> !ckks.ct<level = 8, scale = 2^2 * q1>
// CHECK: %[[A:.*]] = ckks.linear_transform %[[SCALED]] {indices = [0, 2], {{.*}}tensor<2x4xcomplex<f64>>, scale = #ckks.scale<2^50 * q1^-1 * q9>, generator = #ckks.dft_matrix<direction = coefficients_to_slots, log_slots = 2, first = 1, count = 1, factor = {{[0-9.e+-]+}} : f64>}
// CHECK: %[[B:.*]] = ckks.rescale %[[A]] : !ckks.ct<level = 8, scale = 2^52 * q9> -> !ckks.ct<level = 7, scale = 2^52>
// CHECK: %[[C:.*]] = ckks.linear_transform %[[B]] {indices = [3, 0, 1], {{.*}}scale = #ckks.scale<2^-2 * q8>, generator = #ckks.dft_matrix<direction = coefficients_to_slots, log_slots = 2, first = 2, count = 1, factor = {{[0-9.e+-]+}} : f64>}

// The coefficients' two halves, before the rescale, which then divides the conjugation's error too.
// CHECK: %[[E:.*]] = ckks.conjugate %[[C]]
// CHECK: %[[SUM:.*]] = ckks.add %[[C]], %[[E]]
// CHECK: %[[F:.*]] = ckks.sub %[[E]], %[[C]]
// CHECK: %[[DIFFERENCE:.*]] = ckks.mul_by_i %[[F]]
// CHECK: %[[LOW:.*]] = ckks.rescale %[[SUM]] {{.*}} -> !ckks.ct<level = 6, scale = 2^50>

// EvalMod of one: the scale of the series is the root of what the square shall give, 2^50, times the limb that goes.
// CHECK: %[[T:.*]] = ckks.add_scalar %[[LOW]]
// CHECK: %[[G:.*]] = ckks.polynomial %[[T]] {{.*}} -> !ckks.ct<level = 4, scale = 2^25 * q5^(1/2)>
// CHECK: %[[H:.*]] = ckks.square %[[G]]
// CHECK: %[[I:.*]] = ckks.relinearize %[[H]]
// CHECK: %[[J:.*]] = ckks.add %[[I]], %[[I]]
// CHECK: %[[K:.*]] = ckks.rescale %[[J]] {{.*}} -> !ckks.ct<level = 3, scale = 2^50>
// CHECK: %[[SINE:.*]] = ckks.add_scalar %[[K]] {value = -0.15915494309189535}
// CHECK: %[[HIGH:.*]] = ckks.rescale %[[DIFFERENCE]]
// CHECK: ckks.add_scalar %[[HIGH]]
// CHECK: ckks.polynomial
// CHECK: %[[L:.*]] = ckks.mul_by_i

// Back to slots, in one factor of four diagonals, at exactly the scale of the result.
// CHECK: %[[M:.*]] = ckks.add %[[SINE]], %[[L]]
// CHECK: %[[N:.*]] = ckks.linear_transform %[[M]] {indices = [3, 0, 1, 2], {{.*}}scale = #ckks.scale<2^-10 * q4>, generator = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 2, first = 1, count = 2, factor = {{[0-9.e+-]+}} : f64>}
// CHECK: %[[O:.*]] = ckks.rescale %[[N]] {{.*}} -> !ckks.ct<level = 2, scale = 2^40>
// CHECK: return %[[O]]

// The lift is a centred conversion; the baby rotations of a factor share one decomposition.
// RNS: rns.intt
// RNS: rns.base_convert %{{.*}} : !rns.poly<[1], coeff> -> !rns.poly<[2, 3, 4, 5, 6, 7, 8, 9], coeff>
// RNS: rns.ntt
// RNS: rns.concat
// RNS: %[[DIGITS:.*]] = rns.decompose
// RNS: rns.inner_product %[[DIGITS]]
// RNS-NOT: = ckks.
func.func @f(%x: !ckks.ct<level = 0, scale = 2^40>) -> !ckks.ct<level = 2, scale = 2^40> {
  %z = ckks.bootstrap %x {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1, 1], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = 2^40>
  return %z : !ckks.ct<level = 2, scale = 2^40>
}
}
