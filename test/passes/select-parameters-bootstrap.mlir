// A program with a bootstrap gets the plan of it: for 16 bits, with the three levels that the products behind it need.
// RUN: sluice-opt --select-parameters %s | FileCheck %s
// RUN: sluice-compile --from=packed %s --to=settled -v -o %t.mlir 2>&1 | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --check-prefix=SETTLED < %t.mlir

// CHECK: #ckks.params<logN = 16, {{.*}}, slots = 32, secret = "uniform-ternary", security = 128, ephemeral = "ephemeral-32", ephemeral_special = [{{[0-9]+}}]>
// CHECK: ckks.bootstrap_plan = {{{.*}}degree = {{[0-9]+}} : i64, double_angles = {{[0-9]+}} : i64, input_level = 0 : i64, {{.*}}result_level = 3 : i64

// TABLE: * N = 2^16 {{[0-9]+ 1[6-9].[0-9] [0-9.]+ [MG]iB [0-9]+ [0-9]+}} 3 levels of 2^{{[0-9]+}}; range 16, ratio 2^{{[0-9]+}}, degree {{[0-9]+}}, {{[0-9]+}} double angles; levels of {{.*}} limbs of P
// TABLE: N = 2^16 {{~.*}}; pruned: its operations take longer

// SETTLED: ckks.mod_raise
// SETTLED-NOT: ckks.refresh

#layout = #ckks.layout<shape = [32], lanes = 32, batch = 1, batched = false>
module attributes {ckks.slots = 32 : i64} {
func.func @power(%x: !ckks.ct {ckks.name = "x", ckks.layout = #layout, ckks.range = [-1.0, 1.0]}) -> (!ckks.ct {ckks.name = "y", ckks.layout = #layout}) {
  %0 = ckks.square %x : !ckks.ct
  %1 = ckks.refresh %0 : !ckks.ct
  %2 = ckks.square %1 : !ckks.ct
  %3 = ckks.square %2 : !ckks.ct
  %4 = ckks.mul %3, %1 : !ckks.ct
  return %4 : !ckks.ct
}
}
