//===- randomness.h - the two roots of all randomness ----------------------------------------===//
//
// Secrets, errors and the randomness of encryption come from a SecretRoot: 32 bytes of operating
// system entropy, never stored, wiped. The uniform half of a key or ciphertext comes from a public
// seed, drawn independently, which is the only randomness that ever leaves the client. Both are
// expanded by counter, so that results do not depend on the number of threads.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_RANDOMNESS_H
#define SLUICE_RUNTIME_CLIENT_RANDOMNESS_H

#include "runtime/base/wipe.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sluice::client {

using PublicSeed = std::array<uint8_t, 32>;

/// A 32-byte secret and the independent streams of bytes that it gives. One root serves one
/// operation (a secret key, the errors of a set of keys, one encryption).
class SecretRoot {
public:
  /// `out` = the beginning of stream `number`: the ChaCha20 key stream under the root with that
  /// number as nonce. The same number always gives the same bytes: use each for one purpose.
  void fillStream(uint64_t number, std::span<uint8_t> out) const;

private:
  friend class Entropy;
  SecretRoot() : bytes(32) {}
  WipedVector<uint8_t> bytes;
};

/// Where roots and seeds come from.
class Entropy {
public:
  /// The operating system.
  static Entropy fromSystem();
  /// Everything follows from `seed`: for tests only.
  static Entropy insecureFromSeed(uint64_t seed);

  SecretRoot drawSecretRoot();
  PublicSeed drawPublicSeed();
  /// Public bytes for a name.
  std::array<uint8_t, 16> drawKeyId();

private:
  enum class Purpose : uint8_t { secretRoot, publicSeed, keyId };
  void draw(Purpose purpose, std::span<uint8_t> out);

  struct InsecureState {
    uint64_t seed = 0;
    uint64_t drawn = 0;
  };
  std::optional<InsecureState> insecure;
};

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_RANDOMNESS_H
