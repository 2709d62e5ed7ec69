//===- transform_scales_test.cpp - scales between the matrices of a homomorphic DFT -----------===//

#include "passes/algorithms/TransformScales.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice::algorithms {
namespace {

/// SlotsToCoeffs of Bossuat et al.'s set I: from levels of 60 bits to a scale of 2^40 in three
/// of 39.
TransformChain chainOfSetOne(double switchVariance) {
  TransformChain chain;
  chain.degree = 65536;
  chain.slots = 32768;
  chain.factor = 256;
  chain.resultLog2 = 40;
  chain.groups = {5, 5, 5};
  chain.rescaleLog2 = {39, 39, 39};
  chain.switchVariances.assign(3, switchVariance);
  return chain;
}

TEST(TransformScales, OneMatrixHasTheErrorsOfItsSwitchAndItsEncoding) {
  TransformChain chain = chainOfSetOne(16);
  chain.groups = {15};
  chain.rescaleLog2 = {50};
  chain.switchVariances = {16};
  // A coefficient's error of 4 is 4 sqrt(N) in a slot; SlotsToCoeffs makes sqrt(2 n) times as much
  // of it, and the factor. The matrix has entries of 256, encoded at 2^(40 + 50 - 45).
  const double switched = 4 * 256 * std::sqrt(65536.0) * 256 * std::exp2(-45);
  const double encoded = std::sqrt(65536.0 / 6) / 256 * std::exp2(-45);
  EXPECT_NEAR(transformError(chain, {45}) / std::hypot(switched, encoded), 1, 1e-12);
}

TEST(TransformScales, ErrorsGrowByWhatIsStillToCome) {
  TransformChain chain = chainOfSetOne(1);
  // A third of the way: two of three factors, ten of fifteen roots of 2.
  chain.switchVariances = {0, 1, 0};
  chain.resultSize = 0; // no encoding
  const double growth = std::pow(256.0, 2.0 / 3) * std::pow(65536.0, 1.0 / 3);
  EXPECT_NEAR(transformError(chain, {60, 50, 40}) / (256 * growth * std::exp2(-50)), 1, 1e-12);
}

TEST(TransformScales, WithoutKeySwitchesAllMatricesHaveTheSameBits) {
  const TransformChain chain = chainOfSetOne(0);
  const std::vector<int64_t> scales = planTransformScales(chain);
  EXPECT_EQ(scales.front(), chain.leastLog2); // the less there is to take away the better
  const int64_t first = scales[1] - scales[0], second = scales[2] - scales[1];
  EXPECT_LE(std::abs(first - second), 1);
}

TEST(TransformScales, NoOtherChoiceNearbyIsBetter) {
  for (double variance : {1.0, 1e3, 1e6, 1e9}) {
    const TransformChain chain = chainOfSetOne(variance);
    double least = 1e300;
    for (int64_t a = 20; a <= 60; ++a)
      for (int64_t b = 20; b <= 80; ++b)
        for (int64_t c = 20; c <= 80; ++c)
          least = std::min(least, transformError(chain, {a, b, c}));
    const std::vector<int64_t> scales = planTransformScales(chain);
    EXPECT_LE(transformError(chain, scales), least * 1.05) << variance;
  }
}

TEST(TransformScales, NoisierKeySwitchesAskForLargerScales) {
  EXPECT_LT(planTransformScales(chainOfSetOne(1)).front(),
            planTransformScales(chainOfSetOne(1e6)).front());
}

} // namespace
} // namespace sluice::algorithms
