//===- TransformScales.cpp - scales between the matrices of a homomorphic DFT -----------------===//

#include "passes/algorithms/TransformScales.h"

#include <cmath>
#include <numeric>

namespace sluice::algorithms {

double transformError(const TransformChain &chain, const std::vector<int64_t> &scaleLog2) {
  const size_t count = chain.groups.size();
  const double each = std::pow(chain.factor, 1 / double(count)); // size of entries
  const auto all = double(std::accumulate(chain.groups.begin(), chain.groups.end(), int64_t{0}));
  double growth = chain.factor, left = all, squares = 0;
  for (size_t i = 0; i < count; ++i) {
    const double switched = std::sqrt(chain.switchVariances[i] * chain.degree) * growth *
                            std::exp2(left / 2 - double(scaleLog2[i]));
    const double next = i + 1 < count ? double(scaleLog2[i + 1]) : chain.resultLog2;
    const double plainLog2 = next + chain.rescaleLog2[i] - double(scaleLog2[i]);
    // Factors with a lower number than this matrix's.
    const double lower = chain.isTowardsSlots ? all - left : left - double(chain.groups[i]);
    const double coefficients = chain.degree * std::exp2(-lower) / (lower > 0 ? 6 : 12);
    const double encoded =
        chain.resultSize * std::sqrt(coefficients) / each * std::exp2(-plainLog2);
    squares += switched * switched + encoded * encoded;
    growth /= each;
    left -= double(chain.groups[i]);
  }
  return std::sqrt(squares);
}

std::vector<int64_t> planTransformScales(const TransformChain &chain) {
  const size_t count = chain.groups.size();
  std::vector<int64_t> scales(count);
  const auto first = double(chain.leastLog2 + chain.mostLog2) / 2;
  for (size_t i = 0; i < count; ++i)
    scales[i] = std::llround(first + (chain.resultLog2 - first) * double(i) / double(count));
  double least = transformError(chain, scales);
  const auto tryStep = [&](size_t i, int64_t step) {
    const int64_t before = scales[i];
    scales[i] += step;
    const bool isAllowed = i > 0 || (scales[i] >= chain.leastLog2 && scales[i] <= chain.mostLog2);
    if (const double error = isAllowed ? transformError(chain, scales) : least; error < least) {
      least = error;
      return true;
    }
    scales[i] = before;
    return false;
  };
  // The error is convex in the scales: long steps first lead to the same place sooner.
  for (int64_t step : {16, 4, 1})
    for (bool isBetter = true; isBetter;) {
      isBetter = false;
      for (size_t i = 0; i < count; ++i)
        isBetter |= tryStep(i, -step) || tryStep(i, step);
    }
  return scales;
}

} // namespace sluice::algorithms
