//===- galois_test.cpp ------------------------------------------------------------------------===//
#include "runtime/ring/galois.h"

#include "runtime/ring/ntt_tables.h"

#include <gtest/gtest.h>

using namespace sluice::ring;

namespace {

TEST(Galois, RotationsArePowersOfFive) {
  EXPECT_EQ(rotationElement(3, 0), 1u);
  EXPECT_EQ(rotationElement(3, 1), 5u);
  EXPECT_EQ(rotationElement(3, 2), 9u);
  EXPECT_EQ(rotationElement(3, 3), 13u); // docs/mathematics.md section 1: 1, 5, 9, 13 modulo 16
  EXPECT_EQ(rotationElement(3, 4), 1u);
  EXPECT_EQ(rotationElement(3, -1), 13u);
  for (int64_t steps : {int64_t{-70000}, int64_t{1}, int64_t{12345}, int64_t{32768}}) {
    uint64_t power = 1;
    for (int64_t step = 0; step < ((steps % 32768) + 32768) % 32768; ++step)
      power = power * 5 % (1u << 17);
    EXPECT_EQ(rotationElement(16, steps), power) << steps;
  }
}

TEST(Galois, ConjugationAndInverses) {
  EXPECT_EQ(conjugationElement(3), 15u);
  for (unsigned logN : {3u, 10u, 17u})
    for (uint32_t g : {1u, 3u, 5u, 11u, conjugationElement(logN)})
      EXPECT_EQ(uint64_t{g} * inverseElement(logN, g) % (uint64_t{2} << logN), 1u)
          << logN << " " << g;
}

/// docs/mathematics.md section 1: N = 8, g = 5, natural order: pi = [2,7,4,1,6,3,0,5]; bit reversal
/// conjugates it.
TEST(Galois, PermutationOfTheMathSheet) {
  const uint32_t natural[] = {2, 7, 4, 1, 6, 3, 0, 5};
  std::vector<uint32_t> permutation = evalPermutation(3, 5);
  for (uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(permutation[i], reverseBits(natural[reverseBits(i, 3)], 3));
}

TEST(Galois, PermutationsComposeAsAutomorphisms) {
  const unsigned logN = 6;
  std::vector<uint32_t> first = evalPermutation(logN, 5), second = evalPermutation(logN, 127);
  std::vector<uint32_t> both = evalPermutation(logN, 5 * 127 % 128);
  for (size_t i = 0; i < both.size(); ++i)
    EXPECT_EQ(both[i], first[second[i]]);
}

} // namespace
