//===- hash_test.cpp - BLAKE2b-256 -----------------------------------------------------------===//
#include "runtime/wire/hash.h"

#include <gtest/gtest.h>
#include <numeric>

namespace {

using namespace sluice::wire;

/// The value that hashlib.blake2b(bytes(range(200)), digest_size=32) gives.
TEST(Hash, KnownAnswers) {
  EXPECT_EQ(toHex(hash256({})), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  std::vector<uint8_t> bytes(200);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  EXPECT_EQ(toHex(hash256(bytes)),
            "63c3d97a9f8894d5e043a707b0fee7f7ec4c049a23bbf1079df20b4165f9e22d");
}

TEST(Hash, PiecesGiveTheSame) {
  std::vector<uint8_t> bytes(1000);
  std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  Hasher hasher;
  for (size_t first = 0; first < bytes.size(); first += 37)
    hasher.update(std::span(bytes).subspan(first, std::min<size_t>(37, bytes.size() - first)));
  EXPECT_EQ(hasher.finish(), hash256(bytes));
}

TEST(Hash, Hexadecimal) {
  EXPECT_EQ(fromHex("00ff1a", 3), (std::vector<uint8_t>{0, 255, 26}));
  EXPECT_FALSE(fromHex("00FF", 2)) << "upper case";
  EXPECT_FALSE(fromHex("00f", 2)) << "too short";
  EXPECT_FALSE(fromHex("00ff", 1)) << "too long";
  EXPECT_FALSE(fromHex("0g", 1));
}

} // namespace
