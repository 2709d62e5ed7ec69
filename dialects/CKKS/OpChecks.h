//===- OpChecks.h - checks that several verifiers of the ckks dialect share -------------------===//
//
// Each check emits its message and fails, or succeeds silently. Internal to the dialect.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_OPCHECKS_H
#define SLUICE_DIALECTS_CKKS_OPCHECKS_H

#include "dialects/CKKS/CKKSOps.h"

#include <string>

namespace sluice::ckks {

/// The type of `value`, which is a ciphertext.
inline CtType ctTypeOf(mlir::Value value) { return llvm::cast<CtType>(value.getType()); }

/// Adds a note where `value`, called `what`, comes from: an operation or a block argument.
void noteOrigin(mlir::InFlightDiagnostic &diagnostic, mlir::Value value, llvm::StringRef what);

/// `input` is settled.
llvm::LogicalResult requireSettled(mlir::Operation *op, mlir::Value input);

/// `input` has two polynomials; `reason` completes "operand has 3 polynomials, ...".
llvm::LogicalResult requireSizeTwo(mlir::Operation *op, mlir::Value input, llvm::StringRef reason);

/// `input` is encrypted under the main secret, the only one that the operation has a key for.
llvm::LogicalResult requireMainSecret(mlir::Operation *op, mlir::Value input);

/// The only result has type `expected`.
llvm::LogicalResult requireResult(mlir::Operation *op, CtType expected);

/// The only result has the type that the operation's own inference gives.
template <typename OpTy> llvm::LogicalResult requireInferredResult(OpTy op) {
  return requireResult(op, OpTy::inferType(typename OpTy::Adaptor(op->getOperands(), op)));
}

/// Both operands are floating, or both settled, at one level, under one secret and of one number of
/// slots.
llvm::LogicalResult requireSameStageAndLevel(mlir::Operation *op, mlir::Value lhs, mlir::Value rhs);

/// `count` entries, named `what`, can be stretched over the slots of the operand: a power of two,
/// at most the slots where its type or the chain gives them.
llvm::LogicalResult requireStretches(mlir::Operation *op, llvm::StringRef what, int64_t count);

/// `value` is a finite vector that can be stretched over the slots of the operand.
llvm::LogicalResult requireVector(mlir::Operation *op, mlir::DenseElementsAttr value);

/// The scale of a plaintext operand is given if and only if `input` is settled.
llvm::LogicalResult requireScaleIfSettled(mlir::Operation *op, mlir::Value input, ScaleAttr scale);

/// Complex elements are for settled operands: only that stage knows what to do with complex slots.
llvm::LogicalResult requireRealIfFloating(mlir::Operation *op, mlir::Value input,
                                          mlir::DenseElementsAttr values);

/// `values` are complex and vectors of as many elements as the matrix that gives them has rows.
llvm::LogicalResult requireGenerated(mlir::Operation *op, DftMatrixAttr matrix,
                                     mlir::DenseElementsAttr values);

/// The type of a product with a plaintext of `scale`; floating stays floating.
CtType productWithPlain(mlir::Value input, ScaleAttr scale);

/// The chain, if it has the level of the operand; whether levels exist is checked on the module.
ParamsAttr findParamsFor(mlir::Operation *op);

/// The shortest text that reads back as the same double; MLIR wants a point in it.
std::string numberText(double value);

/// Whether all elements, real or complex, are finite.
bool isFinite(mlir::DenseElementsAttr values);

} // namespace sluice::ckks

#endif // SLUICE_DIALECTS_CKKS_OPCHECKS_H
