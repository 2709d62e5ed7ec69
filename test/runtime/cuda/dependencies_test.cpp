//===- dependencies_test.cpp - which steps of a program wait for which ------------------------===//
#include "runtime/cuda/dependencies.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace sluice::cuda {
namespace {

using Steps = std::vector<uint32_t>;

TEST(CudaDependencies, ReadersWaitForTheLastWriter) {
  DependencyTracker tracker(3);
  EXPECT_EQ(tracker.add({}, Steps{0}), Steps{});
  EXPECT_EQ(tracker.add({}, Steps{0}), Steps{0}); // write after write
  EXPECT_EQ(tracker.add(Steps{0}, Steps{1}), Steps{1});
  EXPECT_EQ(tracker.add(Steps{0}, Steps{2}), Steps{1}); // beside the step before
}

TEST(CudaDependencies, WritersWaitForAllReadersSinceTheLastWriter) {
  DependencyTracker tracker(4);
  tracker.add(Steps{0}, Steps{1});
  tracker.add(Steps{0}, Steps{2});
  EXPECT_EQ(tracker.add({}, Steps{0}), (Steps{0, 1})); // write after read
  tracker.add(Steps{0}, Steps{3});
  EXPECT_EQ(tracker.add({}, Steps{0}), Steps{3});
}

TEST(CudaDependencies, NamesEachStepOnce) {
  DependencyTracker tracker(3);
  tracker.add({}, Steps{0, 1, 2});
  EXPECT_EQ(tracker.add(Steps{0, 1, 0}, Steps{2}), Steps{0});
}

TEST(CudaDependencies, StepsInPlaceWaitForNoneOfThemselves) {
  DependencyTracker tracker(1);
  EXPECT_EQ(tracker.add(Steps{0}, Steps{0}), Steps{});
  EXPECT_EQ(tracker.add(Steps{0}, Steps{0}), Steps{0});
  EXPECT_EQ(tracker.add(Steps{0}, {}), Steps{1});
}

TEST(CudaDependencies, BeginAgainWhenAllIsDone) {
  DependencyTracker tracker(2);
  tracker.add({}, Steps{0});
  tracker.restart();
  EXPECT_EQ(tracker.add(Steps{0}, Steps{1}), Steps{});
  EXPECT_EQ(tracker.add(Steps{1}, {}), Steps{0});
}

/// Any two steps of which one writes what the other uses are in order, by way of others perhaps.
TEST(CudaDependencies, OrderAllConflictsOfRandomSteps) {
  std::mt19937 random(3);
  constexpr uint32_t resources = 5, count = 60;
  DependencyTracker tracker(resources);
  std::vector<Steps> reads(count), writes(count);
  std::vector<std::vector<bool>> isAfter(count, std::vector<bool>(count));
  for (uint32_t step = 0; step < count; ++step) {
    for (uint32_t resource = 0; resource < resources; ++resource) {
      if (random() % 4 == 0)
        reads[step].push_back(resource);
      if (random() % 6 == 0)
        writes[step].push_back(resource);
    }
    for (uint32_t before : tracker.add(reads[step], writes[step])) {
      ASSERT_LT(before, step);
      isAfter[step][before] = true;
      for (uint32_t other = 0; other < before; ++other)
        if (isAfter[before][other])
          isAfter[step][other] = true;
    }
  }
  auto meet = [](const Steps &a, const Steps &b) {
    return std::ranges::find_first_of(a, b) != a.end();
  };
  for (uint32_t late = 0; late < count; ++late)
    for (uint32_t early = 0; early < late; ++early)
      if (meet(writes[early], writes[late]) || meet(writes[early], reads[late]) ||
          meet(reads[early], writes[late]))
        EXPECT_TRUE(isAfter[late][early]) << late << " after " << early;
}

} // namespace
} // namespace sluice::cuda
