//===- threads_test.cpp -----------------------------------------------------------------------===//
#include "runtime/base/threads.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace sluice;

namespace {

TEST(ThreadPool, RunsEveryIndexOnce) {
  for (unsigned threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threadCount(), threads);
    for (size_t n : {size_t{0}, size_t{1}, size_t{2}, size_t{7}, size_t{1000}}) {
      std::vector<std::atomic<int>> counts(n);
      parallelFor(pool, n, [&](size_t i) { ++counts[i]; });
      for (size_t i = 0; i < n; ++i)
        EXPECT_EQ(counts[i], 1) << threads << " threads, index " << i << " of " << n;
    }
  }
}

TEST(ThreadPool, ManyShortLoopsFinishBeforeTheyReturn) {
  ThreadPool pool(4);
  for (int round = 0; round < 2000; ++round) {
    int results[3] = {};
    parallelFor(pool, 3, [&](size_t i) { results[i] = round + 1; });
    for (int result : results)
      ASSERT_EQ(result, round + 1);
  }
}

TEST(ThreadPool, UsesItsThreads) {
  ThreadPool pool(3);
  std::atomic<int> arrived{0};
  // Each body waits for the others: the loop ends only if three threads take part.
  parallelFor(pool, 3, [&](size_t) {
    ++arrived;
    while (arrived < 3)
      std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 3);
}

TEST(ThreadPool, NestedLoopsRunInTheirThread) {
  ThreadPool pool(3);
  std::atomic<int> inner{0};
  parallelFor(pool, 10, [&](size_t) {
    std::thread::id outside = std::this_thread::get_id();
    parallelFor(pool, 10, [&](size_t) {
      EXPECT_EQ(std::this_thread::get_id(), outside);
      ++inner;
    });
  });
  EXPECT_EQ(inner, 100);
}

TEST(ThreadPool, LoopsFromSeveralThreadsDoNotMix) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> total{0};
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<int> own{0};
        parallelFor(pool, 20, [&](size_t) { ++own; });
        EXPECT_EQ(own, 20);
        total += own;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(total, 4 * 50 * 20);
}

class ThreadCount : public testing::Test {
protected:
  void TearDown() override { unsetenv("SLUICE_THREADS"); }
};

TEST_F(ThreadCount, ComesFromTheEnvironment) {
  setenv("SLUICE_THREADS", "3", 1);
  EXPECT_EQ(*threadCountFromEnvironment(), 3u);
  EXPECT_EQ(ThreadPool().threadCount(), 3u);
  unsetenv("SLUICE_THREADS");
  EXPECT_GE(*threadCountFromEnvironment(), 1u);
}

TEST_F(ThreadCount, RefusesWhatIsNoCount) {
  for (const char *text : {"", "0", "-1", "two", "4x", "1025", "99999999999999999999"}) {
    setenv("SLUICE_THREADS", text, 1);
    Expected<unsigned> count = threadCountFromEnvironment();
    EXPECT_EQ(count.status().code(), StatusCode::invalidArgument);
    EXPECT_EQ(count.message(),
              "SLUICE_THREADS is '" + std::string(text) + "'; it must be a number from 1 to 1024");
  }
}

} // namespace
