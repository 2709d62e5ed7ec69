//===- BootstrapNoise.cpp - how precise a bootstrap is, from its plan -------------------------===//

#include "passes/algorithms/BootstrapNoise.h"

#include "passes/algorithms/EvalModNoise.h"
#include "passes/algorithms/TerminalSearch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::algorithms {

namespace {

double square(double x) { return x * x; }

/// Digits of `size` bits, and what is left.
std::vector<double> digitsOf(double bits, double size) {
  std::vector<double> digits(static_cast<size_t>(bits / size), size);
  if (const double rest = bits - size * double(digits.size()); rest > 0)
    digits.push_back(rest);
  return digits;
}

} // namespace

double BootstrapNoise::bits() const { return -std::log2(sum()) / 2; }

BootstrapNoiseModel::BootstrapNoiseModel(const BootstrapPlan &plan, const EvalMod &evalMod)
    : plan(plan), evalMod(evalMod), degree(std::exp2(plan.logN)), slots(std::exp2(plan.logSlots)),
      factor(std::exp2(plan.logRatio)), sizes(plan.chain()), logQ(sizes.size()) {
  std::partial_sum(sizes.begin(), sizes.end(), logQ.begin());
  parameters.logN = plan.logN;
  parameters.hammingWeight = expectedWeight(plan.secret, plan.logN);
}

/// How much more an error of a coefficient counts in the result's mean square: SlotsToCoeffs behind
/// EvalMod adds n of them up in every slot.
double BootstrapNoiseModel::spread() const { return isSlotsFirst() ? 1 : slots; }

/// Coefficients that a slot is made of during EvalMod, where a vector of n slots may have two
/// halves side by side.
double BootstrapNoiseModel::slotDegree() const {
  return std::min(degree, (isSlotsFirst() ? 2 : 4) * slots);
}

/// Of the secret at ModRaise.
double BootstrapNoiseModel::raisedWeight() const {
  return plan.hasEphemeral ? expectedWeight(SecretDistribution::ephemeral32, plan.logN)
                           : parameters.hammingWeight;
}

double BootstrapNoiseModel::switchVariance(size_t level) const {
  NoiseParameters own = parameters;
  own.specialLog2 = fullLimbBits * plan.specialLimbs;
  own.digitsLog2 = digitsOf(logQ[level], own.specialLog2 - plan.digitMargin);
  return keySwitchVariance(own);
}

TransformChain BootstrapNoiseModel::transform(const std::vector<int64_t> &groups, size_t level,
                                              double by, double resultLog2) const {
  TransformChain chain;
  chain.degree = 2 * slots;
  chain.slots = slots;
  chain.factor = by;
  chain.resultLog2 = resultLog2;
  chain.groups = groups;
  for (size_t i = 0; i < groups.size(); ++i, --level) {
    chain.rescaleLog2.push_back(sizes[level]);
    chain.switchVariances.push_back(switchVariance(level));
  }
  return chain;
}

std::vector<double> BootstrapNoiseModel::evalModRescales() const {
  return {plan.levels.evalMod.rbegin(), plan.levels.evalMod.rend()};
}

/// Of the switch to the ephemeral secret, at level 0; that back is one of CoeffsToSlots'.
double BootstrapNoiseModel::raise() const {
  if (!plan.hasEphemeral)
    return 0;
  NoiseParameters own;
  own.logN = plan.logN;
  own.hammingWeight = raisedWeight();
  own.specialLog2 = plan.ephemeralBits;
  own.digitsLog2 = digitsOf(logQ[0], fullLimbBits);
  return spread() * keySwitchVariance(own) * square(std::exp2(plan.logRatio - logQ[0]));
}

double BootstrapNoiseModel::coefficientsToSlots() const {
  const std::vector<double> rescales = evalModRescales();
  const unsigned depth = polynomialDepth(evalMod.cosine.degree());
  TransformChain chain =
      transform(plan.coefficientsToSlots, sizes.size() - 1, 1 / (degree * evalMod.halfWidth),
                variableLog2(std::span(rescales).first(depth)));
  chain.isTowardsSlots = true;
  // A complex value has halves of two variables.
  chain.resultSize = std::sqrt((raisedWeight() + 1) / 24) / evalMod.halfWidth;
  chain.leastLog2 = int64_t(std::ceil(logQ[0]));
  chain.mostLog2 = chain.leastLog2 + 60;
  const double ofVariable = 2 * square(transformError(chain, planTransformScales(chain)));
  // EvalMod is as steep as the identity.
  return spread() * square(factor * evalMod.halfWidth) * ofVariable;
}

void BootstrapNoiseModel::addEvalMod(double targetLog2, BootstrapNoise &noise) const {
  EvalModPlace place;
  place.rescaleLog2 = evalModRescales();
  place.targetLog2 = targetLog2;
  place.rounding = std::sqrt(slotDegree() * roundingVariance(parameters));
  place.integers = std::sqrt((raisedWeight() + 1) / 12);
  place.message = 1 / std::sqrt(3 * spread()) / factor;
  place.isUniform = isSlotsFirst();
  const EvalModError error = evalModError(evalMod, place);
  // Of a complex message, of two real ones with a mean square e each, SlotsToCoeffs makes n 2 e
  // of a value, half of it in either part; and the factor's square.
  noise.evalMod = spread() * square(factor * error.rounding);
  noise.approximation = spread() * square(factor * error.approximation);
}

/// Before ModRaise, at one scale. Its matrices multiply a vector by sqrt(n), which CoeffsToSlots
/// takes back, errors with it.
double BootstrapNoiseModel::slotsToCoefficientsBefore() const {
  const double scaleLog2 = std::round(logQ[0] - plan.logRatio);
  TransformChain chain =
      transform(plan.slotsToCoefficients, plan.levels.slotsToCoefficients.size(), 1, scaleLog2);
  chain.resultSize = std::sqrt(2.0 / 3 * slots);
  const std::vector<int64_t> scales(plan.slotsToCoefficients.size(), std::llround(scaleLog2));
  const double lastRounding = roundingVariance(parameters) * std::exp2(-2 * scaleLog2);
  return square(transformError(chain, scales)) / (2 * slots) + lastRounding;
}

double BootstrapNoiseModel::slotsToCoefficients(double &targetLog2) const {
  if (isSlotsFirst()) {
    targetLog2 = double(plan.logScale) + plan.logRatio;
    return slotsToCoefficientsBefore();
  }
  const size_t level = plan.levels.residual.size() - 1 + plan.levels.slotsToCoefficients.size();
  TransformChain chain = transform(plan.slotsToCoefficients, level, factor, double(plan.logScale));
  chain.mostLog2 = std::llround(sizes[level + 1]);
  chain.leastLog2 = chain.mostLog2 / 3;
  chain.resultSize = std::sqrt(2.0 / 3);
  const std::vector<int64_t> scales = planTransformScales(chain);
  targetLog2 = double(scales.front());
  const double lastRounding =
      slots * roundingVariance(parameters) * std::exp2(-2.0 * plan.logScale);
  return square(transformError(chain, scales)) / 2 + lastRounding;
}

BootstrapNoise bootstrapNoise(const BootstrapPlan &plan, const EvalMod &evalMod) {
  const BootstrapNoiseModel model(plan, evalMod);
  BootstrapNoise noise;
  double targetLog2 = 0;
  noise.raise = model.raise();
  noise.coefficientsToSlots = model.coefficientsToSlots();
  noise.slotsToCoefficients = model.slotsToCoefficients(targetLog2);
  model.addEvalMod(targetLog2, noise);
  return noise;
}

BootstrapNoise bootstrapNoise(const BootstrapPlan &plan) {
  return bootstrapNoise(plan, makeEvalMod(plan));
}

} // namespace sluice::algorithms
