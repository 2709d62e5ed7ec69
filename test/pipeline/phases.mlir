// A linear score with a square, from upstream MLIR to LLVM. Each line leaves the pipeline at one phase and enters it again
// from the text.

// RUN: sluice-compile %s --to=packed -o %t.packed.mlir
// RUN: FileCheck %s --check-prefix=PACKED < %t.packed.mlir
// RUN: sluice-compile %t.packed.mlir --from=packed --to=planned -o %t.planned.mlir
// RUN: FileCheck %s --check-prefix=PLANNED < %t.planned.mlir
// RUN: sluice-compile %t.planned.mlir --from=planned --to=settled -o %t.settled.mlir
// RUN: FileCheck %s --check-prefix=SETTLED < %t.settled.mlir
// RUN: sluice-compile %t.settled.mlir --from=settled --to=rns -o %t.rns.mlir
// RUN: FileCheck %s --check-prefix=RNS < %t.rns.mlir
// RUN: sluice-compile %t.rns.mlir --from=rns --to=fused -o %t.fused.mlir
// RUN: FileCheck %s --check-prefix=FUSED < %t.fused.mlir
// RUN: sluice-compile %t.fused.mlir --from=fused --to=llvm -o %t.llvm.mlir
// RUN: FileCheck %s --check-prefix=LLVM < %t.llvm.mlir

// In one go, or from the last text: the same artifact. And the same again: the compiler is deterministic.
// RUN: sluice-compile %s -o %t.once.sluice
// RUN: sluice-compile %s -o %t.twice.sluice
// RUN: sluice-compile %t.llvm.mlir --from=llvm -o %t.resumed.sluice
// RUN: cmp %t.once.sluice %t.twice.sluice
// RUN: cmp %t.once.sluice %t.resumed.sluice

// PACKED: module attributes {{.*}}ckks.slots
// PACKED: func.func @score(%{{.*}}: !ckks.ct {{.*}}) -> (!ckks.ct
// PACKED-NOT: linalg

// PLANNED: ckks.params
// PLANNED: func.func @score(%{{.*}}: !ckks.ct {

// SETTLED: func.func @score(%{{.*}}: !ckks.ct<level = {{[0-9]+}}, scale = {{.*}}>
// SETTLED: ckks.relinearize
// SETTLED: ckks.rescale
// SETTLED-NOT: !ckks.ct{{[^<]}}

// RNS: rns.ring = #ring, {{.*}}sluice.inputs = [{{.*}}name = "x"
// RNS: func.func @score(%{{.*}}: !rns.poly<
// RNS: rns.mod_up
// RNS: rns.inner_product

// FUSED: rns.arena_slots
// FUSED: rns.base_convert {{.*}} {rns.slots = array<i32
// FUSED-NOT: rns.mod_up
// FUSED-NOT: rns.rescale

// LLVM: sluice.program = {arena_slots
// LLVM: llvm.func @sluice_program_run
// LLVM-NOT: rns.ntt

func.func @score(%x: tensor<4xf64> {ckks.secret, ckks.name = "x", ckks.range = [-1.0, 1.0]}) -> f64 {
  %w = arith.constant dense<[0.5, -0.25, 1.0, 0.125]> : tensor<4xf64>
  %zero = arith.constant dense<0.0> : tensor<f64>
  %dot = linalg.dot ins(%w, %x : tensor<4xf64>, tensor<4xf64>) outs(%zero : tensor<f64>) -> tensor<f64>
  %s = tensor.extract %dot[] : tensor<f64>
  %square = arith.mulf %s, %s : f64
  return %square : f64
}
