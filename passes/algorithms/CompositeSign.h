//===- CompositeSign.h - the sign function by composed minimax polynomials --------------------===//
//
// sign(x) outside of a gap around 0 by p_k o ... o p_1, each p_i the best odd approximation of the
// sign on the image of the ones before: far fewer levels and products than one polynomial. The
// degrees are found by dynamic programming: after some levels and products the smallest error is
// best, since a smaller error makes the next one smaller. Sources: Cheon, Kim, Kim, "Efficient
// homomorphic comparison methods with optimal complexity" (ASIACRYPT 2020); Lee, Lee, No, Kim,
// "Minimax approximation of sign function by composite polynomial for homomorphic comparison"
// (2021), theorem 1 and algorithm 5.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_COMPOSITESIGN_H
#define SLUICE_PASSES_ALGORITHMS_COMPOSITESIGN_H

#include "passes/algorithms/Chebyshev.h"

#include <optional>
#include <vector>

namespace sluice::algorithms {

/// Odd polynomials whose composition approximates the sign on [-halfWidth, halfWidth].
struct CompositeSign {
  /// The first to be applied first, with interval [-halfWidth, halfWidth]; the others have
  /// [-1, 1], which holds the values of the one before with a margin for noise. The last one's
  /// value is the sign.
  std::vector<Polynomial> steps;
  double gap = 0;        ///< the sign is decided where |x| >= gap
  double maxError = 0;   ///< largest |value - sign(x)| there, measured
  unsigned depth = 0;    ///< levels of an evaluation
  unsigned products = 0; ///< ciphertext products of an evaluation

  double halfWidth() const { return steps.front().interval.high; }
  /// The composition at x.
  double operator()(double x) const;
};

/// What an evaluation may take.
struct CompositeLimits {
  unsigned depth = 30;      ///< levels
  unsigned stepDegree = 63; ///< degree of each step, at least 3
};

/// The composition of least depth, then of fewest products, with maxError <= tolerance (in (0, 1))
/// for |x| in [gap, halfWidth], 0 < gap < halfWidth. In the gap its values lie between the signs,
/// up to the tolerance. Nothing when the limits are too narrow.
std::optional<CompositeSign> approximateSign(double halfWidth, double gap, double tolerance,
                                             CompositeLimits limits = {});

/// The composition of least depth, then of fewest products, with |x (sign(x) - value)| <= tolerance
/// on all of [-halfWidth, halfWidth]: what |x| = x sign(x) and everything made of it need. The gap
/// is as wide as that allows.
std::optional<CompositeSign> approximateSignForAbsolute(double halfWidth, double tolerance,
                                                        CompositeLimits limits = {});

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_COMPOSITESIGN_H
