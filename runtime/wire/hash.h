//===- hash.h - BLAKE2b-256 ------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_HASH_H
#define SLUICE_RUNTIME_WIRE_HASH_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::wire {

using Hash = std::array<uint8_t, 32>;

/// BLAKE2b-256 of bytes that come in pieces.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(Hasher &&) noexcept;
  Hasher &operator=(Hasher &&) noexcept;

  void update(std::span<const uint8_t> bytes);
  /// The hash of everything so far; the hasher is used up.
  Hash finish();

private:
  struct State;
  std::unique_ptr<State> state;
};

/// BLAKE2b-256 of `bytes`.
Hash hash256(std::span<const uint8_t> bytes);

/// Two lower-case hexadecimal digits a byte.
std::string toHex(std::span<const uint8_t> bytes);
/// The inverse, for exactly `bytes` bytes and lower-case digits; nothing if `text` is anything
/// else.
std::optional<std::vector<uint8_t>> fromHex(std::string_view text, size_t bytes);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_HASH_H
