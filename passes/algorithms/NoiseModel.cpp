//===- NoiseModel.cpp - standard deviations of CKKS errors, from theory -----------------------===//

#include "passes/algorithms/NoiseModel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace sluice::algorithms {

double uniformTernaryWeight(unsigned logN) { return std::ldexp(2.0 / 3.0, int(logN)); }

double roundingVariance(const NoiseParameters &parameters) {
  return (1 + parameters.hammingWeight) / 12;
}

double encryptionVariance(const NoiseParameters &parameters) {
  double variance = parameters.errorDeviation * parameters.errorDeviation;
  double divided = std::exp2(parameters.logN - 1 - 2 * parameters.specialLog2);
  return variance * (1 + parameters.hammingWeight + divided) + roundingVariance(parameters) +
         1.0 / 12;
}

double keySwitchVariance(const NoiseParameters &parameters) {
  double digits = 0;
  for (double digitLog2 : parameters.digitsLog2)
    digits += std::exp2(2 * (digitLog2 - parameters.specialLog2));
  double variance = parameters.errorDeviation * parameters.errorDeviation;
  return std::ldexp(variance / 12, int(parameters.logN)) * digits + roundingVariance(parameters);
}

double slotDeviation(double variance, unsigned logN) {
  return std::sqrt(std::ldexp(variance, int(logN) - 1));
}

double worstSlotFactor(double samples) {
  return std::max(1.0, std::log(samples) / std::numbers::sqrt2);
}

//===----------------------------------------------------------------------===//
// Noise inside a polynomial
//===----------------------------------------------------------------------===//

namespace {

/// A value and its error to first order.
struct Noisy {
  double value, error;
};

/// One evaluation of a polynomial at one point with unit noise after every product, along the plan
/// of math.md section 6.
class NoisyEvaluation {
public:
  NoisyEvaluation(Basis basis, double t, std::mt19937_64 &random) : basis(basis), random(random) {
    powers[1] = {t, 0};
  }

  Noisy evaluate(const std::vector<double> &c, unsigned leafLog2) {
    unsigned degree = c.size() - 1;
    if (degree == 0)
      return {c[0], 0};
    if (degree < (1u << leafLog2))
      return leaf(c);
    unsigned K = std::bit_floor(degree);
    auto [quotient, remainder] = divide(c, K);
    Noisy result = round(multiply(evaluate(quotient, leafLog2), power(K)));
    Noisy rest = evaluate(remainder, leafLog2);
    return {result.value + rest.value, result.error + rest.error};
  }

private:
  Noisy leaf(const std::vector<double> &c) {
    Noisy sum{c[0], 0};
    for (unsigned i = 1; i < c.size(); ++i) {
      if (c[i] == 0)
        continue;
      Noisy term = power(i);
      sum.value += c[i] * term.value;
      sum.error += c[i] * term.error;
    }
    return round(sum);
  }

  /// T_i or t^i from T_a, T_b, a the largest power of two < i.
  Noisy power(unsigned i) {
    if (i == 0)
      return {1, 0};
    if (auto known = powers.find(i); known != powers.end())
      return known->second;
    unsigned a = std::bit_floor(i - 1), b = i - a;
    Noisy product = multiply(power(a), power(b));
    if (basis == Basis::chebyshev) {
      Noisy correction = power(a - b);
      product = {2 * product.value - correction.value, 2 * product.error - correction.error};
    }
    return powers[i] = round(product);
  }

  /// c = quotient * T_K + remainder, K <= degree < 2K.
  std::pair<std::vector<double>, std::vector<double>> divide(const std::vector<double> &c,
                                                             unsigned K) {
    std::vector<double> quotient(c.begin() + K, c.end());
    std::vector<double> remainder(c.begin(), c.begin() + K);
    if (basis == Basis::chebyshev)
      for (unsigned j = 1; j < quotient.size(); ++j) {
        remainder[K - j] -= quotient[j];
        quotient[j] *= 2;
      }
    while (remainder.size() > 1 && remainder.back() == 0)
      remainder.pop_back();
    return {quotient, remainder};
  }

  static Noisy multiply(Noisy a, Noisy b) {
    return {a.value * b.value, a.value * b.error + b.value * a.error};
  }

  Noisy round(Noisy a) { return {a.value, a.error + gaussian(random)}; }

  Basis basis;
  std::mt19937_64 &random;
  std::normal_distribution<double> gaussian;
  std::map<unsigned, Noisy> powers;
};

} // namespace

/// Coefficients in the variable t in [-1, 1] in which an evaluation works.
static std::vector<double> unitCoefficients(const Polynomial &p) {
  std::vector<double> c(p.coefficients.begin(), p.coefficients.begin() + p.degree() + 1);
  if (p.basis == Basis::chebyshev)
    return c;
  double halfWidth = widenToPowerOfTwo({-p.interval.magnitude(), p.interval.magnitude()}).high;
  double factor = 1;
  for (double &coefficient : c) {
    coefficient *= factor;
    factor *= halfWidth;
  }
  return c;
}

double polynomialNoiseGain(const Polynomial &p) {
  std::vector<double> c = unitCoefficients(p);
  unsigned leafLog2 = std::max(1u, polynomialDepth(p.degree()) / 2);
  constexpr int points = 33, samples = 64;
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < points; ++i) {
    double t = std::cos(std::numbers::pi * i / (points - 1)), squares = 0;
    for (int sample = 0; sample < samples; ++sample) {
      double error = NoisyEvaluation(p.basis, t, random).evaluate(c, leafLog2).error;
      squares += error * error;
    }
    worst = std::max(worst, squares / samples);
  }
  return std::sqrt(worst);
}

} // namespace sluice::algorithms
