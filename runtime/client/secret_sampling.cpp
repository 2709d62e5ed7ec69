//===- secret_sampling.cpp - small random polynomials ----------------------------------------===//
#include "runtime/client/secret_sampling.h"

namespace sluice::client {

const uint64_t errorThresholds[maxError] = {
    0x0ff52b4064a1f258, 0x2e5a25d4026fff6e, 0x489ae2682e3db9bb, 0x5d2bc20de6f95106,
    0x6bc8694a862fcdcf, 0x7532d898e9d195da, 0x7ab396c980f5facb, 0x7d9e4e8f6717ea70,
    0x7f054956150a592b, 0x7fa1ce99f8dbf691, 0x7fdfb3f00a8f3398, 0x7ff5e6f7c97d68d9,
    0x7ffd1f95b372bd36, 0x7fff40f7f7aedc64, 0x7fffd2e62d057ef0, 0x7ffff6503aaa2875,
    0x7ffffe1bab99a744, 0x7fffffaa0140ce53, 0x7ffffff21f8a3a77, 0x7ffffffdf72301f4,
    0x7fffffffba9fd472, 0x7ffffffff79b78ce, 0x7fffffffff13f6f9, 0x7fffffffffe8748a,
    0x7ffffffffffdde24, 0x7fffffffffffd320, 0x7ffffffffffffca7, 0x7fffffffffffffc6,
    0x7ffffffffffffffc,
};

namespace {

WipedVector<uint64_t> streamWords(const SecretRoot &root, uint64_t stream, size_t n) {
  WipedVector<uint64_t> words(n);
  root.fillStream(stream, std::span(reinterpret_cast<uint8_t *>(words.data()), 8 * n));
  return words;
}

} // namespace

SmallPoly sampleUniformTernary(const SecretRoot &root, uint64_t stream, size_t n) {
  WipedVector<uint64_t> words = streamWords(root, stream, n);
  SmallPoly out(n);
  // floor(3 * word / 2^64) is 0, 1 or 2: a product in place of a rejection.
  for (size_t k = 0; k < n; ++k)
    out[k] = static_cast<int8_t>(
        static_cast<int>(static_cast<unsigned __int128>(words[k]) * 3 >> 64) - 1);
  return out;
}

namespace {

/// Puts the smaller of two words first, in the same steps whichever that is.
void orderPair(uint64_t &a, uint64_t &b) {
  const uint64_t isSwapped = 0 - static_cast<uint64_t>(b < a);
  const uint64_t difference = (a ^ b) & isSwapped;
  a ^= difference;
  b ^= difference;
}

/// Batcher's merge exchange (Knuth, The Art of Computer Programming 5.2.2, algorithm M): which
/// words are compared depends on their number alone, a power of two.
void sortWords(std::span<uint64_t> words) {
  const size_t n = words.size();
  for (size_t p = n / 2; p > 0; p /= 2) {
    size_t distance = p, remainder = 0;
    for (size_t q = n / 2;; q /= 2) {
      for (size_t i = 0; i + distance < n; ++i)
        if ((i & p) == remainder)
          orderPair(words[i], words[i + distance]);
      if (q == p)
        break;
      distance = q - p;
      remainder = p;
    }
  }
}

} // namespace

SmallPoly sampleSparseTernary(const SecretRoot &root, uint64_t stream, size_t n, size_t weight) {
  WipedVector<uint64_t> words = streamWords(root, stream, n);
  // Two low bits say what stands in a place: 0, or 1 and a sign. The others decide on the place.
  for (size_t k = 0; k < n; ++k) {
    const uint64_t isUsed = k < weight ? 1 : 0;
    words[k] = (words[k] & ~uint64_t{3}) | (words[k] & 2 * isUsed) | isUsed;
  }
  sortWords(words);
  SmallPoly out(n);
  for (size_t k = 0; k < n; ++k)
    out[k] = static_cast<int8_t>((words[k] & 1) - (words[k] & 2));
  return out;
}

SmallPoly sampleError(const SecretRoot &root, uint64_t stream, size_t n) {
  WipedVector<uint64_t> words = streamWords(root, stream, n);
  SmallPoly out(n);
  for (size_t k = 0; k < n; ++k) {
    // 63 bits choose the magnitude: the number of thresholds at or below them, all compared. The
    // difference of two numbers below 2^63 has its top bit set iff it is negative.
    uint64_t chosen = words[k] >> 1, magnitude = 0;
    for (uint64_t threshold : errorThresholds)
      magnitude += 1 - ((chosen - threshold) >> 63);
    // The last bit chooses the sign: negation is complement plus one.
    uint64_t sign = words[k] & 1;
    out[k] = static_cast<int8_t>((magnitude ^ (0 - sign)) + sign);
  }
  return out;
}

} // namespace sluice::client
