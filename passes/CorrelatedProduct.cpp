//===- CorrelatedProduct.cpp - noise of a value times a function of the same value ------------===//

#include "passes/CorrelatedProduct.h"
#include "passes/TracedOps.h"
#include "passes/algorithms/PolynomialPlan.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using sluice::algorithms::Interval;
using sluice::algorithms::Polynomial;

namespace sluice {

std::optional<CorrelatedProduct> CorrelatedProduct::match(ckks::MulOp op) {
  for (auto [root, end] : {std::pair<Value, Value>(op.getLhs(), op.getRhs()),
                           std::pair<Value, Value>(op.getRhs(), op.getLhs())}) {
    CorrelatedProduct product;
    product.x = root;
    Value value = end;
    while (auto polynomial = value.getDefiningOp<ckks::PolynomialOp>()) {
      product.chain.push_back(polynomial);
      value = polynomial.getInput();
      if (value == root) {
        std::reverse(product.chain.begin(), product.chain.end());
        return product;
      }
    }
  }
  return std::nullopt;
}

/// Numbers of the range: evenly spaced, and by ratio towards 0, where chains are steep.
static std::vector<double> gridOf(Interval range) {
  constexpr int evenly = 2048, octaves = 24, inOctave = 64;
  std::vector<double> grid;
  for (int i = 0; i <= evenly; ++i)
    grid.push_back(range.low + (range.high - range.low) * i / evenly);
  for (int i = 0; i <= octaves * inOctave; ++i)
    for (double sign : {-1, 1}) {
      double x = sign * range.magnitude() * std::exp2(-double(i) / inOctave);
      if (range.contains(x))
        grid.push_back(x);
    }
  return grid;
}

void CorrelatedProduct::sample(Interval range, function_ref<double(ckks::PolynomialOp)> ownNoise) {
  struct Step {
    Polynomial polynomial;
    double ownVariance, changeVariance;
  };
  std::vector<Step> steps;
  for (ckks::PolynomialOp op : chain) {
    Polynomial p = toPolynomial(op);
    auto change = algorithms::variableChange(p.basis, p.interval);
    double own = ownNoise(op), changed = change.isFree() ? 0 : change.halfWidth;
    steps.push_back({p, own * own, changed * changed});
  }
  for (double x : gridOf(range)) {
    double value = x, slope = 1, rounding = 0;
    for (const Step &step : steps) {
      if (step.polynomial.basis == algorithms::Basis::chebyshev)
        value = std::clamp(value, step.polynomial.interval.low, step.polynomial.interval.high);
      double local = step.polynomial.derivative(value);
      rounding = local * local * (rounding + step.changeVariance) + step.ownVariance;
      slope *= local;
      value = step.polynomial(value);
    }
    double input = std::fabs(value) + std::fabs(x * slope); // the same error in both factors
    samples.push_back({input * input, x * x * rounding});
  }
}

double CorrelatedProduct::deviation(double input, double rounding) const {
  double largest = 0;
  for (const Sample &sample : samples)
    largest =
        std::max(largest, sample.input * input * input + sample.rounding * rounding * rounding);
  return std::sqrt(largest);
}

} // namespace sluice
