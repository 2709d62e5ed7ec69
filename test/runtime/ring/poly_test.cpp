//===- poly_test.cpp --------------------------------------------------------------------------===//
#include "runtime/ring/poly.h"

#include "runtime/ring/primes.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::ring;

namespace {

TEST(Poly, IsLimbMajor) {
  Poly poly(3, 8);
  poly.limb(1)[2] = 5;
  EXPECT_EQ(poly.view().data[10], 5u);
  EXPECT_EQ(poly.view().slice(1, 2).limb(0)[2], 5u);
  EXPECT_EQ(poly.view().slice(1, 2).limbCount, 2u);
  ConstPolyView constant = poly.view();
  EXPECT_EQ(constant.limbSpan(1)[2], 5u);
  EXPECT_EQ(constant.span().size(), 24u);
}

TEST(Poly, ChangesFormsLimbByLimb) {
  const Ring ring = *Ring::create(5, *nttPrimesBelow(5, 40, 3));
  const std::vector<uint16_t> limbs = {2, 0};
  ThreadPool pool(2);
  Poly poly(2, 32);
  for (size_t i = 0; i < 2; ++i)
    for (size_t n = 0; n < 32; ++n)
      poly.limb(i)[n] = 100 * i + n;
  toEvalInPlace(ring, limbs, poly.view(), pool);
  for (size_t i = 0; i < 2; ++i) {
    uint64_t expected[32];
    for (size_t n = 0; n < 32; ++n)
      expected[n] = 100 * i + n;
    ring.kernels().ntt(ring.tables(limbs[i]), expected, expected);
    EXPECT_TRUE(std::equal(expected, expected + 32, poly.limb(i)));
  }
  toCoeffInPlace(ring, limbs, poly.view(), pool);
  EXPECT_EQ(poly.limb(1)[31], 131u);
}

} // namespace
