// How often a run fails is noted on the module: the sum over all its bootstraps, and over their rounds. Under a secret of weight 25, the
// most of a ring of 2^3 but for 2^-137, sums of 26 halves never pass 13: what is left is a heavier secret, 2^-137 a bootstrap. A
// module that has failures already gets more.
// RUN: sluice-opt --expand-bootstraps --split-input-file %s | FileCheck %s

#params = #ckks.params<logN = 3, limbs = [1125899906842273, 1125899906842177, 1125899906842033, 1125899906841713, 1125899906841377,
  1125899906840897, 1125899906840833, 1125899906840609, 1125899906840593, 1125899906840273],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6],
  [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  digits = [[1], [2], [3], [4], [5], [6], [7], [8], [9]], security = 0>
// CHECK: sluice.log2_failure = -1.360000e+02 : f64
module attributes {ckks.params = #params} {
func.func @twice(%x: !ckks.ct<level = 0, scale = 2^40>, %y: !ckks.ct<level = 0, scale = 2^40>) -> (!ckks.ct<level = 2, scale = 2^40>, !ckks.ct<level = 2, scale = 2^40>) {
  %z = ckks.bootstrap %x {range = 13.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1, 1], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = 2^40>
  %w = ckks.bootstrap %y {range = 13.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1, 1], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = 2^40>
  return %z, %w : !ckks.ct<level = 2, scale = 2^40>, !ckks.ct<level = 2, scale = 2^40>
}
}

// -----

#params = #ckks.params<logN = 3, limbs = [1125899906842273, 1125899906842177, 1125899906842033, 1125899906841713, 1125899906841377,
  1125899906840897, 1125899906840833, 1125899906840609, 1125899906840593, 1125899906840273],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6],
  [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  digits = [[1], [2], [3], [4], [5], [6], [7], [8], [9]], security = 0>
// CHECK: sluice.log2_failure = -1.360000e+02 : f64
module attributes {ckks.params = #params, sluice.log2_failure = -137.0 : f64} {
func.func @once(%x: !ckks.ct<level = 0, scale = 2^40>) -> !ckks.ct<level = 2, scale = 2^40> {
  %z = ckks.bootstrap %x {range = 13.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1, 1], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = 2^40>
  return %z : !ckks.ct<level = 2, scale = 2^40>
}
}

// -----

// Nothing to note without a bootstrap.
// CHECK-NOT: log2_failure
module {
func.func @none(%x: !ckks.ct) -> !ckks.ct {
  return %x : !ckks.ct
}
}
