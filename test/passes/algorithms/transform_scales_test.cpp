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
  // A coefficient's error of 4 is 4 sqrt(N) in a slot; SlotsToCoeffs makes sqrt(n) times as much
  // of it, and the factor. The matrix has n diagonals of entries of 256, encoded at 2^(40 + 50 -
  // 45).
  const double switched = 4 * 256 * std::sqrt(32768.0) * 256 * std::exp2(-45);
  const double encoded = std::sqrt(65536.0 / 12) / 256 * std::exp2(-45);
  EXPECT_NEAR(transformError(chain, {45}) / std::hypot(switched, encoded), 1, 1e-12);
}

TEST(TransformScales, ErrorsGrowByWhatIsStillToCome) {
  TransformChain chain = chainOfSetOne(1);
  // A third of the way: two of three factors, ten of fifteen roots of 2.
  chain.switchVariances = {0, 1, 0};
  chain.resultSize = 0; // no encoding
  const double growth = std::pow(256.0, 2.0 / 3) * std::pow(2.0, 5);
  EXPECT_NEAR(transformError(chain, {60, 50, 40}) / (256 * growth * std::exp2(-50)), 1, 1e-12);
}

TEST(TransformScales, WithoutKeySwitchesMatricesWithMoreCoefficientsHaveMoreBits) {
  TransformChain chain = chainOfSetOne(0);
  // Bits that each matrix is encoded with, beyond those of its level.
  const auto bits = [&] {
    const std::vector<int64_t> scales = planTransformScales(chain);
    EXPECT_EQ(scales.front(), chain.leastLog2); // the less there is to take away the better
    return std::vector<int64_t>{scales[1] - scales[0], scales[2] - scales[1], 40 - scales[2]};
  };
  // The least sum of squares c_i 4^-p_i has p_i half of log2 c_i apart: 10, 5 and 0 factors are
  // lower, and the last matrix has half the diagonals.
  const std::vector<int64_t> backwards = bits();
  EXPECT_NEAR(double(backwards[1] - backwards[0]), 2.5, 1);
  EXPECT_NEAR(double(backwards[2] - backwards[1]), 2, 1);
  chain.isTowardsSlots = true;
  const std::vector<int64_t> forwards = bits();
  EXPECT_NEAR(double(forwards[1] - forwards[0]), -2, 1);
  EXPECT_NEAR(double(forwards[2] - forwards[1]), -2.5, 1);
}

// The product of a matrix that contains V_1 with a vector, diagonals rounded at 2^-p as
// polynomials of N = 2 n coefficients: a diagonal has an error of sqrt(N / 12) in each slot.
TEST(TransformScales, MatricesInTheMiddleRepeat) {
  TransformChain chain = chainOfSetOne(0);
  const double last = transformError(chain, {40, 40, 40});
  // All three are encoded with 39 bits.
  const double each = std::cbrt(256.0), unit = std::exp2(-39) / each * std::sqrt(65536.0 / 12);
  EXPECT_NEAR(last / (unit * std::sqrt(1 + 2 * std::exp2(-5) + 2 * std::exp2(-10))), 1, 1e-12);
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
