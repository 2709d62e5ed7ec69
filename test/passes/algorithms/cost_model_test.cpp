//===- cost_model_test.cpp - work against the counts of docs/mathematics.md section 3 ---------===//

#include "passes/algorithms/CostModel.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice::algorithms;

namespace {

TEST(CostModel, MultiplicationFollowsTheSheet) {
  // docs/mathematics.md section 3, "Mul + relin total", at N = 2^16, l = 23: it counts NTTs as N
  // log N multiplications.
  for (auto [alpha, expected] :
       {std::pair{1, 29.60}, {2, 28.83}, {4, 28.25}, {8, 27.93}, {24, 28.08}}) {
    OperandSize size{16, 24, unsigned(24 / alpha), unsigned(alpha)};
    Work work = multiplyWork(size);
    double total = work.multiplications + 2 * work.butterflies;
    EXPECT_NEAR(std::log2(total), expected, 0.2) << alpha;
  }
}

TEST(CostModel, KeyBytesOfTheSheetsExample) {
  // docs/mathematics.md section 3: 25 + 5 primes, beta 5, N = 2^16: 157,286,400 bytes for both
  // halves.
  EXPECT_EQ(keyBytes({16, 25, 5, 5}), 157286400u / 2);
}

TEST(CostModel, WorkAddsUp) {
  OperandSize size{12, 3, 1, 3};
  Work two = rescaleWork(size) + rescaleWork(size);
  KernelCosts costs{.multiplyNs = 0.5, .butterflyNs = 1.5};
  EXPECT_DOUBLE_EQ(two.latencyNs(costs), (2 * rescaleWork(size)).latencyNs(costs));
  EXPECT_DOUBLE_EQ(multiplyPlainWork(size).latencyNs({.multiplyNs = 2, .butterflyNs = 0}),
                   4 * 3 * 4096.0);
}

TEST(CostModel, PricesAreMeansOfWhatWasTimed) {
  sluice::CostTable table;
  table.time(13, sluice::KernelFamily::ntt) = {2, 20};
  table.time(13, sluice::KernelFamily::intt) = {4, 20};
  table.time(13, sluice::KernelFamily::convertTerm) = {0.5, 20};
  table.time(13, sluice::KernelFamily::innerProductDigit) = {3, 20}; // two multiplications
  EXPECT_DOUBLE_EQ(kernelCosts(table, 13).butterflyNs, 3);
  EXPECT_DOUBLE_EQ(kernelCosts(table, 13).multiplyNs, 1);
}

TEST(CostModel, TheGenericCpuIsOneThatCouldBe) {
  const sluice::CostTable &table = genericCosts();
  EXPECT_EQ(table.threads, 1u);
  for (size_t degree = 0; degree < sluice::costDegrees; ++degree) {
    for (const sluice::KernelTime &time : table.times[degree]) {
      EXPECT_GE(time.cached, 0);
      EXPECT_GE(time.memory, time.cached);
    }
    sluice::ReachPoint last;
    for (const sluice::ReachPoint &point : table.reach[degree]) {
      EXPECT_GT(point.bytes, last.bytes);
      EXPECT_GE(point.share, last.share);
      last = point;
    }
    EXPECT_EQ(last.share, 1);
  }
}

} // namespace
