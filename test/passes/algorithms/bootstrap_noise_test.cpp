//===- bootstrap_noise_test.cpp - how precise a bootstrap is, from its plan -------------------===//

#include "passes/algorithms/BootstrapNoise.h"

#include "presets.h"

#include <cmath>

namespace sluice::algorithms {
namespace {

// Bits of the standard deviation, measured on ciphertexts (2^15 slots, complex; of secret weight
// 192 but for set1).
TEST(BootstrapNoise, Measurements) {
  EXPECT_NEAR(bootstrapNoise(preset("set1")).bits(), 26.1, 0.5);
  EXPECT_NEAR(bootstrapNoise(preset("insecure_set1")).bits(), 26.2, 0.5);
  EXPECT_NEAR(bootstrapNoise(preset("insecure_set2")).bits(), 31.5, 0.5);
  EXPECT_NEAR(bootstrapNoise(preset("insecure_set5")).bits(), 14.8, 0.5);
}

// One more bit of everything that a part of the errors depends on.
TEST(BootstrapNoise, Parts) {
  const BootstrapPlan plan = preset("insecure_set1");
  const BootstrapNoise noise = bootstrapNoise(plan);
  const auto gain = [](double before, double after) { return std::log2(before / after) / 2; };
  BootstrapPlan evalMod = plan;
  for (double &size : evalMod.levels.evalMod)
    size += 1;
  EXPECT_NEAR(gain(noise.evalMod, bootstrapNoise(evalMod).evalMod), 1, 0.1);
  BootstrapPlan matrices = plan;
  for (double &size : matrices.levels.coefficientsToSlots)
    size += 1;
  const double of = gain(noise.coefficientsToSlots, bootstrapNoise(matrices).coefficientsToSlots);
  EXPECT_GT(of, 0.5); // key switches gain by the encodings' bits, too
  EXPECT_LT(of, 2);
  BootstrapPlan ratio = plan;
  ratio.logRatio += 1;
  // The sine's third power is a quarter of what it was; the series adds a little to both.
  EXPECT_NEAR(gain(noise.approximation, bootstrapNoise(ratio).approximation), 2, 0.3);
  EXPECT_EQ(noise.raise, 0);
  EXPECT_GT(bootstrapNoise(preset("set1")).raise, 0);
}

// Messages of vectors of 2^5 times fewer slots are 2^2.5 times as large, and the sine's third power
// as a part of them 2^5.
TEST(BootstrapNoise, FewerSlotsFeelTheSine) {
  BootstrapPlan plan = preset("set1");
  const double all = bootstrapNoise(plan).approximation;
  plan.logSlots = 10;
  plan.coefficientsToSlots = {3, 3, 2, 2};
  plan.slotsToCoefficients = {3, 3, 4};
  EXPECT_NEAR(std::log2(bootstrapNoise(plan).approximation / all) / 2, 5, 0.1);
}

// Slots that are spread evenly over -1 ... 1 feel the sine as theory says (docs/bootstrap.md):
// 14.7 bits at a ratio of 2^8, two more for each bit of the ratio. Fewer slots feel it as much.
TEST(BootstrapNoise, SlotsFirstFeelTheSine) {
  BootstrapPlan plan = preset("set1");
  plan.order = BootstrapOrder::slotsToCoefficientsFirst;
  const auto sine = [](const BootstrapPlan &plan) {
    return -std::log2(bootstrapNoise(plan).approximation) / 2;
  };
  EXPECT_NEAR(sine(plan), 14.7, 0.1);
  const double before = sine(plan);
  plan.logRatio = 9;
  EXPECT_NEAR(sine(plan) - before, 2, 0.1);
  plan.logSlots = 10;
  plan.coefficientsToSlots = {3, 3, 2, 2};
  plan.slotsToCoefficients = {3, 3, 4};
  EXPECT_NEAR(sine(plan) - before, 2, 0.1);
}

} // namespace
} // namespace sluice::algorithms
