//===- natural_test.cpp - natural numbers of any size -----------------------------------------===//
//
// Against values made with Python's integers, and against identities.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/Natural.h"

#include <gtest/gtest.h>

#include <random>

using sluice::ckks::isPrime;
using sluice::ckks::Natural;

namespace {

constexpr uint64_t p0 = 1125899904679937, p1 = 35184371138561, p2 = 1125899906826241;

TEST(Natural, ProductAndDivisionMatchPython) {
  Natural product = Natural::product(std::vector<uint64_t>{p0, p1, p2});
  EXPECT_EQ(product.toDecimal(), "44601489106127789041268137833994349368590337");
  Natural dividend = product * Natural::powerOfTwo(77) + 12345;
  auto [quotient, rest] = dividend.divide(Natural(p1) * p1);
  EXPECT_EQ(quotient.toDecimal(), "5444518007244998043451416043476060534158");
  EXPECT_EQ(rest.toDecimal(), "1123209400530805652054162091");
}

TEST(Natural, DivisionInvertsMultiplicationAtEveryLength) {
  std::mt19937_64 random(7);
  for (unsigned bits = 1; bits < 200; bits += 13) {
    Natural divisor = Natural::powerOfTwo(bits) + random();
    Natural quotient = Natural::power(random(), bits % 5);
    Natural rest = Natural(random()).divide(divisor).second;
    auto [foundQuotient, foundRest] = (divisor * quotient + rest).divide(divisor);
    EXPECT_EQ(foundQuotient, quotient) << bits;
    EXPECT_EQ(foundRest, rest) << bits;
  }
}

TEST(Natural, SubtractionInvertsAdditionAcrossWords) {
  for (unsigned bits : {1u, 31u, 32u, 33u, 63u, 64u, 65u, 128u}) {
    Natural power = Natural::powerOfTwo(bits);
    Natural below = power - 1;
    EXPECT_EQ(below.bitLength(), bits);
    EXPECT_EQ(below + 1, power);
    EXPECT_LT(below, power);
    EXPECT_EQ((power + below) - below, power);
  }
  EXPECT_TRUE((Natural(5) - 5).isZero());
}

TEST(Natural, ResidueIsTheRemainder) {
  Natural value = Natural::power(p0, 9) + 17;
  EXPECT_EQ(value.residue(p0), 17u);
  EXPECT_EQ(Natural(value.residue(p1)), value.divide(p1).second);
  EXPECT_EQ(Natural().residue(p1), 0u);
}

TEST(Natural, BitsAndWords) {
  EXPECT_EQ(Natural().bitLength(), 0u);
  EXPECT_EQ(Natural(UINT64_MAX).bitLength(), 64u);
  EXPECT_EQ(Natural(UINT64_MAX).toWord(), UINT64_MAX);
  EXPECT_TRUE(Natural::powerOfTwo(100).bit(100));
  EXPECT_FALSE(Natural::powerOfTwo(100).bit(99));
  EXPECT_EQ(Natural().toDecimal(), "0");
  EXPECT_EQ(Natural::power(0, 0), Natural(1));
}

TEST(IsPrime, AgreesWithASieve) {
  std::vector<bool> composite(20000);
  for (uint64_t value = 2; value < composite.size(); ++value) {
    EXPECT_EQ(isPrime(value), !composite[value]) << value;
    for (uint64_t multiple = value * value; multiple < composite.size(); multiple += value)
      composite[multiple] = true;
  }
  EXPECT_FALSE(isPrime(0));
  EXPECT_FALSE(isPrime(1));
}

TEST(IsPrime, LargeNumbersAndStrongPseudoprimes) {
  for (uint64_t prime : {p0, p1, p2, uint64_t{18446744073709551557u}})
    EXPECT_TRUE(isPrime(prime)) << prime;
  EXPECT_FALSE(isPrime(p1 * 3));
  // Strong pseudoprimes to the bases 2 to 7, and 2 to 23 (Jaeschke 1993).
  EXPECT_FALSE(isPrime(3215031751));
  EXPECT_FALSE(isPrime(3825123056546413051));
}

} // namespace
