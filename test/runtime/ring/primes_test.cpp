//===- primes_test.cpp ------------------------------------------------------------------------===//
#include "runtime/ring/primes.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::ring;

namespace {

TEST(Primes, AgreeWithASieve) {
  const size_t limit = 200000;
  std::vector<bool> isComposite(limit, false);
  for (size_t factor = 2; factor * factor < limit; ++factor)
    for (size_t multiple = factor * factor; multiple < limit; multiple += factor)
      isComposite[multiple] = true;
  for (size_t number = 0; number < limit; ++number)
    ASSERT_EQ(isPrime(number), number >= 2 && !isComposite[number]) << number;
}

TEST(Primes, KnowsLargeAndDeceptiveNumbers) {
  EXPECT_TRUE(isPrime(18446744073709551557u)); // the largest below 2^64
  EXPECT_TRUE(isPrime((uint64_t{1} << 61) - 1));
  EXPECT_FALSE(isPrime(3215031751u));          // strong pseudoprime to bases 2, 3, 5, 7
  EXPECT_FALSE(isPrime(3825123056546413051u)); // to the first nine primes
  EXPECT_FALSE(isPrime(18446744073709551615u));
  EXPECT_FALSE(isPrime(uint64_t{4294967291} * 4294967291));
}

TEST(Primes, NearestComeFirst) {
  for (unsigned logN : {12u, 16u})
    for (unsigned bits : {30u, 45u, 50u}) {
      std::vector<uint64_t> primes = *nttPrimesNear(logN, bits, 8);
      const uint64_t target = uint64_t{1} << bits;
      auto distance = [&](uint64_t prime) {
        return prime > target ? prime - target : target - prime;
      };
      ASSERT_EQ(primes.size(), 8u);
      for (size_t i = 0; i < primes.size(); ++i) {
        EXPECT_TRUE(isNttPrime(logN, primes[i]));
        if (i > 0) {
          EXPECT_LT(distance(primes[i - 1]), distance(primes[i]));
        }
        if (bits == 50) {
          EXPECT_LT(primes[i], target);
        }
      }
      // None nearer was passed over.
      size_t nearer = 0;
      for (uint64_t candidate = target + 1 - distance(primes.back()) / (2u << logN) * (2u << logN);
           candidate < target + distance(primes.back()); candidate += 2u << logN)
        nearer += isNttPrime(logN, candidate) && distance(candidate) < distance(primes.back());
      EXPECT_EQ(nearer, 7u);
    }
}

TEST(Primes, BelowAreLargestFirst) {
  std::vector<uint64_t> primes = *nttPrimesBelow(16, 40, 10);
  for (size_t i = 0; i < primes.size(); ++i) {
    EXPECT_LT(primes[i], uint64_t{1} << 40);
    EXPECT_TRUE(isNttPrime(16, primes[i]));
    if (i > 0) {
      EXPECT_LT(primes[i], primes[i - 1]);
    }
  }
}

/// docs/mathematics.md 16.1: 64 full limbs lie within 3.5e-7 bits of 50 for N <= 2^17.
TEST(Primes, FullLimbsAreNearlyFiftyBits) {
  std::vector<uint64_t> primes = *nttPrimesBelow(17, 50, 64);
  EXPECT_LT(50 - std::log2(static_cast<long double>(primes.back())), 3.5e-7L);
}

/// docs/mathematics.md 16.1, table of terminals: the number of NTT primes in (2^(w-1), 2^w).
TEST(Primes, CountsOfTerminalsMatchTheMathSheet) {
  const struct {
    unsigned logN, bits;
    size_t count;
  } table[] = {{15, 20, 1},  {15, 21, 3},  {15, 22, 4}, {15, 23, 8}, {15, 24, 19},
               {15, 25, 33}, {15, 26, 47}, {16, 20, 1}, {16, 23, 5}, {16, 26, 22},
               {17, 20, 1},  {17, 23, 2},  {17, 24, 7}, {17, 26, 10}};
  for (const auto &row : table) {
    EXPECT_TRUE(nttPrimesBelow(row.logN, row.bits, row.count).isOk())
        << row.logN << " " << row.bits;
    EXPECT_FALSE(nttPrimesBelow(row.logN, row.bits, row.count + 1).isOk())
        << row.logN << " " << row.bits;
  }
}

TEST(Primes, ExcludesWhatIsTaken) {
  std::vector<uint64_t> first = *nttPrimesNear(13, 45, 3), next = *nttPrimesNear(13, 45, 3, first);
  EXPECT_EQ(*nttPrimesNear(13, 45, 6),
            (std::vector<uint64_t>{first[0], first[1], first[2], next[0], next[1], next[2]}));
}

TEST(Primes, SaysHowManyThereAre) {
  EXPECT_EQ(nttPrimesBelow(16, 20, 2).message(),
            "only 1 primes near 2^20 are 1 mod 2^17; 2 were asked for");
  EXPECT_EQ(nttPrimesNear(2, 51, 1).status().code(), StatusCode::outOfRange);
}

} // namespace
