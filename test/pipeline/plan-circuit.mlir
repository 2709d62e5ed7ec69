// What a program's parameters are chosen from: rings, chains, numbers of digits, each with what it is expected to take.

// RUN: sluice-compile %s -v -o %t.sluice 2>&1 | FileCheck %s
// The chosen one is the fastest of those that were tried; those that cannot win by their operations are not.
// CHECK: candidates  time, ms    bits        keys  log QP  log Q left
// CHECK-NEXT: * N = 2^13 {{[0-9.]+ 2[0-9].[0-9] [0-9.]+ KiB [0-9]+ 34}} 2 levels of 2^32, one limb a level, 1 digit, 2 limbs of P
// CHECK-NEXT: N = 2^13 {{.*}} 2 levels of 2^32, one limb a level, 3 digits, 1 limb of P
// CHECK: N = 2^14 {{~[0-9.]+ ~[0-9.]+ ~[0-9.]+ [KM]iB ~[0-9]+ ~34}} 2 levels of 2^32, {{.*}}; pruned: its operations take longer
// CHECK: N = 2^12 - - - 138 - 2 levels of 2^32, one limb a level, 3 digits, 1 limb of P; refused: log QP 138 is over the 106 that N = 2^12 allows

// Beyond 2^50 levels are made of full words.
// RUN: sluice-compile %s -v --precision=45 -o %t.sluice 2>&1 | FileCheck %s --check-prefix=FINE
// FINE: * N = 2^14 {{.*}} 2 levels of 2^60, full words, {{.*}} of P
// FINE: N = 2^12 {{.*}} one limb a level; refused: no scale up to 2^50 gives 45 bits

// Where nothing is left, the table says why, and the message what can be reached.
// RUN: not sluice-compile %s -v --precision=50 -o %t.none.sluice 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no parameters give 50 bits to a program of depth 2 with N <= 2^17 and 128 bits of security; 49 bits are reachable
// NONE: N = 2^17 {{.*}} full words; refused: no scale up to 2^60 gives 50 bits

// Stopping early chooses the same.
// RUN: sluice-compile %s --to=planned -o %t.planned.mlir
// RUN: sluice-compile %t.planned.mlir --from=planned -o %t.resumed.sluice
// RUN: sluice-compile %s -o %t.once.sluice
// RUN: cmp %t.once.sluice %t.resumed.sluice

// Given parameters are no choice.
// RUN: sluice-compile %t.planned.mlir --from=planned -v -o %t.sluice 2>&1 | FileCheck %s --check-prefix=GIVEN
// GIVEN-NOT: candidates

func.func @cube(%x: tensor<8xf64> {ckks.secret, ckks.name = "x", ckks.range = [-1.0, 1.0]}) -> tensor<8xf64> {
  %0 = arith.mulf %x, %x : tensor<8xf64>
  %1 = arith.mulf %0, %x : tensor<8xf64>
  return %1 : tensor<8xf64>
}
