//===- CudaSource.h - a program for CUDA devices ----------------------------------------------===//
//
// From phase fused: the list of launches, and the CUDA C++ source of the kernels that it launches.
// Loops of the same shape share a kernel.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_CUDASOURCE_H
#define SLUICE_PASSES_DRIVER_CUDASOURCE_H

#include "runtime/abi/launches.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace sluice {

struct CudaProgram {
  unsigned logN = 0;
  LaunchList launches;
  /// Includes runtime/cuda/kernels/program.cuh; needs nothing else.
  std::string source;
};

/// Reads `module`, of phase fused, whose loops and places were made with at-once. Constants, keys,
/// rows and stages have the numbers that rns-to-runtime gives them. Reports an error for what has
/// no kernel, see writeCudaKernel.
mlir::FailureOr<CudaProgram> writeCudaProgram(mlir::ModuleOp module);

/// The list as text, for people and tests: a line a kernel, then for each launch a line with its
/// number and kind, and a line for each of its limbs.
std::string formatLaunches(const LaunchList &list);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_CUDASOURCE_H
