// RUN: sluice-opt --evaluate-polynomials --split-input-file %s | FileCheck %s --check-prefix=SQUARES
// RUN: sluice-opt --evaluate-polynomials --split-input-file %s | FileCheck %s --check-prefix=PRODUCTS
// RUN: sluice-opt --evaluate-polynomials --split-input-file %s | FileCheck %s --check-prefix=LEVELS

// Polynomials of one argument share its powers; every other product is a polynomial's own. The counts are those of
// docs/mathematics.md section 6.
#params = #ckks.params<logN = 13,
  limbs = [1125899904679937, 1125899903827969, 35184372121601, 35184372744193, 35184373006337, 35184373989377],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5]],
  digits = [[1], [2], [3], [4], [5]], slots = 4096, secret = "uniform-ternary", security = 0>
!x4 = !ckks.ct<level = 4, scale = 2^45>
!x3 = !ckks.ct<level = 3, scale = 2^45>
!x2 = !ckks.ct<level = 2, scale = 2^45>
!y = !ckks.ct<level = 0, scale = 2^45>

module attributes {ckks.params = #params} {

// Degree 15 takes 8 products, 4 of them powers: squares for T_2, T_4, T_8 and a product for T_3. Two such polynomials
// take 4 + 2 * 4.
// SQUARES-LABEL: func.func @same_degree(
// SQUARES-COUNT-3: ckks.square
// SQUARES-NOT: ckks.square
// PRODUCTS-LABEL: func.func @same_degree(
// PRODUCTS-COUNT-9: ckks.mul %
// PRODUCTS-NOT: ckks.mul %
func.func @same_degree(%x: !x4) -> (!y, !y) {
  %p = ckks.polynomial %x {basis = chebyshev,
    coefficients = dense<[16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]> : tensor<16xf64>, interval = [-1.0, 1.0]} : !x4 -> !y
  %q = ckks.polynomial %x {basis = chebyshev,
    coefficients = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0]> : tensor<16xf64>, interval = [-1.0, 1.0]} : !x4 -> !y
  return %p, %q : !y, !y
}

// Degree 3 takes 2 products, degree 7 takes 5; both need x^2. With results at one level, the shorter one begins lower: it
// takes x^2 from where the longer one has it.
// SQUARES-LABEL: func.func @other_degrees(
// SQUARES-COUNT-2: ckks.square
// SQUARES-NOT: ckks.square
// PRODUCTS-LABEL: func.func @other_degrees(
// PRODUCTS-COUNT-4: ckks.mul %
// PRODUCTS-NOT: ckks.mul %
// LEVELS-LABEL: func.func @other_degrees(
// LEVELS-SAME: %[[X:.*]]: !ckks.ct<level = 3, scale = 2^45>)
// LEVELS-NEXT: %[[S:.*]] = ckks.square %[[X]]
// LEVELS-NEXT: %[[L:.*]] = ckks.relinearize %[[S]]
// LEVELS-NEXT: %[[X2:.*]] = ckks.rescale %[[L]] : {{.*}} -> !ckks.ct<level = 2, scale = 2^90 * q4^-1>
// LEVELS: ckks.drop_level %[[X2]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^90 * q4^-1>
func.func @other_degrees(%x: !x3) -> (!y, !y) {
  %lower = ckks.drop_level %x : !x3 -> !x2
  %p = ckks.polynomial %lower {basis = monomial, coefficients = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>} : !x2 -> !y
  %q = ckks.polynomial %x {basis = monomial, coefficients = dense<[1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0]> : tensor<8xf64>} : !x3 -> !y
  return %p, %q : !y, !y
}

// Other variables, x and x / 2: nothing is shared, a T_2 each.
// SQUARES-LABEL: func.func @other_intervals(
// SQUARES-COUNT-2: ckks.square
// SQUARES-NOT: ckks.square
// PRODUCTS-LABEL: func.func @other_intervals(
// PRODUCTS-COUNT-2: ckks.mul %
// PRODUCTS-NOT: ckks.mul %
func.func @other_intervals(%x: !x2) -> (!y, !y) {
  %p = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>, interval = [-1.0, 1.0]} : !x2 -> !y
  %q = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>, interval = [-2.0, 2.0]} : !x2 -> !y
  return %p, %q : !y, !y
}
}

// -----

// Level 2 has a limb, q3, that level 3 has not: going down multiplies by 2^45 and divides, which is seen through as well.
#open = #ckks.params<logN = 13,
  limbs = [1125899904679937, 1125899903827969, 35184372121601, 35184372744193, 35184373006337, 35184373989377],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 4, 5]],
  digits = [[1], [2], [3], [4], [5]], slots = 4096, secret = "uniform-ternary", security = 0>
!x3 = !ckks.ct<level = 3, scale = 2^45>
!raised = !ckks.ct<level = 3, scale = 2^90>
!x2 = !ckks.ct<level = 2, scale = 2^90 * q3 * q4^-1 * q5^-1>
!y = !ckks.ct<level = 0, scale = 2^45>

module attributes {ckks.params = #open} {
// SQUARES-LABEL: func.func @open_chain(
// SQUARES-COUNT-2: ckks.square
// SQUARES-NOT: ckks.square
// PRODUCTS-LABEL: func.func @open_chain(
// PRODUCTS-COUNT-4: ckks.mul %
// PRODUCTS-NOT: ckks.mul %
func.func @open_chain(%x: !x3) -> (!y, !y) {
  %raised = ckks.adjust_scale %x : !x3 -> !raised
  %lower = ckks.rescale %raised : !raised -> !x2
  %p = ckks.polynomial %lower {basis = monomial, coefficients = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>} : !x2 -> !y
  %q = ckks.polynomial %x {basis = monomial, coefficients = dense<[1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0]> : tensor<8xf64>} : !x3 -> !y
  return %p, %q : !y, !y
}
}
