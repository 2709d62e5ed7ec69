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
/// fat binary: code for sm_90, and PTX that the driver compiles for any device from compute
/// capability 8.0 on. Reports an error on `module`: no nvcc, or what it said.
mlir::FailureOr<std::string> compileDeviceCode(mlir::ModuleOp module, llvm::StringRef source,
                                               llvm::StringRef nvcc);

/// Compiles the kernels of `program` with findNvcc(), and adds its launches and device code to
/// `contents`; errors as above.
mlir::LogicalResult addDeviceCode(mlir::ModuleOp module, const CudaProgram &program,
                                  ArtifactContents &contents);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_CUDACOMPILER_H
