// The attributes of the dialect, on modules, functions, arguments and results.
// RUN: sluice-opt --split-input-file --verify-roundtrip %s | FileCheck %s

// CHECK: #params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193], special = [3], levels = {{\[}}[0], [0, 1], [2, 0, 1]], digits = {{\[}}[2], [0], [1]], slots = 2, secret = "uniform-ternary", security = 0>
// CHECK: module attributes {ckks.params = #params, ckks.scale_log2 = 40 : i64, ckks.slots = 4 : i64}
module attributes {
  ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193], special = [3],
                             levels = [[0], [0, 1], [2, 0, 1]], digits = [[2], [0], [1]],
                             slots = 2, secret = "uniform-ternary", security = 0>,
  ckks.scale_log2 = 40 : i64, ckks.slots = 4 : i64} {}

// -----

// Defaults: no special limbs and digits, slots = N/2.
// CHECK: #params = #ckks.params<logN = 3, limbs = [17], special = [], levels = {{\[}}[0]], digits = [], slots = 4, secret = "uniform-ternary", security = 128>
module attributes {ckks.params = #ckks.params<levels = [[0]], limbs = [17], logN = 3>} {}

// -----

// CHECK: func.func @score(
// CHECK-SAME: {ckks.layout = #ckks.layout<shape = [30], lanes = 32, batch = 256, batched = true>, ckks.name = "x", ckks.range = [-8.000000e+00, 8.000000e+00], ckks.secret}
// CHECK-SAME: {ckks.layout = #ckks.layout<shape = [], lanes = 1, batch = 256, batched = false>, ckks.name = "y"}
// CHECK-SAME: attributes {ckks.batch = 256 : i64}
func.func @score(%x: !ckks.ct {ckks.secret, ckks.name = "x", ckks.range = [-8.0, 8.0],
                               ckks.layout = #ckks.layout<shape = [30], lanes = 32, batch = 256, batched = true>})
    -> (!ckks.ct {ckks.layout = #ckks.layout<shape = [], lanes = 1, batch = 256, batched = false>, ckks.name = "y"})
    attributes {ckks.batch = 256 : i64} {
  // CHECK: ckks.square %{{.*}} {ckks.range = [0.000000e+00, 6.400000e+01]}
  %0 = ckks.square %x {ckks.range = [0.0, 64.0]} : !ckks.ct
  return %0 : !ckks.ct
}
