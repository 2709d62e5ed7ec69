//===- ComparisonWriter.h - comparisons, maxima and choices as composed polynomials -----------===//
//
// What approximate-nonlinear emits for functions with a kink or a jump. With s = sign(a - b) from
// algorithms/CompositeSign.h:
//
//     max(a, b) = b + (a - b) (1 + s) / 2        a > b = (1 + s) / 2
//     min(a, b) = b + (a - b) (1 - s) / 2        a > b ? u : v = v + (u - v) (1 + s) / 2
//     |a| = a s                                  relu(a) = max(a, 0)
//
// The affine function of s is in the coefficients of the last polynomial and costs nothing.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_COMPARISONWRITER_H
#define SLUICE_PASSES_COMPARISONWRITER_H

#include "passes/NonlinearForms.h"
#include "passes/algorithms/CompositeSign.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <tuple>

namespace sluice {

/// What is asked of the approximations.
struct ComparisonOptions {
  double precision = 16;  ///< bits: -log2 of the largest error
  double gap = 0;         ///< part of the range of a - b that is not decided; 0: 2^-(precision / 2)
  unsigned maxDepth = 30; ///< levels of a sign
  unsigned maxDegree = 63; ///< of one of its polynomials
};

class ComparisonWriter {
public:
  explicit ComparisonWriter(ComparisonOptions options) : options(options) {}

  /// The value of a maximum, minimum or absolute value, written before the form's operation.
  mlir::FailureOr<mlir::Value> write(const NonlinearForm &form);
  /// Replaces and erases the choices and numbers made of the comparison.
  mlir::LogicalResult replaceUsers(mlir::arith::CmpFOp op);

private:
  /// The sign, with the bound of a - b that it was made for.
  using Found = const algorithms::CompositeSign *;

  mlir::FailureOr<Found> findForProduct(mlir::Operation *op, llvm::StringRef name,
                                        algorithms::Interval range, double tolerance);
  mlir::FailureOr<Found> findForChoice(mlir::arith::CmpFOp op, algorithms::Interval range,
                                       double tolerance);
  mlir::FailureOr<double> choiceTolerance(mlir::arith::CmpFOp op) const;

  ComparisonOptions options;
  /// By half-width, gap (0 for products) and tolerance; nothing when the search failed.
  std::map<std::tuple<double, double, double>, std::optional<algorithms::CompositeSign>> signs;
};

} // namespace sluice

#endif // SLUICE_PASSES_COMPARISONWRITER_H
