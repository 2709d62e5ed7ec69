//===- functions_test.cpp - images of functions against samples and known extrema -------------===//

#include "passes/algorithms/Functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace sluice::algorithms;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const std::vector<Interval> samples{{-2, 3}, {0.5, 4}, {-7, -1}, {-1, -0.25}, {0, 0}, {-1, 0}, 2.5};

double pick(Interval a, int step) { return a.low + (a.high - a.low) * step / 256; }

/// The image contains every sampled value, and its bounds come near to some.
void expectImage(Interval image, Interval a, const std::function<double(double)> &f) {
  Interval seen = f(a.low);
  for (int i = 0; i <= 256; ++i)
    seen = hull(seen, f(pick(a, i)));
  EXPECT_LE(image.low, seen.low + 1e-15);
  EXPECT_GE(image.high, seen.high - 1e-15);
  EXPECT_NEAR(image.low, seen.low, 0.01);
  EXPECT_NEAR(image.high, seen.high, 0.01);
}

TEST(Functions, ImagesAreTight) {
  for (Interval a : samples) {
    expectImage(abs(a), a, [](double x) { return std::fabs(x); });
    expectImage(erf(a), a, [](double x) { return std::erf(x); });
    expectImage(sigmoid(a), a, [](double x) { return 1 / (1 + std::exp(-x)); });
    expectImage(silu(a), a, [](double x) { return x / (1 + std::exp(-x)); });
    expectImage(gelu(a), a, [](double x) { return x * std::erfc(-x / std::sqrt(2.0)) / 2; });
    if (a.low >= 0)
      expectImage(sqrt(a), a, [](double x) { return std::sqrt(x); });
    if (a.low > 0)
      expectImage(rsqrt(a), a, [](double x) { return 1 / std::sqrt(x); });
  }
}

TEST(Functions, LowestValuesOfTheValleys) {
  // Ramachandran, Zoph, Le 2017 and Hendrycks, Gimpel 2016 draw them at about -0.28 and -0.17.
  EXPECT_NEAR(silu(Interval(-9, 9)).low, -0.27846454276107, 1e-13);
  EXPECT_NEAR(gelu(Interval(-9, 9)).low, -0.16997120747990, 1e-13);
}

TEST(Functions, UnboundedArguments) {
  EXPECT_EQ(sigmoid(Interval::everything()), Interval(0, 1));
  EXPECT_EQ(silu(Interval::everything()).high, infinity);
  EXPECT_NEAR(gelu(Interval::everything()).low, -0.17, 0.001);
  EXPECT_EQ(gelu(Interval(-infinity, -9)).high, 0);
  EXPECT_EQ(abs(Interval(-infinity, 2)), Interval(0, infinity));
}

TEST(Functions, RootsOfWhatHasThem) {
  EXPECT_EQ(sqrt(Interval(-4, 9)), Interval(0, 3));
  EXPECT_EQ(sqrt(Interval(-4, -1)), Interval::everything());
  EXPECT_EQ(rsqrt(Interval(0, 4)), Interval(0.5, infinity));
  EXPECT_EQ(rsqrt(Interval(-1, 0)), Interval::everything());
}

TEST(Functions, TwoArguments) {
  EXPECT_EQ(maximum(Interval(-1, 4), Interval(0, 2)), Interval(0, 4));
  EXPECT_EQ(minimum(Interval(-1, 4), Interval(0, 2)), Interval(-1, 2));
}

TEST(Functions, RelationsAreDecidedWhereTheyCanBe) {
  Interval undecided(0, 1);
  EXPECT_EQ(isGreater(Interval(2, 3), Interval(0, 1)), Interval(1));
  EXPECT_EQ(isGreater(Interval(0, 1), Interval(1, 2)), Interval(0)); // 1 > 1 is false
  EXPECT_EQ(isGreater(Interval(0, 2), Interval(1, 3)), undecided);
  EXPECT_EQ(isGreaterOrEqual(Interval(1, 2), Interval(0, 1)), Interval(1));
  EXPECT_EQ(isGreaterOrEqual(Interval(0, 1), Interval(1, 2)), undecided); // 1 >= 1 is true
  EXPECT_EQ(choose(1, Interval(2, 3), Interval(5, 6)), Interval(2, 3));
  EXPECT_EQ(choose(0, Interval(2, 3), Interval(5, 6)), Interval(5, 6));
  EXPECT_EQ(choose(undecided, Interval(2, 3), Interval(5, 6)), Interval(2, 6));
}

} // namespace
