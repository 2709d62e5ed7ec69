//===- ciphertext.h - ciphertexts as bytes ---------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_CIPHERTEXT_H
#define SLUICE_RUNTIME_WIRE_CIPHERTEXT_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/ring/poly.h"
#include "runtime/wire/stream.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::wire {

/// Whether a ciphertext goes into a program or comes out of it.
enum class Direction : uint8_t { input, output };

/// An input or output of a program, encrypted. Polynomials are in evaluation form over the limbs of
/// the level, in the manifest's order; the plaintext is sum_p polynomials[p] * s^p.
struct Ciphertext {
  std::string keyId; // 32 hexadecimal digits: the secret key it belongs to
  Direction direction = Direction::input;
  uint32_t index = 0; // of the manifest's inputs or outputs
  uint64_t items = 1; // batch items present, from the first
  std::vector<ring::Poly> polynomials;
  /// Only if polynomials[1] is the uniform expansion of this seed, digit 0: then the seed travels
  /// instead of it.
  std::optional<std::array<uint8_t, 32>> seed;

  /// The manifest's entry for it.
  const ManifestTensor &tensor(const Manifest &manifest) const {
    return direction == Direction::input ? manifest.inputs[index] : manifest.outputs[index];
  }
};

/// Reads a ciphertext of the manifest's program. Guaranteed: index, level, limbs and number of
/// items are the manifest's, 2 polynomials (an output may have 3), residues canonical.
/// mismatch: another program, or another level than the manifest's. corruptFile: the rest.
Expected<Ciphertext> readCiphertext(std::unique_ptr<Source> source, const Manifest &manifest);

/// Writes a ciphertext for which the above holds.
Status writeCiphertext(const Ciphertext &ciphertext, const Manifest &manifest,
                       std::unique_ptr<Sink> sink);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_CIPHERTEXT_H
