//===- BootstrapNoise.cpp - how precise a bootstrap is, before it is written out ---------------===//

#include "passes/algorithms/BootstrapNoise.h"

#include "passes/algorithms/EvalModNoise.h"
#include "passes/algorithms/NoiseModel.h"
#include "passes/algorithms/TransformScales.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::algorithms {

namespace {

constexpr double fullBits = 50;

double square(double x) { return x * x; }

class NoiseOfPlan {
public:
  NoiseOfPlan(const BootstrapPlan &plan, const EvalMod &evalMod)
      : plan(plan), evalMod(evalMod), degree(std::exp2(plan.logN)),
        slots(std::exp2(plan.logSlots)), sizes(plan.chain()),
        // The value is this times the message.
        factor(std::exp2(plan.logRatio)) {
    logQ.resize(sizes.size());
    std::partial_sum(sizes.begin(), sizes.end(), logQ.begin());
    parameters.logN = plan.logN;
    parameters.hammingWeight = expectedWeight(plan.secret, plan.logN);
  }

  BootstrapNoise run() const {
    BootstrapNoise noise;
    const size_t depth = plan.levels.coefficientsToSlots.size();
    const std::vector<double> drops(sizes.rbegin() + static_cast<std::ptrdiff_t>(depth),
                                    sizes.rend());
    // A message of one slot is complex, two real ones: of each a mean square error e makes 2 n e / 2
    // of a part of a value, times the factor's square.
    const double spread = slots * square(factor);

    EvalModPlace place;
    place.rescaleLog2.assign(drops.begin(),
                             drops.begin() + static_cast<std::ptrdiff_t>(evalMod.depth()));
    const TransformChain back = slotsToCoefficients();
    const std::vector<int64_t> backScales = planTransformScales(back);
    place.targetLog2 = double(backScales.front());
    place.rounding = std::sqrt(slotDegree() * roundingVariance(parameters));
    place.integers = std::sqrt((raisedWeight() + 1) / 12);
    place.message = 1 / std::sqrt(3 * slots) / factor;
    const EvalModError error = evalModError(evalMod, place);

    const unsigned seriesDepth = polynomialDepth(evalMod.cosine.degree());
    const double variable = variableLog2(std::span(place.rescaleLog2).first(seriesDepth));
    const TransformChain forth = coefficientsToSlots(variable);
    // Of a complex slot, which holds halves of two variables t.
    const double ofVariable = 2 * square(transformError(forth, planTransformScales(forth)));
    noise.coefficientsToSlots =
        spread * ofVariable * square(evalMod.halfWidth * error.slope);
    noise.evalMod = spread * square(error.rounding);
    noise.approximation = spread * square(error.approximation);
    noise.slotsToCoefficients = square(transformError(back, backScales)) / 2 + lastRounding();
    noise.raise = raise();
    return noise;
  }

private:
  /// Coefficients that a slot is made of, where a vector of n slots has two halves side by side.
  double slotDegree() const { return std::min(degree, 4 * slots); }
  /// Of the secret at ModRaise.
  double raisedWeight() const {
    return plan.hasEphemeral ? expectedWeight(SecretDistribution::ephemeral32, plan.logN)
                             : parameters.hammingWeight;
  }

  double switchVariance(size_t level) const {
    NoiseParameters own = parameters;
    own.specialLog2 = fullBits * plan.specialLimbs;
    for (double left = logQ[level]; left > 0; left -= own.specialLog2 - plan.digitMargin)
      own.digitsLog2.push_back(std::min(left, own.specialLog2 - plan.digitMargin));
    return keySwitchVariance(own);
  }

  TransformChain transform(const std::vector<int64_t> &groups, size_t level, double by,
                           double resultLog2) const {
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

  TransformChain coefficientsToSlots(double variable) const {
    TransformChain chain =
        transform(plan.coefficientsToSlots, sizes.size() - 1,
                  1 / (2 * (degree / 2) * evalMod.halfWidth), variable);
    chain.isTowardsSlots = true;
    chain.resultSize = std::sqrt((raisedWeight() + 1) / 24) / evalMod.halfWidth;
    chain.leastLog2 = int64_t(std::ceil(logQ[0]));
    chain.mostLog2 = chain.leastLog2 + 60;
    return chain;
  }

  TransformChain slotsToCoefficients() const {
    const size_t level = plan.levels.residual.size() - 1 + plan.levels.slotsToCoefficients.size();
    TransformChain chain =
        transform(plan.slotsToCoefficients, level, factor, double(plan.logScale));
    chain.mostLog2 = std::llround(sizes[level + 1]);
    chain.leastLog2 = chain.mostLog2 / 3;
    chain.resultSize = std::sqrt(2.0 / 3);
    return chain;
  }

  /// Of the last rescale.
  double lastRounding() const {
    return std::min(degree, 2 * slots) * roundingVariance(parameters) / 2 *
           std::exp2(-2.0 * plan.logScale);
  }

  /// Of the switch to the ephemeral secret, at level 0; that back is one of CoeffsToSlots'.
  double raise() const {
    if (!plan.hasEphemeral)
      return 0;
    NoiseParameters own;
    own.logN = plan.logN;
    own.hammingWeight = raisedWeight();
    own.specialLog2 = plan.ephemeralBits;
    for (double left = logQ[0]; left > 0; left -= fullBits)
      own.digitsLog2.push_back(std::min(left, fullBits));
    return slots * keySwitchVariance(own) * square(std::exp2(plan.logRatio - logQ[0]));
  }

  const BootstrapPlan &plan;
  const EvalMod &evalMod;
  const double degree, slots;
  const std::vector<double> sizes;
  const double factor;
  std::vector<double> logQ;
  NoiseParameters parameters;
};

} // namespace

double BootstrapNoise::bits() const { return -std::log2(sum()) / 2; }

double messageBound(const BootstrapPlan &plan) {
  return plan.coefficientBound * std::exp2(-double(plan.logRatio));
}

BootstrapNoise bootstrapNoise(const BootstrapPlan &plan, const EvalMod &evalMod) {
  return NoiseOfPlan(plan, evalMod).run();
}

BootstrapNoise bootstrapNoise(const BootstrapPlan &plan) {
  return bootstrapNoise(plan, makeEvalMod(plan.range, messageBound(plan), plan.degree,
                                          plan.doubleAngles, plan.arcsineDegree, plan.nodes));
}

} // namespace sluice::algorithms
