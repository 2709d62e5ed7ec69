//===- SettledProgram.h - what a settled program must be to be lowered ------------------------===//
#ifndef SLUICE_PASSES_SETTLEDPROGRAM_H
#define SLUICE_PASSES_SETTLEDPROGRAM_H

#include "dialects/CKKS/CKKSOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace sluice {

/// The one public function, or null after an error.
mlir::func::FuncOp findProgram(mlir::ModuleOp module);

/// Every value is a settled ciphertext, those that come and go as the client has them; composite
/// operations are expanded; where keys are switched there is a P to do it with; the factors of
/// adjustments can be computed. An error otherwise.
llvm::LogicalResult verifySettled(mlir::func::FuncOp function, ckks::ParamsAttr params);

} // namespace sluice

#endif // SLUICE_PASSES_SETTLEDPROGRAM_H
