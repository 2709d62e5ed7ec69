//===- Codegen.h - from the llvm phase to native code -----------------------------------------===//
//
// The last step of the compiler: a module of the LLVM dialect becomes the code section of an
// artifact, an x86-64-v2 ELF shared object that needs nothing from outside.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_CODEGEN_H
#define SLUICE_PASSES_DRIVER_CODEGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace sluice {

/// Registers what translateToObject needs to turn the LLVM dialect into LLVM IR.
void registerCodegenTranslations(mlir::DialectRegistry &registry);

/// Compiles `module` (LLVM dialect only) to a relocatable x86-64-v2 ELF object: position
/// independent, freestanding (no library calls, no stack protector, no unwind tables). Returns the
/// object's bytes, or reports an error on `module`.
mlir::FailureOr<std::string> translateToObject(mlir::ModuleOp module);

/// Path of ld.lld: of the LLVM this compiler was built with, or on PATH; empty when there is none.
std::string findLinker();

/// Links one object into a shared object without undefined symbols, by running `linker` on
/// temporary files (removed on every path). Returns the shared object's bytes, or reports an error
/// on `module`: no linker, or what the linker said.
mlir::FailureOr<std::string> linkSharedObject(mlir::ModuleOp module, llvm::StringRef object,
                                              llvm::StringRef linker);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_CODEGEN_H
