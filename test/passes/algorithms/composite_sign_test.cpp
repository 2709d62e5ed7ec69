//===- composite_sign_test.cpp - composed signs against published degrees and brute force -----===//

#include "passes/algorithms/CompositeSign.h"
#include "passes/algorithms/Remez.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice::algorithms;

namespace {

std::vector<unsigned> degreesOf(const CompositeSign &composite) {
  std::vector<unsigned> result;
  for (const Polynomial &step : composite.steps)
    result.push_back(step.degree());
  return result;
}

/// Numbers in [low, high], denser towards low.
std::vector<double> geometricGrid(double low, double high) {
  std::vector<double> result;
  constexpr int count = 20011;
  for (int i = 0; i <= count; ++i)
    result.push_back(std::min(low * std::pow(high / low, double(i) / count), high));
  return result;
}

TEST(CompositeSign, DegreesOfLeastDepthAsPublished) {
  // Lee, Lee, No, Kim 2021, the composition of least depth for comparing with precision alpha:
  // gap 2^-alpha, error 2^(1 - alpha) of the sign, degrees up to 31.
  std::vector<std::pair<int, std::vector<unsigned>>> published{{4, {27}},
                                                               {5, {7, 13}},
                                                               {6, {15, 15}},
                                                               {7, {7, 7, 13}},
                                                               {8, {7, 15, 15}},
                                                               {9, {7, 7, 7, 13}},
                                                               {10, {7, 7, 13, 15}},
                                                               {11, {7, 15, 15, 15}},
                                                               {12, {15, 15, 15, 15}},
                                                               {13, {15, 15, 15, 31}}};
  for (const auto &[alpha, degrees] : published) {
    auto found = approximateSign(1, std::exp2(-alpha), std::exp2(1 - alpha), {30, 31});
    ASSERT_TRUE(found) << alpha;
    EXPECT_EQ(degreesOf(*found), degrees) << alpha;
  }
}

TEST(CompositeSign, ErrorStaysWithinTheTolerance) {
  for (double halfWidth : {1.0, 8.0})
    for (double gapBits : {4.0, 8.0, 13.0})
      for (double bits : {6.0, 16.0}) {
        double gap = halfWidth * std::exp2(-gapBits), tolerance = std::exp2(-bits);
        auto found = approximateSign(halfWidth, gap, tolerance);
        ASSERT_TRUE(found) << gapBits << " " << bits;
        double error = 0;
        for (double x : geometricGrid(gap, halfWidth)) {
          error = std::max(error, std::fabs((*found)(x)-1));
          EXPECT_NEAR((*found)(-x), -(*found)(x), 1e-12); // odd
        }
        EXPECT_LE(error, tolerance);
        EXPECT_NEAR(error, found->maxError, 1e-3 * tolerance);
        for (double x : geometricGrid(gap / 1024, gap)) { // not decided, but between the signs
          EXPECT_GT((*found)(x), 0);
          EXPECT_LE((*found)(x), 1 + tolerance);
        }
      }
}

TEST(CompositeSign, StepsFitIntoEachOther) {
  auto found = approximateSign(4, 4 * 0x1p-10, 0x1p-16);
  ASSERT_TRUE(found);
  ASSERT_GE(found->steps.size(), 3u);
  EXPECT_EQ(found->steps[0].interval, Interval(-4, 4));
  unsigned depth = 0;
  for (size_t i = 0; i < found->steps.size(); ++i) {
    depth += polynomialDepth(found->steps[i].degree());
    if (i > 0) {
      EXPECT_EQ(found->steps[i].interval, Interval(-1, 1));
      EXPECT_LT(imageOf(found->steps[i - 1], found->steps[i - 1].interval).magnitude(), 1);
    }
  }
  EXPECT_EQ(found->depth, depth);
}

/// The least error of any composition within `depth` levels, trying all degrees.
double leastError(double inner, unsigned depth) {
  double least = (1 - inner) / (1 + inner); // after scaling, without any step
  for (unsigned degree = 3; polynomialDepth(degree) <= depth; degree += 2) {
    std::vector<Interval> domain{{-1, -inner}, {inner, 1}};
    auto step =
        remez([](double x) { return x < 0 ? -1.0 : 1.0; }, domain, degree, {-1, 1}, Parity::odd);
    double error = step ? step->levelledError : 0;
    least = std::min(least, std::min(error, leastError((1 - error) / (1 + error),
                                                       depth - polynomialDepth(degree))));
  }
  return least;
}

TEST(CompositeSign, NoCompositionOfLessDepthWillDo) {
  for (double bits : {3.0, 5.0, 7.0}) {
    auto found = approximateSign(1, 0x1p-4, std::exp2(-bits));
    ASSERT_TRUE(found);
    ASSERT_LE(found->depth, 8u);
    EXPECT_GT(leastError(0x1p-4, found->depth - 1), std::exp2(-bits)) << bits;
  }
}

TEST(CompositeSign, AbsoluteValueIsBoundedEverywhere) {
  for (double halfWidth : {1.0, 8.0})
    for (double bits : {5.0, 10.0, 14.0}) {
      double tolerance = std::exp2(-bits);
      auto found = approximateSignForAbsolute(halfWidth, tolerance);
      ASSERT_TRUE(found) << bits;
      for (double x : geometricGrid(halfWidth * 0x1p-30, halfWidth))
        EXPECT_LE(std::fabs(x - x * (*found)(x)), tolerance * 1.0001) << x;
      EXPECT_GT(found->gap, tolerance); // wider than what is safe without measuring
    }
}

TEST(CompositeSign, DepthsAsTheDocumentationSays) {
  // docs/python.md: relu = x (1 + sign) / 2 on [-1, 1] at `bits`, one level for the product.
  for (auto [bits, levels] : {std::pair(8, 9u), {10, 11u}, {12, 13u}, {16, 17u}}) {
    auto found = approximateSignForAbsolute(1, std::exp2(1 - bits));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->depth + 1, levels) << bits;
  }
  auto comparison = approximateSign(1, 0x1p-8, 0x1p-15);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->depth, 12u);
}

TEST(CompositeSign, GivesUpAtTheLargestDepth) {
  auto found = approximateSign(1, 0x1p-8, 0x1p-8);
  ASSERT_TRUE(found);
  EXPECT_TRUE(approximateSign(1, 0x1p-8, 0x1p-8, {found->depth}));
  EXPECT_FALSE(approximateSign(1, 0x1p-8, 0x1p-8, {found->depth - 1}));
  EXPECT_FALSE(approximateSignForAbsolute(1, 0x1p-20, {12}));
}

} // namespace
