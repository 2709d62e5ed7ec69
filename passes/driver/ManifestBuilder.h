//===- ManifestBuilder.h - from the attributes of the llvm phase to plain data ----------------===//
#ifndef SLUICE_PASSES_DRIVER_MANIFESTBUILDER_H
#define SLUICE_PASSES_DRIVER_MANIFESTBUILDER_H

#include "passes/driver/ArtifactWriter.h"

#include "mlir/IR/BuiltinOps.h"

namespace sluice {

/// Collects everything of the artifact but the code from a module of the llvm phase: ckks.params
/// and the attributes of passes/ProgramAttributes.h. `name` overrides the program's name unless
/// empty. Reports an error when an attribute is missing or ill-formed (the module may be text that
/// a person edited), or when the parameters exceed the security table without being marked
/// insecure.
mlir::FailureOr<ArtifactContents> readContents(mlir::ModuleOp module, llvm::StringRef name);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_MANIFESTBUILDER_H
