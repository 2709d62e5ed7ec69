//===- BootstrapChoice.cpp - the bootstraps that a packed program may have --------------------===//

#include "passes/BootstrapChoice.h"

#include "passes/CircuitWork.h"
#include "passes/CostsAttribute.h"
#include "passes/TracedOps.h"
#include "passes/algorithms/TerminalSearch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

using namespace mlir;

namespace sluice {

namespace {

/// What a bootstrap takes: parts of slots up to 1; the least vector that the search has matrices
/// for.
constexpr double largestValue = 1;
constexpr unsigned leastLogSlots = 5;
/// Candidates, which the search orders by the time for each level that they leave.
constexpr size_t mostCandidates = 12;

LogicalResult checkProgram(const CircuitAnalysis &analysis) {
  func::FuncOp function = analysis.getFunction();
  const int64_t slots = analysis.getSlots();
  if (slots < int64_t{1} << leastLogSlots)
    return function.emitError() << "a bootstrap needs " << (1 << leastLogSlots)
                                << " slots; the program has " << slots << ": ask for a batch";
  for (auto refresh : function.getOps<ckks::RefreshOp>())
    if (double size = analysis.range(refresh.getInput()).magnitude(); size > largestValue)
      return refresh.emitError() << "a bootstrap takes values up to 1; these are up to "
                                 << shortNumber(size) << ": divide them before";
  return success();
}

/// Nanoseconds of the operations between bootstraps.
double leveledNs(ArrayRef<algorithms::LevelWork> work, const algorithms::BootstrapPlan &plan,
                 const CostTable &costs) {
  const std::vector<double> sizes = plan.chain();
  const algorithms::KernelCosts prices = algorithms::kernelCosts(costs, plan.logN);
  double ns = 0, logQ = 0;
  for (size_t level = 0; level < work.size(); ++level) {
    logQ += sizes[level];
    const double digit = algorithms::fullLimbBits * plan.specialLimbs - plan.digitMargin;
    const algorithms::OperandSize size{plan.logN,
                                       unsigned(std::ceil(logQ / algorithms::fullLimbBits)),
                                       unsigned(std::ceil(logQ / digit)), plan.specialLimbs};
    ns += algorithms::latencyNs(work[work.size() - 1 - level], size, {2, false}, prices);
  }
  return ns;
}

/// Takes away the levels that the program does not need, which every operation below would carry,
/// and then limbs of P while that is faster.
void fit(algorithms::BootstrapCandidate &candidate, const algorithms::BootstrapRequest &request,
         algorithms::BootstrapTimer &timer) {
  algorithms::BootstrapPlan plan = candidate.plan;
  const algorithms::EvalMod evalMod = algorithms::makeEvalMod(plan);
  plan.levels.residual.resize(1 + request.leastLevels);
  candidate.plan = plan;
  candidate.timeNs = timer.timeNs(plan, evalMod);
  const auto row = findSecurityRow(plan.secret, plan.logN);
  for (unsigned special : algorithms::BootstrapGrid().specialLimbs) {
    plan.specialLimbs = special;
    const double ns = timer.timeNs(plan, evalMod);
    const auto isAllowed = [&] {
      const auto planned = algorithms::planBootstrap(plan);
      return planned && row && isWithin(*row, planned->chain.logQP());
    };
    if (ns >= candidate.timeNs || algorithms::bootstrapNoise(plan, evalMod).bits() < request.bits ||
        !isAllowed())
      continue;
    candidate.plan = plan;
    candidate.timeNs = ns;
  }
  candidate.bits = algorithms::bootstrapNoise(candidate.plan, evalMod).bits();
  candidate.keyBytes = timer.keyBytes(candidate.plan);
  candidate.levelsLeft = request.leastLevels;
  if (const auto planned = algorithms::planBootstrap(candidate.plan))
    candidate.logQLeft = planned->logQLeft;
}

ckks::ParamsAttr toAttribute(MLIRContext *context, const algorithms::BootstrapPlan &plan,
                             const algorithms::ChainPlan &chain) {
  auto sets = [&](const std::vector<std::vector<int64_t>> &all) {
    return llvm::map_to_vector(
        all, [&](const std::vector<int64_t> &set) { return DenseI64ArrayAttr::get(context, set); });
  };
  const StringRef ephemeral =
      plan.hasEphemeral ? secretDistributionName(SecretDistribution::ephemeral32) : "";
  return ckks::ParamsAttr::get(
      context, plan.logN, chain.limbs, chain.special, sets(chain.levels), sets(chain.digits),
      int64_t{1} << plan.logSlots, secretDistributionName(plan.secret),
      plan.isInsecure ? 0 : ckks::ParamsAttr::defaultSecurity, ephemeral, chain.ephemeralSpecial);
}

DictionaryAttr toAttribute(MLIRContext *context, const algorithms::BootstrapPlan &plan,
                           const algorithms::PlannedBootstrap &planned) {
  Builder builder(context);
  NamedAttrList entries;
  const auto set = [&](StringRef name, int64_t value) {
    entries.set(name, builder.getI64IntegerAttr(value));
  };
  entries.set("range", builder.getF64FloatAttr(plan.range));
  entries.set("message_bound", builder.getF64FloatAttr(planned.messageBound));
  set("degree", plan.degree);
  set("double_angles", plan.doubleAngles);
  set("arcsine_degree", plan.arcsineDegree);
  entries.set("nodes", ckks::SineNodesAttr::get(context, plan.nodes == algorithms::SineNodes::hanKi
                                                             ? ckks::SineNodes::HanKi
                                                             : ckks::SineNodes::Chebyshev));
  entries.set("order",
              ckks::BootstrapOrderAttr::get(
                  context, plan.order == algorithms::BootstrapOrder::slotsToCoefficientsFirst
                               ? ckks::BootstrapOrder::SlotsToCoefficientsFirst
                               : ckks::BootstrapOrder::ModRaiseFirst));
  entries.set("coefficients_to_slots", builder.getDenseI64ArrayAttr(plan.coefficientsToSlots));
  entries.set("slots_to_coefficients", builder.getDenseI64ArrayAttr(plan.slotsToCoefficients));
  if (plan.isReal)
    entries.set("real", builder.getUnitAttr());
  set("input_level", int64_t(planned.inputLevel));
  set("input_log_scale", planned.inputLogScale);
  set("result_level", int64_t(planned.resultLevel));
  set("result_log_scale", plan.logScale);
  return entries.getDictionary(context);
}

} // namespace

bool hasRefreshes(ModuleOp module) {
  return module.walk([](ckks::RefreshOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

FailureOr<BootstrapChoice> BootstrapChoice::find(ModuleOp module, const ParameterOptions &options,
                                                 unsigned extraLevels) {
  FailureOr<CircuitAnalysis> analysis = analyzePacked(module);
  FailureOr<CostTable> costs = readCosts(module);
  if (failed(analysis) || failed(costs) || failed(checkProgram(*analysis)))
    return failure();
  func::FuncOp function = analysis->getFunction();
  BootstrapChoice choice;
  choice.count = unsigned(llvm::range_size(function.getOps<ckks::RefreshOp>()));
  algorithms::BootstrapRequest request{
      .bits = options.precision,
      .logSlots = unsigned(std::countr_zero(uint64_t(analysis->getSlots()))),
      .logN = options.logN,
      .leastLevels = std::max<size_t>(1, analysis->depth() + extraLevels)};
  choice.found = algorithms::searchBootstraps(request, *costs, mostCandidates);
  if (choice.found.empty()) {
    auto error = function.emitError();
    error << "no bootstrap of " << analysis->getSlots() << " slots leaves " << request.leastLevels
          << " levels and has " << shortNumber(options.precision) << " bits";
    if (const unsigned most = algorithms::mostBits(request, *costs))
      error << "; " << most << " bits are reachable";
    else
      error << ", or fewer: bootstrap more often";
    return failure();
  }
  const std::vector<algorithms::LevelWork> work = workByLevel(*analysis);
  algorithms::BootstrapTimer timer(*costs);
  for (algorithms::BootstrapCandidate &one : choice.found) {
    fit(one, request, timer);
    one.timeNs = choice.count * one.timeNs + leveledNs(work, one.plan, *costs);
  }
  std::stable_sort(choice.found.begin(), choice.found.end(), [](const auto &a, const auto &b) {
    return std::pair(a.timeNs, a.keyBytes) < std::pair(b.timeNs, b.keyBytes);
  });
  return choice;
}

LogicalResult BootstrapChoice::apply(size_t index, ModuleOp module) const {
  const algorithms::BootstrapPlan &plan = found[index].plan;
  const Expected<algorithms::PlannedBootstrap> planned = algorithms::planBootstrap(plan);
  if (!planned)
    return failure();
  MLIRContext *context = module.getContext();
  module->removeAttr(ckks::slotsAttrName);
  module->setAttr(ckks::paramsAttrName, toAttribute(context, plan, planned->chain));
  module->setAttr(ckks::bootstrapAttrName, toAttribute(context, plan, *planned));
  return success();
}

} // namespace sluice
