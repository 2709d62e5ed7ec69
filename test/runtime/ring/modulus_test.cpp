//===- modulus_test.cpp - against the processor's division ------------------------------------===//
#include "runtime/ring/modulus.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace sluice;
using namespace sluice::ring;

namespace {

__extension__ using Word128 = unsigned __int128;

/// Primes at both ends of the narrowest, some middle and the widest width.
const uint64_t primes[] = {524309,        1048573,         1099511627689,
                           1099511627791, 562949953421381, 1125899906842597};

TEST(Modulus, ReducesAnyWord) {
  std::mt19937_64 generator(1);
  for (uint64_t q : primes) {
    Modulus modulus = *Modulus::create(q);
    for (int round = 0; round < 2000; ++round) {
      uint64_t word = generator() >> (round % 64), high = generator();
      ASSERT_EQ(modulus.reduce(word), word % q);
      Word128 wide = (static_cast<Word128>(high) << 64) | word;
      ASSERT_EQ(modulus.reduceWide(high, word), static_cast<uint64_t>(wide % q));
    }
    for (uint64_t word : {uint64_t{0}, q - 1, q, q + 1, 2 * q - 1, ~uint64_t{0}})
      EXPECT_EQ(modulus.reduce(word), word % q);
    EXPECT_EQ(modulus.reduceWide(~uint64_t{0}, ~uint64_t{0}),
              static_cast<uint64_t>(~Word128{0} % q));
  }
}

TEST(Modulus, ReducesSignedWords) {
  for (uint64_t q : primes) {
    Modulus modulus = *Modulus::create(q);
    const int64_t signedQ = static_cast<int64_t>(q);
    for (int64_t word :
         {int64_t{0}, int64_t{-1}, int64_t{1}, -signedQ, 5 - signedQ,
          std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}) {
      int64_t remainder = word % signedQ;
      EXPECT_EQ(modulus.reduceSigned(word),
                static_cast<uint64_t>(remainder < 0 ? remainder + signedQ : remainder));
    }
  }
}

TEST(Modulus, ComputesInTheField) {
  std::mt19937_64 generator(2);
  for (uint64_t q : primes) {
    Modulus modulus = *Modulus::create(q);
    for (int round = 0; round < 500; ++round) {
      uint64_t a = round == 0 ? q - 1 : generator() % q, b = round < 2 ? q - 1 : generator() % q;
      ASSERT_EQ(modulus.add(a, b), (a + b) % q);
      ASSERT_EQ(modulus.sub(a, b), (a + q - b) % q);
      ASSERT_EQ(modulus.negate(a), (q - a) % q);
      ASSERT_EQ(modulus.mul(a, b), static_cast<uint64_t>(static_cast<Word128>(a) * b % q));
      if (a != 0) {
        ASSERT_EQ(modulus.mul(a, modulus.inverse(a)), 1u);
      }
      ASSERT_EQ(modulus.shoupFactor(a).quotient,
                static_cast<uint64_t>((static_cast<Word128>(a) << 64) / q));
    }
    EXPECT_EQ(modulus.pow(3, 0), 1u);
    EXPECT_EQ(modulus.pow(3, 11), 177147u);
    EXPECT_EQ(modulus.pow(7, q - 1), 1u);
    EXPECT_EQ(modulus.inverse(0), 0u);
  }
}

TEST(Modulus, RefusesOtherWidthsAndEvenNumbers) {
  for (uint64_t q : {uint64_t{0}, uint64_t{17}, (uint64_t{1} << 19) - 1, uint64_t{1} << 30,
                     (uint64_t{1} << 50) + 55, ~uint64_t{0}})
    EXPECT_EQ(Modulus::create(q).status().code(), StatusCode::outOfRange) << q;
  EXPECT_EQ(Modulus::create(17).message(),
            "modulus 17 is refused: limbs are odd primes of 20 to 50 bits");
}

} // namespace
