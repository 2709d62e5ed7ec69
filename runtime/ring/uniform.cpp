//===- uniform.cpp - the public uniform polynomial of a seed ----------------------------------===//
#include "runtime/ring/uniform.h"

#include <algorithm>
#include <bit>
#include <sodium.h>

namespace sluice::ring {

static void storeLittleEndian32(uint8_t *bytes, uint32_t value) {
  for (unsigned byte = 0; byte < 4; ++byte)
    bytes[byte] = static_cast<uint8_t>(value >> (8 * byte));
}

static uint64_t loadLittleEndian64(const uint8_t *bytes) {
  uint64_t value = 0;
  for (unsigned byte = 0; byte < 8; ++byte)
    value |= static_cast<uint64_t>(bytes[byte]) << (8 * byte);
  return value;
}

void expandUniformLimb(SeedView seed, uint32_t digit, uint32_t limb, const Modulus &q,
                       std::span<uint64_t> out) {
  static_assert(seedBytes == crypto_stream_chacha20_KEYBYTES &&
                crypto_stream_chacha20_NONCEBYTES == 8);
  constexpr size_t blockBytes = 64, chunkBytes = 64 * blockBytes;
  uint8_t nonce[8];
  storeLittleEndian32(nonce, digit);
  storeLittleEndian32(nonce + 4, limb);

  const uint64_t mask = (uint64_t{1} << q.bits()) - 1;
  uint8_t stream[chunkBytes];
  uint64_t block = 0;
  for (size_t filled = 0; filled < out.size();) {
    std::fill(std::begin(stream), std::end(stream), uint8_t{0});
    crypto_stream_chacha20_xor_ic(stream, stream, chunkBytes, nonce, block, seed.data());
    block += chunkBytes / blockBytes;
    for (size_t offset = 0; offset < chunkBytes && filled < out.size(); offset += 8) {
      uint64_t candidate = loadLittleEndian64(stream + offset) & mask;
      if (candidate < q.value())
        out[filled++] = candidate;
    }
  }
}

void expandUniform(const Ring &ring, std::span<const uint16_t> limbs, SeedView seed, uint32_t digit,
                   PolyView out, ThreadPool &pool) {
  assert(limbs.size() == out.limbCount);
  parallelFor(pool, limbs.size(), [&](size_t i) {
    expandUniformLimb(seed, digit, limbs[i], ring.modulus(limbs[i]), out.limbSpan(i));
  });
}

} // namespace sluice::ring
