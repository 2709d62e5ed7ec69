//===- TermLevels.cpp - where a polynomial's terms are summed ---------------------------------===//

#include "passes/algorithms/TermLevels.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace sluice::algorithms {

namespace {

/// Tries all choices, one level of blocks after the other from the top, as far as they can be
/// cheaper than the best.
class Chooser {
public:
  Chooser(const PolynomialPlan &plan, const PolynomialLevels &levels)
      : plan(plan), levels(levels) {}

  TermLevels run() && {
    Choice choice;
    // Products take their factors at their own level, whatever terms do.
    for (const PowerStep &step : plan.powers) {
      const int64_t level = levels.ofPower(step.index) + 1;
      need(choice, step.high, level);
      need(choice, step.low, level);
      if (plan.basis == Basis::chebyshev && step.high != step.low)
        need(choice, step.high - step.low, level);
    }
    std::map<int64_t, std::vector<size_t>, std::greater<>> byLevel;
    for (size_t block = 0; block < plan.blocks.size(); ++block) {
      const int64_t level = levelOf(block);
      choice.levels.ofBlock.push_back(level);
      for (const BlockProduct &product : plan.blocks[block].products)
        need(choice, product.power, level);
      if (!plan.blocks[block].terms.empty())
        byLevel[level].push_back(block);
    }
    groups.assign(byLevel.begin(), byLevel.end());
    choose(0, choice);
    return std::move(best.levels);
  }

private:
  struct Choice {
    TermLevels levels;
    double price = 0; ///< of divisions that another choice need not have
  };

  int64_t levelOf(size_t block) const { return levels.top - int64_t(plan.blocks[block].below) + 1; }

  /// T_power at `level`, rescaled.
  void need(Choice &choice, unsigned power, int64_t level) const {
    const int64_t own = levels.ofPower(power);
    if (power > 1 && choice.levels.rescaled.insert(power).second)
      choice.price += levels.division(own + 1, own, true);
    if (own != level && !levels.isNested(own, level) &&
        choice.levels.lowered.insert({power, level}).second)
      choice.price += levels.division(own, level, false);
  }

  /// T_power one level above its own, without the special limbs of its key switch.
  void needProduct(Choice &choice, unsigned power) const {
    const int64_t level = levels.ofPower(power) + 1;
    if (choice.levels.products.insert(power).second)
      choice.price += levels.division(level, level, true);
  }

  void choose(size_t group, const Choice &choice) {
    // Of equal prices, rounded differently, the first one, with terms at their blocks' levels.
    if (choice.price >= best.price * (1 - 1e-9))
      return;
    if (group == groups.size()) {
      best = choice;
      return;
    }
    const auto &[level, blocks] = groups[group];
    int64_t standing = levels.ofPower(1); // all of the powers
    for (size_t block : blocks)
      for (const BlockTerm &term : plan.blocks[block].terms)
        standing = std::min(standing, levels.ofPower(term.power));
    choose(group, level, choice);
    if (standing > level)
      choose(group, standing, choice);
    if (standing < levels.ofPower(1)) // the variable is no product
      choose(group, standing + 1, choice);
  }

  /// With the terms of a group's blocks at `at`.
  void choose(size_t group, int64_t at, Choice choice) {
    const auto &[level, blocks] = groups[group];
    for (size_t block : blocks) {
      const PolynomialBlock &own = plan.blocks[block];
      bool hasProduct = false; // among the terms, so that their scale needs a division
      for (const BlockTerm &term : own.terms) {
        const bool isProduct = levels.ofPower(term.power) < at;
        isProduct ? needProduct(choice, term.power) : need(choice, term.power, at);
        hasProduct |= isProduct;
      }
      choice.levels.ofBlock[block] = at;
      if (own.products.empty()) { // one division for both steps
        choice.price += levels.division(at, level - 1, false);
      } else if (at != level && (hasProduct || !levels.isNested(at, level))) {
        choice.price += levels.division(at, level, false);
        choice.levels.dividedSums.insert(block);
      }
    }
    choose(group + 1, choice);
  }

  const PolynomialPlan &plan;
  const PolynomialLevels &levels;
  std::vector<std::pair<int64_t, std::vector<size_t>>> groups; // blocks with terms, by level
  Choice best{{}, std::numeric_limits<double>::infinity()};
};

} // namespace

TermLevels chooseTermLevels(const PolynomialPlan &plan, const PolynomialLevels &levels) {
  return Chooser(plan, levels).run();
}

} // namespace sluice::algorithms
