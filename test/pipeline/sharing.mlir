// What may be shared stands on the module from the first phase to the last, so that compilation can be left and entered again.

// RUN: sluice-compile %s --precision=8 --decryptions=5 --statistical-bits=40 --to=rns -o %t.rns.mlir
// RUN: FileCheck %s < %t.rns.mlir
// CHECK: module attributes {
// CHECK-SAME: sluice.decryptions = 5 : i64
// CHECK-SAME: sluice.output_deviations = array<f64: {{[0-9.]+}}E-{{[0-9]+}}>
// CHECK-SAME: sluice.statistical_bits = 4.000000e+01 : f64
// RUN: sluice-compile %t.rns.mlir --from=rns -o %t.resumed.sluice
// RUN: sluice-compile %s --precision=8 --decryptions=5 --statistical-bits=40 -o %t.once.sluice
// RUN: cmp %t.once.sluice %t.resumed.sluice

// What cannot be reached is said, with what can.
// RUN: not sluice-compile %s --precision=45 --decryptions=5 -o %t.none.sluice 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: error: after the flooding of 5 shared decryptions at 30 statistical bits, {{[34][0-9](.[0-9])?}} bits of precision are left; 45 were asked for: ask for less precision, fewer decryptions (a quarter of them is a bit), smaller batches or shallower circuits
// RUN: not sluice-compile %s --decryptions=5 --statistical-bits=29 -o %t.none.sluice 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: statistical-bits must be between 30 and 128, not 29
// RUN: not sluice-compile %s --decryptions=1099511627777 -o %t.none.sluice 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: decryptions must be at most 2^40; found 1099511627777
// Tests may have less.
// RUN: sluice-compile %s --precision=8 --decryptions=5 --statistical-bits=10 --insecure -o %t.insecure.sluice

func.func @square(%x: tensor<4xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> tensor<4xf64> {
  %0 = arith.mulf %x, %x : tensor<4xf64>
  return %0 : tensor<4xf64>
}
