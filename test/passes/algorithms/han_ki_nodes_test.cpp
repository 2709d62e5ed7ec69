#include "passes/algorithms/HanKiNodes.h"

#include "passes/algorithms/EvalMod.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

using namespace sluice::algorithms;

namespace {

constexpr long double twoPi = 2 * std::numbers::pi_v<long double>;

double bits(double error) { return -std::log2(error); }

EvalMod nearIntegers(unsigned range, double messageBound, unsigned degree, unsigned doubleAngles) {
  return makeEvalMod(range, messageBound, degree, doubleAngles, 1, SineNodes::hanKi);
}

} // namespace

// A node for each integer; the ends, where the others are farthest, get the next ones.
TEST(HanKiNodes, Distribution) {
  EXPECT_EQ(distributeNodes(2, 0x1p-10, 5), (std::vector<unsigned>{1, 1, 1, 1, 1}));
  const std::vector<unsigned> more = distributeNodes(2, 0x1p-10, 7);
  EXPECT_EQ(more, (std::vector<unsigned>{2, 1, 1, 1, 2}));
  for (unsigned count : {31u, 46u, 64u}) {
    const std::vector<unsigned> nodes = distributeNodes(11, 0x1p-10, count);
    ASSERT_EQ(nodes.size(), 23u);
    EXPECT_EQ(std::accumulate(nodes.begin(), nodes.end(), 0u), count);
  }
}

TEST(HanKiNodes, Nodes) {
  const double root = std::sqrt(3) / 2; // of T_3
  const std::vector<double> nodes = hanKiNodes({1, 3, 1}, 0.25);
  ASSERT_EQ(nodes.size(), 5u);
  EXPECT_EQ(nodes[0], -1);
  EXPECT_NEAR(nodes[1], 0.25 * root, 1e-15);
  EXPECT_EQ(nodes[2], 0);
  EXPECT_NEAR(nodes[3], -0.25 * root, 1e-15);
  EXPECT_EQ(nodes[4], 1);
}

// Four nodes, by hand: cos(pi (x - 1/4)) at -3/4, 1/4, 5/4, 9/4 is -1, 1, -1, 1. With u = x - 1/4
// in
// {-1, 0, 1, 2} that is 1 + (2 u - 6 u^2 + 4 u^3 / 1) / ... by Newton's differences: -1 + 2 (u + 1)
// - 2 u (u + 1) + 4/3 u (u + 1) (u - 1).
TEST(HanKiNodes, InterpolationByHand) {
  const double half = 2;
  const std::vector<double> coefficients =
      interpolateCosine({-0.75, 0.25, 1.25, 2.25}, 1, std::numbers::pi_v<long double>, half);
  ASSERT_EQ(coefficients.size(), 4u);
  // The polynomial is 1 - 4/3 u - 2 u^2 + 4/3 u^3; u = 2 t, t^2 = (1 + T_2) / 2, t^3 = (3 T_1 +
  // T_3) / 4.
  EXPECT_NEAR(coefficients[0], 1 - 8.0 / 2, 1e-15);
  EXPECT_NEAR(coefficients[1], -8.0 / 3 + 32.0 / 3 * 3 / 4, 1e-14);
  EXPECT_NEAR(coefficients[2], -8.0 / 2, 1e-14);
  EXPECT_NEAR(coefficients[3], 32.0 / 3 / 4, 1e-15);
}

// The table of docs/mathematics.md 8.3, whose K - 1 is the range here, and which is of sin(2 pi x).
TEST(HanKiNodes, WorstCaseBits) {
  struct Case {
    unsigned range, degree;
    double bits;
  };
  for (const Case &one : {Case{11, 30, 24.8}, Case{11, 34, 32.1}, Case{14, 40, 31.9},
                          Case{20, 52, 30.6}, Case{24, 63, 34.5}}) {
    const EvalMod plan = nearIntegers(one.range, 0x1p-10, one.degree, 2);
    EXPECT_EQ(plan.cosine.degree(), one.degree);
    const double error = 2 * std::numbers::pi * measureApproximationError(plan, 0x1p-10);
    EXPECT_NEAR(bits(error), one.bits, 0.5) << one.range << " " << one.degree;
  }
}

// With one node for each integer the error vanishes there, and is a part of the message elsewhere.
TEST(HanKiNodes, ErrorVanishesAtIntegers) {
  const unsigned range = 11;
  const EvalMod plan = nearIntegers(range, 0x1p-10, 2 * range, 2);
  double atIntegers = 0, elsewhere = 0;
  for (int i = -static_cast<int>(range); i <= static_cast<int>(range); ++i) {
    atIntegers = std::max(atIntegers, static_cast<double>(std::abs(plan(i))));
    const long double x = i + 0x1p-10L;
    elsewhere =
        std::max(elsewhere, static_cast<double>(std::abs(plan(x) - std::sin(twoPi * x) / twoPi)));
  }
  EXPECT_LT(atIntegers, 0x1p-40);
  EXPECT_GT(elsewhere, 0x1p-20);
}

// Near the integers only, a small range needs fewer levels.
TEST(HanKiNodes, PlansAreShallower) {
  EvalModRequest request = {24, 0x1p-10, 0x1p-34, 63, 4, 1};
  const auto depth = [](const std::optional<EvalMod> &plan) { return plan ? plan->depth() : 0; };
  const unsigned everywhere = depth(planEvalMod(request));
  request.nodes.push_back(SineNodes::hanKi);
  const std::optional<EvalMod> either = planEvalMod(request);
  ASSERT_TRUE(either);
  EXPECT_EQ(either->nodes, SineNodes::hanKi);
  EXPECT_LT(either->depth(), everywhere);
  EXPECT_LE(measureApproximationError(*either, 0x1p-10), 0x1p-34);
}

TEST(HanKiNodes, NoPlanWithoutANodeForEachInteger) {
  EvalModRequest request = {24, 0x1p-10, 0x1p-4, 48, 4, 1};
  request.nodes = {SineNodes::hanKi};
  EXPECT_TRUE(planEvalMod(request));
  request.maxDegree = 47;
  EXPECT_FALSE(planEvalMod(request));
}
