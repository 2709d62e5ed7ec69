//===- randomness.cpp - the two roots of all randomness --------------------------------------===//
#include "runtime/client/randomness.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sodium.h>

namespace sluice::client {

/// libsodium must be initialised once before it gives random bytes.
static void requireSodium() {
  static const bool isReady = sodium_init() >= 0;
  if (!isReady) {
    std::fprintf(stderr, "sluice: the operating system gives no random bytes\n");
    std::abort();
  }
}

void SecretRoot::fillStream(uint64_t number, std::span<uint8_t> out) const {
  static_assert(crypto_stream_chacha20_KEYBYTES == 32 && crypto_stream_chacha20_NONCEBYTES == 8);
  uint8_t nonce[8];
  std::memcpy(nonce, &number, sizeof nonce);
  crypto_stream_chacha20(out.data(), out.size(), nonce, bytes.data());
}

Entropy Entropy::fromSystem() {
  requireSodium();
  return Entropy();
}

Entropy Entropy::insecureFromSeed(uint64_t seed) {
  Entropy entropy;
  entropy.insecure = InsecureState{seed, 0};
  return entropy;
}

void Entropy::draw(Purpose purpose, std::span<uint8_t> out) {
  if (!insecure) {
    randombytes_buf(out.data(), out.size());
    return;
  }
  uint8_t key[32] = {};
  std::memcpy(key, &insecure->seed, sizeof insecure->seed);
  key[8] = static_cast<uint8_t>(purpose);
  uint8_t nonce[8];
  std::memcpy(nonce, &insecure->drawn, sizeof nonce);
  ++insecure->drawn;
  crypto_stream_chacha20(out.data(), out.size(), nonce, key);
}

SecretRoot Entropy::drawSecretRoot() {
  SecretRoot root;
  draw(Purpose::secretRoot, root.bytes);
  return root;
}

PublicSeed Entropy::drawPublicSeed() {
  PublicSeed seed;
  draw(Purpose::publicSeed, seed);
  return seed;
}

std::array<uint8_t, 16> Entropy::drawKeyId() {
  std::array<uint8_t, 16> id;
  draw(Purpose::keyId, id);
  return id;
}

} // namespace sluice::client
