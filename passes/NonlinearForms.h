//===- NonlinearForms.h - the functions that traced programs write as several operations ------===//
//
// Upstream MLIR has no sigmoid and no gelu: they are written out. Approximated part by part they
// would take a polynomial each, so each is found as one function of one value. Range analysis looks
// for the same forms, since a whole function has a tighter image than its parts.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_NONLINEARFORMS_H
#define SLUICE_PASSES_NONLINEARFORMS_H

#include "passes/TracedOps.h"

#include <optional>

namespace sluice {

/// A function of one real number.
struct SmoothFunction {
  /// Numbers at which the function is defined.
  enum class Domain { All, NotNegative, Positive };

  llvm::StringLiteral name; ///< for messages
  double (*value)(double);
  algorithms::Interval (*image)(algorithms::Interval);
  Domain domain = Domain::All;
};

/// A nonlinear function of secret values, found in the program.
struct NonlinearForm {
  enum class Kind {
    Smooth,   ///< function(lhs)
    Quotient, ///< lhs / rhs, the divisor secret
    Maximum,  ///< max(lhs, rhs)
    Minimum,  ///< min(lhs, rhs)
    Absolute, ///< |lhs|
  };

  Kind kind;
  mlir::Operation *op; ///< its result is the function's value
  mlir::Value lhs;
  mlir::Value rhs = {};
  const SmoothFunction *function = nullptr; ///< of kind Smooth
};

/// The form whose value `op` computes; nothing for arithmetic, movements and comparisons. Found are
/// single operations of the math and arith dialects, and, with their factors and terms in any
/// order,
///
///     1 / (1 + exp(-x))    1 / (1 + exp(x))    x / (1 + exp(-x))    x * (1 / (1 + exp(-x)))
///     0.5 * x * (1 + erf(x / sqrt(2)))    select(a > b, a, b)    select(x > 0, x, -x)
std::optional<NonlinearForm> matchNonlinear(mlir::Operation *op);

/// The values whose ranges decide how `op` is approximated: those of its form, of a comparison or
/// of a choice. None for other operations.
llvm::SmallVector<mlir::Value> rangedOperands(mlir::Operation *op);

/// Puts `value` in the place of the result of `op`, with the range that stands on `op`.
void replaceKeepingRange(mlir::Operation *op, mlir::Value value);

} // namespace sluice

#endif // SLUICE_PASSES_NONLINEARFORMS_H
