//===- basis_test.cpp -------------------------------------------------------------------------===//
#include "runtime/ring/basis.h"

#include "runtime/ring/primes.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::ring;

namespace {

const Ring &threeLimbs() {
  static const Ring ring = *Ring::create(4, *nttPrimesBelow(4, 30, 3));
  return ring;
}

TEST(Basis, MultipliesItsPrimes) {
  const Ring &ring = threeLimbs();
  const std::vector<uint16_t> limbs = {2, 0};
  Basis basis = *Basis::create(ring, limbs);
  const uint64_t q2 = ring.modulus(2).value(), q0 = ring.modulus(0).value();
  const Modulus &t = ring.modulus(1);
  EXPECT_EQ(basis.size(), 2u);
  EXPECT_EQ(basis.productModulo(t), q2 * q0 % t.value());
  EXPECT_EQ(basis.puncturedProductModulo(0, t), q0 % t.value());
  EXPECT_EQ(basis.puncturedProductModulo(1, t), q2 % t.value());
  EXPECT_EQ(basis.productModulo(ring.modulus(0)), 0u);
  EXPECT_NEAR(basis.productLog2(), 60, 1e-5);
  EXPECT_TRUE(basis.contains(2));
  EXPECT_FALSE(basis.contains(1));
}

TEST(Basis, EmptyProductIsOne) {
  Basis basis = *Basis::create(threeLimbs(), {});
  EXPECT_EQ(basis.productModulo(threeLimbs().modulus(0)), 1u);
  EXPECT_EQ(basis.productLog2(), 0);
}

TEST(Basis, RefusesUnknownAndRepeatedLimbs) {
  const std::vector<uint16_t> unknown = {0, 3}, repeated = {1, 0, 1};
  EXPECT_EQ(Basis::create(threeLimbs(), unknown).message(),
            "limb 3 is not in the table of 3 limbs");
  EXPECT_EQ(Basis::create(threeLimbs(), repeated).message(), "limb 1 stands twice in a basis");
}

} // namespace
