#include "passes/algorithms/ChainPlan.h"

#include "dialects/CKKS/Natural.h"
#include "passes/algorithms/TerminalSearch.h"
#include "runtime/ring/primes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <set>
#include <utility>

using namespace sluice::algorithms;

namespace {

/// Level sizes from runs: {{60, 1}, {40, 9}} is one level of 60 bits and nine more of 40.
std::vector<double> steps(std::initializer_list<std::pair<double, unsigned>> runs) {
  std::vector<double> result;
  for (const auto &[bits, count] : runs)
    result.insert(result.end(), count, bits);
  return result;
}

std::vector<double> prefixSums(const std::vector<double> &steps) {
  std::vector<double> sums;
  sums.reserve(steps.size());
  for (double step : steps)
    sums.push_back(step + (sums.empty() ? 0 : sums.back()));
  return sums;
}

using Limbs = std::set<int64_t>;
Limbs setOf(const std::vector<int64_t> &limbs) { return {limbs.begin(), limbs.end()}; }

sluice::ckks::Natural product(const ChainPlan &plan, const std::vector<int64_t> &indices) {
  std::vector<uint64_t> primes;
  primes.reserve(indices.size());
  for (int64_t index : indices)
    primes.push_back(plan.limbs[static_cast<size_t>(index)]);
  return sluice::ckks::Natural::product(primes);
}

/// What `#ckks.params` asks for, and what the fields promise, each by the definition.
void expectConsistent(const ChainPlan &plan, const ChainPlanRequest &request) {
  const std::vector<double> targets = prefixSums(request.steps);
  ASSERT_EQ(plan.levels.size(), targets.size());
  for (uint64_t limb : plan.limbs)
    EXPECT_TRUE(sluice::ring::isNttPrime(request.logN, limb)) << limb;
  EXPECT_EQ(std::set<uint64_t>(plan.limbs.begin(), plan.limbs.end()).size(), plan.limbs.size());
  EXPECT_EQ(plan.special.size(), request.specialLimbs);

  const Limbs top = setOf(plan.levels.back());
  double deviation = 0;
  for (size_t level = 0; level < targets.size(); ++level) {
    const std::vector<int64_t> &own = plan.levels[level];
    ASSERT_FALSE(own.empty());
    EXPECT_EQ(setOf(own).size(), own.size());
    for (int64_t limb : own)
      EXPECT_TRUE(top.count(limb)) << "the chain is closed";
    if (level) {
      EXPECT_LT(product(plan, plan.levels[level - 1]), product(plan, own));
    }
    const double bits = plan.log2Product(own);
    deviation = std::max(deviation, std::abs(bits - targets[level]));
    EXPECT_LE(own.size(), std::ceil(bits / 50) + plan.maxExcess);
  }
  EXPECT_NEAR(plan.maxDeviation, deviation, 1e-9);

  for (const std::vector<int64_t> *list : {&plan.special, &plan.ephemeralSpecial})
    for (int64_t limb : *list)
      EXPECT_FALSE(top.count(limb));
  std::vector<int64_t> together;
  for (const std::vector<int64_t> &digit : plan.digits) {
    EXPECT_LE(product(plan, digit), product(plan, plan.special));
    together.insert(together.end(), digit.begin(), digit.end());
  }
  EXPECT_EQ(together, plan.levels.back());
  // As few as that order allows: no digit has room for the next limb.
  for (size_t i = 0; i + 1 < plan.digits.size(); ++i) {
    std::vector<int64_t> longer = plan.digits[i];
    longer.push_back(plan.digits[i + 1].front());
    EXPECT_LT(product(plan, plan.special), product(plan, longer));
  }
}

struct Case {
  const char *name;
  std::vector<double> steps;
  unsigned specialLimbs;
  size_t sumOfLimbs;
  double deviation;
  double logQP;
};

} // namespace

// The closed chains of the table in docs/mathematics.md section 16.2: no worse.
TEST(ChainPlan, PublishedSets) {
  const Case cases[] = {
      {"I", steps({{60, 1}, {40, 9}, {39, 3}, {60, 8}, {56, 4}}), 6, 315, 1.36, 1539.6},
      {"II", steps({{60, 1}, {45, 5}, {42, 3}, {60, 11}, {58, 4}}), 5, 320, 2.36, 1555.2},
      {"III", steps({{55, 1}, {60, 7}, {30, 2}, {60, 1}, {55, 8}, {53, 4}}), 6, 316, 1.70, 1545.3},
      {"ship", steps({{55, 1}, {45, 12}, {42, 3}, {56, 8}, {54, 3}}), 8, 376, 1.50, 1732.0},
      {"ship5", steps({{55, 1}, {45, 12}, {40, 3}, {55, 8}, {55, 3}}), 8, 375, 0.01, 1720.0},
  };
  for (const Case &one : cases) {
    const ChainPlanRequest request = {16, one.steps, 4, one.specialLimbs, 50};
    const auto plan = planChain(request);
    ASSERT_TRUE(plan) << one.name << ": " << plan.message();
    expectConsistent(*plan, request);
    EXPECT_LE(plan->maxDeviation, one.deviation + 0.01) << one.name;
    EXPECT_LE(plan->sumOfLimbs(), one.sumOfLimbs + 2) << one.name;
    EXPECT_LE(plan->maxExcess, 1u) << one.name;
    EXPECT_NEAR(plan->logQP(), one.logQP, 3) << one.name;
  }
}

// Before limbs were shared: a limb or two halves of each level's own.
TEST(ChainPlan, Nested) {
  ChainPlanRequest request = {16, steps({{60, 1}, {40, 9}, {39, 3}, {60, 8}, {56, 4}}), 4, 6, 50};
  const auto shared = planChain(request);
  request.isNested = true;
  const auto nested = planChain(request);
  ASSERT_TRUE(shared && nested) << nested.message();
  expectConsistent(*nested, request);
  EXPECT_EQ(nested->levels.front().size(), 2u);
  EXPECT_EQ(nested->levels.back().size(), 2u + 9 + 3 + 2 * 8 + 2 * 4);
  for (size_t level = 1; level < nested->levels.size(); ++level)
    EXPECT_TRUE(std::equal(nested->levels[level - 1].begin(), nested->levels[level - 1].end(),
                           nested->levels[level].begin()));
  EXPECT_NEAR(nested->logQ, shared->logQ, 2);
  EXPECT_LE(nested->maxDeviation, 1);
  EXPECT_GT(nested->sumOfLimbs(), 1.3 * double(shared->sumOfLimbs()));
}

// What the search calls the deviation is the worst level's distance, by brute force.
TEST(ChainPlan, Deviation) {
  const std::vector<double> sizes = {23.5, 31, 38, 47}, targets = {60, 100, 141.5, 199, 239.5};
  ASSERT_EQ(topFullLimbs(sizes, targets), 2);
  double most = std::abs(targets.back() - (23.5 + 31 + 38 + 47 + 100));
  for (double target : {60.0, 100.0, 141.5, 199.0}) {
    double least = 1000;
    for (unsigned b = 0; b < 16; ++b)
      for (int fulls = 0; fulls <= 2; ++fulls) {
        double size = 50.0 * fulls;
        for (unsigned i = 0; i < 4; ++i)
          size += b >> i & 1 ? sizes[i] : 0;
        least = std::min(least, std::abs(target - size));
      }
    most = std::max(most, least);
  }
  EXPECT_DOUBLE_EQ(chainDeviation(sizes, targets), most);
  EXPECT_EQ(subsetSums(std::vector<double>{1, 10}), (std::vector<double>{0, 1, 10, 11}));
}

// Sizes in whole words need no terminals, and are the nested chain.
TEST(ChainPlan, WholeWordsAreNested) {
  const ChainPlanRequest request = {9, steps({{100, 1}, {50, 4}}), 4, 2, 0};
  const auto plan = planChain(request);
  ASSERT_TRUE(plan) << plan.message();
  expectConsistent(*plan, request);
  EXPECT_EQ(plan->limbs.size(), 2u + 6);
  EXPECT_EQ(plan->levels.front(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(plan->levels.back(), (std::vector<int64_t>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(plan->digits, (std::vector<std::vector<int64_t>>{{2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(plan->maxExcess, 0u);
}

// Levels of 70, 90, 130, 150, 190 and 220 bits are sums of 30, 40 and whole words, which every ring
// has primes for.
TEST(ChainPlan, EveryRing) {
  for (unsigned logN = 5; logN <= 17; ++logN) {
    const ChainPlanRequest request = {logN, {70, 20, 40, 20, 40, 30}, 4, 3, 40};
    const auto plan = planChain(request);
    ASSERT_TRUE(plan) << logN << ": " << plan.message();
    expectConsistent(*plan, request);
    EXPECT_LE(plan->maxDeviation, 0.05) << logN;
    EXPECT_LE(plan->maxExcess, 1u) << logN;
  }
}

// The ephemeral key's limb is no smaller than any of level 0, so that one digit for each is enough.
TEST(ChainPlan, EphemeralSpecialLimb) {
  for (unsigned bits : {0u, 40u, 50u}) {
    const ChainPlanRequest request = {12, steps({{60, 1}, {40, 3}}), 4, 2, bits};
    const auto plan = planChain(request);
    ASSERT_TRUE(plan) << plan.message();
    expectConsistent(*plan, request);
    ASSERT_EQ(plan->ephemeralSpecial.size(), bits ? 1u : 0u);
    if (!bits)
      continue;
    const int64_t own = plan->ephemeralSpecial.front();
    const double size = std::log2(static_cast<double>(plan->limbs[static_cast<size_t>(own)]));
    EXPECT_NEAR(size, bits, 0.1);
    if (bits == 50)
      for (int64_t limb : plan->levels.back())
        EXPECT_LT(plan->limbs[static_cast<size_t>(limb)], plan->limbs[static_cast<size_t>(own)]);
  }
}

TEST(ChainPlan, RefusesWhatCannotBe) {
  const std::vector<double> good = {50, 45, 45};
  EXPECT_NE(planChain({2, good, 4, 1, 0}).message().find("log N"), std::string::npos);
  EXPECT_NE(planChain({12, {}, 4, 1, 0}).message().find("a chain has a level"), std::string::npos);
  EXPECT_NE(planChain({12, {50, 0.5}, 4, 1, 0}).message().find("adds 0.5 bits"), std::string::npos);
  EXPECT_NE(planChain({12, {15, 45}, 4, 1, 0}).message().find("level 0 has 15 bits"),
            std::string::npos);
  EXPECT_NE(planChain({12, good, 4, 1, 51}).message().find("ephemeral special limb has 51 bits"),
            std::string::npos);
}
