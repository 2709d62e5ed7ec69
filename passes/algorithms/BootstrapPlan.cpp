//===- BootstrapPlan.cpp - everything that fixes a bootstrap ----------------------------------===//

#include "passes/algorithms/BootstrapPlan.h"

#include "passes/algorithms/FailureProbability.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::algorithms {

namespace {

/// Whether the weight of the secret under ModRaise is fixed.
bool hasFixedWeight(const BootstrapPlan &plan) {
  return plan.hasEphemeral || plan.secret != SecretDistribution::uniformTernary;
}

BootstrapRisk riskOf(const BootstrapPlan &plan) {
  return {.secret = plan.hasEphemeral ? SecretDistribution::ephemeral32 : plan.secret,
          .logN = plan.logN,
          .range = double(plan.range),
          .slots = uint64_t{1} << plan.logSlots,
          .rounds = plan.iterations,
          .log2Target = plan.log2FailureTarget};
}

double log2Failure(const BootstrapPlan &plan) { return log2BootstrapFailure(riskOf(plan)); }

Status checkFactors(const char *name, const std::vector<int64_t> &factors, size_t levels,
                    unsigned logSlots) {
  if (factors.size() != levels)
    return Status::error(StatusCode::invalidArgument, "%s has %zu matrices and %zu levels", name,
                         factors.size(), levels);
  const int64_t sum = std::accumulate(factors.begin(), factors.end(), int64_t{0});
  if (sum != logSlots ||
      std::any_of(factors.begin(), factors.end(), [](int64_t f) { return f < 1; }))
    return Status::error(StatusCode::invalidArgument, "%s groups %lld factors; 2^%u slots have %u",
                         name, static_cast<long long>(sum), logSlots, logSlots);
  return {};
}

unsigned evalModDepth(const BootstrapPlan &plan) {
  return polynomialDepth(plan.degree) + plan.doubleAngles + arcsineDepth(plan.arcsineDegree);
}

Status checkSections(const BootstrapPlan &plan) {
  if (plan.logSlots < 1 || plan.logSlots >= plan.logN)
    return Status::error(StatusCode::invalidArgument, "a ring of degree 2^%u has no 2^%u slots",
                         plan.logN, plan.logSlots);
  if (plan.levels.residual.empty())
    return Status::error(StatusCode::invalidArgument, "a bootstrap needs level 0");
  SLUICE_RETURN_IF_ERROR(checkFactors("CoeffsToSlots", plan.coefficientsToSlots,
                                      plan.levels.coefficientsToSlots.size(), plan.logSlots));
  SLUICE_RETURN_IF_ERROR(checkFactors("SlotsToCoeffs", plan.slotsToCoefficients,
                                      plan.levels.slotsToCoefficients.size(), plan.logSlots));
  if (plan.levels.evalMod.size() != evalModDepth(plan))
    return Status::error(StatusCode::invalidArgument, "EvalMod uses %u levels; %zu have a size",
                         evalModDepth(plan), plan.levels.evalMod.size());
  if (plan.degree < leastDegree(plan.range, plan.nodes))
    return Status::error(StatusCode::invalidArgument,
                         "EvalMod's degree %u is less than the %u that its nodes for a range of %u "
                         "need",
                         plan.degree, leastDegree(plan.range, plan.nodes), plan.range);
  return {};
}

Status checkRange(const BootstrapPlan &plan) {
  if (log2Failure(plan) <= plan.log2FailureTarget)
    return {};
  return Status::error(
      StatusCode::insecure,
      "EvalMod's range of %u is too small: under a secret of weight %llu, a "
      "bootstrap of 2^%u slots fails with a probability of at most 2^%g from %u on",
      plan.range, static_cast<unsigned long long>(plan.weight()), plan.logSlots,
      plan.log2FailureTarget, leastRange(plan));
}

/// That `row` allows a key with this modulus.
Status checkRow(const std::optional<SecurityRow> &row, SecretDistribution secret, unsigned logN,
                double logQP) {
  if (!row)
    return Status::error(StatusCode::insecure,
                         "the security table has no row for the secret '%s' in a ring of degree "
                         "2^%u",
                         std::string(secretDistributionName(secret)).c_str(), logN);
  if (!isWithin(*row, logQP))
    return Status::error(StatusCode::insecure, "keys of %.2f bits exceed the %u of '%s'", logQP,
                         row->limitBits, std::string(row->name).c_str());
  return {};
}

Status checkSecurity(const BootstrapPlan &plan, const PlannedBootstrap &planned) {
  if (plan.isInsecure)
    return {};
  if (plan.log2FailureTarget > -128)
    return Status::error(StatusCode::insecure,
                         "a failure probability of 2^%g is for insecure plans; 2^-128 is the "
                         "largest of others",
                         plan.log2FailureTarget);
  SLUICE_RETURN_IF_ERROR(checkRow(planned.row, plan.secret, plan.logN, planned.chain.logQP()));
  return plan.hasEphemeral ? checkRow(planned.ephemeralRow, SecretDistribution::ephemeral32,
                                      plan.logN, planned.ephemeralLogQP)
                           : Status();
}

/// Levels, scales and the message's bound, which the chain decides.
Status settleLevels(const BootstrapPlan &plan, PlannedBootstrap &planned) {
  const auto bits = [&](size_t level) {
    return planned.chain.log2Product(planned.chain.levels[level]);
  };
  const size_t before = plan.depthBefore();
  planned.levelsLeft = plan.levels.residual.size() - 1;
  planned.resultLevel = planned.levelsLeft + before;
  planned.logQLeft = bits(planned.resultLevel) - (bits(before) - bits(0));
  planned.inputLevel = before;
  const unsigned gain = (plan.iterations - 1) * plan.logGain;
  while (bits(planned.inputLevel) - bits(before) < gain - 0.5)
    if (++planned.inputLevel >= planned.resultLevel)
      return Status::error(StatusCode::invalidArgument,
                           "%u iterations gain %u bits, which the levels below the result do not "
                           "have",
                           plan.iterations, gain);
  const double quotient = bits(0) - plan.logRatio; // log2 of a round's scale
  planned.inputLogScale =
      plan.iterations > 1 ? plan.logScale : static_cast<unsigned>(std::lround(quotient));
  planned.messageBound =
      plan.coefficientBound * std::exp2(planned.inputLogScale - double{1} * gain - bits(0));
  if (planned.messageBound > 0 && planned.messageBound < 0.25)
    return {};
  return Status::error(StatusCode::invalidArgument,
                       "a message may be %g of Q_0; EvalMod allows less than a quarter",
                       planned.messageBound);
}

} // namespace

size_t BootstrapPlan::depthBefore() const {
  return order == BootstrapOrder::slotsToCoefficientsFirst ? levels.slotsToCoefficients.size() : 0;
}

size_t BootstrapPlan::depth() const {
  return levels.coefficientsToSlots.size() + levels.evalMod.size() +
         levels.slotsToCoefficients.size();
}

uint64_t BootstrapPlan::weight() const { return weightUnderModRaise(riskOf(*this)); }

std::vector<double> BootstrapPlan::chain() const {
  std::vector<double> sizes = levels.residual;
  const auto below =
      order == BootstrapOrder::slotsToCoefficientsFirst ? sizes.begin() + 1 : sizes.end();
  sizes.insert(below, levels.slotsToCoefficients.begin(), levels.slotsToCoefficients.end());
  sizes.insert(sizes.end(), levels.evalMod.begin(), levels.evalMod.end());
  sizes.insert(sizes.end(), levels.coefficientsToSlots.begin(), levels.coefficientsToSlots.end());
  return sizes;
}

double messageBound(const BootstrapPlan &plan) {
  return plan.coefficientBound * std::exp2(-double(plan.logRatio));
}

EvalMod makeEvalMod(const BootstrapPlan &plan) {
  return makeEvalMod(plan.range, messageBound(plan), plan.degree, plan.doubleAngles,
                     plan.arcsineDegree, plan.nodes);
}

unsigned leastRange(const BootstrapPlan &plan) {
  // Half of the probability is for secrets that are too heavy.
  const double target = plan.log2FailureTarget - std::log2(plan.iterations);
  return static_cast<unsigned>(leastRange(plan.weight(), uint64_t{1} << plan.logSlots,
                                          hasFixedWeight(plan) ? target : target - 1));
}

Expected<PlannedBootstrap> planBootstrap(const BootstrapPlan &plan) {
  SLUICE_RETURN_IF_ERROR(checkSections(plan));
  SLUICE_RETURN_IF_ERROR(checkRange(plan));
  PlannedBootstrap planned;
  planned.log2Failure = log2Failure(plan);
  SLUICE_ASSIGN_OR_RETURN(planned.chain, planChain({plan.logN, plan.chain(), 4, plan.specialLimbs,
                                                    plan.hasEphemeral ? plan.ephemeralBits : 0,
                                                    plan.digitMargin, plan.isNested}));
  SLUICE_RETURN_IF_ERROR(settleLevels(plan, planned));
  planned.row = findSecurityRow(plan.secret, plan.logN);
  if (plan.hasEphemeral) {
    planned.ephemeralRow = findSecurityRow(SecretDistribution::ephemeral32, plan.logN);
    planned.ephemeralLogQP = planned.chain.log2Product(planned.chain.levels.front()) +
                             planned.chain.log2Product(planned.chain.ephemeralSpecial);
  }
  SLUICE_RETURN_IF_ERROR(checkSecurity(plan, planned));
  return planned;
}

} // namespace sluice::algorithms
