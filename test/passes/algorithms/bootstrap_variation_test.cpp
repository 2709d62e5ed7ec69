#include "passes/algorithms/BootstrapVariation.h"
#include "test/passes/algorithms/presets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace sluice;
using namespace sluice::algorithms;

namespace {

BootstrapPlan varied(std::string_view name, const BootstrapVariation &variation) {
  const auto plan = varyBootstrap(preset(name), variation);
  EXPECT_TRUE(plan) << plan.message();
  return plan ? *plan : BootstrapPlan();
}

std::string refusal(std::string_view name, const BootstrapVariation &variation) {
  return varyBootstrap(preset(name), variation).message();
}

double sum(const std::vector<double> &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 0.0);
}

BootstrapVariation ofSlots(int64_t slots) {
  BootstrapVariation variation;
  variation.slots = slots;
  return variation;
}

BootstrapVariation ofRounds(int64_t rounds) {
  BootstrapVariation variation;
  variation.rounds = rounds;
  return variation;
}

BootstrapVariation ofArcsine(int64_t degree) {
  BootstrapVariation variation;
  variation.arcsineDegree = degree;
  return variation;
}

BootstrapVariation slotsFirst() {
  BootstrapVariation variation;
  variation.order = BootstrapOrder::slotsToCoefficientsFirst;
  return variation;
}

} // namespace

TEST(BootstrapVariation, NoneIsThePreset) {
  for (const BootstrapPlan &plan : bootstrapPresets()) {
    SCOPED_TRACE(plan.name);
    const BootstrapPlan same = varied(plan.name, {});
    EXPECT_EQ(same.chain(), plan.chain());
    EXPECT_EQ(same.range, plan.range);
    EXPECT_EQ(same.coefficientBound, plan.coefficientBound);
    EXPECT_EQ(same.logScale, plan.logScale);
    EXPECT_EQ(same.coefficientsToSlots, plan.coefficientsToSlots);
  }
}

// As many matrices, and so the same chain.
TEST(BootstrapVariation, FewerSlotsHaveFewerFactors) {
  const BootstrapPlan plan = varied("set1", ofSlots(1024));
  EXPECT_EQ(plan.logSlots, 10u);
  EXPECT_EQ(plan.coefficientsToSlots, (std::vector<int64_t>{3, 3, 2, 2}));
  EXPECT_EQ(plan.slotsToCoefficients, (std::vector<int64_t>{4, 3, 3}));
  EXPECT_EQ(plan.chain(), preset("set1").chain());
  const auto planned = planBootstrap(plan);
  ASSERT_TRUE(planned) << planned.message();
  EXPECT_LE(planned->log2Failure, -128);
  // Standard deviations of coefficients grow by the root of 2^5; the whole scale is the most.
  EXPECT_DOUBLE_EQ(varied("set2", ofSlots(1024)).coefficientBound, 0.125 * std::sqrt(32));
  EXPECT_EQ(varied("set2", ofSlots(16)).coefficientBound, 1);
  EXPECT_TRUE(planBootstrap(varied("set1", ofSlots(16))));
}

TEST(BootstrapVariation, RefusesSlotsThatThereAreNot) {
  EXPECT_EQ(refusal("set1", ofSlots(8)),
            "set1 bootstraps vectors of 16 to 32768 slots, a power of two; found 8");
  for (int64_t slots : {-2, 0, 1000, 65536})
    EXPECT_EQ(refusal("set1", ofSlots(slots)),
              "set1 bootstraps vectors of 16 to 32768 slots, a power of two; found " +
                  std::to_string(slots));
}

// The levels of SlotsToCoeffs stand between level 0 and those that are left.
TEST(BootstrapVariation, SlotsToCoefficientsFirst) {
  const BootstrapPlan last = preset("set1"), first = varied("set1", slotsFirst());
  EXPECT_EQ(first.coefficientBound, 1);
  const std::vector<double> sizes = first.chain();
  EXPECT_EQ(sizes.size(), last.chain().size());
  EXPECT_EQ(sum(sizes), sum(last.chain()));
  EXPECT_EQ(std::vector<double>(sizes.begin() + 1, sizes.begin() + 4),
            last.levels.slotsToCoefficients);
  const auto planned = planBootstrap(first), before = planBootstrap(last);
  ASSERT_TRUE(planned) << planned.message();
  ASSERT_TRUE(before) << before.message();
  EXPECT_EQ(planned->inputLevel, 3u);
  EXPECT_EQ(planned->resultLevel, before->resultLevel + 3);
  EXPECT_EQ(planned->levelsLeft, before->levelsLeft);
  EXPECT_NEAR(planned->logQLeft, before->logQLeft, 3);
  // Whole slots at a quarter of Q_0 would be too large.
  const auto arcsine = planBootstrap(varied("set2", slotsFirst()));
  ASSERT_TRUE(arcsine) << arcsine.message();
  EXPECT_LT(arcsine->messageBound, 0.25);
}

// The arcsine's levels are EvalMod's lowest, and come from the residual ones.
TEST(BootstrapVariation, Arcsine) {
  const BootstrapPlan without = preset("set1"), with = varied("set1", ofArcsine(7));
  EXPECT_EQ(with.levels.evalMod.size(), without.levels.evalMod.size() + 3);
  EXPECT_EQ(with.levels.evalMod.front(), 60);
  EXPECT_LE(sum(with.chain()), sum(without.chain()));
  EXPECT_GT(sum(with.chain()), sum(without.chain()) - 40);
  EXPECT_TRUE(planBootstrap(with));
  EXPECT_EQ(varied("set2", ofArcsine(1)).levels.evalMod.size(), 8u);
  const BootstrapPlan tiny = varied("insecure_tiny", ofArcsine(3));
  EXPECT_EQ(tiny.levels.residual, preset("insecure_tiny").levels.residual);
  EXPECT_TRUE(planBootstrap(tiny));
  EXPECT_EQ(refusal("set1", ofArcsine(4)),
            "an arcsine has an odd degree from 1 (none) to 63; found 4");
  EXPECT_EQ(refusal("set5", ofArcsine(7)), "set5 has no levels for an arcsine of degree 7");
}

// The sine's third power is (2 pi x)^2 / 6 of a message x: 13.3 bits at 2^-8 (section 8.4).
TEST(BootstrapVariation, GainIsWhatTheSineLeaves) {
  EXPECT_EQ(gainOfRound(preset("set1")), 13u);
  BootstrapPlan small = preset("set1");
  small.coefficientBound = 0.125;
  EXPECT_EQ(gainOfRound(small), 19u);
  // An arcsine of degree 7 is good for 47.8 bits, EvalMod's roundings are not.
  const unsigned most = gainOfRound(varied("set1", ofArcsine(7)));
  EXPECT_GE(most, 22u);
  EXPECT_LE(most, 30u);
  small.logRatio = 1;
  small.coefficientBound = 0.9;
  EXPECT_EQ(gainOfRound(small), 0u);
}

TEST(BootstrapVariation, Rounds) {
  const BootstrapPlan plan = varied("set1", ofRounds(2));
  EXPECT_EQ(plan.logGain, 13u);
  EXPECT_EQ(plan.logScale, 60u - 8 + 13);
  // 13 levels of 40 bits are 8 of 65.
  EXPECT_EQ(plan.levels.residual, (std::vector<double>{60, 65, 65, 65, 65, 65, 65, 65, 65}));
  const auto planned = planBootstrap(plan);
  ASSERT_TRUE(planned) << planned.message();
  EXPECT_EQ(planned->inputLevel, 1u);
  EXPECT_EQ(planned->inputLogScale, plan.logScale);
  EXPECT_EQ(planned->levelsLeft, 8u);
  // Both rounds can fail.
  EXPECT_NEAR(planned->log2Failure, planBootstrap(preset("set1"))->log2Failure + 1, 0.01);
  EXPECT_EQ(varied("set1", ofRounds(3)).logScale, 78u);
  // 64 bits above level 1 are two levels of 55; the preset has two of 40 in all.
  const BootstrapPlan tiny = varied("insecure_tiny", ofRounds(2));
  EXPECT_EQ(tiny.levels.residual.size(), 4u);
  EXPECT_EQ(tiny.levels.residual.back(), tiny.logScale);
  EXPECT_TRUE(planBootstrap(tiny));
  for (int64_t rounds : {-1, 0, 9})
    EXPECT_EQ(refusal("set1", ofRounds(rounds)),
              "a bootstrap has 1 to 8 rounds; found " + std::to_string(rounds));
}

// Whatever the limbs of Q_0 are: a round gains its bits on messages of this bound.
TEST(BootstrapVariation, RoundsMeetTheBoundOfTheirGain) {
  for (const BootstrapPlan &preset : bootstrapPresets()) {
    SCOPED_TRACE(preset.name);
    const BootstrapPlan plan = varied(preset.name, ofRounds(2));
    const auto planned = planBootstrap(plan);
    ASSERT_TRUE(planned) << planned.message();
    EXPECT_NEAR(std::log2(planned->messageBound), std::log2(plan.coefficientBound) - plan.logRatio,
                0.51);
  }
}

TEST(BootstrapVariation, RefusesRoundsThatGainNothing) {
  BootstrapPlan plan = preset("insecure_tiny");
  plan.levels.evalMod.assign(plan.levels.evalMod.size(), 20);
  EXPECT_EQ(varyBootstrap(plan, ofRounds(2)).message(),
            "a round of insecure_tiny leaves too much for another one to gain anything");
}
