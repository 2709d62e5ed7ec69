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
// A program for CUDA devices is made of loops, which phase llvm has no more. Targets have names.
// RUN: not sluice-compile %s --from=llvm --target=cuda -o %t.sluice 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: target cuda needs a program of phase fused or before, not of phase llvm, where its loops are x86 functions already
// RUN: not sluice-compile %s --target=opencl 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: no target is called 'opencl'; the targets are cpu and cuda
// RUN: not sluice-compile %s --emit-cuda=%t.cu 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: --emit-cuda and --emit-launches need --target=cuda and --to=llvm or --to=artifact

func.func @f() {
  return
}
