//===- CudaCompiler.h - from CUDA C++ to device code ------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_CUDACOMPILER_H
#define SLUICE_PASSES_DRIVER_CUDACOMPILER_H

#include "passes/driver/ArtifactWriter.h"
#include "passes/driver/CudaSource.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace sluice {

/// Path of nvcc: what the environment variable SLUICE_NVCC says; else on PATH, of the wheel that
/// the build found, or in /usr/local/cuda/bin. Empty when there is none.
std::string findNvcc();

/// Compiles `source` (driver/CudaSource) by running `nvcc` on temporary files, removed on every
/// path, beside the kernel headers of runtime/cuda/kernels, which this library carries. Returns a
/// fat binary: code for sm_80 and sm_90 and PTX for others, or what the environment variable
/// SLUICE_CUDA_ARCHITECTURES lists (sm_90,compute_90: code and PTX). Reports an error on `module`:
/// no nvcc, an architecture that is none, or what nvcc said.
mlir::FailureOr<std::string> compileDeviceCode(mlir::ModuleOp module, llvm::StringRef source,
                                               llvm::StringRef nvcc);

/// Compiles the kernels of `program` with findNvcc(), and adds its launches and device code to
/// `contents`; errors as above.
mlir::LogicalResult addDeviceCode(mlir::ModuleOp module, const CudaProgram &program,
                                  ArtifactContents &contents);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_CUDACOMPILER_H
