// RUN: sluice-opt --select-parameters --split-input-file %s | FileCheck %s
// RUN: sluice-opt --select-parameters="precision=24 log-n=15" --split-input-file %s | FileCheck %s --check-prefix=FINE
// RUN: sluice-opt --select-parameters="precision=42" --split-input-file %s | FileCheck %s --check-prefix=WORDS
// RUN: sluice-opt --select-parameters="insecure" --split-input-file %s | FileCheck %s --check-prefix=INSECURE

// Depth 2: three levels, one limb each. log2(PQ) must stay below 214 for N = 2^13; 2^12 allows 106.
// CHECK: #[[P:.*]] = #ckks.params<logN = 13, limbs = [{{[0-9, ]*}}],
// CHECK-SAME: levels = {{\[}}[0], [0, 1], [0, 1, 2]], digits = {{.*}}, slots = 64
// CHECK: module attributes {ckks.params = #[[P]]}
// CHECK-LABEL: @cube
// FINE: #ckks.params<logN = 15, limbs = [{{[0-9, ]*}}]
// FINE-SAME: levels = {{\[}}[0], [0, 1], [0, 1, 2]]
// Levels of 55 bits are full words and small ones, which are no subsets of each other.
// WORDS: #ckks.params<logN = 14, limbs = [{{[0-9, ]*}}],
// WORDS-SAME: levels = {{\[}}[3, 4], [4, 5, 6], [2, 3, 4, 5, 6]], digits
// INSECURE: #ckks.params<logN = 10,
// INSECURE-SAME: security = 0
module attributes {ckks.slots = 64 : i64} {
  func.func @cube(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.square %x : !ckks.ct
    %1 = ckks.mul %0, %x : !ckks.ct
    return %1 : !ckks.ct
  }
}

// -----

// An output up to 2^32 does not fit beside the scale into one limb: level 0 has two. An integer factor uses no level. No
// level above 0 shows how large the scale is to be: an attribute says it.
// CHECK: #ckks.params<logN = 12,
// CHECK-SAME: levels = {{\[}}[0, 1]], digits
// CHECK: module attributes {ckks.params = #{{.*}}, ckks.scale_log2 = 3{{[0-9]}} : i64}
// CHECK-LABEL: @large
module attributes {ckks.slots = 16 : i64} {
  func.func @large(%x: !ckks.ct {ckks.range = [-1073741824.0, 1073741824.0]}) -> !ckks.ct {
    %0 = ckks.mul_scalar %x {value = 3.0} : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

// A polynomial of degree 7 uses 3 levels, a plain product 1; slots force the ring.
// CHECK: #ckks.params<logN = 15,
// CHECK-SAME: levels = {{\[}}[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4]], digits
// CHECK-LABEL: @polynomial
module attributes {ckks.slots = 16384 : i64} {
  func.func @polynomial(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.mul_plain %x {value = dense<[0.5, 0.25]> : tensor<2xf64>} : !ckks.ct
    %1 = ckks.polynomial %0 {basis = chebyshev, coefficients = dense<[0.0, 0.5, 0.0, 0.25, 0.0, 0.125, 0.0, 0.0625]>
                             : tensor<8xf64>, interval = [-1.0, 1.0]} : !ckks.ct
    return %1 : !ckks.ct
  }
}

// -----

// Parameters that are there are kept.
// CHECK: #[[G:.*]] = #ckks.params<logN = 4, limbs = [1048609, 1048897, 1049057, 1049089],
// CHECK: module attributes {ckks.params = #[[G]]}
#given = #ckks.params<logN = 4, limbs = [1048609, 1048897, 1049057, 1049089], special = [3], levels = [[0, 1], [0, 1, 2]],
                      digits = [[0], [1], [2]], slots = 8, security = 0>
module attributes {ckks.params = #given, ckks.slots = 8 : i64} {
  func.func @given(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.square %x : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

// Of a single level of 80 bits, values up to 2^20 and the margin of 2 bits leave 58 to the scale.
// CHECK: module attributes {ckks.params = #{{.*}}, ckks.scale_log2 = 58 : i64}
// CHECK-LABEL: @flat
#flat = #ckks.params<logN = 4, limbs = [1099511627873, 1099511628161, 1099511628769], special = [2], levels = [[0, 1]],
                     digits = [[0], [1]], slots = 8, security = 0>
module attributes {ckks.params = #flat, ckks.slots = 8 : i64} {
  func.func @flat(%x: !ckks.ct {ckks.range = [-1048576.0, 1048576.0]}) -> !ckks.ct {
    return %x : !ckks.ct
  }
}
