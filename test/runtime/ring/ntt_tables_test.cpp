//===- ntt_tables_test.cpp --------------------------------------------------------------------===//
#include "runtime/ring/ntt_tables.h"

#include "runtime/ring/primes.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::ring;

namespace {

TEST(NttTables, ReverseBits) {
  EXPECT_EQ(reverseBits(0b00110, 5), 0b01100u);
  EXPECT_EQ(reverseBits(1, 17), uint64_t{1} << 16);
  EXPECT_EQ(reverseBits(0, 0), 0u);
  for (uint64_t i = 0; i < 1024; ++i)
    ASSERT_EQ(reverseBits(reverseBits(i, 10), 10), i);
}

/// docs/formats.md: psi = a^((q-1)/2N) for the smallest a >= 2 that is no square.
TEST(NttTables, RootIsTheOneOfTheFormat) {
  for (uint64_t q : *nttPrimesBelow(5, 20, 4)) {
    Modulus modulus = *Modulus::create(q);
    std::vector<bool> isSquare(q, false);
    for (uint64_t x = 1; x < q; ++x)
      isSquare[x * x % q] = true;
    uint64_t a = 2;
    while (isSquare[a])
      ++a;
    uint64_t expected = 1;
    for (uint64_t step = 0; step < (q - 1) / 64; ++step)
      expected = expected * a % q;
    EXPECT_EQ(primitiveRoot(modulus, 5), expected);
    EXPECT_EQ(modulus.pow(expected, 32), q - 1); // of order 64 exactly
  }
}

TEST(NttTables, HoldPowersInBitReversedOrder) {
  const unsigned logN = 7;
  const uint64_t n = 128, q = nttPrimesBelow(logN, 50, 1)->front();
  Modulus modulus = *Modulus::create(q);
  NttTables owner(modulus, logN);
  NttTables moved = std::move(owner);
  const kernels::LimbTables &limb = moved.tables();
  const uint64_t psi = primitiveRoot(modulus, logN);
  __extension__ using Word128 = unsigned __int128;
  for (uint64_t i = 0; i < n; ++i) {
    EXPECT_EQ(limb.roots[i], modulus.pow(psi, reverseBits(i, logN)));
    EXPECT_EQ(modulus.mul(limb.roots[i], limb.inverseRoots[i]), 1u);
    EXPECT_EQ(limb.rootQuotients[i],
              static_cast<uint64_t>((static_cast<Word128>(limb.roots[i]) << 64) / q));
    EXPECT_EQ(limb.inverseRootQuotients[i],
              static_cast<uint64_t>((static_cast<Word128>(limb.inverseRoots[i]) << 64) / q));
  }
  EXPECT_EQ(modulus.mul(limb.inverseN.value, n), 1u);
}

/// Exact integers on both sides of zero, smaller than q/2.
TEST(NttTables, CentreTheRoots) {
  const unsigned logN = 7;
  const uint64_t n = 128, q = nttPrimesBelow(logN, 50, 1)->front();
  NttTables owner(*Modulus::create(q), logN);
  NttTables moved = std::move(owner);
  const kernels::LimbTables &limb = moved.tables();
  bool hasNegative = false;
  for (uint64_t i = 0; i < n; ++i) {
    for (const auto &[centred, residue] :
         {std::pair(limb.centredRoots[i], limb.roots[i]),
          std::pair(limb.centredInverseRoots[i], limb.inverseRoots[i])}) {
      const int64_t integer = static_cast<int64_t>(centred);
      EXPECT_EQ(static_cast<double>(integer), centred);
      EXPECT_LT(std::abs(integer), static_cast<int64_t>(q / 2) + 1);
      EXPECT_EQ(static_cast<uint64_t>(integer < 0 ? integer + static_cast<int64_t>(q) : integer),
                residue);
      hasNegative |= integer < 0;
    }
  }
  EXPECT_TRUE(hasNegative);
}

} // namespace
