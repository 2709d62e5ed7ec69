//===- ring_test.cpp --------------------------------------------------------------------------===//
#include "runtime/ring/ring.h"

#include "runtime/ring/primes.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::ring;

namespace {

TEST(Ring, HoldsItsLimbs) {
  std::vector<uint64_t> primes = *nttPrimesBelow(6, 45, 3);
  Ring made = *Ring::create(6, primes);
  const kernels::LimbTables *tables = &made.tables(1);
  Ring ring = std::move(made);
  EXPECT_EQ(&ring.tables(1), tables);
  EXPECT_EQ(ring.degree(), 64u);
  EXPECT_EQ(ring.limbCount(), 3u);
  for (size_t limb = 0; limb < 3; ++limb) {
    EXPECT_EQ(ring.modulus(limb).value(), primes[limb]);
    EXPECT_EQ(ring.tables(limb).prime.q, primes[limb]);
    EXPECT_EQ(ring.tables(limb).logN, 6u);
  }
}

TEST(Ring, RefusesWhatIsNoLimbTable) {
  const std::vector<uint64_t> good = *nttPrimesBelow(6, 45, 2);
  const std::vector<uint64_t> repeated = {good[0], good[0]}, composite = {(uint64_t{1} << 40) + 1};
  const std::vector<uint64_t> tooNarrow = {257};
  EXPECT_EQ(Ring::create(2, good).message(), "log N is 2; it must be 3 to 17");
  EXPECT_EQ(Ring::create(18, good).message(), "log N is 18; it must be 3 to 17");
  EXPECT_EQ(Ring::create(6, {}).message(), "a ring has 1 to 65535 limbs, not 0");
  EXPECT_EQ(Ring::create(6, repeated).status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(Ring::create(6, composite).message(),
            "limb 0, 1099511627777, is not a prime of 20 to 50 bits that is 1 mod 2^7");
  EXPECT_FALSE(Ring::create(6, tooNarrow).isOk());
}

TEST(Ring, PassesOnWhatSelectionRefuses) {
  const char *outer = std::getenv("SLUICE_CPU");
  const std::string saved = outer ? outer : "";
  setenv("SLUICE_CPU", "abacus", 1);
  EXPECT_NE(Ring::create(6, *nttPrimesBelow(6, 45, 1)).message().find("SLUICE_CPU is 'abacus'"),
            std::string::npos);
  if (outer)
    setenv("SLUICE_CPU", saved.c_str(), 1);
  else
    unsetenv("SLUICE_CPU");
}

} // namespace
