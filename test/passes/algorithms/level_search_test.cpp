//===- level_search_test.cpp - chains against the conditions that make them correct -----------===//

#include "passes/algorithms/LevelSearch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace sluice::algorithms;

namespace {

bool isPrime(uint64_t n) {
  auto power = [n](uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = uint64_t((unsigned __int128)base * base % n))
      if (exponent & 1)
        result = uint64_t((unsigned __int128)result * base % n);
    return result;
  };
  // Miller-Rabin, independent of the runtime's.
  if (n < 2 || n % 2 == 0)
    return n == 2;
  uint64_t odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2)
    ++twos;
  for (uint64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    if (n % base == 0)
      return n == base;
    uint64_t x = power(base, odd);
    bool isWitness = x != 1 && x != n - 1;
    for (int i = 1; i < twos && isWitness; ++i) {
      x = uint64_t((unsigned __int128)x * x % n);
      isWitness = x != n - 1;
    }
    if (isWitness)
      return false;
  }
  return true;
}

/// Primes = 1 mod 2N around 2^bits, nearest first, within a factor of 2 and below 2^50.
std::vector<uint64_t> primesNear(unsigned logN, unsigned bits, size_t count,
                                 std::span<const uint64_t> exclude) {
  std::vector<uint64_t> result;
  uint64_t step = uint64_t(2) << logN, center = uint64_t(1) << bits;
  for (uint64_t distance = 0; distance < center / 2 && result.size() < count; distance += step)
    for (uint64_t candidate : {center + distance + 1, center - distance - step + 1}) {
      bool isUsed = std::find(exclude.begin(), exclude.end(), candidate) != exclude.end();
      if (result.size() < count && candidate < (uint64_t(1) << 50) && !isUsed && isPrime(candidate))
        result.push_back(candidate);
    }
  return result;
}

/// Everything that key switching and rescaling rely on.
void expectSound(const Chain &chain, const ChainRequest &request) {
  std::set<uint64_t> distinct(chain.limbs.begin(), chain.limbs.end());
  EXPECT_EQ(distinct.size(), chain.limbs.size());
  for (uint64_t limb : chain.limbs) {
    EXPECT_LT(limb, uint64_t(1) << 50);
    EXPECT_TRUE(isPrime(limb));
    EXPECT_EQ(limb % (uint64_t(2) << request.logN), 1u);
  }
  ASSERT_EQ(chain.levels.size(), request.height + 1);
  double base = 0;
  for (unsigned limb : chain.levels[0])
    base += std::log2(double(chain.limbs[limb]));
  EXPECT_GE(base, request.baseLog2 - 0.01);
  for (unsigned level = 1; level <= request.height; ++level) {
    ASSERT_EQ(chain.levels[level].size(), chain.levels[level - 1].size() + 1);
    EXPECT_NEAR(std::log2(double(chain.limbs[chain.levels[level].back()])), request.scaleLog2, 0.1);
  }
  std::vector<unsigned> digitLimbs;
  for (const auto &digit : chain.digits)
    digitLimbs.insert(digitLimbs.end(), digit.begin(), digit.end());
  EXPECT_EQ(digitLimbs, chain.levels.back());
  for (double digit : chain.digitsLog2())
    EXPECT_LE(digit, chain.logP);
  double sum = 0;
  for (uint64_t limb : chain.limbs)
    sum += std::log2(double(limb));
  EXPECT_NEAR(chain.logQP(), sum, 1e-9);
  EXPECT_EQ(chain.limbs.size(), chain.levels.back().size() + chain.special.size());
}

TEST(LevelSearch, CutsEvenly) {
  std::vector<double> sizes{50, 40, 40, 40, 40, 40};
  EXPECT_EQ(cutEvenly(sizes, 1), std::vector<size_t>{6});
  EXPECT_EQ(cutEvenly(sizes, 2), (std::vector<size_t>{3, 3}));
  EXPECT_EQ(cutEvenly(sizes, 3), (std::vector<size_t>{2, 2, 2}));
  EXPECT_EQ(cutEvenly(sizes, 6), std::vector<size_t>(6, 1));
}

TEST(LevelSearch, EvenCutIsOptimal) {
  // Brute force over all cuts of seven sizes.
  std::vector<double> sizes{31, 47, 22, 50, 26, 33, 41};
  for (size_t count = 1; count <= sizes.size(); ++count) {
    double best = 1e9;
    for (unsigned cuts = 0; cuts < 64; ++cuts) {
      if (size_t(__builtin_popcount(cuts)) + 1 > count)
        continue;
      double largest = 0, sum = 0;
      for (size_t i = 0; i < sizes.size(); ++i) {
        sum += sizes[i];
        largest = std::max(largest, sum);
        if (cuts >> i & 1)
          sum = 0;
      }
      best = std::min(best, largest);
    }
    double largest = 0;
    size_t next = 0;
    std::vector<size_t> lengths = cutEvenly(sizes, count);
    EXPECT_LE(lengths.size(), count);
    for (size_t length : lengths) {
      double sum = 0;
      for (size_t i = 0; i < length; ++i)
        sum += sizes[next++];
      largest = std::max(largest, sum);
    }
    EXPECT_EQ(next, sizes.size());
    EXPECT_NEAR(largest, best, 1e-6) << count;
  }
}

TEST(LevelSearch, ChainsAreSound) {
  for (unsigned logN : {12u, 14u, 16u})
    for (unsigned height : {0u, 1u, 6u, 11u})
      for (unsigned scaleLog2 : {34u, 45u, 50u})
        for (size_t digitCount : {size_t(1), size_t(2), size_t(height + 1)}) {
          ChainRequest request{logN, height, scaleLog2, scaleLog2 + 3};
          std::optional<Chain> chain = buildChain(request, digitCount, primesNear);
          ASSERT_TRUE(chain);
          expectSound(*chain, request);
        }
}

TEST(LevelSearch, LargeOutputsSplitTheBase) {
  ChainRequest request{13, 2, 45, 70};
  std::optional<Chain> chain = buildChain(request, 2, primesNear);
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->levels[0].size(), 2u);
  expectSound(*chain, request);
}

TEST(LevelSearch, TakesTheFewestDigitsWithinTheLimit) {
  ChainRequest request{14, 6, 40, 42}; // log Q = 282
  std::optional<Chain> chain = findChain(request, 430, primesNear);
  ASSERT_TRUE(chain);
  expectSound(*chain, request);
  EXPECT_LE(chain->logQP(), 430);
  ASSERT_GT(chain->digits.size(), 1u);
  EXPECT_GT(buildChain(request, chain->digits.size() - 1, primesNear)->logQP(), 430);
}

TEST(LevelSearch, NothingFitsUnderALowLimit) {
  EXPECT_FALSE(findChain({14, 12, 40, 42}, 430, primesNear));
  EXPECT_FALSE(findChain({14, 6, 40, 42}, 300, primesNear));
}

} // namespace
