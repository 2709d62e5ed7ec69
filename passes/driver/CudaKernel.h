//===- CudaKernel.h - one limb kernel as CUDA C++ ---------------------------------------------===//
//
// The text of a kernel holds no number that differs between two loops of the same shape: slots,
// rows, scalars and Galois elements are parameters.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_CUDAKERNEL_H
#define SLUICE_PASSES_DRIVER_CUDAKERNEL_H

#include "passes/FusedProgram.h"
#include "runtime/abi/launches.h"

#include <string>
#include <vector>

namespace sluice {

/// What a limb kernel is made of: limb-wise operations that no other operation stands between.
struct LimbLoop {
  mlir::Operation *op;                       ///< that errors are reported on
  llvm::SmallVector<mlir::Operation *> body; ///< in order
  llvm::SmallVector<mlir::Value> results;    ///< computed by `body`, written to the arena
  llvm::SmallVector<llvm::ArrayRef<int32_t>> resultSlots; ///< of each
};

struct CudaKernel {
  LimbKernelKind kind = LimbKernelKind::elements;
  uint32_t outputs = 0;
  /// Statements of runtime/cuda/kernels/program.cuh, a line each.
  std::string text;
  /// parameters[p][i]: the word of parameter p for limb i (runtime/abi/launches.h).
  std::vector<std::vector<uint64_t>> parameters;
};

/// Writes the kernel of `loop`, for a ring of degree 2^logN. Values of `program` are at their
/// places, those of the loop's body included where they are read from outside. Reports an error for
/// what no kernel can do with all its positions at once: whole transforms, automorphisms of what
/// ntt_rows gave in the same loop, a result in the slot of an operand that is read at other
/// positions.
mlir::FailureOr<CudaKernel> writeCudaKernel(const FusedProgram &program, const LimbLoop &loop,
                                            unsigned logN);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_CUDAKERNEL_H
