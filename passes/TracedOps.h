//===- TracedOps.h - the input language: what a traced program may contain --------------------===//
//
// The tensor operations of the traced stage as index arithmetic, shared by range analysis, packing
// and the twin: a movement sends input elements to output elements, a product sums products of two
// operands' elements. Elements are numbered row-major.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_TRACEDOPS_H
#define SLUICE_PASSES_TRACEDOPS_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/Chebyshev.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Discardable attribute beside `ckks.range` that says where the range comes from: "proved" or
/// "measured".
inline constexpr llvm::StringLiteral rangeSourceAttrName = "sluice.range_source";

/// The one public function of a module. Emits an error on the module when there is none or more
/// than one.
mlir::FailureOr<mlir::func::FuncOp> findEntryFunction(mlir::ModuleOp module);

/// Shape of a tensor, empty for f64 and index scalars.
llvm::ArrayRef<int64_t> shapeOf(mlir::Value value);
/// Number of elements of a statically shaped tensor; 1 for scalars.
int64_t elementCountOf(mlir::Value value);
/// True for static tensors of f64 and for f64.
bool isReal(mlir::Type type);

/// broadcast, transpose, reduce, extract_slice, extract, splat, fill, reshapes: operand 0 is the
/// input.
bool isMovement(mlir::Operation *op);
/// Calls term(out, in) for each pair of elements with out += in. An element of an operation's
/// result that no term names is 0. `op` is a movement that passed checkTraced.
void forEachTerm(mlir::Operation *op, llvm::function_ref<void(int64_t out, int64_t in)> term);

/// dot, matvec, vecmat, matmul: operands 0 and 1.
bool isProduct(mlir::Operation *op);
/// Calls term(out, lhs, rhs) for each triple of elements with out += lhs * rhs.
void forEachProduct(mlir::Operation *op,
                    llvm::function_ref<void(int64_t out, int64_t lhs, int64_t rhs)> term);

/// The destination (`outs`) of a reduction or product, whose elements are added to the result; null
/// for others.
mlir::Value initOf(mlir::Operation *op);

/// The elements of a clear constant: arith.constant of f64 or of a tensor of f64, linalg.fill and
/// tensor.splat of one. Nothing when the value is secret or not a number.
std::optional<std::vector<double>> constantElements(mlir::Value value);
/// The one exponent of math.fpowi, >= 1; nothing when it is not a constant of equal elements.
std::optional<int64_t> exponentOf(mlir::Operation *op);

/// A comparison that may occur in a traced program, without its direction: true where `larger` is
/// larger than `smaller`, or equal to it if `orEqual`.
struct Comparison {
  mlir::Value larger, smaller;
  bool orEqual = false;
};
/// Nothing for equalities.
std::optional<Comparison> comparisonOf(mlir::arith::CmpFOp op);

/// Emits an error on `op` that says what is supported, when it cannot occur in a traced program.
mlir::LogicalResult checkTraced(mlir::Operation *op);
/// The operations of the input language, for messages.
std::string supportedTracedOps();

/// `ckks.range` of an operation, or nothing.
std::optional<algorithms::Interval> rangeOf(mlir::Attribute attribute);
/// [low, high] as the attribute.
mlir::ArrayAttr rangeAttr(mlir::MLIRContext *context, algorithms::Interval range);

/// The range of `value`: of a constant its hull; of others what infer-ranges left on the operation
/// that makes them, or what the argument declares (with an item of zeros if there is a batch, which
/// fills its unused places). Nothing when it is not known.
std::optional<algorithms::Interval> inferredRange(mlir::Value value);
/// The same for the argument of function `name`, which must be finite: emits an error at `op` when
/// it is not.
mlir::FailureOr<algorithms::Interval> requireRange(mlir::Operation *op, mlir::Value value,
                                                   llvm::StringRef name);
/// "[-1, 2.5]", for messages.
std::string intervalText(algorithms::Interval interval);

/// A number as people write it, six digits at most: for messages.
std::string shortNumber(double value);

/// The polynomial of a ckks.polynomial, of its coefficients' real parts where they are complex. In
/// the monomial basis without an interval it is [-1, 1].
algorithms::Polynomial toPolynomial(ckks::PolynomialOp op);
/// The same of the imaginary parts: with r and s the two, r(x) + i s(x) is the value.
algorithms::Polynomial toImaginaryPolynomial(ckks::PolynomialOp op);

} // namespace sluice

#endif // SLUICE_PASSES_TRACEDOPS_H
