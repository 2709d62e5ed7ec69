//===- CorrelatedProduct.h - noise of a value times a function of the same value --------------===//
//
// In x g(x) with a steep g, as in x sign(x), the noise of g is large where x is small and only
// there. Bounding both factors alone would ask for as many bits more as the slope has. Here the
// product is followed from value to value of x.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_CORRELATEDPRODUCT_H
#define SLUICE_PASSES_CORRELATEDPRODUCT_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/Interval.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace sluice {

/// x g(x) with g a chain of polynomials.
class CorrelatedProduct {
public:
  /// Finds one factor as the start of the chain that makes the other.
  static std::optional<CorrelatedProduct> match(ckks::MulOp op);

  mlir::Value root() const { return x; }

  /// Prepares `deviation` for x in `range` (finite). `ownNoise` gives the standard deviation of the
  /// errors that a polynomial's evaluation makes, in units of one rounding.
  void sample(algorithms::Interval range, llvm::function_ref<double(ckks::PolynomialOp)> ownNoise);

  /// The largest standard deviation of the product, for errors of x and of one rounding.
  double deviation(double input, double rounding) const;

private:
  /// Variances at one value of x, as multiples of those of the input and of a rounding.
  struct Sample {
    double input, rounding;
  };

  mlir::Value x;
  llvm::SmallVector<ckks::PolynomialOp> chain; ///< the first to be applied first
  std::vector<Sample> samples;
};

} // namespace sluice

#endif // SLUICE_PASSES_CORRELATEDPRODUCT_H
