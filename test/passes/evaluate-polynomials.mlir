// RUN: sluice-opt --evaluate-polynomials --split-input-file --verify-diagnostics %s | FileCheck %s

// A bottom level of 50 bits (q1) and four steps of 45 bits (q2 ... q5).
#params = #ckks.params<logN = 13,
  limbs = [1125899904679937, 1125899903827969, 35184372121601, 35184372744193, 35184373006337, 35184373989377],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]],
  digits = [[1], [2], [3], [4], [5]], slots = 4096, secret = "uniform-ternary", security = 0>

module attributes {ckks.params = #params} {

// 0.5 + t - 0.25 T_3(t), t = x / 8, in two levels. T_3 = 2 T_2 T_1 - T_1 is never formed: with K = 2,
// p = q T_2 + r, q = -0.5 t, r = 0.5 + 1.25 t.
// CHECK-LABEL: func.func @odd_cubic(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 2, scale = 2^42>)
func.func @odd_cubic(%x: !ckks.ct<level = 2, scale = 2^42>) -> !ckks.ct<level = 0, scale = 2^45> {
  // The variable costs nothing:
  // CHECK-NEXT: %[[T1:.*]] = ckks.reinterpret %[[X]] {factor = 0.125} : !ckks.ct<level = 2, scale = 2^42> -> !ckks.ct<level = 2, scale = 2^45>
  // T_2 = 2 T_1^2 - 1, the 1 subtracted before the rescale:
  // CHECK-NEXT: %[[S:.*]] = ckks.square %[[T1]]
  // CHECK-NEXT: %[[L:.*]] = ckks.relinearize %[[S]]
  // CHECK-NEXT: %[[D:.*]] = ckks.add %[[L]], %[[L]]
  // CHECK-NEXT: %[[M:.*]] = ckks.add_scalar %[[D]] {value = -1.0}
  // CHECK-NEXT: %[[T2:.*]] = ckks.rescale %[[M]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^90 * q3^-1>
  // q at the scale that makes q T_2 exactly 2^45 q2:
  // CHECK-NEXT: %[[C:.*]] = ckks.mul_scalar %[[T1]] {value = -0.5, scale = #ckks.scale<2^-90 * q2 * q3^2>}
  // CHECK-NEXT: %[[Q:.*]] = ckks.rescale %[[C]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^-45 * q2 * q3>
  // CHECK-NEXT: %[[P:.*]] = ckks.mul %[[Q]], %[[T2]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^45 * q2, size = 3>
  // CHECK-NEXT: %[[PL:.*]] = ckks.relinearize %[[P]]
  // r, added before the rescale that ends the polynomial:
  // CHECK-NEXT: %[[DROP:.*]] = ckks.drop_level %[[T1]]
  // CHECK-NEXT: %[[R1:.*]] = ckks.mul_scalar %[[DROP]] {value = 1.25, scale = #ckks.scale<q2>}
  // CHECK-NEXT: %[[SUM:.*]] = ckks.add %[[PL]], %[[R1]]
  // CHECK-NEXT: %[[SUM0:.*]] = ckks.add_scalar %[[SUM]] {value = 0.5}
  // CHECK-NEXT: %[[Y:.*]] = ckks.rescale %[[SUM0]] : !ckks.ct<level = 1, scale = 2^45 * q2> -> !ckks.ct<level = 0, scale = 2^45>
  // CHECK-NEXT: return %[[Y]]
  %y = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.5, 1.0, 0.0, -0.25]> : tensor<4xf64>, interval = [-8.0, 8.0]}
       : !ckks.ct<level = 2, scale = 2^42> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// Degree 15 has leaves of degree 3: T_3 = 2 T_2 T_1 - T_1, with T_1 brought to the product's scale.
// CHECK-LABEL: func.func @needs_third_power(
func.func @needs_third_power(%x: !ckks.ct<level = 4, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  // CHECK: %[[P:.*]] = ckks.mul {{.*}} -> !ckks.ct<level = 3, scale = 2^135 * q5^-1, size = 3>
  // CHECK-NEXT: %[[L:.*]] = ckks.relinearize %[[P]]
  // CHECK-NEXT: %[[D:.*]] = ckks.add %[[L]], %[[L]]
  // CHECK-NEXT: %[[A:.*]] = ckks.adjust_scale %{{.*}} : !ckks.ct<level = 3, scale = 2^45> -> !ckks.ct<level = 3, scale = 2^135 * q5^-1>
  // CHECK-NEXT: %[[M:.*]] = ckks.sub %[[D]], %[[A]]
  // CHECK-NEXT: ckks.rescale %[[M]] : {{.*}} -> !ckks.ct<level = 2
  // CHECK: return %{{.*}} : !ckks.ct<level = 0, scale = 2^45>
  %y = ckks.polynomial %x {basis = chebyshev,
    coefficients = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0]> : tensor<16xf64>,
    interval = [-1.0, 1.0]}
       : !ckks.ct<level = 4, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// x^2 in the monomial basis, to an exact target scale; the centre of an interval is subtracted.
// CHECK-LABEL: func.func @monomial(
// CHECK-NEXT: %[[S:.*]] = ckks.square
// CHECK-NEXT: %[[L:.*]] = ckks.relinearize %[[S]]
// CHECK-NEXT: %[[T2:.*]] = ckks.rescale %[[L]]
// CHECK-NEXT: %[[C:.*]] = ckks.mul_scalar %[[T2]] {value = 3.0, scale = #ckks.scale<2^-46 * q2 * q3>}
// CHECK-NEXT: ckks.rescale %[[C]] : {{.*}} -> !ckks.ct<level = 0, scale = 2^44>
func.func @monomial(%x: !ckks.ct<level = 2, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^44> {
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[0.0, 0.0, 3.0]> : tensor<3xf64>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^44>
  return %y : !ckks.ct<level = 0, scale = 2^44>
}

// CHECK-LABEL: func.func @centred(
// CHECK-NEXT: %[[C:.*]] = ckks.add_scalar %{{.*}} {value = -3.0}
// CHECK-NEXT: ckks.reinterpret %[[C]] {factor = 0.5}
func.func @centred(%x: !ckks.ct<level = 1, scale = 2^44>) -> !ckks.ct<level = 0, scale = 2^45> {
  %y = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.0, 1.0]> : tensor<2xf64>, interval = [1.0, 5.0]}
       : !ckks.ct<level = 1, scale = 2^44> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// A constant that was declared with a degree: 0 * x + 2 at the declared level and scale.
// CHECK-LABEL: func.func @constant(
// CHECK-NEXT: %[[Z:.*]] = ckks.mul_scalar %{{.*}} {value = 0.0, scale = #ckks.scale<q2>}
// CHECK-NEXT: %[[C:.*]] = ckks.add_scalar %[[Z]] {value = 2.0}
// CHECK-NEXT: ckks.rescale %[[C]]
func.func @constant(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[2.0, 0.0]> : tensor<2xf64>}
       : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// Leading zeros counted as levels: the evaluation begins lower.
// CHECK-LABEL: func.func @leading_zeros(
// CHECK-NEXT: %[[D:.*]] = ckks.drop_level %{{.*}} -> !ckks.ct<level = 1, scale = 2^45>
// CHECK-NEXT: ckks.mul_scalar %[[D]] {value = 2.0, scale = #ckks.scale<q2>}
func.func @leading_zeros(%x: !ckks.ct<level = 2, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[0.0, 2.0, 0.0, 0.0]> : tensor<4xf64>}
       : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}

// A scale far from the limbs is warned about.
// CHECK-LABEL: func.func @few_digits(
func.func @few_digits(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^15> {
  // expected-warning @below {{coefficients are rounded at scale 2^15: the operand's scale is far from the limbs of the levels}}
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[0.0, 1.5]> : tensor<2xf64>}
       : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^15>
  return %y : !ckks.ct<level = 0, scale = 2^15>
}
}
