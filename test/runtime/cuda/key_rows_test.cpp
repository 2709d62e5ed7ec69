//===- key_rows_test.cpp - which rows of keys stay on the device, and when others come --------===//
#include "runtime/cuda/key_rows.h"

#include <gtest/gtest.h>
#include <random>

namespace sluice::cuda {
namespace {

using Rows = std::vector<uint32_t>;

/// Carries out a plan: every launch must find its rows, in a second run as in the first.
void expectRowsInPlace(const KeyRowPlan &plan, std::span<const Rows> rowsOf) {
  constexpr uint32_t none = UINT32_MAX;
  std::vector<uint32_t> content(plan.buffers, none);
  for (const KeyCopy &copy : plan.resident)
    content.at(copy.buffer) = copy.row;
  ASSERT_EQ(plan.buffersOf.size(), rowsOf.size());
  for (int run = 0; run < 2; ++run) {
    size_t next = 0;
    for (uint32_t launch = 0; launch < rowsOf.size(); ++launch) {
      for (; next < plan.streamed.size() && plan.streamed[next].launch <= launch; ++next) {
        EXPECT_LE(plan.streamed[next].launch, plan.streamed[next].reader);
        content.at(plan.streamed[next].buffer) = plan.streamed[next].row;
      }
      ASSERT_EQ(plan.buffersOf[launch].size(), rowsOf[launch].size());
      for (size_t i = 0; i < rowsOf[launch].size(); ++i)
        EXPECT_EQ(content.at(plan.buffersOf[launch][i]), rowsOf[launch][i])
            << "run " << run << ", launch " << launch;
    }
    EXPECT_EQ(next, plan.streamed.size());
  }
}

TEST(CudaKeyRows, AllStayWhereTheyFit) {
  const std::vector<Rows> rowsOf = {{4, 2}, {}, {2, 6, 4}};
  const KeyRowPlan plan = planKeyRows(rowsOf, 8, 3).value();
  EXPECT_EQ(plan.buffers, 3u); // rows that nobody reads take none
  EXPECT_EQ(plan.resident.size(), 3u);
  EXPECT_TRUE(plan.streamed.empty());
  expectRowsInPlace(plan, rowsOf);
}

TEST(CudaKeyRows, RowsReadOftenStayAndOthersRunAhead) {
  const std::vector<Rows> rowsOf = {{0}, {1}, {0}, {2}, {0}, {3}, {0}, {4}};
  const KeyRowPlan plan = planKeyRows(rowsOf, 5, 3).value();
  expectRowsInPlace(plan, rowsOf);
  ASSERT_EQ(plan.resident.size(), 2u);
  EXPECT_EQ(plan.resident[0].row, 0u);
  ASSERT_EQ(plan.streamed.size(), 3u);
  // One buffer for rows 2, 3, 4: each comes as soon as the one before was read.
  EXPECT_EQ(plan.streamed[0], (KeyCopy{0, 3, 2, 2}));
  EXPECT_EQ(plan.streamed[1], (KeyCopy{4, 5, 3, 2}));
  EXPECT_EQ(plan.streamed[2], (KeyCopy{6, 7, 4, 2}));
}

TEST(CudaKeyRows, ALaunchKeepsWhatItReads) {
  const std::vector<Rows> rowsOf = {{0, 1}, {2, 0}, {1, 2}, {0, 1}, {2, 2}};
  expectRowsInPlace(planKeyRows(rowsOf, 3, 2).value(), rowsOf);
}

TEST(CudaKeyRows, RandomPlansAreRight) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<Rows> rowsOf(30);
    for (Rows &rows : rowsOf)
      for (uint32_t count = random() % 6; count > 0; --count)
        rows.push_back(random() % 20);
    for (uint64_t buffers : {6, 9, 15, 19})
      expectRowsInPlace(planKeyRows(rowsOf, 20, buffers).value(), rowsOf);
  }
}

TEST(CudaKeyRows, RefuseALaunchThatDoesNotFit) {
  const std::vector<Rows> rowsOf = {{0, 1, 2}};
  const Expected<KeyRowPlan> plan = planKeyRows(rowsOf, 3, 2);
  ASSERT_FALSE(plan.isOk());
  EXPECT_EQ(plan.status().code(), StatusCode::outOfRange);
  EXPECT_EQ(plan.message(), "one launch reads 3 rows of keys, but there is memory for 2");
}

} // namespace
} // namespace sluice::cuda
