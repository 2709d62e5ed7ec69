//===- BootstrapSearch.cpp - the bootstrap that a precision asks for --------------------------===//

#include "passes/algorithms/BootstrapSearch.h"

#include "passes/algorithms/PolynomialPlan.h"
#include "passes/algorithms/TerminalSearch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace sluice::algorithms {

namespace {

/// Bits by which the sum of a chain's logarithms may exceed its sizes.
constexpr double chainSlack = 0.5;
constexpr unsigned typicalSpecialLimbs = 6, maxRatios = 3;
/// Nodes near the integers only are fewer where the integers are.
constexpr unsigned hanKiRange = 12;

double sum(const std::vector<double> &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

/// One way to write a transform, with its noise and its time from the level where it begins.
struct TransformOption {
  std::vector<int64_t> groups;
  std::vector<double> sizes;
  double noise = 0;
};

/// Numbers by what they depend on.
template <typename... Key> class Memo {
public:
  template <typename Make> double get(const Key &...key, Make make) {
    auto [entry, isNew] = known.try_emplace(std::tuple(key...));
    if (isNew)
      entry->second = make();
    return entry->second;
  }

private:
  std::map<std::tuple<Key...>, double> known;
};

/// The search in one ring, for one order.
class RingSearch {
public:
  RingSearch(const BootstrapRequest &request, const BootstrapGrid &grid, BootstrapTimer &timer,
             unsigned logN, BootstrapOrder order, double limit)
      : request(request), grid(grid), timer(timer), limit(limit),
        budget(std::exp2(-2 * request.bits)) {
    base.name = "found";
    base.logN = logN;
    base.logSlots = request.logSlots;
    base.secret = request.secret;
    base.isReal = request.isReal;
    base.order = order;
    base.log2FailureTarget = request.log2FailureTarget;
    const auto row = findSecurityRow(SecretDistribution::ephemeral32, logN);
    base.hasEphemeral = row.has_value();
    ephemeralLimit = row ? row->limitBits : 0;
    base.range = leastRange(base);
  }

  std::vector<BootstrapCandidate> run() {
    // Beyond a few ratios that are large enough for the sine, larger ones only cost.
    std::map<unsigned, unsigned> tried; // by the arcsine's degree
    for (unsigned ratio : grid.ratios)
      for (const EvalMod &series : seriesOf(ratio))
        for (unsigned arcsine : grid.arcsineDegrees)
          if (tried[arcsine] < 3 * maxRatios && tryEvalMod(ratio, series, arcsine))
            ++tried[arcsine];
    return std::move(found);
  }

private:
  /// For each depth the cheapest series and double angles that leave the remainder precise enough.
  std::vector<EvalMod> seriesOf(unsigned ratio) {
    // SlotsToCoeffs behind EvalMod adds up the errors of as many coefficients.
    const bool isSummed = base.order == BootstrapOrder::modRaiseFirst;
    const double summed = isSummed ? std::exp2(request.logSlots) : 1;
    std::map<unsigned, std::pair<unsigned, EvalMod>> cheapest; // by depth, with the products
    for (unsigned doubleAngles = 0; doubleAngles <= grid.maxDoubleAngles; ++doubleAngles) {
      EvalModRequest wanted;
      wanted.range = base.range;
      wanted.messageBound = std::exp2(-double(ratio));
      wanted.tolerance = std::exp2(-request.bits - 2.5 - ratio) / std::sqrt(summed);
      wanted.minDoubleAngles = wanted.maxDoubleAngles = doubleAngles;
      if (base.range <= hanKiRange)
        wanted.nodes.push_back(SineNodes::hanKi);
      const std::optional<EvalMod> plan = planEvalMod(wanted);
      if (!plan)
        continue;
      const std::vector<Coefficient> series(plan->cosine.coefficients.begin(),
                                            plan->cosine.coefficients.end());
      const unsigned products =
          planPolynomial(series, Basis::chebyshev).ciphertextProducts() + doubleAngles;
      auto [entry, isNew] = cheapest.try_emplace(plan->depth(), products, *plan);
      if (!isNew && products < entry->second.first)
        entry->second = {products, *plan};
    }
    std::vector<EvalMod> plans;
    plans.reserve(cheapest.size());
    for (const auto &[depth, entry] : cheapest)
      plans.push_back(entry.second);
    return plans;
  }

  /// Whether the remainder is precise enough.
  bool tryEvalMod(unsigned ratio, const EvalMod &series, unsigned arcsineDegree) {
    BootstrapPlan plan = base;
    plan.logRatio = ratio;
    plan.degree = series.cosine.degree();
    plan.doubleAngles = series.doubleAngles;
    plan.nodes = series.nodes;
    plan.arcsineDegree = arcsineDegree;
    const EvalMod evalMod = makeEvalMod(plan);
    // Whatever the sizes are, this part stays.
    plan.levels.evalMod.assign(evalMod.depth(), 60);
    BootstrapNoise noise;
    BootstrapNoiseModel(plan, evalMod).addEvalMod(60, noise);
    if (noise.approximation > budget / 2)
      return false;
    evalModNoise = {};
    evalModNs = {};
    for (double scale : grid.scales)
      tryScale(plan, evalMod, scale, noise.approximation);
    return true;
  }

  void tryScale(BootstrapPlan plan, const EvalMod &evalMod, double scale, double approximation) {
    plan.logScale = unsigned(scale);
    best.reset();
    for (double levelZero : grid.levelZeros) {
      if (levelZero < scale + 5 ||
          (plan.hasEphemeral && levelZero + plan.ephemeralBits + chainSlack > ephemeralLimit))
        continue;
      plan.levels.residual = {levelZero};
      for (double margin : grid.digitMargins) {
        plan.digitMargin = margin;
        for (size_t larger : grid.largerLevels)
          for (unsigned more = 0; double size : grid.evalModSizes)
            if (more < 2 && trySizes(plan, evalMod, size, larger, approximation))
              ++more; // what is larger still only costs
      }
    }
    if (best)
      found.push_back(std::move(*best));
  }

  /// Whether these sizes of EvalMod's levels are precise enough.
  bool trySizes(BootstrapPlan plan, const EvalMod &evalMod, double size, size_t larger,
                double approximation) {
    if (size < plan.logScale || larger > evalMod.depth())
      return false;
    plan.levels.evalMod.assign(evalMod.depth(), size);
    std::fill_n(plan.levels.evalMod.rbegin(), larger, size + 5);
    const BootstrapNoiseModel alone(plan, evalMod);
    const double left = budget - approximation - alone.raise();
    if (left <= 0)
      return false;
    const std::vector<TransformOption> forth = forthOptions(plan, evalMod, larger, left);
    if (forth.empty())
      return false;
    bool isPrecise = false;
    // With as many matrices, only the smallest sizes that are precise enough together.
    std::map<std::pair<size_t, size_t>, double> smallest;
    for (const TransformOption &back : backOptions(plan, evalMod, larger, left))
      for (const TransformOption &option : forth) {
        if (option.noise + back.noise > left)
          continue;
        isPrecise = true;
        auto [entry, isNew] = smallest.try_emplace({option.sizes.size(), back.sizes.size()}, 1e9);
        if (option.sizes.front() >= entry->second)
          continue; // a smaller SlotsToCoeffs was enough for it
        entry->second = option.sizes.front();
        tryPlan(plan, evalMod, option, back);
      }
    return isPrecise;
  }

  /// The transforms of the grid, one size for all levels, whose noise is below `left`.
  template <typename Noise>
  std::vector<TransformOption> optionsOf(const std::vector<double> &sizes, double left,
                                         Noise noiseOf) const {
    std::vector<TransformOption> options;
    for (size_t count : grid.matrices)
      for (double size : sizes) {
        if (count > request.logSlots)
          continue;
        TransformOption option{evenGroups(request.logSlots, count),
                               std::vector<double>(count, size)};
        option.noise = noiseOf(option);
        if (option.noise < left)
          options.push_back(std::move(option));
      }
    return options;
  }

  std::vector<TransformOption> forthOptions(BootstrapPlan plan, const EvalMod &evalMod,
                                            size_t larger, double left) {
    return optionsOf(grid.coefficientsToSlotsSizes, left, [&](const TransformOption &option) {
      plan.coefficientsToSlots = option.groups;
      plan.levels.coefficientsToSlots = option.sizes;
      return forthNoise.get(plan.logRatio, polynomialDepth(plan.degree),
                            unsigned(plan.levels.evalMod.front()),
                            unsigned(plan.levels.evalMod.back()), unsigned(larger),
                            unsigned(plan.levels.residual.front()), unsigned(plan.digitMargin),
                            unsigned(option.sizes.size()), unsigned(option.sizes.front()), [&] {
                              fillUp(plan, typicalSpecialLimbs);
                              return BootstrapNoiseModel(plan, evalMod).coefficientsToSlots();
                            });
    });
  }

  /// With EvalMod's noise at the scale where SlotsToCoeffs begins.
  std::vector<TransformOption> backOptions(BootstrapPlan plan, const EvalMod &evalMod,
                                           size_t larger, double left) {
    return optionsOf(grid.slotsToCoefficientsSizes, left, [&](const TransformOption &option) {
      plan.slotsToCoefficients = option.groups;
      plan.levels.slotsToCoefficients = option.sizes;
      const auto &[own, targetLog2] =
          backNoise(plan, evalMod, option.sizes.size(), option.sizes.front());
      if (own >= left)
        return own;
      return own + evalModNoise.get(
                       unsigned(plan.levels.evalMod.front()), unsigned(plan.levels.evalMod.back()),
                       unsigned(larger), unsigned(std::lround(targetLog2)), [&] {
                         BootstrapNoise noise;
                         BootstrapNoiseModel(plan, evalMod).addEvalMod(targetLog2, noise);
                         return noise.evalMod;
                       });
    });
  }

  /// The noise of SlotsToCoeffs, and the scale at which it begins.
  const std::pair<double, double> &backNoise(BootstrapPlan &plan, const EvalMod &evalMod,
                                             size_t count, double size) {
    auto [entry, isNew] = backNoises.try_emplace(
        {plan.logScale, plan.logRatio, unsigned(plan.levels.residual.front()),
         unsigned(plan.levels.evalMod.front()), unsigned(plan.digitMargin), unsigned(count),
         unsigned(size)});
    if (isNew) {
      fillUp(plan, typicalSpecialLimbs);
      entry->second.first =
          BootstrapNoiseModel(plan, evalMod).slotsToCoefficients(entry->second.second);
    }
    return entry->second;
  }

  /// Residual levels up to what the table allows with so many limbs of P.
  size_t fillUp(BootstrapPlan &plan, unsigned special) const {
    plan.specialLimbs = special;
    const BootstrapLevels &levels = plan.levels;
    const double free = limit - chainSlack - fullLimbBits * special - levels.residual.front() -
                        sum(levels.slotsToCoefficients) - sum(levels.evalMod) -
                        sum(levels.coefficientsToSlots);
    const auto count = free < 0 ? 0 : static_cast<size_t>(free / plan.logScale);
    plan.levels.residual.resize(1);
    plan.levels.residual.resize(1 + count, plan.logScale);
    return count;
  }

  void tryPlan(BootstrapPlan plan, const EvalMod &evalMod, const TransformOption &forth,
               const TransformOption &back) {
    plan.coefficientsToSlots = forth.groups;
    plan.levels.coefficientsToSlots = forth.sizes;
    plan.slotsToCoefficients = back.groups;
    plan.levels.slotsToCoefficients = back.sizes;
    for (unsigned special : grid.specialLimbs) {
      const size_t left = fillUp(plan, special);
      if (left < request.leastLevels)
        continue;
      const double ns = timeOf(plan, evalMod);
      if (best && best->nsPerLevel() <= ns / double(left))
        continue;
      best = BootstrapCandidate{.plan = plan, .timeNs = ns, .levelsLeft = left};
    }
  }

  /// By parts that many plans have in common; positions to the bit.
  double timeOf(const BootstrapPlan &plan, const EvalMod &evalMod) {
    const BootstrapLevels &levels = plan.levels;
    const auto bits = [](double x) { return unsigned(std::lround(x)); };
    const unsigned special = plan.specialLimbs, margin = bits(plan.digitMargin);
    double logQ = sum(levels.residual) + sum(levels.slotsToCoefficients) + sum(levels.evalMod) +
                  sum(levels.coefficientsToSlots);
    double ns = raiseNs.get(special, margin, bits(logQ), [&] { return timer.raiseNs(plan, logQ); });
    ns += forthNs.get(special, margin, bits(logQ), unsigned(levels.coefficientsToSlots.size()),
                      bits(levels.coefficientsToSlots.front()),
                      [&] { return timer.coefficientsToSlotsNs(plan, logQ); });
    logQ -= sum(levels.coefficientsToSlots);
    ns += evalModNs.get(special, margin, bits(logQ), bits(levels.evalMod.front()),
                        bits(sum(levels.evalMod)),
                        [&] { return timer.evalModNs(plan, evalMod, logQ); });
    logQ = slotsToCoefficientsLogQ(plan);
    return ns + backNs.get(special, margin, bits(logQ), unsigned(levels.slotsToCoefficients.size()),
                           bits(levels.slotsToCoefficients.front()),
                           [&] { return timer.slotsToCoefficientsNs(plan, logQ); });
  }

  using PartTimes = Memo<unsigned, unsigned, unsigned, unsigned, unsigned>;

  const BootstrapRequest &request;
  const BootstrapGrid &grid;
  BootstrapTimer &timer;
  const double limit;  // of log QP
  const double budget; // the mean square of an error
  double ephemeralLimit = 0;
  BootstrapPlan base;
  std::optional<BootstrapCandidate> best; // of the scale that is tried
  // Of all plans: key switches are as noisy as with some number of limbs of P.
  Memo<unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned>
      forthNoise;
  std::map<std::array<unsigned, 7>, std::pair<double, double>> backNoises;
  Memo<unsigned, unsigned, unsigned> raiseNs;
  PartTimes forthNs, backNs;
  // Of one EvalMod.
  Memo<unsigned, unsigned, unsigned, unsigned> evalModNoise;
  PartTimes evalModNs;
  std::vector<BootstrapCandidate> found;
};

/// What the plan's real chain makes of a candidate; false where it has none.
bool finish(BootstrapCandidate &candidate, BootstrapTimer &timer) {
  const Expected<PlannedBootstrap> planned = planBootstrap(candidate.plan);
  if (!planned)
    return false;
  candidate.bits = bootstrapNoise(candidate.plan).bits();
  candidate.logQLeft = planned->logQLeft;
  candidate.keyBytes = timer.keyBytes(candidate.plan);
  return true;
}

} // namespace

std::vector<int64_t> evenGroups(unsigned logSlots, size_t matrices) {
  std::vector<int64_t> groups(matrices, int64_t(logSlots / matrices));
  for (size_t i = 0; i < logSlots % matrices; ++i)
    ++groups[i];
  return groups;
}

std::vector<BootstrapCandidate> searchBootstraps(const BootstrapRequest &request,
                                                 const CostTable &costs, size_t count,
                                                 const BootstrapGrid &grid) {
  BootstrapTimer timer(costs);
  std::vector<BootstrapCandidate> all;
  for (unsigned logN = request.logSlots + 1; logN <= 17; ++logN) {
    const auto row = findSecurityRow(request.secret, logN);
    const bool isWanted = request.logN != 0
                              ? request.logN == logN
                              : findSecurityRow(SecretDistribution::ephemeral32, logN).has_value();
    if (!row || !isWanted)
      continue;
    for (BootstrapOrder order : grid.orders) {
      std::vector<BootstrapCandidate> found =
          RingSearch(request, grid, timer, logN, order, row->limitBits).run();
      std::move(found.begin(), found.end(), std::back_inserter(all));
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto &a, const auto &b) { return a.nsPerLevel() < b.nsPerLevel(); });
  std::vector<BootstrapCandidate> best;
  for (BootstrapCandidate &candidate : all)
    if (best.size() < count && finish(candidate, timer))
      best.push_back(std::move(candidate));
  return best;
}

unsigned mostBits(BootstrapRequest request, const CostTable &costs, const BootstrapGrid &grid) {
  unsigned low = 0, high = 64;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    request.bits = middle;
    (searchBootstraps(request, costs, 1, grid).empty() ? high : low) = middle;
  }
  return low;
}

} // namespace sluice::algorithms
