//===- embedding_test.cpp - encoding against the math sheet -----------------------------------===//
#include "runtime/ring/embedding.h"

#include "runtime/ring/galois.h"
#include "runtime/ring/primes.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::ring;

namespace {

using Complex = std::complex<double>;
using Slots = std::vector<Complex>;

const Ring &smallRing() {
  static const Ring ring = *Ring::create(3, *nttPrimesBelow(3, 50, 2));
  return ring;
}

/// The coefficients of a polynomial modulo limb `limb` of a table, centred.
std::vector<int64_t> centred(const Ring &ring, const Poly &poly, size_t row, size_t limb) {
  std::vector<int64_t> result;
  const uint64_t q = ring.modulus(limb).value();
  for (size_t n = 0; n < ring.degree(); ++n) {
    uint64_t residue = poly.limb(row)[n];
    result.push_back(residue > q / 2 ? static_cast<int64_t>(residue - q)
                                     : static_cast<int64_t>(residue));
  }
  return result;
}

std::vector<int64_t> encodeSmall(const Slots &values, Scale2 scale) {
  const std::vector<uint16_t> limbs = {1, 0};
  Poly poly(2, 8);
  EXPECT_TRUE(encodeSlots(smallRing(), limbs, values, scale, poly.view()).isOk());
  EXPECT_EQ(centred(smallRing(), poly, 0, 1), centred(smallRing(), poly, 1, 0));
  return centred(smallRing(), poly, 0, 1);
}

using Integers = std::vector<int64_t>;

/// docs/mathematics.md section 1: N = 8, n = 4, scale 2^20.
TEST(Embedding, EncodesTheUnitNumbers) {
  const Scale2 scale{0x1p20};
  EXPECT_EQ(encodeSmall({1, 2, 3, 4}, scale),
            (Integers{2621440, -283743, -370728, -685015, 0, 685015, 370728, 283743}));
  EXPECT_EQ(encodeSmall({2, 3, 4, 1}, scale),
            (Integers{2621440, -685015, 370728, 283743, 0, -283743, -370728, 685015}));
  EXPECT_EQ(encodeSmall({{1, 1}, {2, -1}, {0, 0.5}, -1}, scale),
            (Integers{524288, -250795, 463410, 1048299, 131072, -605474, 463410, -133265}));
}

TEST(Embedding, EncodesSparseSlotsInPowersOfY) {
  // One slot: a + bi at coefficients 0 and N/2.
  EXPECT_EQ(encodeSmall({{0.5, -0.25}}, {0x1p10}), (Integers{512, 0, 0, 0, -256, 0, 0, 0}));
  // Two slots repeated are the four slots written out.
  EXPECT_EQ(encodeSmall({{1, 2}, {-3, 0.5}}, {0x1p30}),
            encodeSmall({{1, 2}, {-3, 0.5}, {1, 2}, {-3, 0.5}}, {0x1p30}));
}

TEST(Embedding, RoundsTiesUp) {
  EXPECT_EQ(encodeSmall({{0.5, -0.5}}, {1.0})[0], 1);
  EXPECT_EQ(encodeSmall({{0.5, -0.5}}, {1.0})[4], 0);
  EXPECT_EQ(encodeSmall({{1.5, -1.5}}, {1.0})[0], 2);
  EXPECT_EQ(encodeSmall({{1.5, -1.5}}, {1.0})[4], -1);
  const double below = std::nextafter(0.5, 0);
  EXPECT_EQ(encodeSmall({{below, -below}}, {1.0})[0], 0);
}

TEST(Embedding, UsesBothPartsOfTheScale) {
  // 2^60 + 96 is not a double; the low part alone moves the result.
  EXPECT_EQ(encodeSlots(smallRing(), {}, Slots{1}, {0x1p60, 96}, {nullptr, 0, 8}).isOk(), true);
  const std::vector<uint16_t> limbs = {0};
  Poly poly(1, 8);
  ASSERT_TRUE(encodeSlots(smallRing(), limbs, Slots{{1, -1}}, {0x1p60, 96}, poly.view()).isOk());
  const Modulus &q = smallRing().modulus(0);
  EXPECT_EQ(poly.limb(0)[0], ((uint64_t{1} << 60) + 96) % q.value());
  EXPECT_EQ(poly.limb(0)[4], q.value() - ((uint64_t{1} << 60) + 96) % q.value());
}

/// (1 + 2^-30) * 2^61 (1 + 2^-30) = 2^61 + 2^32 + 2, of which a double keeps 2^61 + 2^32.
TEST(Embedding, KeepsTheWholeProductWithTheScale) {
  const std::vector<uint16_t> limbs = {0};
  Poly poly(1, 8);
  const Scale2 scale{0x1p61 + 0x1p31};
  ASSERT_TRUE(encodeSlots(smallRing(), limbs, Slots{1 + 0x1p-30}, scale, poly.view()).isOk());
  EXPECT_EQ(poly.limb(0)[0],
            ((uint64_t{1} << 61) + (uint64_t{1} << 32) + 2) % smallRing().modulus(0).value());
}

/// Constants that are added to unrescaled products have the scale of the product: 3 * 2^76 and
/// -(1 + 2^-50) * 2^100 are exact, whatever the limb.
TEST(Embedding, KeepsCoefficientsBeyondAWord) {
  const std::vector<uint16_t> limbs = {0};
  Poly poly(1, 8);
  const unsigned __int128 q = smallRing().modulus(0).value();
  ASSERT_TRUE(encodeSlots(smallRing(), limbs, Slots{3}, {0x1p76}, poly.view()).isOk());
  EXPECT_EQ(poly.limb(0)[0], static_cast<uint64_t>(((unsigned __int128){3} << 76) % q));
  ASSERT_TRUE(encodeSlots(smallRing(), limbs, Slots{-1 - 0x1p-50}, {0x1p100}, poly.view()).isOk());
  const unsigned __int128 magnitude = ((unsigned __int128){1} << 100) + (uint64_t{1} << 50);
  EXPECT_EQ(poly.limb(0)[0], static_cast<uint64_t>(q - magnitude % q));
}

TEST(Embedding, RefusesWhatDoesNotFit) {
  const std::vector<uint16_t> limbs = {0};
  Poly poly(1, 8);
  auto refusal = [&](const Slots &values, Scale2 scale) {
    return encodeSlots(smallRing(), limbs, values, scale, poly.view());
  };
  EXPECT_EQ(refusal({4}, {0x1p118}).code(), StatusCode::outOfRange);
  EXPECT_EQ(refusal({-4}, {0x1p118}).message(),
            "an encoded coefficient reaches 2^120: values are too large for the scale 2^118.0");
  EXPECT_TRUE(refusal({3.9}, {0x1p118}).isOk());
  EXPECT_EQ(refusal({1, 2, 3}, {1}).code(), StatusCode::invalidArgument);
  EXPECT_EQ(refusal(Slots(8, 1), {1}).message(),
            "8 slots: the number of slots is a power of two up to N/2 = 4");
  EXPECT_EQ(refusal({1, NAN}, {1}).message(), "the value of slot 1 is not finite");
  EXPECT_EQ(refusal({INFINITY, 1}, {1}).code(), StatusCode::invalidArgument);
}

Slots randomSlots(size_t n, uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-8, 8);
  Slots slots(n);
  for (Complex &slot : slots)
    slot = {uniform(generator), uniform(generator)};
  return slots;
}

double rmsError(const Slots &a, const Slots &b) {
  double error = 0, size = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    error += std::norm(a[k] - b[k]);
    size += std::norm(b[k]);
  }
  return std::sqrt(error / size);
}

TEST(Embedding, DecodesWhatWasEncoded) {
  const unsigned logN = 12;
  const Ring ring = *Ring::create(logN, *nttPrimesBelow(logN, 50, 3));
  const std::vector<uint16_t> limbs = {2, 0, 1};
  for (size_t n : {size_t{1}, size_t{2}, size_t{256}, size_t{2048}}) {
    Slots values = randomSlots(n, n), decoded(n);
    Poly poly(3, ring.degree());
    const Scale2 scale{0x1.23456789abcdep55, 0x1p-2};
    ASSERT_TRUE(encodeSlots(ring, limbs, values, scale, poly.view()).isOk());
    ASSERT_TRUE(decodeSlots(ring, limbs, poly.view(), scale, decoded).isOk());
    EXPECT_LT(rmsError(decoded, values), 0x1p-50) << n;
    // Seen with N/2 slots: repeated copies.
    Slots all(ring.degree() / 2);
    ASSERT_TRUE(decodeSlots(ring, limbs, poly.view(), scale, all).isOk());
    for (size_t k = 0; k < all.size(); ++k)
      ASSERT_NEAR(std::abs(all[k] - values[k % n]), 0, 1e-12) << n;
  }
}

TEST(Embedding, DecodesLargeCentredIntegers) {
  // Coefficient 0 of -(2^100 + 2^70) in two limbs: value -2^40 - 2^10 at scale 2^60 in every slot.
  const std::vector<uint16_t> limbs = {0, 1};
  const Ring ring = *Ring::create(3, *nttPrimesBelow(3, 50, 3));
  const std::vector<uint16_t> three = {0, 1, 2};
  Poly poly(3, 8);
  for (uint16_t limb : three) {
    const Modulus &q = ring.modulus(limb);
    poly.limb(limb)[0] = q.negate(q.add(q.pow(2, 100), q.pow(2, 70)));
  }
  Slots decoded(4);
  ASSERT_TRUE(decodeSlots(ring, three, poly.view(), {0x1p60}, decoded).isOk());
  for (const Complex &slot : decoded)
    EXPECT_EQ(slot, Complex(-0x1p40 - 0x1p10, 0));
}

/// X -> X^5 rotates to the left, X -> X^(2N-1) conjugates (docs/mathematics.md section 1), through
/// the evaluation form.
TEST(Embedding, AutomorphismsMoveSlots) {
  const unsigned logN = 6;
  const Ring ring = *Ring::create(logN, *nttPrimesBelow(logN, 50, 1));
  const std::vector<uint16_t> limbs = {0};
  Slots values = randomSlots(32, 3), decoded(32);
  Poly poly(1, 64), moved(1, 64);
  ThreadPool pool(1);
  ASSERT_TRUE(encodeSlots(ring, limbs, values, {0x1p40}, poly.view()).isOk());
  toEvalInPlace(ring, limbs, poly.view(), pool);
  auto apply = [&](uint32_t element) {
    ring.kernels().automorphism(64, moved.limb(0), poly.limb(0),
                                evalPermutation(logN, element).data());
    toCoeffInPlace(ring, limbs, moved.view(), pool);
    ASSERT_TRUE(decodeSlots(ring, limbs, moved.view(), {0x1p40}, decoded).isOk());
  };
  apply(rotationElement(logN, 5));
  for (size_t k = 0; k < 32; ++k)
    EXPECT_NEAR(std::abs(decoded[k] - values[(k + 5) % 32]), 0, 1e-10);
  apply(conjugationElement(logN));
  for (size_t k = 0; k < 32; ++k)
    EXPECT_NEAR(std::abs(decoded[k] - std::conj(values[k])), 0, 1e-10);
}

} // namespace
