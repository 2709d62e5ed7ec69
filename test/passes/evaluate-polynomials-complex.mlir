// RUN: sluice-opt --evaluate-polynomials %s | FileCheck %s

// Complex coefficients: real and imaginary parts of one sum are summed apart, the latter multiplied by i once, exactly
// and without a level. Products of ciphertexts are those of real coefficients.
#params = #ckks.params<logN = 13,
  limbs = [1125899904679937, 1125899903827969, 35184372121601, 35184372744193],
  special = [0], levels = [[1], [1, 2], [1, 2, 3]], digits = [[1], [2], [3]], slots = 4096, secret = "uniform-ternary", security = 0>

module attributes {ckks.params = #params} {

// exp(ix) to second order, 1 + ix - x^2 / 2.
// CHECK-LABEL: func.func @exponential(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 2, scale = 2^45>)
func.func @exponential(%x: !ckks.ct<level = 2, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  // CHECK-NEXT: %[[S:.*]] = ckks.square %[[X]]
  // CHECK-NEXT: %[[L:.*]] = ckks.relinearize %[[S]]
  // CHECK-NEXT: %[[X2:.*]] = ckks.rescale %[[L]]
  // CHECK-NEXT: %[[X1:.*]] = ckks.drop_level %[[X]]
  // CHECK-NEXT: %[[I:.*]] = ckks.mul_scalar %[[X1]] {value = 1.0, scale = #ckks.scale<q2>}
  // CHECK-NEXT: %[[R:.*]] = ckks.mul_scalar %[[X2]] {value = -0.5, scale = #ckks.scale<2^-45 * q2 * q3>}
  // CHECK-NEXT: %[[II:.*]] = ckks.mul_by_i %[[I]] : !ckks.ct<level = 1, scale = 2^45 * q2>
  // CHECK-NEXT: %[[A:.*]] = ckks.add %[[R]], %[[II]] : !ckks.ct<level = 1, scale = 2^45 * q2>
  // CHECK-NEXT: %[[C:.*]] = ckks.add_scalar %[[A]] {value = 1.0}
  // CHECK-NEXT: %[[Y:.*]] = ckks.rescale %[[C]] : {{.*}} -> !ckks.ct<level = 0, scale = 2^45>
  // CHECK-NEXT: return %[[Y]]
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[(1.0, 0.0), (0.0, 1.0), (-0.5, 0.0)]> : tensor<3xcomplex<f64>>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// (1 + 2i) T_1 + (0.5 - 0.25i) T_3: with K = 2, q = (1 - 0.5i) t, r = (0.5 + 2.25i) t. One square for T_2, one product q T_2.
// CHECK-LABEL: func.func @odd_cubic(
// CHECK-SAME: %[[T1:.*]]: !ckks.ct<level = 2, scale = 2^45>)
func.func @odd_cubic(%x: !ckks.ct<level = 2, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  // CHECK-NEXT: ckks.square %[[T1]]
  // CHECK-NOT: ckks.square
  // CHECK: %[[T2:.*]] = ckks.rescale
  // CHECK-NEXT: %[[QR:.*]] = ckks.mul_scalar %[[T1]] {value = 1.0,
  // CHECK-NEXT: %[[QI:.*]] = ckks.mul_scalar %[[T1]] {value = -0.5,
  // CHECK-NEXT: %[[QII:.*]] = ckks.mul_by_i %[[QI]]
  // CHECK-NEXT: %[[QS:.*]] = ckks.add %[[QR]], %[[QII]]
  // CHECK-NEXT: %[[Q:.*]] = ckks.rescale %[[QS]]
  // CHECK-NEXT: %[[P:.*]] = ckks.mul %[[Q]], %[[T2]]
  // CHECK-NEXT: %[[PL:.*]] = ckks.relinearize %[[P]]
  // CHECK-NEXT: %[[T1D:.*]] = ckks.drop_level %[[T1]]
  // CHECK-NEXT: %[[RR:.*]] = ckks.mul_scalar %[[T1D]] {value = 0.5,
  // CHECK-NEXT: %[[SUM:.*]] = ckks.add %[[PL]], %[[RR]]
  // CHECK-NEXT: %[[RI:.*]] = ckks.mul_scalar %[[T1D]] {value = 2.25,
  // CHECK-NEXT: %[[RII:.*]] = ckks.mul_by_i %[[RI]]
  // CHECK-NEXT: %[[SUMI:.*]] = ckks.add %[[SUM]], %[[RII]]
  // CHECK-NEXT: ckks.rescale %[[SUMI]]
  %y = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[(0.0, 0.0), (1.0, 2.0), (0.0, 0.0), (0.5, -0.25)]> : tensor<4xcomplex<f64>>,
                           interval = [-1.0, 1.0]}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// 2i + 3ix: the constant joins what is multiplied by i.
// CHECK-LABEL: func.func @imaginary(
// CHECK-NEXT: %[[M:.*]] = ckks.mul_scalar %{{.*}} {value = 3.0, scale = #ckks.scale<q2>}
// CHECK-NEXT: %[[C:.*]] = ckks.add_scalar %[[M]] {value = 2.0}
// CHECK-NEXT: %[[I:.*]] = ckks.mul_by_i %[[C]]
// CHECK-NEXT: ckks.rescale %[[I]]
func.func @imaginary(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[(0.0, 2.0), (0.0, 3.0)]> : tensor<2xcomplex<f64>>}
       : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// 1 + 2i + 3x, where nothing else is multiplied by i: v + 2i = -i (iv - 2).
// CHECK-LABEL: func.func @imaginary_constant(
// CHECK-NEXT: %[[V:.*]] = ckks.mul_scalar %{{.*}} {value = 3.0, scale = #ckks.scale<q2>}
// CHECK-NEXT: %[[I:.*]] = ckks.mul_by_i %[[V]]
// CHECK-NEXT: %[[D:.*]] = ckks.add_scalar %[[I]] {value = -2.0}
// CHECK-NEXT: %[[II:.*]] = ckks.mul_by_i %[[D]]
// CHECK-NEXT: %[[N:.*]] = ckks.negate %[[II]]
// CHECK-NEXT: %[[R:.*]] = ckks.add_scalar %[[N]] {value = 1.0}
// CHECK-NEXT: ckks.rescale %[[R]]
func.func @imaginary_constant(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[(1.0, 2.0), (3.0, 0.0)]> : tensor<2xcomplex<f64>>}
       : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}
}
