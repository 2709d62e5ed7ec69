//===- CheapestApproximation.cpp - a function's polynomial of least cost ----------------------===//

#include "passes/algorithms/CheapestApproximation.h"
#include "passes/algorithms/PolynomialPlan.h"
#include "passes/algorithms/Remez.h"

#include <algorithm>
#include <compare>
#include <numeric>

namespace sluice::algorithms {

namespace {

/// Cost of an evaluation; less is better.
struct Cost {
  unsigned depth, products;
  auto operator<=>(const Cost &) const = default;
};

/// The parity of f about the middle of the interval as its series shows it: odd up to a constant,
/// or even up to a linear term (as x sigmoid(x) is).
Parity parityOf(const Polynomial &series) {
  bool hasOdd = false, hasEven = false;
  for (size_t i = 2; i < series.coefficients.size(); ++i)
    (i % 2 == 1 ? hasOdd : hasEven) |= series.coefficients[i] != 0;
  if (hasOdd == hasEven)
    return Parity::none;
  return hasOdd ? Parity::odd : Parity::even;
}

/// Cost of a polynomial of this degree (at least 1) with non-zero coefficients where the parity
/// allows them.
Cost costOf(unsigned degree, Parity parity) {
  std::vector<Coefficient> coefficients(degree + 1, 0.0);
  for (unsigned i = 0; i <= degree; ++i)
    if (i <= 1 || parity == Parity::none || (i % 2 == 1) == (parity == Parity::odd))
      coefficients[i] = 1.0 / (1 + i); // without accidental zeros in quotients
  return {polynomialDepth(degree),
          planPolynomial(coefficients, Basis::chebyshev).ciphertextProducts()};
}

/// Best approximations of one function by degree.
class BestApproximations {
public:
  BestApproximations(const RealFunction &f, Interval interval, Parity parity, double tolerance)
      : f(f), interval(interval), parity(parity), tolerance(tolerance) {
    double middle = std::midpoint(interval.low, interval.high);
    if (parity == Parity::odd)
      line[0] = f(middle);
    if (parity == Parity::even)
      line[1] = (f(interval.high) - f(interval.low)) / 2;
  }

  /// One with a measured error within the tolerance.
  std::optional<Approximation> at(unsigned degree) const {
    Polynomial known{Basis::chebyshev, {line[0], line[1]}, interval};
    auto found =
        remez([&](double x) { return f(x) - known(x); }, {{interval}}, degree, interval, parity);
    if (!found || found->levelledError > tolerance)
      return std::nullopt;
    for (size_t i = 0; i < std::min<size_t>(2, found->polynomial.coefficients.size()); ++i)
      found->polynomial.coefficients[i] += line[i];
    double error = measureError(f, found->polynomial, interval);
    if (error > tolerance)
      return std::nullopt;
    return Approximation{found->polynomial, error};
  }

  /// The least degree that meets the tolerance, when `high` does: first in growing steps downwards,
  /// since most functions gain only a degree or two.
  unsigned leastDegree(unsigned high) const {
    unsigned step = parity == Parity::none ? 1 : 2, low = high % step;
    for (unsigned width = step; high > low + width; width *= 2) {
      if (!at(high - width)) {
        low = high - width;
        break;
      }
      high -= width;
    }
    while (high > low + step) {
      unsigned middle = low + (high - low) / (2 * step) * step;
      (at(middle) ? high : low) = middle;
    }
    return high;
  }

private:
  const RealFunction &f;
  Interval interval;
  Parity parity;
  double tolerance;
  double line[2] = {0, 0}; ///< coefficients of the known part that has the other parity
};

} // namespace

std::optional<Approximation> approximateCheaply(const RealFunction &f, Interval interval,
                                                double tolerance, unsigned maxDegree) {
  auto series = approximate(f, interval, tolerance, maxDegree);
  Parity parity =
      parityOf(series ? series->polynomial : interpolate(f, interval, std::min(maxDegree, 63u)));
  BestApproximations best(f, interval, parity, tolerance);
  if (!series) {
    series = best.at(maxDegree);
    if (!series)
      return std::nullopt;
  }
  unsigned degree = series->polynomial.degree();
  if (degree < 2)
    return series;
  Cost cost = costOf(degree, parity);
  std::optional<unsigned> cheaper;
  for (unsigned candidate = degree - 1, least = best.leastDegree(degree);
       candidate >= std::max(least, 1u); --candidate)
    if (Cost other = costOf(candidate, parity); other < cost) {
      cost = other;
      cheaper = candidate;
    }
  auto found = cheaper ? best.at(*cheaper) : std::nullopt;
  return found ? found : series;
}

} // namespace sluice::algorithms
