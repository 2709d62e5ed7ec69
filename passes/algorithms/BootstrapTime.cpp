//===- BootstrapTime.cpp - how long a bootstrap takes, before it is written out ---------------===//

#include "passes/algorithms/BootstrapTime.h"

#include "passes/algorithms/BsgsPlan.h"
#include "passes/algorithms/LevelWork.h"
#include "passes/algorithms/PolynomialPlan.h"
#include "passes/algorithms/TermLevels.h"
#include "passes/algorithms/TerminalSearch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace sluice::algorithms {

namespace {

/// Of the rescale between two levels of a packed chain: it drops more limbs than a level has, and
/// adds some.
constexpr unsigned droppedLimbs = 2;

double sum(const std::vector<double> &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

Work rescale(const OperandSize &size) {
  return 2 * divideWork(size.logN, droppedLimbs, size.limbs);
}

void addSquare(LevelWork &level) { level.tensors = level.relinearizations = level.rescales = 1; }

/// Where terms are summed, the variable an operand of the first of `sizes`; no two levels are
/// nested.
TermLevels termLevels(const PolynomialPlan &steps, std::span<const OperandSize> sizes,
                      const KernelCosts &prices) {
  PolynomialLevels levels;
  levels.top = steps.depth;
  levels.ofPower = [&](unsigned index) { return levels.top - int64_t(powerDepth(index)); };
  levels.isNested = [](int64_t from, int64_t to) { return from == to; };
  levels.division = [&](int64_t from, int64_t to, bool isOfSwitch) {
    const OperandSize &size = sizes[size_t(levels.top - to)];
    const unsigned dropped = (from == to ? 0 : droppedLimbs) + (isOfSwitch ? size.special : 0);
    return 2 * divideWork(size.logN, dropped, size.limbs).latencyNs(prices);
  };
  return chooseTermLevels(steps, levels);
}

/// Of a polynomial, by level below its variable's; `sizes` of operands likewise.
void addTerms(const Polynomial &p, size_t first, std::span<const OperandSize> sizes,
              const KernelCosts &prices, std::vector<LevelWork> &levels) {
  const std::vector<Coefficient> coefficients(p.coefficients.begin(), p.coefficients.end());
  const PolynomialPlan steps = planPolynomial(coefficients, p.basis);
  const TermLevels terms = termLevels(steps, sizes.subspan(first), prices);
  const auto at = [&](int64_t level) -> LevelWork & {
    return levels[first + size_t(int64_t(steps.depth) - level)];
  };
  for (const PowerStep &step : steps.powers) {
    LevelWork &work = levels[first + powerDepth(step.index) - 1];
    ++work.tensors;
    ++work.relinearizations;
    work.rescales += terms.rescaled.contains(step.index);
  }
  for (size_t i = 0; i < steps.blocks.size(); ++i) {
    const PolynomialBlock &block = steps.blocks[i];
    if (block.products.empty() && block.terms.empty())
      continue;
    LevelWork &work = levels[first + block.below - 1];
    work.tensors += unsigned(block.products.size());
    work.relinearizations += !block.products.empty();
    at(terms.ofBlock[i]).constants += unsigned(block.terms.size());
    work.rescales += 1 + terms.dividedSums.contains(i);
  }
  for (const auto &[power, level] : terms.lowered)
    ++at(level).rescales;
}

} // namespace

OperandSize BootstrapTimer::sizeAt(const BootstrapPlan &plan, double logQ) const {
  OperandSize size;
  size.logN = plan.logN;
  size.limbs = unsigned(std::ceil(logQ / fullLimbBits)) + 1;
  size.special = plan.specialLimbs;
  size.digits = unsigned(std::ceil(logQ / (fullLimbBits * plan.specialLimbs - plan.digitMargin)));
  return size;
}

const BootstrapTimer::Transform &BootstrapTimer::transform(const OperandSize &size,
                                                           unsigned logSlots, int64_t factors,
                                                           bool isFirst) {
  auto [entry, isNew] = transforms.try_emplace(
      {size.logN, size.limbs, size.digits, size.special, logSlots, factors, isFirst});
  if (!isNew)
    return entry->second;
  const int64_t reach = (int64_t{1} << factors) - 1;
  std::vector<int64_t> indices(isFirst ? reach + 1 : 2 * reach + 1);
  std::iota(indices.begin(), indices.end(), isFirst ? 0 : -reach);
  const KernelCosts prices = kernelCosts(costs, size.logN);
  const KeySwitchShape shape{size.logN, size.limbs, size.special, size.digits,
                             prices.butterflyNs / prices.multiplyNs};
  const BsgsPlan plan = planBsgs(indices, int64_t{1} << logSlots, shape, 0.05);
  entry->second.keys = plan.keys();
  entry->second.multiplications = plan.cost + 2 * double(indices.size()) *
                                                  std::ldexp(1.0, int(size.logN)) *
                                                  (size.limbs + size.special);
  return entry->second;
}

double BootstrapTimer::transformsNs(const BootstrapPlan &plan, const std::vector<int64_t> &groups,
                                    const std::vector<double> &sizes, double logQ,
                                    bool isFromFirst) {
  const KernelCosts prices = kernelCosts(costs, plan.logN);
  double ns = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    const OperandSize size = sizeAt(plan, logQ);
    const bool isFirst = i == (isFromFirst ? 0 : groups.size() - 1);
    ns += transform(size, plan.logSlots, groups[i], isFirst).multiplications * prices.multiplyNs;
    ns += rescale(size).latencyNs(prices);
    logQ -= sizes[sizes.size() - 1 - i];
  }
  return ns;
}

double BootstrapTimer::evalModNs(const BootstrapPlan &plan, const EvalMod &evalMod, double logQ) {
  std::vector<LevelWork> levels(evalMod.depth());
  std::vector<OperandSize> sizes;
  for (size_t i = 0; i <= levels.size(); ++i) {
    sizes.push_back(sizeAt(plan, logQ));
    if (i < levels.size())
      logQ -= plan.levels.evalMod[levels.size() - 1 - i];
  }
  const KernelCosts prices = kernelCosts(costs, plan.logN);
  addTerms(evalMod.cosine, 0, sizes, prices, levels);
  const unsigned seriesDepth = polynomialDepth(evalMod.cosine.degree());
  for (unsigned i = 0; i < evalMod.doubleAngles; ++i)
    addSquare(levels[seriesDepth + i]);
  if (evalMod.hasArcsine())
    addTerms(evalMod.arcsine, seriesDepth + evalMod.doubleAngles, sizes, prices, levels);
  // Powers that come down without a product are among the rescales.
  const LevelSteps steps = {.dropped = droppedLimbs, .isNested = true};
  double ns = 0;
  for (size_t i = 0; i < levels.size(); ++i)
    ns += latencyNs(levels[i], sizes[i], steps, prices);
  // Both halves are one vector.
  const bool isPacked =
      plan.order == BootstrapOrder::modRaiseFirst && plan.logSlots + 1 < plan.logN;
  return (plan.isReal || isPacked ? 1 : 2) * ns;
}

double BootstrapTimer::raiseNs(const BootstrapPlan &plan, double logQ) {
  const OperandSize top = sizeAt(plan, logQ);
  const double residues = std::ldexp(double(top.limbs), int(plan.logN));
  Work raise{2 * residues, residues * plan.logN};
  raise += double(plan.hasEphemeral ? 1 : 0) * keySwitchWork(top);
  raise += double(plan.logN - 1 - plan.logSlots) * rotateWork(top); // SubSum
  return raise.latencyNs(kernelCosts(costs, plan.logN));
}

double BootstrapTimer::coefficientsToSlotsNs(const BootstrapPlan &plan, double logQ) {
  const std::vector<double> &sizes = plan.levels.coefficientsToSlots;
  const OperandSize last = sizeAt(plan, logQ - sum(sizes) + sizes.front());
  return transformsNs(plan, plan.coefficientsToSlots, sizes, logQ, true) +
         rotateWork(last).latencyNs(kernelCosts(costs, plan.logN)); // conjugation
}

double BootstrapTimer::slotsToCoefficientsNs(const BootstrapPlan &plan, double logQ) {
  return transformsNs(plan, plan.slotsToCoefficients, plan.levels.slotsToCoefficients, logQ, false);
}

double slotsToCoefficientsLogQ(const BootstrapPlan &plan) {
  const BootstrapLevels &sizes = plan.levels;
  const double below = plan.order == BootstrapOrder::slotsToCoefficientsFirst
                           ? sizes.residual.front()
                           : sum(sizes.residual);
  return below + sum(sizes.slotsToCoefficients);
}

double BootstrapTimer::timeNs(const BootstrapPlan &plan, const EvalMod &evalMod) {
  const BootstrapLevels &sizes = plan.levels;
  double logQ = sum(plan.chain());
  double ns = raiseNs(plan, logQ) + coefficientsToSlotsNs(plan, logQ);
  logQ -= sum(sizes.coefficientsToSlots);
  ns += evalModNs(plan, evalMod, logQ);
  return ns + slotsToCoefficientsNs(plan, slotsToCoefficientsLogQ(plan));
}

uint64_t BootstrapTimer::keyBytes(const BootstrapPlan &plan) {
  const BootstrapLevels &sizes = plan.levels;
  double logQ = sum(plan.chain());
  const OperandSize top = sizeAt(plan, logQ);
  uint64_t bytes = algorithms::keyBytes(top) * (plan.hasEphemeral ? 1 : 0);
  bytes += algorithms::keyBytes(top) * (plan.logN - 1 - plan.logSlots);
  const auto add = [&](const std::vector<int64_t> &groups, const std::vector<double> &bits,
                       bool isFromFirst) {
    for (size_t i = 0; i < groups.size(); ++i) {
      const OperandSize size = sizeAt(plan, logQ);
      const bool isFirst = i == (isFromFirst ? 0 : groups.size() - 1);
      bytes += algorithms::keyBytes(size) * transform(size, plan.logSlots, groups[i], isFirst).keys;
      logQ -= bits[bits.size() - 1 - i];
    }
  };
  add(plan.coefficientsToSlots, sizes.coefficientsToSlots, true);
  bytes += 2 * algorithms::keyBytes(sizeAt(plan, logQ)); // conjugation, squares
  logQ = slotsToCoefficientsLogQ(plan);
  add(plan.slotsToCoefficients, sizes.slotsToCoefficients, false);
  return bytes;
}

} // namespace sluice::algorithms
