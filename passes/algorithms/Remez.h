//===- Remez.h - best uniform approximation by polynomials ------------------------------------===//
//
// The exchange algorithm of Remez, in barycentric form: the reference's levelled error and the
// values of the polynomial come from Lagrange weights, no linear system is solved. All points are
// exchanged at once. Sources: Pachon, Trefethen, "Barycentric-Remez algorithms for best polynomial
// approximation" (BIT 2009); for two intervals Lee, Lee, No, Kim, "Minimax approximation of sign
// function by composite polynomial for homomorphic comparison" (2021), section 2.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_REMEZ_H
#define SLUICE_PASSES_ALGORITHMS_REMEZ_H

#include "passes/algorithms/Chebyshev.h"

#include <optional>
#include <span>
#include <vector>

namespace sluice::algorithms {

/// What f(centre + t) and f(centre - t) have to do with each other.
enum class Parity { none, even, odd };

/// A best uniform approximation.
struct Minimax {
  Polynomial polynomial;    ///< in the Chebyshev basis
  double levelledError = 0; ///< |f - p| at the extrema: no polynomial of this degree has less
  /// Where f - p is +levelledError and -levelledError in turns, ascending; degree + 2 or more.
  std::vector<double> extrema;
};

/// The polynomial of degree at most `degree` with the least max |f - p| over `domain`: one
/// interval, or two in ascending order with a gap between them, none of them a point. Its
/// coefficients refer to `basis`, which contains the domain. With a parity, f has it about the
/// middle of `basis`, the domain is symmetric about it, and the coefficients of the other parity
/// are exactly 0; a `degree` of the other parity counts as one less.
///
/// Nothing when the exchange does not converge to a relative difference of 2^-20 between the
/// largest and the levelled error, above all when f is a polynomial or rounding hides its error.
std::optional<Minimax> remez(const RealFunction &f, std::span<const Interval> domain,
                             unsigned degree, Interval basis, Parity parity = Parity::none);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_REMEZ_H
