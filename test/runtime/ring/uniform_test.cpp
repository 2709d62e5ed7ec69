//===- uniform_test.cpp - the expansion of docs/formats.md ------------------------------------===//
#include "runtime/ring/uniform.h"

#include "runtime/ring/primes.h"

#include <gtest/gtest.h>
#include <sodium.h>

using namespace sluice;
using namespace sluice::ring;

namespace {

/// The format's words, from one long stream.
std::vector<uint64_t> expandPlainly(const uint8_t (&seed)[32], uint32_t digit, uint32_t limb,
                                    uint64_t q, unsigned bits, size_t n) {
  std::vector<uint8_t> stream(n * 8 * 4);
  const uint8_t nonce[8] = {uint8_t(digit),       uint8_t(digit >> 8), uint8_t(digit >> 16),
                            uint8_t(digit >> 24), uint8_t(limb),       uint8_t(limb >> 8),
                            uint8_t(limb >> 16),  uint8_t(limb >> 24)};
  crypto_stream_chacha20(stream.data(), stream.size(), nonce, seed);
  std::vector<uint64_t> words;
  for (size_t offset = 0; offset < stream.size() && words.size() < n; offset += 8) {
    uint64_t word = 0;
    for (size_t byte = 8; byte-- > 0;)
      word = word << 8 | stream[offset + byte];
    word %= uint64_t{1} << bits;
    if (word < q)
      words.push_back(word);
  }
  return words;
}

TEST(Uniform, MatchesThePublishedKeyStream) {
  // ChaCha20 with zero key and nonce starts 76b8e0ada0f13d90 405d6ae55386bd28
  // (draft-agl-tls-chacha20poly1305-04, section 7).
  const uint8_t seed[32] = {};
  const uint64_t q = nttPrimesBelow(12, 50, 1)->front();
  uint64_t words[2];
  expandUniformLimb(seed, 0, 0, *Modulus::create(q), words);
  const uint64_t mask = (uint64_t{1} << 50) - 1;
  EXPECT_EQ(words[0], uint64_t{0x903df1a0ade0b876} & mask);
  EXPECT_EQ(words[1], uint64_t{0x28bd8653e56a5d40} & mask);
}

TEST(Uniform, FollowsTheFormatThroughRejections) {
  uint8_t seed[32];
  for (size_t i = 0; i < 32; ++i)
    seed[i] = static_cast<uint8_t>(7 * i + 1);
  // Just above 2^44 every second word is rejected, just below 2^45 almost none.
  std::vector<uint64_t> primes = *nttPrimesNear(12, 44, 8);
  for (uint64_t prime : *nttPrimesBelow(12, 45, 1))
    primes.push_back(prime);
  for (uint64_t q : primes) {
    Modulus modulus = *Modulus::create(q);
    std::vector<uint64_t> words(4096);
    expandUniformLimb(seed, 3, 70000, modulus, words);
    EXPECT_EQ(words, expandPlainly(seed, 3, 70000, q, modulus.bits(), 4096)) << q;
  }
}

TEST(Uniform, IsTheSameAtAnyThreadCount) {
  const Ring ring = *Ring::create(8, *nttPrimesBelow(8, 50, 5));
  const std::vector<uint16_t> limbs = {4, 0, 2};
  uint8_t seed[32] = {9};
  Poly first(3, 256), second(3, 256);
  ThreadPool one(1), three(3);
  expandUniform(ring, limbs, seed, 1, first.view(), one);
  expandUniform(ring, limbs, seed, 1, second.view(), three);
  for (size_t i = 0; i < 3; ++i) {
    std::vector<uint64_t> limb(256);
    expandUniformLimb(seed, 1, limbs[i], ring.modulus(limbs[i]), limb); // named by table index
    EXPECT_TRUE(std::equal(limb.begin(), limb.end(), first.limb(i)));
    EXPECT_TRUE(std::equal(limb.begin(), limb.end(), second.limb(i)));
  }
}

TEST(Uniform, SeedDigitAndLimbAllCount) {
  Modulus modulus = *Modulus::create(nttPrimesBelow(8, 50, 1)->front());
  uint8_t seed[32] = {}, otherSeed[32] = {};
  otherSeed[31] = 1;
  std::vector<uint64_t> base(16), digit(16), limb(16), other(16);
  expandUniformLimb(seed, 0, 0, modulus, base);
  expandUniformLimb(seed, 1, 0, modulus, digit);
  expandUniformLimb(seed, 0, 1, modulus, limb);
  expandUniformLimb(otherSeed, 0, 0, modulus, other);
  EXPECT_NE(base, digit);
  EXPECT_NE(base, limb);
  EXPECT_NE(base, other);
  EXPECT_NE(digit, limb);
}

} // namespace
