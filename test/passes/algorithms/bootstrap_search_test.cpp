//===- bootstrap_search_test.cpp - the search against a sweep of everything -------------------===//

#include "passes/algorithms/BootstrapSearch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace sluice::algorithms {
namespace {

double sumOf(const std::vector<double> &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

/// Bits of the levels that a bootstrap uses.
double usedBits(const BootstrapPlan &plan) {
  const BootstrapLevels &levels = plan.levels;
  return sumOf(levels.slotsToCoefficients) + sumOf(levels.evalMod) +
         sumOf(levels.coefficientsToSlots);
}

/// A grid that a sweep can go through.
BootstrapGrid smallGrid() {
  BootstrapGrid grid;
  grid.scales = {35, 40};
  grid.levelZeros = {55};
  grid.ratios = {4, 6, 11};
  grid.arcsineDegrees = {1};
  grid.maxDoubleAngles = 4;
  grid.evalModSizes = {50, 55, 60};
  grid.largerLevels = {0, 3};
  grid.matrices = {3, 4};
  grid.coefficientsToSlotsSizes = {45, 50};
  grid.slotsToCoefficientsSizes = {30, 35};
  grid.specialLimbs = {6, 7, 8};
  grid.digitMargins = {0, 10};
  return grid;
}

/// Every plan of the grid, judged as a whole.
class Sweep {
public:
  Sweep(const BootstrapGrid &grid, double bits) : grid(grid), bits(bits) {}

  BootstrapCandidate run() {
    for (BootstrapOrder order : grid.orders)
      runOrder(order);
    return best;
  }

private:
  void runOrder(BootstrapOrder order) {
    plan.order = order;
    const double summed = order == BootstrapOrder::modRaiseFirst ? 7.5 : 0;
    for (unsigned ratio : grid.ratios)
      for (unsigned doubleAngles = 0; doubleAngles <= grid.maxDoubleAngles; ++doubleAngles) {
        plan.logRatio = ratio;
        plan.range = leastRange(plan);
        const auto series = planEvalMod({.range = double(plan.range),
                                         .messageBound = std::exp2(-double(ratio)),
                                         .tolerance = std::exp2(-bits - 2.5 - ratio - summed),
                                         .maxDoubleAngles = doubleAngles,
                                         .minDoubleAngles = doubleAngles});
        if (!series)
          continue;
        plan.degree = series->cosine.degree();
        plan.doubleAngles = doubleAngles;
        trySizes(*series);
      }
  }

  void trySizes(const EvalMod &evalMod) {
    for (double scale : grid.scales)
      for (double size : grid.evalModSizes)
        for (size_t larger : grid.largerLevels)
          for (double margin : grid.digitMargins)
            for (size_t forth : grid.matrices)
              for (double forthSize : grid.coefficientsToSlotsSizes)
                for (size_t back : grid.matrices)
                  for (double backSize : grid.slotsToCoefficientsSizes) {
                    plan.logScale = unsigned(scale);
                    plan.digitMargin = margin;
                    plan.levels.evalMod.assign(evalMod.depth(), size);
                    std::fill_n(plan.levels.evalMod.rbegin(), larger, size + 5);
                    plan.coefficientsToSlots = evenGroups(15, forth);
                    plan.levels.coefficientsToSlots.assign(forth, forthSize);
                    plan.slotsToCoefficients = evenGroups(15, back);
                    plan.levels.slotsToCoefficients.assign(back, backSize);
                    tryPlan(evalMod);
                  }
  }

  void tryPlan(const EvalMod &evalMod) {
    bool isPrecise = false;
    for (unsigned special : grid.specialLimbs) {
      const double free = 1747 - 0.5 - 50.0 * special - grid.levelZeros[0] - usedBits(plan);
      if (free < plan.logScale)
        continue;
      const auto left = size_t(free / plan.logScale);
      plan.specialLimbs = special;
      plan.levels.residual = {grid.levelZeros[0]};
      plan.levels.residual.resize(1 + left, plan.logScale);
      if (!isPrecise && bootstrapNoise(plan, evalMod).bits() < bits)
        return;
      isPrecise = true;
      const double ns = timer.timeNs(plan, evalMod);
      if (best.levelsLeft == 0 || ns / double(left) < best.nsPerLevel())
        best = {.plan = plan, .timeNs = ns, .levelsLeft = left};
    }
  }

  const BootstrapGrid &grid;
  const double bits;
  BootstrapTimer timer{genericCosts()};
  BootstrapPlan plan;
  BootstrapCandidate best;
};

// What it leaves out does not matter.
TEST(BootstrapSearch, FindsTheBestOfASweep) {
  const BootstrapGrid grid = smallGrid();
  for (double bits : {16.0, 20.0, 24.0}) {
    SCOPED_TRACE(bits);
    const BootstrapCandidate best = Sweep(grid, bits).run();
    const auto found = searchBootstraps({.bits = bits}, genericCosts(), 1, grid);
    EXPECT_EQ(found.empty() || found[0].plan.order == best.plan.order, true);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_GT(best.levelsLeft, 0u);
    EXPECT_LE(found[0].nsPerLevel(), best.nsPerLevel() * 1.01);
    EXPECT_LE(std::abs(int(found[0].plan.doubleAngles) - int(best.plan.doubleAngles)), 1);
    EXPECT_LE(std::abs(usedBits(found[0].plan) - usedBits(best.plan)), 40);
    EXPECT_GE(found[0].bits, bits - 0.1); // digits of other numbers of limbs of P
  }
}

TEST(BootstrapSearch, KeepsWhatIsAskedFor) {
  const auto found = searchBootstraps({.bits = 20, .logSlots = 12, .leastLevels = 5},
                                      genericCosts(), 3, smallGrid());
  ASSERT_FALSE(found.empty());
  for (size_t i = 0; i < found.size(); ++i) {
    const BootstrapCandidate &one = found[i];
    const auto planned = planBootstrap(one.plan);
    ASSERT_TRUE(planned) << planned.message();
    EXPECT_EQ(one.plan.logSlots, 12u);
    EXPECT_LE(planned->chain.maxExcess, 2u); // limbs beyond ceil(log2 Q / 50), any level
    EXPECT_EQ(planned->levelsLeft, one.levelsLeft);
    EXPECT_GE(one.levelsLeft, 5u);
    EXPECT_LE(planned->log2Failure, -128);
    EXPECT_NEAR(planned->logQLeft, one.logQLeft, 1e-9);
    EXPECT_FALSE(one.plan.isInsecure);
    if (i > 0)
      EXPECT_GE(one.nsPerLevel(), found[i - 1].nsPerLevel());
  }
}

TEST(BootstrapSearch, KnowsItsLimits) {
  const BootstrapGrid grid = smallGrid();
  const unsigned most = mostBits({}, genericCosts(), grid);
  EXPECT_GT(most, 22);
  EXPECT_LT(most, 30);
  EXPECT_FALSE(searchBootstraps({.bits = double(most)}, genericCosts(), 1, grid).empty());
  EXPECT_TRUE(searchBootstraps({.bits = most + 1.0}, genericCosts(), 1, grid).empty());
  EXPECT_TRUE(searchBootstraps({.bits = 16, .leastLevels = 60}, genericCosts(), 1, grid).empty());
}

TEST(BootstrapSearch, EvenGroups) {
  EXPECT_EQ(evenGroups(15, 4), (std::vector<int64_t>{4, 4, 4, 3}));
  EXPECT_EQ(evenGroups(15, 5), (std::vector<int64_t>{3, 3, 3, 3, 3}));
  EXPECT_EQ(evenGroups(10, 4), (std::vector<int64_t>{3, 3, 2, 2}));
}

} // namespace
} // namespace sluice::algorithms
