//===- bsgs_plan_test.cpp - baby-step giant-step plans against dense matrices -----------------===//

#include "passes/algorithms/BsgsPlan.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>
#include <random>

namespace sluice::algorithms {
namespace {

using Vector = std::vector<double>;

int64_t wrap(int64_t index, int64_t size) { return ((index % size) + size) % size; }

/// out[t] = v[(t + by) mod size]: a left rotation.
Vector rotate(const Vector &v, int64_t by) {
  Vector out(v.size());
  for (size_t t = 0; t < v.size(); ++t)
    out[t] = v[wrap(int64_t(t) + by, v.size())];
  return out;
}

void addProduct(Vector &sum, const Vector &a, const Vector &b) {
  for (size_t t = 0; t < sum.size(); ++t)
    sum[t] += a[t] * b[t];
}

/// The definition: sum_k diag_k (.) rot_k(v).
Vector applyDiagonals(std::span<const int64_t> indices, const std::vector<Vector> &diagonals,
                      const Vector &v) {
  Vector out(v.size());
  for (size_t n = 0; n < indices.size(); ++n)
    addProduct(out, diagonals[n], rotate(v, indices[n]));
  return out;
}

Vector applyPlan(const BsgsPlan &plan, const std::vector<Vector> &diagonals, const Vector &v) {
  Vector out(v.size());
  for (const BsgsGiant &giant : plan.giants) {
    Vector inner(v.size());
    for (const BsgsTerm &term : giant.terms)
      addProduct(inner, rotate(diagonals[term.diagonal], -giant.rotation),
                 rotate(v, plan.babies[term.baby]));
    addProduct(out, Vector(v.size(), 1), rotate(inner, giant.rotation));
  }
  return out;
}

void expectSameProduct(const BsgsPlan &plan, std::span<const int64_t> indices, int64_t size) {
  std::mt19937 random(indices.size());
  std::uniform_int_distribution<int> entry(-9, 9); // small integers: sums are exact in doubles
  auto randomVector = [&] {
    Vector v(size);
    for (double &value : v)
      value = entry(random);
    return v;
  };
  std::vector<Vector> diagonals;
  for (size_t n = 0; n < indices.size(); ++n)
    diagonals.push_back(randomVector());
  Vector v = randomVector();
  EXPECT_EQ(applyPlan(plan, diagonals, v), applyDiagonals(indices, diagonals, v));
}

std::vector<int64_t> range(int64_t low, int64_t high, int64_t stride = 1) {
  std::vector<int64_t> indices;
  for (int64_t k = low; k <= high; k += stride)
    indices.push_back(k);
  return indices;
}

const KeySwitchShape shape{.logN = 15, .limbs = 10, .specialLimbs = 3, .digits = 4};

TEST(BsgsPlan, AppliesTheMatrixForEveryNumberOfBabySteps) {
  const std::vector<std::pair<std::vector<int64_t>, int64_t>> cases = {{range(0, 31), 32},
                                                                       {range(-7, 7), 32},
                                                                       {range(0, 28, 4), 32},
                                                                       {range(1, 31, 2), 32},
                                                                       {{0}, 8},
                                                                       {{5}, 8},
                                                                       {{0, 1}, 2},
                                                                       {range(-12, 12, 4), 64},
                                                                       {{0, 3, 17, 29}, 32},
                                                                       {range(8, 23), 32},
                                                                       {{31, 0, 1, 30}, 32},
                                                                       {range(3, 60, 3), 64}};
  for (const auto &[indices, size] : cases) {
    for (int64_t babySteps = 1; babySteps <= size; ++babySteps)
      expectSameProduct(planBsgs(indices, size, babySteps, shape), indices, size);
    expectSameProduct(planBsgs(indices, size, shape), indices, size);
  }
}

TEST(BsgsPlan, AppliesRandomSparseMatrices) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    int64_t size = int64_t(1) << (1 + random() % 7);
    std::vector<int64_t> all = range(0, size - 1);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(1 + random() % size);
    for (int64_t &index : all)
      index -= (random() % 2) * size;
    expectSameProduct(planBsgs(all, size, shape), all, size);
  }
}

TEST(BsgsPlan, NeedsNoRotationForTheMainDiagonal) {
  BsgsPlan plan = planBsgs(std::vector<int64_t>{0}, 64, shape);
  EXPECT_EQ(plan.rotations(), 0u);
  EXPECT_EQ(plan.cost, 0);
}

TEST(BsgsPlan, KeepsTheStrideOfAProgression) {
  std::vector<int64_t> indices = range(0, 60, 4);
  BsgsPlan plan = planBsgs(indices, 64, shape);
  EXPECT_EQ(plan.stride, 4);
  for (int64_t baby : plan.babies)
    EXPECT_EQ(wrap(baby, 4), 0);
}

TEST(BsgsPlan, TreatsIndicesNearTheEndAsNegative) {
  // -2..2 modulo 1024: rotations by at most 2 in both directions.
  std::vector<int64_t> indices = {1022, 1023, 0, 1, 2};
  BsgsPlan plan = planBsgs(indices, 1024, shape);
  for (int64_t baby : plan.babies)
    EXPECT_LE(std::abs(baby), 2);
  EXPECT_EQ(plan.rotations(), 4u);
}

TEST(BsgsPlan, PrefersBabyStepsAmongEquals) {
  // One rotation either way; as a baby step it can share its decomposition with other transforms of
  // the input.
  BsgsPlan plan = planBsgs(range(0, 1), 1024, shape);
  ASSERT_EQ(plan.giants.size(), 1u);
  EXPECT_EQ(plan.giants[0].rotation, 0);
  EXPECT_EQ(plan.rotations(), 1u);
}

TEST(BsgsPlan, CostIsTheTwoHoistRowOfTheSheet) {
  // Row "2-hoist": (n1 + n2 - 2) MultSum + n2 DEC + (n2 - 1) MD / 2 + MD, without the parts that
  // all plans share.
  BsgsPlan plan = planBsgs(range(0, 63), 64, 16, shape);
  ASSERT_EQ(plan.babies.size(), 16u);
  ASSERT_EQ(plan.giants.size(), 4u);
  double n = 32768, logN = 15, e = 10, alpha = 3, beta = 4;
  double dec = n * logN * e + beta * n * (alpha + e * (logN + alpha));
  double multSum = 2 * beta * n * (e + alpha);
  double modDown = 2 * n * (e * (alpha + logN + 1) + alpha * (logN + 1));
  EXPECT_DOUBLE_EQ(plan.cost, 18 * multSum + 4 * dec + 3 * modDown / 2 + modDown);
}

TEST(BsgsPlan, PrefersTheRatiosOfTheSheet) {
  // Under "2-hoist" the best n1 / n2 is 8 to 16 among n2 >= 2, and a single giant step for at most
  // 16 diagonals (docs/mathematics.md 4.1: N = 2^16, 19 limbs, digits of 4).
  const KeySwitchShape sheet{.logN = 16, .limbs = 19, .specialLimbs = 4, .digits = 5};
  for (int64_t diagonals : {32, 64, 128, 256, 512}) {
    BsgsPlan best;
    for (int64_t steps = 1; steps <= diagonals / 2; steps *= 2) {
      BsgsPlan plan = planBsgs(range(0, diagonals - 1), diagonals, steps, sheet);
      if (plan.giants.size() >= 2 && (best.giants.empty() || plan.cost < best.cost))
        best = plan;
    }
    double ratio = double(best.babies.size()) / double(best.giants.size());
    EXPECT_GE(ratio, 8) << diagonals;
    EXPECT_LE(ratio, 16) << diagonals;
  }
  EXPECT_EQ(planBsgs(range(0, 15), 16, sheet).giants.size(), 1u);
}

TEST(BsgsPlan, SavesKeysWithinTheTolerance) {
  std::vector<int64_t> indices = range(0, 255);
  BsgsPlan cheapest = planBsgs(indices, 256, shape);
  unsigned keys = cheapest.keys();
  for (double tolerance : {0.05, 0.1, 0.3, 1.0}) {
    BsgsPlan plan = planBsgs(indices, 256, shape, tolerance);
    EXPECT_LE(plan.cost, cheapest.cost * (1 + tolerance));
    EXPECT_LE(plan.keys(), keys);
    keys = plan.keys();
    for (int64_t steps = 1; steps <= 256; ++steps) // no plan within the tolerance has fewer
      if (BsgsPlan other = planBsgs(indices, 256, steps, shape);
          other.cost <= cheapest.cost * (1 + tolerance))
        EXPECT_GE(other.keys(), keys);
  }
  EXPECT_LT(keys, cheapest.keys());
}

TEST(BsgsPlan, IsTheCheapestOfAllSplits) {
  std::vector<int64_t> indices = range(0, 255);
  BsgsPlan best = planBsgs(indices, 256, shape);
  for (int64_t babySteps = 1; babySteps <= 256; ++babySteps)
    EXPECT_LE(best.cost, planBsgs(indices, 256, babySteps, shape).cost) << babySteps;
  // Far fewer rotations than diagonals: 64 babies by 4 giants have a ratio of 16, the largest that
  // the sheet finds good.
  EXPECT_LE(best.rotations(), 66u);
  EXPECT_GT(best.babies.size(), best.giants.size());
}

} // namespace
} // namespace sluice::algorithms
