//===- embedding_wide_test.cpp - encoding and decoding in double-double -----------------------===//
#include "runtime/ring/embedding.h"

#include "runtime/ring/primes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::ring;

namespace {

__extension__ using Integer = __int128;

/// x modulo q in [0, q).
uint64_t residue(Integer x, const Modulus &q) {
  const Integer remainder = x % static_cast<Integer>(q.value());
  return static_cast<uint64_t>(remainder < 0 ? remainder + static_cast<Integer>(q.value())
                                             : remainder);
}

/// An integer of at most 106 bits as the sum of two doubles.
Real2 parts(Integer x) {
  const double high = static_cast<double>(x);
  return {high, static_cast<double>(x - static_cast<Integer>(high))};
}

/// One slot a + bi stands at coefficients 0 and N/2: rounding and reduction alone. The scale is a
/// power of two, so that the coefficients are the integers.
TEST(WideEncoding, ReducesLargeIntegersExactly) {
  const Ring ring = *Ring::create(3, std::vector<uint64_t>{*(*nttPrimesBelow(3, 50, 1)).begin(),
                                                           *(*nttPrimesBelow(3, 20, 1)).begin()});
  const std::vector<uint16_t> limbs = {0, 1};
  std::mt19937_64 generator(1);
  for (int bits = 1; bits <= 119; ++bits)
    for (int sign : {-1, 1}) {
      const int kept = std::min(bits, 100), shift = bits - kept;
      const Integer random =
          (static_cast<Integer>(generator() >> 1) << 64 | static_cast<Integer>(generator())) >>
          (127 - kept);
      const Integer x = sign * random, y = -sign * ((Integer{1} << kept) - 1);
      Real2 re = parts(x), im = parts(y);
      for (double *part : {&re.high, &re.low, &im.high, &im.low})
        *part = std::ldexp(*part, shift - 60);
      Poly poly(2, 8);
      ASSERT_TRUE(
          encodeSlots(ring, limbs, std::vector<WideSlot>{{re, im}}, {0x1p60}, poly.view()).isOk());
      for (uint16_t limb : limbs) {
        const Modulus &q = ring.modulus(limb);
        const uint64_t factor = q.pow(2, static_cast<uint64_t>(shift));
        EXPECT_EQ(poly.limb(limb)[0], q.mul(residue(x, q), factor)) << bits << " bits";
        EXPECT_EQ(poly.limb(limb)[4], q.mul(residue(y, q), factor)) << bits << " bits";
      }
    }
}

/// The nearest integers to 2^60 + 1/2 and its neighbours, of which a double keeps 2^60.
TEST(WideEncoding, RoundsTiesUpBeyondDoubles) {
  const Ring ring = *Ring::create(3, *nttPrimesBelow(3, 50, 1));
  const std::vector<uint16_t> limbs = {0};
  auto encoded = [&](Real2 x) {
    Poly poly(1, 8);
    EXPECT_TRUE(
        encodeSlots(ring, limbs, std::vector<WideSlot>{{x, {}}}, {1.0}, poly.view()).isOk());
    return poly.limb(0)[0];
  };
  const Modulus &q = ring.modulus(0);
  const Integer large = Integer{1} << 60, larger = Integer{1} << 110;
  EXPECT_EQ(encoded({0x1p60, 0.5}), residue(large + 1, q));
  EXPECT_EQ(encoded({0x1p60, 0.5 - 0x1p-40}), residue(large, q));
  EXPECT_EQ(encoded({0x1p60, -0.5}), residue(large, q));
  EXPECT_EQ(encoded({0x1p60, -0.5 - 0x1p-40}), residue(large - 1, q));
  EXPECT_EQ(encoded({0x1p60, -3.5}), residue(large - 3, q));
  EXPECT_EQ(encoded({-0x1p60, 2.5}), residue(-large + 3, q));
  EXPECT_EQ(encoded({-0x1p60, -2.5}), residue(-large - 2, q));
  EXPECT_EQ(encoded({0.5, -0x1p-60}), 0u);
  EXPECT_EQ(encoded({-0.5, -0x1p-60}), q.value() - 1);
  EXPECT_EQ(encoded({-0.5, 0}), 0u);
  EXPECT_EQ(encoded({0x1p110, 0x1p56 + 16}), residue(larger + (Integer{1} << 56) + 16, q));
  EXPECT_EQ(encoded({0x1p110, -0x1p56 - 16}), residue(larger - (Integer{1} << 56) - 16, q));
}

TEST(WideEncoding, RefusesWhatDoesNotFit) {
  const Ring ring = *Ring::create(3, *nttPrimesBelow(3, 50, 1));
  const std::vector<uint16_t> limbs = {0};
  Poly poly(1, 8);
  auto refusal = [&](WideSlot slot, double scale) {
    return encodeSlots(ring, limbs, std::vector<WideSlot>{slot}, {scale}, poly.view()).code();
  };
  EXPECT_EQ(refusal({{4, 0}, {}}, 0x1p118), StatusCode::outOfRange);
  EXPECT_EQ(refusal({{}, {-4, 0}}, 0x1p118), StatusCode::outOfRange);
  EXPECT_EQ(refusal({{INFINITY, 0}, {}}, 1), StatusCode::invalidArgument);
  EXPECT_EQ(refusal({{1, NAN}, {}}, 1), StatusCode::invalidArgument);
  EXPECT_EQ(encodeSlots(ring, limbs, std::vector<WideSlot>(3), {1}, poly.view()).code(),
            StatusCode::invalidArgument);
}

TEST(WideEncoding, IsChosenByScaleOrPrecision) {
  EXPECT_FALSE(needsWideEmbedding({0x1p48}, 39.9));
  EXPECT_TRUE(needsWideEmbedding({0x1.0000000000001p48}, 0));
  EXPECT_TRUE(needsWideEmbedding({0x1p30}, 40));
}

/// Errors of the values: those of the rounding to integers, 2^-90 times sqrt(2n / 12), and of the
/// embedding.
TEST(WideEncoding, KeepsEightyBitsAtScale90) {
  for (unsigned logN : {4u, 11u, 16u}) {
    const Ring ring = *Ring::create(logN, *nttPrimesBelow(logN, 50, 4));
    const std::vector<uint16_t> limbs = {3, 0, 1, 2};
    for (size_t n : {size_t{1}, ring.degree() / 4, ring.degree() / 2}) {
      std::mt19937_64 generator(n);
      std::uniform_real_distribution<double> uniform(-1, 1);
      std::vector<WideSlot> values(n), decoded(n);
      for (WideSlot &slot : values)
        slot = {{uniform(generator), uniform(generator) * 0x1p-56},
                {uniform(generator), uniform(generator) * 0x1p-56}};
      Poly poly(4, ring.degree());
      ASSERT_TRUE(encodeSlots(ring, limbs, values, {0x1p90}, poly.view()).isOk());
      ASSERT_TRUE(decodeSlots(ring, limbs, poly.view(), {0x1p90}, decoded).isOk());
      double squares = 0;
      for (size_t k = 0; k < n; ++k) {
        const Real2 re = decoded[k].re, im = decoded[k].im;
        squares += std::pow((re.high - values[k].re.high) + (re.low - values[k].re.low), 2) +
                   std::pow((im.high - values[k].im.high) + (im.low - values[k].im.low), 2);
      }
      const double deviation = std::sqrt(squares / static_cast<double>(n));
      EXPECT_LT(deviation, 1.1 * 0x1p-90 * std::sqrt(static_cast<double>(n) / 6)) << n;
      EXPECT_LT(deviation, 0x1p-80);
    }
  }
}

/// Values that are doubles keep all their bits at a scale that holds these.
TEST(WideEncoding, GivesBackDoubles) {
  const unsigned logN = 12;
  const Ring ring = *Ring::create(logN, *nttPrimesBelow(logN, 50, 3));
  const std::vector<uint16_t> limbs = {0, 1, 2};
  std::vector<std::complex<double>> values(ring.degree() / 2), decoded(values.size());
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(0.5, 1);
  for (std::complex<double> &value : values)
    value = {uniform(generator), -uniform(generator)};
  Poly poly(3, ring.degree());
  ASSERT_TRUE(encodeSlots(ring, limbs, values, {0x1p80, 0x1p20}, poly.view()).isOk());
  ASSERT_TRUE(decodeSlots(ring, limbs, poly.view(), {0x1p80, 0x1p20}, decoded).isOk());
  EXPECT_EQ(decoded, values);
}

/// Limbs asked for, as (first, count).
using Requests = std::vector<std::pair<size_t, size_t>>;

/// Decodes the constant polynomial 2^exponent at scale 2^40 from six limbs.
Requests decodePower(unsigned exponent, std::complex<double> expected) {
  const Ring ring = *Ring::create(3, *nttPrimesBelow(3, 50, 6));
  const std::vector<uint16_t> limbs = {0, 1, 2, 3, 4, 5};
  Poly poly(6, 8);
  for (uint16_t limb : limbs)
    poly.limb(limb)[0] = ring.modulus(limb).negate(ring.modulus(limb).pow(2, exponent));
  Requests requests;
  LimbSource source = [&](size_t first, size_t count) {
    requests.emplace_back(first, count);
    return ConstPolyView(poly.view()).slice(first, count);
  };
  std::vector<std::complex<double>> decoded(4);
  EXPECT_TRUE(decodeSlots(ring, limbs, source, {0x1p40}, decoded).isOk());
  for (const std::complex<double> &slot : decoded)
    EXPECT_EQ(slot, expected);
  return requests;
}

/// Two limbs hold 2^72, and one more agrees.
TEST(Decoding, AsksForAsManyLimbsAsTheMessageTakes) {
  EXPECT_EQ(decodePower(60, -0x1p20), (Requests{{0, 3}}));
  EXPECT_EQ(decodePower(98, -0x1p58), (Requests{{0, 3}}));
  EXPECT_EQ(decodePower(100, -0x1p60), (Requests{{0, 3}, {3, 1}}));
  EXPECT_EQ(decodePower(240, -0x1p200), (Requests{{0, 3}, {3, 1}, {4, 1}, {5, 1}}));
  EXPECT_EQ(decodePower(298, -0x1p258), (Requests{{0, 3}, {3, 1}, {4, 1}, {5, 1}}));
}

} // namespace
