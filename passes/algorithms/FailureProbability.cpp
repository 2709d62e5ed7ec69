//===- FailureProbability.cpp - how often a bootstrap meets a multiple of q0 too large --------===//

#include "passes/algorithms/FailureProbability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sluice::algorithms {

namespace {

/// 1/terms! sum_i (-1)^i C(terms, i) (M - i)^terms, M = terms/2 - bound, i < M: nothing when more
/// than 30 of the 64 bits cancel.
std::optional<double> finiteSum(uint64_t terms, double bound) {
  const long double n = static_cast<long double>(terms), m = n / 2 - bound;
  long double sum = 0, largest = 0, binomial = 1; // relative to the first term
  for (uint64_t i = 0; static_cast<long double>(i) < m; ++i) {
    const long double j = static_cast<long double>(i);
    const long double term = binomial * std::pow((m - j) / m, n);
    sum += i % 2 ? -term : term;
    largest = std::max(largest, term);
    if (!(term <= 0x1p60L)) // or not a number, once the binomial overflows
      return std::nullopt;
    binomial *= (n - j) / (j + 1);
  }
  if (!(sum >= largest * 0x1p-30L))
    return std::nullopt;
  const long double logarithm = n * std::log(m) - std::lgamma(n + 1) + std::log(sum);
  return static_cast<double>(logarithm / std::numbers::ln2_v<long double>);
}

/// The logarithm of the moment-generating function of one variable, log(sinh(z/2) / (z/2)).
double cumulant(double z) { return z / 2 + std::log1p(-std::exp(-z)) - std::log(z); }

/// The saddle point z > 0 with coth(z/2)/2 - 1/z = mean, 0 < mean < 1/2.
double saddlePoint(double mean) {
  double low = 0, high = 1;
  auto slope = [](double z) { return z < 1e-3 ? z / 12 : 0.5 / std::tanh(z / 2) - 1 / z; };
  while (slope(high) < mean)
    high *= 2;
  for (unsigned i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (slope(middle) < mean ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// The normal tail with the term of the fourth moment (Edgeworth), for the middle of the
/// distribution, where the difference of the saddle point's two terms cancels.
double middleTail(double n, double x) {
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  const double tail = std::erfc(x / std::numbers::sqrt2) / 2;
  return std::log2(tail - 1.2 / n / 24 * (x * x * x - 3 * x) * density);
}

double saddlePointTail(uint64_t terms, double bound) {
  const double n = static_cast<double>(terms);
  if (const double x = bound / std::sqrt(n / 12); x < 0.5)
    return middleTail(n, x);
  const double mean = bound / n, z = saddlePoint(mean);
  const double sinh = std::sinh(z / 2), variance = 1 / (z * z) - 1 / (4 * sinh * sinh);
  const double exponent = n * (z * mean - cumulant(z)); // w^2 / 2
  const double w = std::sqrt(2 * exponent), u = z * std::sqrt(n * variance);
  // erfc(w / sqrt 2) / 2 is exp(-w^2 / 2) times a factor, of which the asymptotic series says
  // enough where it underflows.
  const double square = w * w, sqrtTwoPi = std::sqrt(2 * std::numbers::pi);
  const double factor = exponent > 300
                            ? (1 - 1 / square + 3 / (square * square)) / (w * sqrtTwoPi)
                            : std::erfc(w / std::numbers::sqrt2) / 2 * std::exp(exponent);
  return (std::log(factor + (1 / u - 1 / w) / sqrtTwoPi) - exponent) / std::numbers::ln2;
}

} // namespace

double log2UniformSumTail(uint64_t terms, double bound) {
  if (bound >= static_cast<double>(terms) / 2)
    return -std::numeric_limits<double>::infinity();
  if (bound == 0)
    return -1;
  if (std::optional<double> exact = finiteSum(terms, bound))
    return *exact;
  return saddlePointTail(terms, bound);
}

double log2FailureProbability(uint64_t hammingWeight, double range, uint64_t slots) {
  const double tail = log2UniformSumTail(hammingWeight + 1, range);
  const double coefficients = 2 * static_cast<double>(slots);
  const double both = std::exp2(tail + 1); // beyond either end
  if (both < 0x1p-60)                      // 1 - (1 - both)^coefficients is their product
    return tail + 1 + std::log2(coefficients);
  return std::log2(-std::expm1(coefficients * std::log1p(-both)));
}

uint64_t leastRange(uint64_t hammingWeight, uint64_t slots, double log2Target) {
  uint64_t low = 0, high = hammingWeight / 2 + 1; // never exceeded
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    const bool isEnough =
        log2FailureProbability(hammingWeight, static_cast<double>(middle), slots) <= log2Target;
    (isEnough ? high : low) = middle;
  }
  return high;
}

uint64_t uniformTernaryWeightBound(unsigned logN, double log2Target) {
  const double n = std::exp2(logN);
  return static_cast<uint64_t>(
      std::ceil(2 * n / 3 + std::sqrt(-n * log2Target * std::numbers::ln2 / 2)));
}

double log2Sum(double a, double b) {
  const double larger = std::max(a, b);
  return larger + std::log2(std::exp2(a - larger) + std::exp2(b - larger));
}

uint64_t weightUnderModRaise(const BootstrapRisk &risk) {
  const size_t weight = secretWeight(risk.secret);
  return weight ? weight : uniformTernaryWeightBound(risk.logN, risk.log2Target - 1);
}

double log2BootstrapFailure(const BootstrapRisk &risk) {
  const double once = log2FailureProbability(weightUnderModRaise(risk), risk.range, risk.slots) +
                      std::log2(risk.rounds);
  return secretWeight(risk.secret) ? once : log2Sum(once, risk.log2Target - 1);
}

double leastLog2BootstrapFailure(BootstrapRisk risk) {
  double least = log2BootstrapFailure(risk);
  for (int target = -160; target < 0; target += 4) {
    risk.log2Target = target;
    least = std::min(least, log2BootstrapFailure(risk));
  }
  return least;
}

} // namespace sluice::algorithms
