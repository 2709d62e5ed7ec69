//===- hash.cpp - BLAKE2b-256 ----------------------------------------------------------------===//
#include "runtime/wire/hash.h"

#include <cassert>
#include <sodium.h>

namespace sluice::wire {

struct Hasher::State {
  crypto_generichash_state blake;
  // The state holds the last bytes hashed, and these may be of a secret key.
  ~State() { sodium_memzero(&blake, sizeof blake); }
};

Hasher::Hasher() : state(std::make_unique<State>()) {
  crypto_generichash_init(&state->blake, nullptr, 0, sizeof(Hash));
}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher &&) noexcept = default;
Hasher &Hasher::operator=(Hasher &&) noexcept = default;

void Hasher::update(std::span<const uint8_t> bytes) {
  assert(state && "hasher is used up");
  crypto_generichash_update(&state->blake, bytes.data(), bytes.size());
}

Hash Hasher::finish() {
  assert(state && "hasher is used up");
  Hash hash;
  crypto_generichash_final(&state->blake, hash.data(), hash.size());
  state.reset();
  return hash;
}

Hash hash256(std::span<const uint8_t> bytes) {
  Hasher hasher;
  hasher.update(bytes);
  return hasher.finish();
}

std::string toHex(std::span<const uint8_t> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (uint8_t byte : bytes) {
    text.push_back(digits[byte >> 4]);
    text.push_back(digits[byte & 15]);
  }
  return text;
}

static int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

std::optional<std::vector<uint8_t>> fromHex(std::string_view text, size_t bytes) {
  if (text.size() != 2 * bytes)
    return std::nullopt;
  std::vector<uint8_t> out(bytes);
  for (size_t index = 0; index < bytes; ++index) {
    int high = hexDigit(text[2 * index]), low = hexDigit(text[2 * index + 1]);
    if (high < 0 || low < 0)
      return std::nullopt;
    out[index] = static_cast<uint8_t>(high << 4 | low);
  }
  return out;
}

} // namespace sluice::wire
