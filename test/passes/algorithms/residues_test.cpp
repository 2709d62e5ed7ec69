//===- residues_test.cpp - integers and their residues ----------------------------------------===//
#include "passes/algorithms/Residues.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice::algorithms;

TEST(Residues, ProductsAndInverses) {
  const uint64_t q = (uint64_t(1) << 61) - 1; // a Mersenne prime
  EXPECT_EQ(mulMod(q - 1, q - 1, q), 1u);
  EXPECT_EQ(mulMod(uint64_t(1) << 60, 4, q), 2u);
  for (uint64_t a : {uint64_t(1), uint64_t(2), q - 1, uint64_t(123456789)})
    EXPECT_EQ(mulMod(a, invertMod(a, q), q), 1u);
  EXPECT_EQ(productMod(std::vector<uint64_t>{17, 97}, 113), 1649u % 113);
  EXPECT_EQ(productMod({}, 113), 1u);
}

/// Every integer of the centred range of 17 * 97 * 113, told from its residues, modulo another
/// prime.
TEST(Residues, CentredValueModuloAnotherPrime) {
  const std::vector<uint64_t> moduli = {17, 97, 113};
  const int64_t product = 17 * 97 * 113;
  for (int64_t value = -(product - 1) / 2; value <= (product - 1) / 2; ++value) {
    std::vector<uint64_t> residues;
    for (uint64_t q : moduli)
      residues.push_back(uint64_t((value % int64_t(q) + int64_t(q)) % int64_t(q)));
    ASSERT_EQ(centredResidue(residues, moduli, 193), uint64_t((value % 193 + 193) % 193)) << value;
  }
}

} // namespace
