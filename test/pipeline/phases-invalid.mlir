// Each phase refuses text of another with a message that says what is missing. sluice-opt has the same steps as pipelines.

// RUN: not sluice-compile %s --from=settled --to=rns 2>&1 | FileCheck %s --check-prefix=SETTLED
// SETTLED: error: the module has no 'ckks.params'; run select-parameters first
// RUN: not sluice-compile %s --from=rns --to=fused 2>&1 | FileCheck %s --check-prefix=RNS
// RNS: error: the module has no 'rns.ring'
// RUN: not sluice-compile %s --from=fused --to=llvm 2>&1 | FileCheck %s --check-prefix=FUSED
// FUSED: error: the module has no 'sluice.keys'
// RUN: not sluice-compile %s --from=llvm -o %t.sluice 2>&1 | FileCheck %s --check-prefix=LLVM
// LLVM: error: the module has no 'ckks.params'
// RUN: not sluice-opt --to-rns %s 2>&1 | FileCheck %s --check-prefix=SETTLED
// RUN: not sluice-opt --to-fused %s 2>&1 | FileCheck %s --check-prefix=RNS
// RUN: not sluice-opt --to-llvm %s 2>&1 | FileCheck %s --check-prefix=FUSED

func.func @f() {
  return
}
