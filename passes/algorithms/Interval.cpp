//===- Interval.cpp - closed intervals of reals -----------------------------------------------===//

#include "passes/algorithms/Interval.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace sluice::algorithms {

static double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval Interval::everything() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {-infinity, infinity};
}

bool Interval::isFinite() const { return std::isfinite(low) && std::isfinite(high); }

double Interval::magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }

Interval operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }
Interval operator-(Interval a, Interval b) { return {a.low - b.high, a.high - b.low}; }
Interval operator-(Interval a) { return {-a.high, -a.low}; }

Interval operator*(Interval a, Interval b) {
  auto [low, high] = std::minmax({product(a.low, b.low), product(a.low, b.high),
                                  product(a.high, b.low), product(a.high, b.high)});
  return {low, high};
}

Interval operator/(Interval a, Interval b) {
  if (b.contains(0))
    return Interval::everything();
  return a * Interval(1 / b.high, 1 / b.low);
}

Interval power(Interval a, int exponent) {
  if (exponent < 0)
    return Interval(1) / power(a, -exponent);
  if (exponent == 0)
    return 1;
  double low = std::pow(a.low, exponent), high = std::pow(a.high, exponent);
  if (exponent % 2 != 0)
    return {low, high};
  return {a.contains(0) ? 0 : std::min(low, high), std::max(low, high)};
}

Interval exp(Interval a) { return {std::exp(a.low), std::exp(a.high)}; }
Interval tanh(Interval a) { return {std::tanh(a.low), std::tanh(a.high)}; }

Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Interval intersect(Interval a, Interval b) {
  return {std::clamp(a.low, b.low, b.high), std::clamp(a.high, b.low, b.high)};
}

} // namespace sluice::algorithms
