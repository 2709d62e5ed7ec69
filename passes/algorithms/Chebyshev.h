//===- Chebyshev.h - polynomial approximation on an interval ----------------------------------===//
//
// Truncated Chebyshev series of smooth functions. The error of an approximation is measured on a
// dense grid, not estimated. Source: Trefethen, Approximation Theory and Approximation Practice,
// chapters 3, 4 and 8.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_CHEBYSHEV_H
#define SLUICE_PASSES_ALGORITHMS_CHEBYSHEV_H

#include "passes/algorithms/Interval.h"

#include <complex>
#include <functional>
#include <optional>
#include <vector>

namespace sluice::algorithms {

/// A real function; it is called with points of the interval only.
using RealFunction = std::function<double(double)>;

enum class Basis { chebyshev, monomial };

/// A polynomial with real coefficients, lowest first. In the Chebyshev basis the variable is
/// t = (2x - low - high) / (high - low), in the monomial basis x itself; `interval` is where it is
/// meant to be used.
struct Polynomial {
  Basis basis = Basis::chebyshev;
  std::vector<double> coefficients;
  Interval interval{-1, 1};

  /// Index of the last non-zero coefficient, 0 for the zero polynomial.
  unsigned degree() const;
  /// The value at x, by Clenshaw's or Horner's rule.
  double operator()(double x) const;
  std::complex<double> operator()(std::complex<double> x) const;
  /// dp/dx at x.
  double derivative(double x) const;
};

/// Multiplicative depth of an evaluation: ceil(log2(degree + 1)), docs/mathematics.md section 6.
unsigned polynomialDepth(unsigned degree);

/// The polynomial of the given degree that interpolates f at the Chebyshev points of `interval`
/// (finite, not a point). Coefficients below 2^-52 of the largest are set to 0, so that odd and
/// even functions have sparse series.
Polynomial interpolate(const RealFunction &f, Interval interval, unsigned degree);

/// max |f - p| over a grid of `domain` with 64 points a degree (at least 2048), denser towards the
/// ends.
double measureError(const RealFunction &f, const Polynomial &p, Interval domain);

/// The values of p over `domain`, taken on the same grid and at the extrema between its points,
/// widened by 2^-17 of their width.
Interval imageOf(const Polynomial &p, Interval domain);

/// max |dp/dx| over the same grid of `domain`.
double maxSlope(const Polynomial &p, Interval domain);

struct Approximation {
  Polynomial polynomial;
  double maxError = 0; ///< measured on the interval
};

/// The series of least degree, at most maxDegree, whose measured error on `interval` is at most
/// `tolerance` (> 0): an interpolant of higher degree, economised by cutting its tail. Nothing when
/// even maxDegree misses the tolerance.
std::optional<Approximation> approximate(const RealFunction &f, Interval interval, double tolerance,
                                         unsigned maxDegree);

/// The interval of power-of-two half-width 2^k, k in [-60, 60], that contains `range` (finite):
/// centred at 0 when that needs no larger half-width than a centre inside the range. The change of
/// variable t = (x - centre) / 2^k then costs no level: ckks.reinterpret (docs/decisions.md).
Interval widenToPowerOfTwo(Interval range);

/// The same for a range (not a point) without 0 inside, for functions that are steep there: the end
/// nearest to 0 stays where it is, but for a rounding towards 0 by at most 2^-30 of the half-width.
Interval widenAwayFromZero(Interval range);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_CHEBYSHEV_H
