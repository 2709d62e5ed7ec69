//===- interval_test.cpp - interval operations against sampled images -------------------------===//

#include "passes/algorithms/Interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

using namespace sluice::algorithms;

namespace {

const std::vector<Interval> samples{{-2, 3}, {0.5, 4}, {-7, -1}, {0, 0}, {-1, 0}, 2.5};

double pick(Interval a, int step) { return a.low + (a.high - a.low) * step / 16; }

/// The interval contains every sampled value and its bounds are attained.
void expectImage(Interval image, const std::function<double(int, int)> &value) {
  Interval seen = value(0, 0);
  for (int i = 0; i <= 16; ++i)
    for (int j = 0; j <= 16; ++j)
      seen = hull(seen, value(i, j));
  EXPECT_LE(image.low, seen.low + 1e-12);
  EXPECT_GE(image.high, seen.high - 1e-12);
  EXPECT_NEAR(image.low, seen.low, 0.05 * (1 + std::fabs(seen.low)));
  EXPECT_NEAR(image.high, seen.high, 0.05 * (1 + std::fabs(seen.high)));
}

TEST(Interval, BinaryOperationsAreTight) {
  for (Interval a : samples)
    for (Interval b : samples) {
      expectImage(a + b, [&](int i, int j) { return pick(a, i) + pick(b, j); });
      expectImage(a - b, [&](int i, int j) { return pick(a, i) - pick(b, j); });
      expectImage(a * b, [&](int i, int j) { return pick(a, i) * pick(b, j); });
      if (!b.contains(0))
        expectImage(a / b, [&](int i, int j) { return pick(a, i) / pick(b, j); });
      else
        EXPECT_FALSE((a / b).isFinite());
    }
}

TEST(Interval, UnaryOperationsAreTight) {
  for (Interval a : samples) {
    expectImage(-a, [&](int i, int) { return -pick(a, i); });
    expectImage(exp(a), [&](int i, int) { return std::exp(pick(a, i)); });
    expectImage(tanh(a), [&](int i, int) { return std::tanh(pick(a, i)); });
    for (int n : {0, 1, 2, 3, 4})
      expectImage(power(a, n), [&](int i, int) { return std::pow(pick(a, i), n); });
  }
  expectImage(power({1, 2}, -2), [&](int i, int) { return std::pow(pick({1, 2}, i), -2); });
}

TEST(Interval, UnknownRangesStayUnknownExceptTimesZero) {
  Interval all = Interval::everything();
  EXPECT_EQ(all * Interval(0), Interval(0));
  EXPECT_FALSE((all + Interval(1)).isFinite());
  EXPECT_EQ(intersect(all, {-1, 2}), Interval(-1, 2));
  EXPECT_EQ(intersect({5, 6}, {-1, 2}), Interval(2));
}

} // namespace
