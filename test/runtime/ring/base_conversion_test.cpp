//===- base_conversion_test.cpp - rational rescaling from its parts ---------------------------===//
#include "runtime/ring/base_conversion.h"

#include "runtime/ring/primes.h"

#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::ring;

namespace {

/// Dividing by one limb: (c - [c]_q) / q in the others is round(c / q) (docs/mathematics.md 2.2),
/// checked for c below 2^62.
TEST(BaseConversion, DividesRoundingToNearest) {
  const Ring ring = *Ring::create(3, *nttPrimesBelow(3, 40, 3));
  const std::vector<uint16_t> dropped = {2}, kept = {0, 1};
  const BaseConversion conversion(*Basis::create(ring, dropped), *Basis::create(ring, kept));
  const uint64_t q = ring.modulus(2).value();

  std::mt19937_64 generator(3);
  uint64_t c[8], source[8], converted[2][8];
  for (size_t i = 0; i < 8; ++i) {
    c[i] = generator() >> 2;
    source[i] = c[i] % q;
  }
  const uint64_t *src[] = {source};
  uint64_t *dst[] = {converted[0], converted[1]};
  ring.kernels().baseConvert(conversion.tables(), 8, dst, src);
  for (size_t limb = 0; limb < 2; ++limb) {
    const Modulus &t = ring.modulus(limb);
    uint64_t residues[8], result[8];
    for (size_t i = 0; i < 8; ++i)
      residues[i] = t.reduce(c[i]);
    ring.kernels().subMulScalar(t.constants(), 8, result, residues, converted[limb],
                                t.inverse(t.reduce(q)));
    for (size_t i = 0; i < 8; ++i)
      EXPECT_EQ(result[i], (2 * c[i] + q) / (2 * q) % t.value());
  }
}

} // namespace
