// RUN: sluice-opt --settle-scales --split-input-file --verify-diagnostics %s | FileCheck %s

// The chain of these examples: a bottom level of 50 bits (q1) and five steps of 45 bits (q2 ... q6); P is q0.
#params = #ckks.params<logN = 13,
  limbs = [1125899904679937, 1125899903827969, 35184372121601, 35184372744193, 35184373006337, 35184373989377, 35184374874113],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]],
  digits = [[1], [2], [3], [4], [5], [6]], slots = 4096, secret = "uniform-ternary", security = 0>

module attributes {ckks.params = #params} {

// ((x^8) + y) * y: y is encoded at the scale that x^8 arrives with. No adjustment.
// CHECK-LABEL: func.func @eighth_power(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 4, scale = 2^45> {ckks.name = "x"},
// CHECK-SAME: %[[Y:.*]]: !ckks.ct<level = 1, scale = 2^360 * q3^-1 * q4^-2 * q5^-4> {ckks.name = "y"})
// CHECK-SAME: -> !ckks.ct<level = 0, scale = 2^720 * q2^-1 * q3^-2 * q4^-4 * q5^-8>
func.func @eighth_power(%x: !ckks.ct {ckks.name = "x"}, %y: !ckks.ct {ckks.name = "y"}) -> !ckks.ct {
  // CHECK: %[[A:.*]] = ckks.square %[[X]]
  // CHECK: %[[B:.*]] = ckks.relinearize %[[A]]
  // CHECK: ckks.rescale %[[B]] : !ckks.ct<level = 4, scale = 2^90> -> !ckks.ct<level = 3, scale = 2^90 * q5^-1>
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.square %0 : !ckks.ct
  %2 = ckks.square %1 : !ckks.ct
  // CHECK-NOT: adjust_scale
  // CHECK: %[[SUM:.*]] = ckks.add %{{.*}}, %[[Y]] : !ckks.ct<level = 1, scale = 2^360 * q3^-1 * q4^-2 * q5^-4>
  %3 = ckks.add %2, %y : !ckks.ct
  // CHECK: ckks.mul %[[SUM]], %[[Y]]
  %4 = ckks.mul %3, %y : !ckks.ct
  return %4 : !ckks.ct
}

// x y + z w: relinearised and rescaled once, after the sum.
// CHECK-LABEL: func.func @sum_of_products(
// CHECK-COUNT-4: !ckks.ct<level = 1, scale = 2^45>
func.func @sum_of_products(%x: !ckks.ct, %y: !ckks.ct, %z: !ckks.ct, %w: !ckks.ct) -> !ckks.ct {
  // CHECK-NEXT: %[[XY:.*]] = ckks.mul
  %0 = ckks.mul %x, %y : !ckks.ct
  // CHECK-NEXT: %[[ZW:.*]] = ckks.mul
  %1 = ckks.mul %z, %w : !ckks.ct
  // CHECK-NEXT: %[[SUM:.*]] = ckks.add %[[XY]], %[[ZW]] : !ckks.ct<level = 1, scale = 2^90, size = 3>
  // CHECK-NEXT: %[[TWO:.*]] = ckks.relinearize %[[SUM]]
  // CHECK-NEXT: ckks.rescale %[[TWO]] : !ckks.ct<level = 1, scale = 2^90> -> !ckks.ct<level = 0, scale = 2^90 * q2^-1>
  // CHECK-NEXT: return
  %2 = ckks.add %0, %1 : !ckks.ct
  return %2 : !ckks.ct
}

// 0.5 (W x + b) + 3: products with plaintexts come back to 2^45, since a plaintext is encoded at the limb that its
// rescale drops. Constants are added before the rescale; an integer factor costs nothing.
// CHECK-LABEL: func.func @affine(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 2, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45>
func.func @affine(%x: !ckks.ct) -> !ckks.ct {
  // CHECK-NEXT: %[[W:.*]] = ckks.linear_transform %[[X]] {{.*}}scale = #ckks.scale<q3>}
  %0 = ckks.linear_transform %x {indices = [0, 1], diagonals = dense<[[1.0, 4.0], [2.0, 3.0]]> : tensor<2x2xf64>} : !ckks.ct
  // CHECK-NEXT: %[[B:.*]] = ckks.add_plain %[[W]] {{.*}} : !ckks.ct<level = 2, scale = 2^45 * q3>
  // CHECK-NEXT: %[[R:.*]] = ckks.rescale %[[B]]
  %1 = ckks.add_plain %0 {value = dense<[0.5, -0.5]> : tensor<2xf64>} : !ckks.ct
  // CHECK-NEXT: %[[H:.*]] = ckks.mul_scalar %[[R]] {value = 0.5, scale = #ckks.scale<q2>}
  %2 = ckks.mul_scalar %1 {value = 0.5} : !ckks.ct
  // CHECK-NEXT: %[[T:.*]] = ckks.mul_scalar %[[H]] {value = 2.0, scale = #ckks.scale<2^0>} : !ckks.ct<level = 1, scale = 2^45 * q2>
  %3 = ckks.mul_scalar %2 {value = 2.0} : !ckks.ct
  // CHECK-NEXT: %[[S:.*]] = ckks.add_scalar %[[T]] {value = 3.0}
  // CHECK-NEXT: ckks.rescale %[[S]]
  %4 = ckks.add_scalar %3 {value = 3.0} : !ckks.ct
  return %4 : !ckks.ct
}

// x^4 + x has no exact solution (it would take a cube root). The sum is rescaled anyway, so x is multiplied by an
// integer near 2^45 and joins before the rescale.
// CHECK-LABEL: func.func @free_adjustment(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 2, scale = 2^45>)
func.func @free_adjustment(%x: !ckks.ct) -> !ckks.ct {
  %0 = ckks.square %x : !ckks.ct
  // CHECK: %[[P:.*]] = ckks.relinearize %{{.*}} -> !ckks.ct<level = 1, scale = 2^180 * q3^-2>
  %1 = ckks.square %0 : !ckks.ct
  // CHECK-NEXT: %[[D:.*]] = ckks.drop_level %[[X]]
  // CHECK-NEXT: %[[A:.*]] = ckks.adjust_scale %[[D]] : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^180 * q3^-2>
  // CHECK-NEXT: %[[S:.*]] = ckks.add %[[P]], %[[A]]
  // CHECK-NEXT: ckks.rescale %[[S]]
  // expected-remark @below {{operand 2 is adjusted from scale 2^45 to 2^180 * q3^-2: relative value error at most 2^-46; free, the sum is rescaled anyway}}
  %2 = ckks.add %1, %x : !ckks.ct
  return %2 : !ckks.ct
}

// A rotation after the product: its rescale cannot wait for the sum, and x needs one of its own.
// CHECK-LABEL: func.func @paid_adjustment(
func.func @paid_adjustment(%x: !ckks.ct) -> !ckks.ct {
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.square %0 : !ckks.ct
  // CHECK: %[[R:.*]] = ckks.rotate
  %2 = ckks.rotate %1 {by = 1} : !ckks.ct
  // CHECK: %[[A:.*]] = ckks.adjust_scale
  // CHECK-NEXT: %[[B:.*]] = ckks.rescale %[[A]] : {{.*}} -> !ckks.ct<level = 0, scale = 2^180 * q2^-1 * q3^-2>
  // CHECK-NEXT: ckks.sub %[[B]], %[[R]]
  // expected-remark @below {{operand 1 is adjusted from scale 2^45 to 2^180 * q3^-2: relative value error at most 2^-46; paid with a level and a rescale of its own}}
  %3 = ckks.sub %x, %2 : !ckks.ct
  return %3 : !ckks.ct
}

// x^8 + x^5, both three products deep: no level is left to adjust one of them. But x itself stands at level 3 and enters the
// product x^4 x at level 1: it is adjusted on its way down.
// CHECK-LABEL: func.func @paid_on_the_way(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 3, scale = 2^45>)
func.func @paid_on_the_way(%x: !ckks.ct) -> !ckks.ct {
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.square %0 : !ckks.ct
  %2 = ckks.square %1 : !ckks.ct
  // CHECK: %[[D:.*]] = ckks.drop_level %[[X]] : !ckks.ct<level = 3, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45>
  // CHECK-NEXT: %[[A:.*]] = ckks.adjust_scale %[[D]]
  // CHECK-NEXT: %[[R:.*]] = ckks.rescale %[[A]] : {{.*}} -> !ckks.ct<level = 1, scale = [[S:.*]]>
  // CHECK-NEXT: ckks.mul %{{.*}}, %[[R]]
  // expected-remark @below {{operand 2 is adjusted}}
  %3 = ckks.mul %1, %x : !ckks.ct
  %4 = ckks.add %2, %3 : !ckks.ct
  return %4 : !ckks.ct
}

// Values enter where they are first used, and are dropped for later uses.
// CHECK-LABEL: func.func @levels(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 2, scale = 2^45>, %[[Y:.*]]: !ckks.ct<level = 1, {{[^>]*}}>)
// CHECK-SAME: -> (!ckks.ct<level = 0, {{[^>]*}}>, !ckks.ct<level = 0, scale = 2^45>)
func.func @levels(%x: !ckks.ct, %y: !ckks.ct) -> (!ckks.ct, !ckks.ct) {
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.mul %0, %y : !ckks.ct
  // CHECK: %[[D:.*]] = ckks.drop_level %[[X]] : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  // CHECK: return %{{.*}}, %[[D]]
  return %1, %x : !ckks.ct, !ckks.ct
}

// The variable of a Chebyshev polynomial is x / 8: x gets 3 bits less, so that the variable has the levels' scale.
// CHECK-LABEL: func.func @polynomial(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 2, scale = 2^42>)
func.func @polynomial(%x: !ckks.ct) -> !ckks.ct {
  // CHECK-NEXT: ckks.polynomial %[[X]] {{.*}} : !ckks.ct<level = 2, scale = 2^42> -> !ckks.ct<level = 0, scale = 2^45>
  %0 = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.5, 1.0, 0.0, -0.25]> : tensor<4xf64>, interval = [-8.0, 8.0]} : !ckks.ct
  return %0 : !ckks.ct
}

// Other intervals cost a level; zeros at the end none.
// CHECK-LABEL: func.func @polynomial_interval(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 2, scale = 2^45>)
func.func @polynomial_interval(%x: !ckks.ct) -> !ckks.ct {
  // CHECK-NEXT: %[[S:.*]] = ckks.mul_scalar %[[X]] {value = 0.4, scale = #ckks.scale<q3>}
  // CHECK-NEXT: %[[C:.*]] = ckks.add_scalar %[[S]] {value = -1.4}
  // CHECK-NEXT: %[[T:.*]] = ckks.rescale %[[C]]
  // CHECK-NEXT: ckks.polynomial %[[T]] {basis = chebyshev, coefficients = dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf64>, interval = [-1.000000e+00, 1.000000e+00]}
  // expected-remark @below {{the half-width of the polynomial's interval is not a power of two: bringing it to [-1, 1] costs a level}}
  %0 = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.5, 1.0, 0.0, 0.0]> : tensor<4xf64>, interval = [1.0, 6.0]} : !ckks.ct
  return %0 : !ckks.ct
}

// Complex coefficients stay what they are; a constant becomes 0 * x + 1 + 2i, the 2i as -i (0i - 2).
// CHECK-LABEL: func.func @complex_polynomial(
func.func @complex_polynomial(%x: !ckks.ct) -> !ckks.ct {
  // CHECK-NEXT: %[[Y:.*]] = ckks.polynomial %{{.*}} {basis = monomial, coefficients = dense<[(1.000000e+00,0.000000e+00), (0.000000e+00,2.000000e+00)]> : tensor<2xcomplex<f64>>}
  // CHECK-NEXT: %[[Z:.*]] = ckks.mul_scalar %[[Y]] {value = 0.0
  // CHECK-NEXT: %[[I:.*]] = ckks.mul_by_i %[[Z]]
  // CHECK-NEXT: %[[S:.*]] = ckks.add_scalar %[[I]] {value = -2.0}
  // CHECK-NEXT: %[[II:.*]] = ckks.mul_by_i %[[S]]
  // CHECK-NEXT: %[[N:.*]] = ckks.negate %[[II]]
  // CHECK-NEXT: ckks.add_scalar %[[N]] {value = 1.0}
  %0 = ckks.polynomial %x {basis = monomial, coefficients = dense<[(1.0, 0.0), (0.0, 2.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>} : !ckks.ct
  %1 = ckks.polynomial %0 {basis = monomial, coefficients = dense<[(1.0, 2.0), (0.0, 0.0)]> : tensor<2xcomplex<f64>>} : !ckks.ct
  return %1 : !ckks.ct
}
}

// -----

// Levels that are not nested: from level 1, {q1, q2}, to level 0, {q0}, a rescale drops two limbs and adds one. Going down
// without a product multiplies by 2^40 first, the power of two nearest to q1 q2 / q0.
#params = #ckks.params<logN = 13, limbs = [1125899904679937, 35184372121601, 35184372744193], levels = [[0], [1, 2]],
                       slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
// CHECK-LABEL: func.func @rational(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 1, scale = 2^40>)
func.func @rational(%x: !ckks.ct) -> !ckks.ct {
  // CHECK: ckks.rescale %{{.*}} : !ckks.ct<level = 1, scale = 2^80> -> !ckks.ct<level = 0, scale = 2^80 * q0 * q1^-1 * q2^-1>
  %0 = ckks.square %x : !ckks.ct
  // CHECK: %[[A:.*]] = ckks.adjust_scale %[[X]] : !ckks.ct<level = 1, scale = 2^40> -> !ckks.ct<level = 1, scale = 2^80>
  // CHECK: ckks.rescale %[[A]] : !ckks.ct<level = 1, scale = 2^80> -> !ckks.ct<level = 0, scale = 2^80 * q0 * q1^-1 * q2^-1>
  // CHECK: ckks.add
  %1 = ckks.add %0, %x : !ckks.ct
  return %1 : !ckks.ct
}
}

// -----

// On a chain of one level nothing shows how large a scale is to be: the parameters' choice, or all but 12 bits.
#params = #ckks.params<logN = 13, limbs = [1125899904679937], levels = [[0]], slots = 4096, security = 0>
module attributes {ckks.params = #params, ckks.scale_log2 = 31 : i64} {
// CHECK: module attributes {ckks.params = #params}
// CHECK: func.func @told(%{{.*}}: !ckks.ct<level = 0, scale = 2^31>)
func.func @told(%x: !ckks.ct) -> !ckks.ct {
  return %x : !ckks.ct
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937], levels = [[0]], slots = 4096, security = 0>
module attributes {ckks.params = #params} {
// CHECK: func.func @guessed(%{{.*}}: !ckks.ct<level = 0, scale = 2^38>)
func.func @guessed(%x: !ckks.ct) -> !ckks.ct {
  return %x : !ckks.ct
}
}
