//===- CKKSOps.h - the ckks dialect -----------------------------------------------------------===//
//
// Everything of the dialect: types, attributes, enumerations, operations.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_CKKSOPS_H
#define SLUICE_DIALECTS_CKKS_CKKSOPS_H

#include "dialects/CKKS/Scale.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <complex>

#include "dialects/CKKS/CKKSDialect.h.inc"
#include "dialects/CKKS/CKKSEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/CKKS/CKKSAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/CKKS/CKKSTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/CKKS/CKKSOps.h.inc"

namespace sluice::ckks {

/// Names of the module attributes.
inline constexpr llvm::StringLiteral paramsAttrName = "ckks.params";
inline constexpr llvm::StringLiteral slotsAttrName = "ckks.slots";
inline constexpr llvm::StringLiteral scaleLog2AttrName = "ckks.scale_log2";
/// What every `ckks.refresh` of the module becomes: the attributes of a `ckks.bootstrap`, and the
/// levels and scales of its operand and result as `input_level`, `input_log_scale`, `result_level`
/// and `result_log_scale`.
inline constexpr llvm::StringLiteral bootstrapAttrName = "ckks.bootstrap_plan";
/// Name of the function attribute.
inline constexpr llvm::StringLiteral batchAttrName = "ckks.batch";
/// Names of the argument and result attributes; `ckks.range` may stand on any operation too.
inline constexpr llvm::StringLiteral secretAttrName = "ckks.secret";
inline constexpr llvm::StringLiteral nameAttrName = "ckks.name";
inline constexpr llvm::StringLiteral layoutAttrName = "ckks.layout";
inline constexpr llvm::StringLiteral complexAttrName = "ckks.complex";
inline constexpr llvm::StringLiteral rangeAttrName = "ckks.range";

/// The chain of the module around `op`, or null.
ParamsAttr findParams(mlir::Operation *op);

/// Whether the elements are complex numbers.
inline bool isComplex(mlir::DenseElementsAttr values) {
  return llvm::isa<mlir::ComplexType>(values.getElementType());
}

/// The type of `from` rescaled to `level`: scale times prod(limbs added) / prod(limbs dropped).
CtType getRescaledType(CtType from, int64_t level, ParamsAttr params);

/// Levels that a polynomial of this degree uses: ceil(log2(degree + 1)).
inline int64_t getPolynomialDepth(int64_t degree) { return llvm::Log2_64_Ceil(degree + 1); }

} // namespace sluice::ckks

#endif // SLUICE_DIALECTS_CKKS_CKKSOPS_H
