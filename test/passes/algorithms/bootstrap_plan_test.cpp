#include "passes/algorithms/BootstrapPlan.h"

#include "passes/algorithms/FailureProbability.h"
#include "test/passes/algorithms/presets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

using namespace sluice;
using namespace sluice::algorithms;

namespace {

std::string refusal(const BootstrapPlan &plan) { return planBootstrap(plan).message(); }

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

} // namespace

// All of them can be, and each keeps what its kind promises.
TEST(BootstrapPresets, EachIsPlanned) {
  std::set<std::string> names;
  for (const BootstrapPlan &plan : bootstrapPresets()) {
    SCOPED_TRACE(plan.name);
    EXPECT_TRUE(names.insert(plan.name).second);
    EXPECT_EQ(plan.isInsecure, plan.name.starts_with("insecure_"));
    const auto planned = planBootstrap(plan);
    ASSERT_TRUE(planned) << planned.message();
    EXPECT_LE(planned->log2Failure, plan.log2FailureTarget);
    EXPECT_LE(planned->chain.maxExcess, 2u);
    EXPECT_LT(planned->chain.maxDeviation, 3);
    EXPECT_EQ(planned->chain.levels.size(), plan.depth() + plan.levels.residual.size());
    if (plan.isInsecure)
      continue;
    EXPECT_LE(planned->log2Failure, -128);
    const bool isSparse = plan.name.starts_with("sparse_");
    EXPECT_LE(planned->chain.logQP(), isSparse ? 1553 : 1747);
    EXPECT_LE(planned->ephemeralLogQP, 117);
    EXPECT_EQ(plan.secret,
              isSparse ? SecretDistribution::sparse192 : SecretDistribution::uniformTernary);
  }
}

// Tables 5 and 6 of Bossuat et al.: bits of each section, range, failure probability. log2 of the
// modulus that is left is in their table 7.
TEST(BootstrapPresets, PublishedSets) {
  struct Case {
    const char *name;
    double residual, slotsToCoefficients, evalMod, coefficientsToSlots;
    double logQLeft;
  };
  for (const Case &one : {Case{"insecure_set1", 420, 117, 480, 224, 420},
                          Case{"insecure_set2", 285, 126, 660, 232, 285},
                          Case{"insecure_set3", 505, 90, 440, 212, 505},
                          Case{"insecure_set4", 410, 84, 720, 212, 410},
                          Case{"insecure_set5", 108, 60, 400, 98, 110}}) {
    SCOPED_TRACE(one.name);
    const BootstrapPlan plan = preset(one.name);
    const auto sum = [](const std::vector<double> &sizes) {
      return std::accumulate(sizes.begin(), sizes.end(), 0.0);
    };
    EXPECT_EQ(sum(plan.levels.residual), one.residual);
    EXPECT_EQ(sum(plan.levels.slotsToCoefficients), one.slotsToCoefficients);
    EXPECT_EQ(sum(plan.levels.evalMod), one.evalMod);
    EXPECT_EQ(sum(plan.levels.coefficientsToSlots), one.coefficientsToSlots);
    const auto planned = planBootstrap(plan);
    ASSERT_TRUE(planned) << planned.message();
    EXPECT_NEAR(planned->logQLeft, one.logQLeft, 3);
    if (plan.secret == SecretDistribution::sparse192) {
      EXPECT_EQ(plan.range, 25u);
      EXPECT_NEAR(planned->log2Failure, plan.logSlots == 15 ? -15.590 : -16.590, 0.01);
    }
  }
}

TEST(BootstrapPlan, DenseSecretsAreHeavierThanTheirBoundRarely) {
  BootstrapPlan plan = preset("insecure_set4");
  EXPECT_EQ(plan.weight(), uniformTernaryWeightBound(16, -16));
  EXPECT_EQ(plan.range, leastRange(plan.weight(), 1 << 15, -16));
  plan.range -= 1;
  EXPECT_TRUE(contains(refusal(plan), "is too small: under a secret of weight"));
}

TEST(BootstrapPlan, RefusesARangeTooSmallForTheSecret) {
  BootstrapPlan plan = preset("set1");
  EXPECT_EQ(plan.range, 16u);
  plan.range = 15;
  EXPECT_EQ(refusal(plan),
            "EvalMod's range of 15 is too small: under a secret of weight 32, a "
            "bootstrap of 2^15 slots fails with a probability of at most 2^-128 from "
            "16 on");
  plan.hasEphemeral = false;
  EXPECT_TRUE(contains(refusal(plan), "under a secret of weight 45403"));
}

TEST(BootstrapPlan, RefusesWhatTheSecurityTableDoesNotCover) {
  BootstrapPlan plan = preset("set1");
  plan.levels.residual.push_back(40);
  EXPECT_TRUE(contains(refusal(plan), "exceed the 1747 of 'uniform ternary, N = 2^16'"));
  plan.isInsecure = true;
  EXPECT_EQ(refusal(plan), "");

  plan = preset("set1");
  plan.levels.residual.front() = 80;
  plan.levels.residual.pop_back();
  EXPECT_TRUE(contains(refusal(plan), "exceed the 117 of 'ephemeral h = 32"));

  plan = preset("insecure_set5");
  plan.isInsecure = false;
  EXPECT_TRUE(contains(refusal(plan), "a failure probability of 2^-15 is for insecure plans"));
  plan.log2FailureTarget = -128;
  plan.secret = SecretDistribution::uniformTernary;
  plan.hasEphemeral = true;
  plan.range = leastRange(plan);
  EXPECT_TRUE(
      contains(refusal(plan), "no row for the secret 'ephemeral-32' in a ring of degree 2^15"));
}

TEST(BootstrapPlan, RefusesSectionsThatDoNotFit) {
  BootstrapPlan plan = preset("insecure_tiny");
  plan.levels.evalMod.pop_back();
  EXPECT_TRUE(contains(refusal(plan), "EvalMod uses 10 levels; 9 have a size"));
  plan = preset("insecure_tiny");
  plan.slotsToCoefficients = {8};
  EXPECT_TRUE(contains(refusal(plan), "SlotsToCoeffs has 1 matrices and 2 levels"));
  plan.slotsToCoefficients = {4, 5};
  EXPECT_TRUE(contains(refusal(plan), "SlotsToCoeffs groups 9 factors; 2^8 slots have 8"));
  plan = preset("insecure_tiny");
  plan.nodes = SineNodes::hanKi;
  EXPECT_TRUE(contains(refusal(plan), "EvalMod's degree 36 is less than the"));
  plan = preset("insecure_tiny");
  plan.logRatio = 1;
  EXPECT_TRUE(contains(refusal(plan), "a message may be 0.5 of Q_0"));
  plan.logSlots = 9;
  EXPECT_TRUE(contains(refusal(plan), "a ring of degree 2^9 has no 2^9 slots"));
  plan.levels.residual.clear();
  plan.logSlots = 8;
  EXPECT_TRUE(contains(refusal(plan), "needs level 0"));
}

// SlotsToCoeffs first: its levels stand above level 0 and do not count as left.
TEST(BootstrapPlan, SlotsToCoefficientsFirst) {
  BootstrapPlan plan = preset("insecure_tiny");
  plan.levels.residual = {50, 41, 42};
  plan.levels.slotsToCoefficients = {31, 32};
  const auto last = planBootstrap(plan);
  plan.order = BootstrapOrder::slotsToCoefficientsFirst;
  const auto first = planBootstrap(plan);
  ASSERT_TRUE(last) << last.message();
  ASSERT_TRUE(first) << first.message();
  const std::vector<double> sizes = plan.chain();
  EXPECT_EQ(std::vector<double>(sizes.begin(), sizes.begin() + 5),
            (std::vector<double>{50, 31, 32, 41, 42}));
  EXPECT_EQ(last->inputLevel, 0u);
  EXPECT_EQ(first->inputLevel, 2u);
  EXPECT_EQ(last->resultLevel, 2u);
  EXPECT_EQ(first->resultLevel, 4u);
  EXPECT_EQ(first->levelsLeft, last->levelsLeft);
  EXPECT_NEAR(first->logQLeft, 50 + 41 + 42, 6);
  EXPECT_NEAR(last->logQLeft, 50 + 41 + 42, 6);
}

// A message of scale 2^inputLogScale is a part of Q_0 as it stands, not as it was asked for.
TEST(BootstrapPlan, MessageBound) {
  const BootstrapPlan plan = preset("insecure_set1");
  const auto planned = planBootstrap(plan);
  ASSERT_TRUE(planned) << planned.message();
  const double logQ0 = planned->chain.log2Product(planned->chain.levels.front());
  EXPECT_NEAR(logQ0 - planned->inputLogScale, plan.logRatio, 0.5);
  EXPECT_DOUBLE_EQ(planned->messageBound,
                   plan.coefficientBound * std::exp2(planned->inputLogScale - logQ0));
}

// Two rounds begin as many bits above level 0 as the second one adds.
TEST(BootstrapPlan, Iterations) {
  BootstrapPlan plan = preset("insecure_tiny");
  plan.levels.residual = {50, 40, 40, 40};
  plan.logScale = 60;
  plan.iterations = 2;
  plan.range = leastRange(plan);
  plan.logGain = 18;
  const auto planned = planBootstrap(plan);
  ASSERT_TRUE(planned) << planned.message();
  EXPECT_EQ(planned->inputLevel, 1u);
  EXPECT_EQ(planned->inputLogScale, 60u);
  const double logQ0 = planned->chain.log2Product(planned->chain.levels.front());
  EXPECT_DOUBLE_EQ(planned->messageBound, std::exp2(60 - 18 - logQ0));
  plan.logGain = 90;
  EXPECT_TRUE(contains(refusal(plan), "2 iterations gain 90 bits"));
}
