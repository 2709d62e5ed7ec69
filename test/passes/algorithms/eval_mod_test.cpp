#include "passes/algorithms/EvalMod.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace sluice::algorithms;

namespace {

double bits(double error) { return -std::log2(error); }

} // namespace

// The constants of the double angles (docs/mathematics.md 8.1), to fifteen digits.
TEST(EvalMod, Subtrahends) {
  const EvalMod plan = makeEvalMod(12, 0x1p-8, 31, 3);
  ASSERT_EQ(plan.subtrahends.size(), 3u);
  EXPECT_NEAR(plan.subtrahends[0], 0.631618777746065, 1e-15);
  EXPECT_NEAR(plan.subtrahends[1], 0.398942280401433, 1e-15);
  EXPECT_NEAR(plan.subtrahends[2], 0.159154943091895, 1e-15);
  const EvalMod withArcsine = makeEvalMod(12, 0x1p-8, 31, 3, 7);
  EXPECT_EQ(withArcsine.subtrahends, (std::vector<double>{1, 1, 1}));
}

// It is the sine at every x, not only near integers; worst cases of the table in
// docs/mathematics.md 8.2, whose range K is the half-width here.
TEST(EvalMod, WorstCaseBits) {
  struct Case {
    double halfWidth;
    unsigned degree, doubleAngles;
    double bits;
  };
  for (const Case &one : {Case{12, 119, 0, 51.3}, Case{12, 31, 2, 15.6}, Case{12, 31, 3, 42.7},
                          Case{25, 63, 2, 27.6}, Case{16, 31, 3, 30.2}, Case{28, 44, 3, 31.6}}) {
    const EvalMod plan = makeEvalMod(one.halfWidth - 0.25, 0, one.degree, one.doubleAngles);
    ASSERT_EQ(plan.halfWidth, one.halfWidth);
    double most = 0;
    for (int i = -4000; i <= 4000; ++i) {
      const long double x = 0.25L + one.halfWidth * i / 4000;
      const long double sine =
          std::sin(2 * std::numbers::pi_v<long double> * x) / (2 * std::numbers::pi_v<long double>);
      most = std::max(most, static_cast<double>(std::abs(plan(x) - sine)));
    }
    EXPECT_NEAR(bits(most), one.bits, 1.5) << one.halfWidth << " " << one.degree;
  }
}

// The cubic term of the sine, (2 pi m)^2 / 6 relative, and what the arcsine leaves of it
// (docs/mathematics.md 8.4).
TEST(EvalMod, Arcsine) {
  struct Case {
    double ratio;
    unsigned degree;
    double bits;
  };
  for (const Case &one : {Case{16, 1, 5.3}, Case{16, 3, 9.2}, Case{16, 5, 12.7}, Case{16, 7, 16.0},
                          Case{256, 1, 13.3}, Case{256, 3, 25.1}, Case{256, 5, 36.6}}) {
    const double bound = 1 / one.ratio;
    const EvalMod plan = makeEvalMod(8, bound, 63, 3, one.degree);
    EXPECT_NEAR(bits(measureError(plan, bound) / bound), one.bits, 0.15)
        << one.ratio << " " << one.degree;
  }
}

TEST(EvalMod, Depth) {
  EXPECT_EQ(makeEvalMod(12, 0x1p-8, 30, 2).depth(), 5u + 2);
  EXPECT_EQ(makeEvalMod(12, 0x1p-8, 62, 3, 7).depth(), 6u + 3 + 3);
  EXPECT_EQ(makeEvalMod(12, 0x1p-8, 62, 0).depth(), 6u);
}

// No plan of the space is less deep: every degree and number of double angles tried.
TEST(EvalMod, PlanIsTheLeastDeep) {
  for (double range : {2.0, 12.0, 25.0})
    for (double tolerance : {0x1p-12, 0x1p-25, 0x1p-38}) {
      const EvalModRequest request = {range, 0x1p-8, tolerance, 127, 6, 1};
      const std::optional<EvalMod> plan = planEvalMod(request);
      ASSERT_TRUE(plan);
      EXPECT_LE(measureApproximationError(*plan, 0x1p-8), tolerance);
      for (unsigned r = 0; r <= 6; ++r)
        for (unsigned degree = 2; degree <= 127; degree += 4) {
          const EvalMod other = makeEvalMod(range, 0x1p-8, degree, r);
          if (other.depth() < plan->depth())
            ASSERT_GT(measureApproximationError(other, 0x1p-8), tolerance) << degree << " " << r;
        }
    }
  EXPECT_FALSE(planEvalMod({12, 0x1p-8, 0x1p-60, 127, 6, 1}));
}

// Dense secrets: hundreds of integers on each side.
TEST(EvalMod, WideRange) {
  const std::optional<EvalMod> plan = planEvalMod({325, 0x1p-10, 0x1p-30, 255, 8, 1});
  ASSERT_TRUE(plan);
  EXPECT_LE(plan->depth(), 12u);
}
