//===- wipe_test.cpp --------------------------------------------------------------------------===//
#include "runtime/base/wipe.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>

using namespace sluice;

namespace {

TEST(Wipe, OverwritesTheSpanAndNothingElse) {
  std::array<uint32_t, 6> words = {1, 2, 3, 4, 5, 6};
  wipe(std::span(words).subspan(1, 4));
  EXPECT_EQ(words, (std::array<uint32_t, 6>{1, 0, 0, 0, 0, 6}));
  wipe(std::span<uint32_t>());
}

TEST(WipedVector, BehavesLikeAVector) {
  WipedVector<int64_t> secret(1000);
  std::iota(secret.begin(), secret.end(), 0);
  for (int64_t more = 1000; more < 5000; ++more) // Grows several times.
    secret.push_back(more);
  for (int64_t i = 0; i < 5000; ++i)
    ASSERT_EQ(secret[static_cast<size_t>(i)], i);
  WipedVector<int64_t> moved = std::move(secret);
  EXPECT_EQ(moved.size(), 5000u);
}

TEST(WipedVector, HasPagesOfItsOwn) {
  WipedVector<uint8_t> a(1), b(1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a.data()) % 4096, 0u);
  EXPECT_NE(reinterpret_cast<uintptr_t>(a.data()) / 4096,
            reinterpret_cast<uintptr_t>(b.data()) / 4096);
}

} // namespace
