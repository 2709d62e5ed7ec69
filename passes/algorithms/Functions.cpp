//===- Functions.cpp - the real functions of programs, on numbers and on intervals ------------===//

#include "passes/algorithms/Functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sluice::algorithms {

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

double rsqrt(double x) { return 1 / std::sqrt(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return x * sigmoid(x); }
double gelu(double x) { return x * (1 + std::erf(x / std::numbers::sqrt2)) / 2; }

double maximum(double a, double b) { return std::max(a, b); }
double minimum(double a, double b) { return std::min(a, b); }
double isGreater(double a, double b) { return a > b; }
double isGreaterOrEqual(double a, double b) { return a >= b; }
double choose(double condition, double a, double b) { return condition != 0 ? a : b; }

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

template <typename F> static Interval imageOfIncreasing(F f, Interval a) {
  return {f(a.low), f(a.high)};
}

/// The image of a function that falls up to `lowest` and rises from there.
template <typename F> static Interval imageOfValley(F f, double lowest, Interval a) {
  double atLow = f(a.low), atHigh = f(a.high);
  return {a.contains(lowest) ? f(lowest) : std::min(atLow, atHigh), std::max(atLow, atHigh)};
}

Interval abs(Interval a) {
  return imageOfValley([](double x) { return std::fabs(x); }, 0, a);
}

Interval erf(Interval a) {
  return imageOfIncreasing([](double x) { return std::erf(x); }, a);
}

Interval sigmoid(Interval a) {
  return imageOfIncreasing([](double x) { return sigmoid(x); }, a);
}

/// `f` with its limits at the infinities, 0 and infinity: there it is a product of them.
template <typename F> static auto withLimits(F f) {
  return [f](double x) { return std::isinf(x) ? std::max(x, 0.0) : f(x); };
}

Interval silu(Interval a) {
  constexpr double lowest = -1.2784645427610738; // where sigmoid(x) (1 + x sigmoid(-x)) = 0
  return imageOfValley(withLimits([](double x) { return silu(x); }), lowest, a);
}

Interval gelu(Interval a) {
  constexpr double lowest = -0.75179152469356446;
  return imageOfValley(withLimits([](double x) { return gelu(x); }), lowest, a);
}

Interval sqrt(Interval a) {
  if (a.high < 0)
    return Interval::everything();
  return {std::sqrt(std::max(a.low, 0.0)), std::sqrt(a.high)};
}

Interval rsqrt(Interval a) {
  if (a.high <= 0)
    return Interval::everything();
  double infinity = std::numeric_limits<double>::infinity();
  return {rsqrt(a.high), a.low > 0 ? rsqrt(a.low) : infinity};
}

Interval maximum(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}

Interval minimum(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}

Interval isGreater(Interval a, Interval b) {
  return {isGreater(a.low, b.high), isGreater(a.high, b.low)};
}

Interval isGreaterOrEqual(Interval a, Interval b) {
  return {isGreaterOrEqual(a.low, b.high), isGreaterOrEqual(a.high, b.low)};
}

Interval choose(Interval condition, Interval a, Interval b) {
  if (condition.isPoint())
    return condition.low != 0 ? a : b;
  return hull(a, b);
}

} // namespace sluice::algorithms
