//===- scale_value_test.cpp - scales as doubles and scalars as residues -----------------------===//
//
// The expected numbers come from Python's fractions (exact rationals, and integer square roots).
//
//===------------------------------------------------------------------------------------------===//

#include "passes/algorithms/ScaleValue.h"

#include <gtest/gtest.h>

using namespace sluice::algorithms;
using sluice::ckks::Scale;

namespace {

const std::vector<uint64_t> primes{1125899906826241, 35184372744193, 35184371138561};
const std::vector<int64_t> all{0, 1, 2};

Scale parse(const char *text) { return *Scale::parse(text); }

void expectValue(const char *text, double high, double low) {
  DoubleDouble value = scaleValue(parse(text), primes);
  EXPECT_EQ(value.high, high) << text;
  EXPECT_EQ(value.low, low) << text;
}

TEST(ScaleValue, TwoDoublesHoldTheValue) {
  expectValue("2^0", 1, 0);
  expectValue("2^45", 0x1p45, 0);
  expectValue("2^-700", 0x1p-700, 0);
  expectValue("q2", 35184371138561.0, 0);
  expectValue("2^90 * q1^-1", 0x1.ffffff5ffff03p+44, 0x1.0004f8303daa7p-11);
  expectValue("2^(45/2) * q2^(1/2)", 0x1.ffffff8c0007fp+44, 0x1.6e00e682e44e7p-11);
}

TEST(EncodeScalar, RoundsToNearestAtTheExactScale) {
  EncodedScalar tenth = encodeScalar(0.1, parse("2^45"), primes, all);
  EXPECT_EQ(tenth.residues, (std::vector<uint64_t>{3518437208883, 3518437208883, 3518437208883}));
  EXPECT_NEAR(tenth.error, 5.689893001203927e-15, 1e-28);
  EXPECT_EQ(tenth.bits, 42u);
}

TEST(EncodeScalar, NegativeNumbersAreResiduesBelowTheLimb) {
  EncodedScalar value = encodeScalar(-0.3, parse("2^90 * q1^-1"), primes, all);
  EXPECT_EQ(value.residues,
            (std::vector<uint64_t>{1115344595396200, 24629061314152, 24629059708520}));
  EXPECT_NEAR(value.error, 8.619494483890077e-15, 1e-28);
}

TEST(EncodeScalar, IntegersBeyondAWordAreExact) {
  EncodedScalar value = encodeScalar(-1.5, parse("2^100"), primes, {{2, 0}});
  EXPECT_EQ(value.residues, (std::vector<uint64_t>{20343846337064, 562949550809087}));
  EXPECT_EQ(value.error, 0);
  EXPECT_EQ(value.bits, 101u);
}

TEST(EncodeScalar, AVanishingScalarSaysSo) {
  EncodedScalar value = encodeScalar(0x1p-60, parse("2^45"), primes, all);
  EXPECT_EQ(value.residues, (std::vector<uint64_t>{0, 0, 0}));
  EXPECT_EQ(value.bits, 0u);
  EXPECT_EQ(value.error, 0x1p-60);
  EXPECT_EQ(encodeScalar(0, parse("2^45"), primes, all).residues, (std::vector<uint64_t>{0, 0, 0}));
}

} // namespace
