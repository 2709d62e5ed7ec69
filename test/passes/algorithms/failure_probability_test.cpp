#include "passes/algorithms/FailureProbability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace sluice::algorithms;

// Areas of small sums by hand: one variable; two, a triangle; four, 1/24 of a corner's fourth
// power.
TEST(FailureProbability, SmallSums) {
  EXPECT_NEAR(log2UniformSumTail(1, 0.25), -2, 1e-9);
  EXPECT_NEAR(log2UniformSumTail(2, 0.5), -3, 1e-9);
  EXPECT_NEAR(log2UniformSumTail(4, 1.5), std::log2(std::pow(0.5, 4) / 24), 1e-9);
  EXPECT_NEAR(log2UniformSumTail(5, 1.5), std::log2(1.0 / 120), 1e-9); // 2 t = 1/60
  EXPECT_EQ(log2UniformSumTail(33, 16.5), -INFINITY);
  EXPECT_EQ(log2UniformSumTail(7, 0), -1);
}

// Exact rational values: the finite sum with integers of arbitrary size (Python's fractions).
TEST(FailureProbability, ExactTails) {
  struct Tail {
    uint64_t terms;
    double bound, log2;
  };
  for (const Tail &tail :
       {Tail{33, 1, -1.86748}, Tail{33, 12, -51.11209}, Tail{33, 16, -155.70766},
        Tail{65, 14, -31.60668}, Tail{193, 25, -32.58971}, Tail{193, 60, -191.79594},
        Tail{193, 90, -670.84180}, Tail{513, 100, -182.45732}, Tail{1025, 50, -24.97583}})
    EXPECT_NEAR(log2UniformSumTail(tail.terms, tail.bound), tail.log2, 1e-3) << tail.terms;
  EXPECT_NEAR(log2FailureProbability(64, 12, 1 << 14), -7.711, 2e-3);
  EXPECT_NEAR(log2FailureProbability(64, 14, 1 << 15), -14.607, 2e-3);
  EXPECT_NEAR(log2FailureProbability(192, 25, 1 << 15), -15.590, 2e-3);
  EXPECT_NEAR(log2FailureProbability(32768, 325, 1 << 15), -14.902, 2e-3);
}

// The two formulas meet where both hold, and the logarithm falls without a step.
TEST(FailureProbability, FallsSmoothly) {
  for (uint64_t weight : {32, 64, 192, 1000, 43690}) {
    const double last = static_cast<double>(weight) / 2;
    double previous = -1, slope = 0;
    const double step = last / 400;
    for (double range = step; range < 0.9 * last; range += step) {
      const double tail = log2UniformSumTail(weight + 1, range);
      ASSERT_LT(tail, previous) << weight << " " << range;
      if (slope != 0) {
        ASSERT_LT(tail - previous, 0.9 * slope) << weight << " " << range;
        ASSERT_GT(tail - previous, 1.3 * slope + slope) << weight << " " << range;
      }
      slope = tail - previous;
      previous = tail;
    }
  }
}

TEST(FailureProbability, LeastRange) {
  for (uint64_t weight : {32, 64, 192, 32768})
    for (double target : {-15.0, -64.0, -128.0}) {
      const uint64_t range = leastRange(weight, 1 << 15, target);
      EXPECT_LE(log2FailureProbability(weight, static_cast<double>(range), 1 << 15), target);
      EXPECT_GT(log2FailureProbability(weight, static_cast<double>(range - 1), 1 << 15), target);
    }
  // No weight of 32 can leave 17.
  EXPECT_LE(leastRange(32, 1 << 15, -128), 17u);
  EXPECT_EQ(leastRange(192, 1 << 15, -15.5), 25u);
}

// Against draws: probabilities that ten thousand sums show.
TEST(FailureProbability, Draws) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const unsigned terms = 33, draws = 40000;
  unsigned beyond = 0;
  for (unsigned draw = 0; draw < draws; ++draw) {
    double sum = 0;
    for (unsigned i = 0; i < terms; ++i)
      sum += uniform(random);
    beyond += sum > 2.5;
  }
  const double expected = std::exp2(log2UniformSumTail(terms, 2.5)) * draws;
  EXPECT_NEAR(beyond, expected, 6 * std::sqrt(expected));
}

TEST(FailureProbability, UniformTernaryWeight) {
  const double mean = 2.0 / 3 * 65536;
  EXPECT_GT(static_cast<double>(uniformTernaryWeightBound(16, -128)), mean);
  // P(h >= mean + t) <= exp(-2 t^2 / N).
  const double excess = static_cast<double>(uniformTernaryWeightBound(16, -128)) - mean;
  EXPECT_NEAR(-2 * excess * excess / 65536 / std::log(2.0), -128, 0.2);
}

TEST(FailureProbability, OfABootstrap) {
  // The weight is fixed: rounds count one by one.
  BootstrapRisk risk{
      .secret = sluice::SecretDistribution::ephemeral32, .range = 16, .slots = 1 << 15};
  const double once = log2FailureProbability(32, 16, 1 << 15);
  EXPECT_EQ(log2BootstrapFailure(risk), once);
  risk.rounds = 4;
  EXPECT_NEAR(log2BootstrapFailure(risk), once + 2, 1e-12);
  risk.secret = sluice::SecretDistribution::sparse192;
  EXPECT_EQ(weightUnderModRaise(risk), 192u);
  // A range that never fails leaves the secrets that are too heavy: half of the target.
  risk = {.logN = 12, .range = 4000, .slots = 1 << 11};
  EXPECT_EQ(weightUnderModRaise(risk), uniformTernaryWeightBound(12, -129));
  EXPECT_NEAR(log2BootstrapFailure(risk), -129, 1e-9);
  // A range that only lighter secrets keep: half of any target is for heavier ones.
  risk.range = 90;
  const double least = leastLog2BootstrapFailure(risk);
  EXPECT_LT(least, log2BootstrapFailure(risk) - 1);
  for (double target : {-4.0, -20.0, -32.0, -64.0}) {
    risk.log2Target = target;
    EXPECT_LE(least, log2BootstrapFailure(risk) + 1) << target;
  }
  EXPECT_NEAR(log2Sum(-10, -10), -9, 1e-12);
  EXPECT_NEAR(log2Sum(-1, -1000), -1, 1e-12);
}
