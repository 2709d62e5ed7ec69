//===- CheapestApproximation.h - a function's polynomial of least cost ------------------------===//
//
// A truncated Chebyshev series is nearly best, a best approximation a degree or two less (far less
// where the function is not smooth, as the square root near 0). What counts is the cost of the
// evaluation: levels first, then products of ciphertexts.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_CHEAPESTAPPROXIMATION_H
#define SLUICE_PASSES_ALGORITHMS_CHEAPESTAPPROXIMATION_H

#include "passes/algorithms/Chebyshev.h"

#include <optional>

namespace sluice::algorithms {

/// The Chebyshev series of least degree, at most maxDegree, whose measured error on `interval` is
/// at most `tolerance` (> 0), or a best approximation that needs less depth or, at the same depth,
/// fewer ciphertext products. Functions that are even up to a linear term, or odd up to a constant,
/// about the middle of the interval keep exact zeros. Nothing when no polynomial up to maxDegree
/// meets the tolerance.
std::optional<Approximation> approximateCheaply(const RealFunction &f, Interval interval,
                                                double tolerance, unsigned maxDegree);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_CHEAPESTAPPROXIMATION_H
