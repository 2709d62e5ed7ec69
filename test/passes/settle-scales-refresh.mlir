// Bootstraps whose plan select-parameters has chosen: here one from level 0 to 2, at scale 2^40.
// RUN: sluice-opt --settle-scales %s | FileCheck %s

#params = #ckks.params<logN = 3, limbs = [1125899906842273, 1125899906842177, 1125899906842033, 1125899906841713, 1125899906841377,
  1125899906840897, 1125899906840833, 1125899906840609, 1125899906840593, 1125899906840273],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6],
  [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  digits = [[1], [2], [3], [4], [5], [6], [7], [8], [9]], security = 0>

// CHECK: module attributes {ckks.params = #params} {
module attributes {ckks.params = #params, ckks.bootstrap_plan = {
  range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1, coefficients_to_slots = array<i64: 1, 1>,
  slots_to_coefficients = array<i64: 2>, input_level = 0, input_log_scale = 40, result_level = 2, result_log_scale = 40}} {

// The product stands at level 1, from which the bootstrap's operand goes down: an exact scale there makes it 2^40.
// CHECK-LABEL: func.func @square
// CHECK-SAME: (%[[X:.*]]: !ckks.ct<level = 2, scale = 2^50>) -> !ckks.ct<level = 0,
func.func @square(%x: !ckks.ct) -> !ckks.ct {
  // CHECK: %[[P:.*]] = ckks.rescale %{{.*}} : {{.*}} -> !ckks.ct<level = 1, scale = 2^100 * q3^-1>
  // CHECK-NEXT: %[[L:.*]] = ckks.adjust_scale %[[P]] : {{.*}} -> !ckks.ct<level = 1, scale = 2^40 * q2>
  // CHECK-NEXT: %[[B:.*]] = ckks.rescale %[[L]] : !ckks.ct<level = 1, scale = 2^40 * q2> -> !ckks.ct<level = 0, scale = 2^40>
  // CHECK-NEXT: %[[Z:.*]] = ckks.bootstrap %[[B]] {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1, coefficients_to_slots = [1, 1], slots_to_coefficients = [2]} : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = 2^40>
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.refresh %0 : !ckks.ct
  // CHECK-NEXT: %[[D:.*]] = ckks.drop_level %[[Z]] : !ckks.ct<level = 2, scale = 2^40> -> !ckks.ct<level = 1, scale = 2^40>
  // CHECK-NEXT: ckks.square %[[D]]
  %2 = ckks.square %1 : !ckks.ct
  return %2 : !ckks.ct
}
}
