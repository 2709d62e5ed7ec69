//===- PowerTable.h - the powers of one variable, for all polynomials of it -------------------===//
//
// Polynomials of one variable share its powers, Chebyshev polynomials or plain ones: each is made
// once, at the highest level at which one of them needs it. Source: docs/mathematics.md section 6.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_POWERTABLE_H
#define SLUICE_PASSES_POWERTABLE_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/PolynomialPlan.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

namespace sluice {

class PowerTable {
public:
  /// Announces the plan of a polynomial whose variable stands at level `start`. All plans are
  /// announced before the first power is made.
  void announce(const algorithms::PolynomialPlan &plan, int64_t start);

  /// The highest level of the variable that was announced.
  int64_t top() const { return start; }

  bool hasVariable() const { return bool(powers.lookup(1)); }
  /// Sets T_1, which stands at level top().
  void setVariable(mlir::Value variable) { powers[1] = variable; }

  /// Makes the products for the powers of `plan` that are not there yet, and those powers among
  /// them that are in `rescaled`; the number of products.
  unsigned make(const algorithms::PolynomialPlan &plan, const std::set<unsigned> &rescaled,
                mlir::ImplicitLocOpBuilder &builder, ckks::ParamsAttr params);

  /// The level at which T_index stands.
  int64_t levelOf(unsigned index) const { return index == 1 ? start : levels.lookup(index); }
  /// T_index, index > 1, before its rescale: one level above its own.
  mlir::Value product(unsigned index) const { return products.at(index); }
  /// T_index at its own level or below.
  mlir::Value at(unsigned index, int64_t level, mlir::ImplicitLocOpBuilder &builder,
                 ckks::ParamsAttr params);

private:
  mlir::Value makeProduct(const algorithms::PowerStep &step, algorithms::Basis basis,
                          mlir::ImplicitLocOpBuilder &builder, ckks::ParamsAttr params);

  int64_t start = 0;
  llvm::DenseMap<unsigned, int64_t> levels;               ///< of T_index
  llvm::DenseMap<unsigned, mlir::Value> products, powers; ///< by index; powers as they are needed
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> lowered;
};

/// lhs * rhs, not relinearised.
mlir::Value multiply(mlir::ImplicitLocOpBuilder &builder, mlir::Value lhs, mlir::Value rhs);

} // namespace sluice

#endif // SLUICE_PASSES_POWERTABLE_H
