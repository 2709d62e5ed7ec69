//===- public_key.h - public keys as bytes ---------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_PUBLIC_KEY_H
#define SLUICE_RUNTIME_WIRE_PUBLIC_KEY_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/ring/poly.h"
#include "runtime/wire/stream.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace sluice::wire {

/// An encryption of zero over P and the limbs of the top level: (b, a), b = -a * s + e.
struct PublicKey {
  std::string keyId;            // 32 hexadecimal digits: the secret key it belongs to
  std::array<uint8_t, 32> seed; // a is its uniform expansion, digit 0
  ring::Poly b;                 // evaluation form, limbs publicKeyLimbs
};

/// The limbs of a public key, in the order of its rows: P, then the top level.
std::vector<uint16_t> publicKeyLimbs(const Manifest &manifest);

/// mismatch: another program. corruptFile: anything else that is wrong.
Expected<PublicKey> readPublicKey(std::unique_ptr<Source> source, const Manifest &manifest);

Status writePublicKey(const PublicKey &key, const Manifest &manifest, std::unique_ptr<Sink> sink);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_PUBLIC_KEY_H
