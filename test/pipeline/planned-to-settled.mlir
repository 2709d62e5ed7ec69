// RUN: sluice-opt --to-settled %s | FileCheck %s

// A logistic score, sigmoid(w . x + b), on four lanes of 1024 items each: from the packed program with parameters to
// one where every value has a level and an exact scale, and only operations on ciphertexts remain.
#params = #ckks.params<logN = 13,
  limbs = [1125899904679937, 1125899903827969, 35184372121601, 35184372744193, 35184373006337],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]], digits = [[1], [2], [3], [4]],
  slots = 4096, secret = "uniform-ternary", security = 0>

// CHECK: module attributes {ckks.params = #params}
module attributes {ckks.params = #params} {

// The input stands at level 3, one for the product with w and two for the polynomial; the output at level 0.
// CHECK: func.func @score(
// CHECK-SAME: %[[X:.*]]: !ckks.ct<level = 3, scale = 2^45> {ckks.name = "x", ckks.range = [-8.000000e+00, 8.000000e+00]})
// CHECK-SAME: -> !ckks.ct<level = 0, scale = 2^45>
func.func @score(%x: !ckks.ct {ckks.name = "x", ckks.range = [-8.0, 8.0]}) -> !ckks.ct {
  // w is encoded at q4 / 2^3: the rescale by q4 then leaves 2^42, which the variable x / 8 of the polynomial turns into 2^45.
  // CHECK-NEXT: %[[WX:.*]] = ckks.mul_plain %[[X]] {{.*}}scale = #ckks.scale<2^-3 * q4>} : {{.*}} -> !ckks.ct<level = 3, scale = 2^42 * q4>
  // CHECK-NEXT: %[[P:.*]] = ckks.rescale %[[WX]] : !ckks.ct<level = 3, scale = 2^42 * q4> -> !ckks.ct<level = 2, scale = 2^42>
  %0 = ckks.mul_plain %x {value = dense<[0.5, -1.0, 0.25, 2.0]> : tensor<4xf64>} : !ckks.ct
  // CHECK-NEXT: %[[R2:.*]] = ckks.rotate %[[P]] {by = 2048}
  // CHECK-NEXT: %[[S2:.*]] = ckks.add %[[P]], %[[R2]]
  // CHECK-NEXT: %[[R1:.*]] = ckks.rotate %[[S2]] {by = 1024}
  // CHECK-NEXT: %[[S1:.*]] = ckks.add %[[S2]], %[[R1]]
  // The interval of the polynomial stays written on its argument.
  // CHECK-NEXT: %[[B:.*]] = ckks.add_scalar %[[S1]] {value = -0.5} {ckks.range = [-8.000000e+00, 8.000000e+00]} : !ckks.ct<level = 2, scale = 2^42>
  %1 = ckks.rotate %0 {by = 2048} : !ckks.ct
  %2 = ckks.add %0, %1 : !ckks.ct
  %3 = ckks.rotate %2 {by = 1024} : !ckks.ct
  %4 = ckks.add %2, %3 : !ckks.ct
  %5 = ckks.add_scalar %4 {value = -0.5} : !ckks.ct
  // 0.5 + 0.6 T_1 - 0.1 T_3 at t = x / 8, with T_3 = 2 T_2 T_1 - T_1: 0.5 + 0.7 t - 0.2 t T_2.
  // CHECK-NEXT: %[[T1:.*]] = ckks.reinterpret %[[B]] {factor = 0.125} : !ckks.ct<level = 2, scale = 2^42> -> !ckks.ct<level = 2, scale = 2^45>
  // CHECK-NEXT: %[[SQ:.*]] = ckks.square %[[T1]] : {{.*}} -> !ckks.ct<level = 2, scale = 2^90, size = 3>
  // CHECK-NEXT: %[[SQ2:.*]] = ckks.relinearize %[[SQ]]
  // CHECK-NEXT: %[[D:.*]] = ckks.add %[[SQ2]], %[[SQ2]]
  // CHECK-NEXT: %[[M:.*]] = ckks.add_scalar %[[D]] {value = -1.0}
  // CHECK-NEXT: %[[T2:.*]] = ckks.rescale %[[M]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^90 * q3^-1>
  // CHECK-NEXT: %[[C:.*]] = ckks.mul_scalar %[[T1]] {value = -0.2, scale = #ckks.scale<2^-90 * q2 * q3^2>}
  // CHECK-NEXT: %[[Q:.*]] = ckks.rescale %[[C]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^-45 * q2 * q3>
  // CHECK-NEXT: %[[QT:.*]] = ckks.mul %[[Q]], %[[T2]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^45 * q2, size = 3>
  // CHECK-NEXT: %[[QT2:.*]] = ckks.relinearize %[[QT]]
  // CHECK-NEXT: %[[T1D:.*]] = ckks.drop_level %[[T1]]
  // CHECK-NEXT: %[[L:.*]] = ckks.mul_scalar %[[T1D]] {value = 0.7, scale = #ckks.scale<q2>}
  // CHECK-NEXT: %[[SUM:.*]] = ckks.add %[[QT2]], %[[L]] : !ckks.ct<level = 1, scale = 2^45 * q2>
  // CHECK-NEXT: %[[HALF:.*]] = ckks.add_scalar %[[SUM]] {value = 0.5}
  // CHECK-NEXT: %[[Y:.*]] = ckks.rescale %[[HALF]] : !ckks.ct<level = 1, scale = 2^45 * q2> -> !ckks.ct<level = 0, scale = 2^45>
  // CHECK-NEXT: return %[[Y]]
  %6 = ckks.polynomial %5 {basis = chebyshev, coefficients = dense<[0.5, 0.6, 0.0, -0.1]> : tensor<4xf64>, interval = [-8.0, 8.0]} : !ckks.ct
  return %6 : !ckks.ct
}
}
