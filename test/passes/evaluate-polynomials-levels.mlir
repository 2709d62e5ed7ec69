// RUN: sluice-opt --evaluate-polynomials %s | FileCheck %s

// Where a level has limbs that the one above it has not, a power reaches it only by a division. Then terms are summed
// higher up and the sum is divided, if that takes fewer; compare @needs_third_power in evaluate-polynomials.mlir, the
// same polynomial on nested levels.
#params = #ckks.params<logN = 13,
  limbs = [1125899904679937, 1125899903827969, 35184372121601, 35184372744193, 35184373006337, 35184373989377,
           35184374366209, 35184374628353, 35184372203521],
  special = [0], levels = [[1], [1, 2], [1, 3, 4], [1, 2, 5, 6], [1, 3, 4, 7, 8]],
  digits = [[1], [2], [3], [4], [5], [6], [7], [8]], slots = 4096, secret = "uniform-ternary", security = 0>

module attributes {ckks.params = #params} {

// CHECK-LABEL: func.func @degree_15(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 4, scale = 2^45>)
func.func @degree_15(%x: !ckks.ct<level = 4, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  // CHECK: %[[T2:.*]] = ckks.rescale %{{.*}} -> !ckks.ct<level = 3,
  // The product for T_3 needs T_1 at level 3: the only power that is brought down.
  // CHECK-NEXT: %[[UP:.*]] = ckks.adjust_scale %[[X]]
  // CHECK-NEXT: %[[T1:.*]] = ckks.rescale %[[UP]] : {{.*}} -> !ckks.ct<level = 3,
  // 2 T_2 T_1 - T_1 stays at level 3. T_3 would stand at level 2, and nothing but a term needs it.
  // CHECK: ckks.mul %[[T2]], %[[T1]]
  // CHECK: %[[P3:.*]] = ckks.sub
  // CHECK-NEXT: ckks.square %[[T2]]
  // CHECK: %[[T4:.*]] = ckks.rescale %{{.*}} -> !ckks.ct<level = 2,
  // A block of a product with T_4, at level 2, and 12 T_1 + 8 T_2 + 4 T_3 + 9, at level 3 and divided once:
  // CHECK: %[[M:.*]] = ckks.mul %{{.*}}, %[[T4]]
  // CHECK-NEXT: %[[R:.*]] = ckks.relinearize %[[M]]
  // CHECK-NEXT: %[[A1:.*]] = ckks.mul_scalar %[[T1]] {value = 12.0,
  // CHECK-NEXT: %[[A2:.*]] = ckks.mul_scalar %[[T2]] {value = 8.0,
  // CHECK-NEXT: %[[S2:.*]] = ckks.add %[[A1]], %[[A2]]
  // CHECK-NEXT: %[[A3:.*]] = ckks.mul_scalar %[[P3]] {value = 4.0,
  // CHECK-NEXT: %[[S3:.*]] = ckks.add %[[S2]], %[[A3]]
  // CHECK-NEXT: %[[S:.*]] = ckks.add_scalar %[[S3]] {value = 9.0}
  // CHECK-NEXT: %[[LOW:.*]] = ckks.rescale %[[S]] : !ckks.ct<level = 3, {{.*}} -> !ckks.ct<level = 2,
  // CHECK-NEXT: %[[B:.*]] = ckks.add %[[R]], %[[LOW]]
  // CHECK-NEXT: ckks.rescale %[[B]] : {{.*}} -> !ckks.ct<level = 1,
  // CHECK: return %{{.*}} : !ckks.ct<level = 0, scale = 2^45>
  %y = ckks.polynomial %x {basis = chebyshev,
    coefficients = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0]> : tensor<16xf64>,
    interval = [-1.0, 1.0]}
       : !ckks.ct<level = 4, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}
}
