//===- BootstrapVariation.cpp - a preset in another form --------------------------------------===//

#include "passes/algorithms/BootstrapVariation.h"

#include "passes/algorithms/NoiseModel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace sluice::algorithms {

namespace {

constexpr int64_t maxRounds = 8, maxArcsineDegree = 63;

/// As many groups of `sum` factors, the largest ones smaller, the last of them first.
void shrinkGroups(std::vector<int64_t> &groups, int64_t sum) {
  for (int64_t left = std::accumulate(groups.begin(), groups.end(), int64_t{0}) - sum; left > 0;
       --left)
    --*std::max_element(groups.rbegin(), groups.rend());
}

Status setSlots(BootstrapPlan &plan, int64_t slots) {
  const size_t matrices =
      std::max(plan.coefficientsToSlots.size(), plan.slotsToCoefficients.size());
  const int64_t least = int64_t{1} << matrices, most = int64_t{1} << plan.logSlots;
  if (slots < least || slots > most || !std::has_single_bit(static_cast<uint64_t>(slots)))
    return Status::error(StatusCode::invalidArgument,
                         "%s bootstraps vectors of %lld to %lld slots, a power of two; found %lld",
                         plan.name.c_str(), static_cast<long long>(least),
                         static_cast<long long>(most), static_cast<long long>(slots));
  // Slots of one size have coefficients that grow like the root of what they are fewer.
  plan.coefficientBound *= std::sqrt(double(most) / double(slots));
  plan.coefficientBound = std::min(plan.coefficientBound, 1.0);
  plan.logSlots = static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(slots)));
  shrinkGroups(plan.coefficientsToSlots, plan.logSlots);
  shrinkGroups(plan.slotsToCoefficients, plan.logSlots);
  return {};
}

Status setArcsine(BootstrapPlan &plan, int64_t degree) {
  if (degree < 1 || degree % 2 == 0 || degree > maxArcsineDegree)
    return Status::error(StatusCode::invalidArgument,
                         "an arcsine has an odd degree from 1 (none) to %lld; found %lld",
                         static_cast<long long>(maxArcsineDegree), static_cast<long long>(degree));
  const unsigned before = arcsineDepth(plan.arcsineDegree);
  plan.arcsineDegree = static_cast<unsigned>(degree);
  const unsigned after = arcsineDepth(plan.arcsineDegree);
  std::vector<double> &levels = plan.levels.evalMod, &residual = plan.levels.residual;
  if (after < before)
    levels.erase(levels.begin(), levels.begin() + (before - after));
  if (after <= before)
    return {};
  const double size = levels.front();
  levels.insert(levels.begin(), after - before, size);
  for (double missing = size * (after - before); missing > 0 && !plan.isInsecure;) {
    if (residual.size() < 2)
      return Status::error(StatusCode::invalidArgument,
                           "%s has no levels for an arcsine of degree %u", plan.name.c_str(),
                           plan.arcsineDegree);
    missing -= residual.back();
    residual.pop_back();
  }
  return {};
}

/// Messages are the parts of slots, up to the whole scale. A polynomial of such coefficients has
/// slots that are sqrt(n) as large: with 3 bits to spare, those too stay below Q_0.
void setSlotsFirst(BootstrapPlan &plan) {
  plan.order = BootstrapOrder::slotsToCoefficientsFirst;
  plan.coefficientBound = 1;
  plan.logRatio = std::max(plan.logRatio, (plan.logSlots + 1) / 2 + 3);
}

/// Scale and residual levels of `rounds` > 1.
Status setRounds(BootstrapPlan &plan, unsigned rounds) {
  const unsigned gain = gainOfRound(plan);
  if (gain == 0)
    return Status::error(StatusCode::invalidArgument,
                         "a round of %s leaves too much for another one to gain anything",
                         plan.name.c_str());
  std::vector<double> &residual = plan.levels.residual;
  plan.logGain = gain;
  plan.logScale =
      static_cast<unsigned>(std::lround(residual.front())) - plan.logRatio + (rounds - 1) * gain;
  const double scale = plan.logScale;
  const double bits = std::accumulate(residual.begin() + 1, residual.end(), 0.0);
  // The operand's level, and 64 bits up to the result's, at which it is subtracted.
  const auto least = 1 + static_cast<size_t>(std::ceil(64 / scale));
  residual.resize(1);
  residual.resize(1 + std::max(least, static_cast<size_t>(bits / scale)), scale);
  // Q_0 is what its limbs make it, up to some bits beside its size. A plan that cannot be has no
  // chain, and planBootstrap says why.
  if (const Expected<PlannedBootstrap> planned = planBootstrap(plan))
    plan.logScale = static_cast<unsigned>(
        plan.logScale + std::lround(std::log2(messageBound(plan) / planned->messageBound)));
  return {};
}

} // namespace

unsigned gainOfRound(const BootstrapPlan &plan) {
  const double message = messageBound(plan);
  const EvalMod evalMod = makeEvalMod(plan);
  // A rounding of secret weight h has the deviation sqrt(N (h + 1) / 12) in a slot. The variable
  // counts half the width, the squares behind it about 2^5; 2^3 deviations.
  const double weight = expectedWeight(plan.secret, plan.logN);
  const double rounding =
      std::sqrt(std::exp2(plan.logN) * (weight + 1) / 12) * std::exp2(-plan.levels.evalMod.front());
  const double noise = rounding * evalMod.halfWidth * 0x1p8;
  const double gain = std::log2(message / (measureError(evalMod, message) + noise));
  return gain < 1 ? 0 : static_cast<unsigned>(std::min(gain, 100.0));
}

Expected<BootstrapPlan> varyBootstrap(const BootstrapPlan &preset,
                                      const BootstrapVariation &variation) {
  BootstrapPlan plan = preset;
  if (variation.slots)
    SLUICE_RETURN_IF_ERROR(setSlots(plan, *variation.slots));
  if (variation.arcsineDegree)
    SLUICE_RETURN_IF_ERROR(setArcsine(plan, *variation.arcsineDegree));
  if (variation.order == BootstrapOrder::slotsToCoefficientsFirst)
    setSlotsFirst(plan);
  plan.isReal = variation.isReal;
  plan.isNested = variation.isNested;
  if (variation.rounds < 1 || variation.rounds > maxRounds)
    return Status::error(
        StatusCode::invalidArgument, "a bootstrap has 1 to %lld rounds; found %lld",
        static_cast<long long>(maxRounds), static_cast<long long>(variation.rounds));
  plan.iterations = static_cast<unsigned>(variation.rounds);
  plan.range = leastRange(plan); // each round can fail
  if (plan.iterations > 1)
    SLUICE_RETURN_IF_ERROR(setRounds(plan, plan.iterations));
  return plan;
}

} // namespace sluice::algorithms
