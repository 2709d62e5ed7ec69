//===- term_levels_test.cpp - where a polynomial's terms are summed ---------------------------===//

#include "passes/algorithms/TermLevels.h"

#include "gtest/gtest.h"

namespace sluice::algorithms {
namespace {

using Lowered = std::set<std::pair<unsigned, int64_t>>;

PolynomialPlan densePlan(unsigned degree) {
  std::vector<Coefficient> coefficients;
  for (unsigned i = 0; i <= degree; ++i)
    coefficients.emplace_back(1.0 / (i + 1));
  return planPolynomial(coefficients, Basis::chebyshev);
}

/// T_1 at level `top`, and divisions that all cost the same.
PolynomialLevels levelsFrom(int64_t top, bool isNested) {
  PolynomialLevels levels;
  levels.top = top;
  levels.ofPower = [top](unsigned index) { return top - int64_t(powerDepth(index)); };
  levels.isNested = [isNested](int64_t from, int64_t to) { return isNested || from == to; };
  levels.division = [](int64_t, int64_t, bool) { return 1; };
  return levels;
}

TEST(TermLevels, StayWhereLevelsAreNested) {
  const PolynomialPlan plan = densePlan(63);
  const TermLevels chosen = chooseTermLevels(plan, levelsFrom(20, true));
  EXPECT_TRUE(chosen.lowered.empty());
  EXPECT_TRUE(chosen.dividedSums.empty());
  EXPECT_TRUE(chosen.products.empty());
  for (size_t block = 0; block < plan.blocks.size(); ++block)
    EXPECT_EQ(chosen.ofBlock[block], 20 - int64_t(plan.blocks[block].below) + 1);
}

// T_1 ... T_7 are terms of six blocks, three with products, at levels 17, 16 and 15. From level 18,
// where products for T_5 ... T_7 stand, nothing but factors of products has to come down.
TEST(TermLevels, RiseWherePowersWouldBeLowered) {
  const PolynomialPlan plan = densePlan(63);
  const TermLevels chosen = chooseTermLevels(plan, levelsFrom(20, false));
  for (const PolynomialBlock &block : plan.blocks)
    if (block.below > 3)
      EXPECT_EQ(chosen.ofBlock[size_t(&block - plan.blocks.data())], 18);
  EXPECT_EQ(chosen.products, (std::set<unsigned>{5, 6, 7}));
  EXPECT_EQ(chosen.dividedSums.size(), 4U);
  for (unsigned product : {5U, 6U, 7U})
    EXPECT_FALSE(chosen.rescaled.contains(product));
  for (const auto &[power, level] : chosen.lowered)
    EXPECT_TRUE(power < 3 || power >= 8) << "T_" << power << " to level " << level;
}

// One block without products: the rescale goes down both steps.
TEST(TermLevels, OneDivisionForBothSteps) {
  const std::vector<Coefficient> coefficients = {0, 1, 1};
  const PolynomialPlan plan = planPolynomial(coefficients, Basis::monomial);
  PolynomialLevels levels = levelsFrom(2, false);
  // A key switch's division alone is cheap.
  levels.division = [](int64_t from, int64_t to, bool) { return from == to ? 0.5 : 1; };
  const TermLevels chosen = chooseTermLevels(plan, levels);
  EXPECT_EQ(chosen.ofBlock, std::vector<int64_t>{2});
  EXPECT_EQ(chosen.products, std::set<unsigned>{2});
  EXPECT_TRUE(chosen.rescaled.empty());
  EXPECT_EQ(chosen.lowered, Lowered());
}

} // namespace
} // namespace sluice::algorithms
