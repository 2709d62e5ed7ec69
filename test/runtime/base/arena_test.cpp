//===- arena_test.cpp -------------------------------------------------------------------------===//
#include "runtime/base/arena.h"

#include <gtest/gtest.h>
#include <limits>

using namespace sluice;

namespace {

TEST(AlignedWords, IsAlignedZeroAndWritable) {
  for (size_t words : {size_t{1}, size_t{8}, size_t{1000}, (size_t{1} << 18) - 1, size_t{1} << 18,
                       (size_t{1} << 18) + 1}) {
    AlignedWords buffer(words);
    ASSERT_EQ(buffer.size(), words);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    if (words * 8 >= (size_t{1} << 21)) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % (size_t{1} << 21), 0u);
    }
    for (size_t i = 0; i < words; ++i)
      ASSERT_EQ(buffer[i], 0u);
    buffer[0] = 1;
    buffer[words - 1] = 2;
    EXPECT_EQ(buffer.span().back(), 2u);
  }
}

TEST(AlignedWords, MovesKeepTheAddress) {
  AlignedWords first(100);
  first[3] = 7;
  const uint64_t *address = first.data();
  AlignedWords second = std::move(first);
  EXPECT_EQ(second.data(), address);
  EXPECT_TRUE(first.isEmpty());
  AlignedWords third(5);
  third = std::move(second);
  EXPECT_EQ(third.data(), address);
  EXPECT_EQ(third[3], 7u);
}

TEST(AlignedWords, RefusesImpossibleSizes) {
  EXPECT_EQ(AlignedWords::tryAllocate(std::numeric_limits<size_t>::max()).status().code(),
            StatusCode::invalidArgument);
  EXPECT_EQ(AlignedWords::tryAllocate(size_t{1} << 58).status().code(), StatusCode::io);
  EXPECT_TRUE(AlignedWords::tryAllocate(0).isOk());
}

} // namespace
