//===- NoiseModel.cpp - standard deviations of CKKS errors, from theory -----------------------===//

#include "passes/algorithms/NoiseModel.h"
#include "passes/algorithms/PolynomialPlan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace sluice::algorithms {

double uniformTernaryWeight(unsigned logN) { return std::ldexp(2.0 / 3.0, int(logN)); }

double expectedWeight(SecretDistribution distribution, unsigned logN) {
  const size_t fixed = secretWeight(distribution);
  return fixed ? double(fixed) : uniformTernaryWeight(logN);
}

double roundingVariance(const NoiseParameters &parameters) {
  return (1 + parameters.hammingWeight) / 12;
}

double encryptionVariance(const NoiseParameters &parameters) {
  // v * e + e0 + e1 * s, v uniform ternary.
  double errors = parameters.errorDeviation * parameters.errorDeviation *
                  (uniformTernaryWeight(parameters.logN) + 1 + parameters.hammingWeight);
  double rounding = parameters.specialLog2 > 0 ? roundingVariance(parameters) : 0;
  return errors * std::exp2(-2 * parameters.specialLog2) + rounding + 1.0 / 12;
}

double keySwitchVariance(const NoiseParameters &parameters) {
  double digits = 0;
  for (double digitLog2 : parameters.digitsLog2)
    digits += std::exp2(2 * (digitLog2 - parameters.specialLog2));
  double variance = parameters.errorDeviation * parameters.errorDeviation;
  return std::ldexp(variance / 12, int(parameters.logN)) * digits + roundingVariance(parameters);
}

double slotDeviation(double variance, double slots) { return std::sqrt(slots * variance); }

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

Noisy operator+(Noisy a, Noisy b) { return {a.value + b.value, a.error + b.error}; }
Noisy operator*(double factor, Noisy a) { return {factor * a.value, factor * a.error}; }
Noisy operator*(Noisy a, Noisy b) {
  return {a.value * b.value, a.value * b.error + b.value * a.error};
}

/// Executes a plan on one number, with unit noise after every power and block: where the circuit
/// rescales.
class NoisyExecution {
public:
  NoisyExecution(const PolynomialPlan &plan, std::mt19937_64 &random)
      : plan(plan), random(random) {}

  Noisy run(double variable) {
    powers = {{0, {1, 0}}, {1, {variable, 0}}};
    for (const PowerStep &step : plan.powers) {
      Noisy product = powers[step.high] * powers[step.low];
      if (plan.basis == Basis::chebyshev)
        product = 2 * product + -1 * powers[step.high - step.low];
      powers[step.index] = round(product);
    }
    std::vector<Noisy> blocks;
    for (const PolynomialBlock &block : plan.blocks) {
      Noisy sum{block.constant.real(), 0};
      for (const BlockProduct &product : block.products)
        sum = sum + blocks[product.child] * powers[product.power];
      for (const BlockTerm &term : block.terms)
        sum = sum + term.coefficient.real() * powers[term.power];
      blocks.push_back(block.products.empty() && block.terms.empty() ? sum : round(sum));
    }
    return blocks.back();
  }

private:
  Noisy round(Noisy a) { return {a.value, a.error + gaussian(random)}; }

  const PolynomialPlan &plan;
  std::mt19937_64 &random;
  std::normal_distribution<double> gaussian;
  std::map<unsigned, Noisy> powers;
};

} // namespace

double polynomialNoiseGain(const Polynomial &p, double bound) {
  if (p.degree() == 0)
    return 0;
  std::vector<Coefficient> coefficients(p.coefficients.begin(), p.coefficients.end());
  PolynomialPlan plan = planPolynomial(coefficients, p.basis);
  constexpr int points = 33, samples = 64;
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same gain in every compilation
  std::mt19937_64 random(1);
  double worst = 0;
  for (int i = 0; i < points; ++i) {
    double variable = bound * std::cos(std::numbers::pi * i / (points - 1)), squares = 0;
    for (int sample = 0; sample < samples; ++sample) {
      double error = NoisyExecution(plan, random).run(variable).error;
      squares += error * error;
    }
    worst = std::max(worst, squares / samples);
  }
  return std::sqrt(worst);
}

} // namespace sluice::algorithms
