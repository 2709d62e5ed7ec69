//===- manifest.h - a program's manifest as bytes --------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_MANIFEST_H
#define SLUICE_RUNTIME_WIRE_MANIFEST_H

#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sluice::wire {

class Source;

/// Reads and checks a manifest. `name` stands for the file in messages. Guaranteed afterwards:
///  - sizes within sluice::limits; every index within its table; no index twice in a list;
///  - limbs: distinct primes of 20 to 50 bits, 1 modulo 2N; P's limbs in no level and first in
///  every
///    key; levels in the order of their moduli; digits a partition of their key's other limbs;
///  - a row of the security table for each secret, named and with its limit, and the modulus of
///    every key, public key and ciphertext within it; or `security.insecure`, which callers must
///    ask about;
///  - tensors that fit their lanes, lanes that fit the slots, finite ranges, values that fit the
///    level's modulus; scales whose `exact` is the value of high + low;
///  - a certificate, if there is one, whose numbers fit each other (wire/certificate.h).
/// corruptFile: anything else. unsupportedVersion: a newer version. insecure: the security check.
/// Fields that this version does not know are ignored.
Expected<Manifest> readManifest(std::span<const uint8_t> bytes, const std::string &name);

/// The checks above on a structure that was not read from bytes; `name` stands first in messages.
Status checkManifest(const Manifest &manifest, const std::string &name);

/// The JSON of docs/formats.md: on one line, or a line a value, each level indented by `indent`
/// spaces.
std::string writeManifest(const Manifest &manifest, int indent = -1);

/// The bytes of the manifest in `source`: a .sluice file's section, or the whole of a JSON file,
/// told apart by the first byte.
Expected<std::vector<uint8_t>> readManifestBytes(std::unique_ptr<Source> source);

/// log2 of the product of the primes of `indices`, all inside the table.
double productLog2(const Manifest &manifest, std::span<const uint16_t> indices);

/// log2 of the largest modulus under the main secret: of all evaluation keys but the ephemeral
/// secret's, of the public key (P and the top level), of every level.
double largestModulusLog2(const Manifest &manifest);

/// Whether a modulus of `logModulus` bits is secure under a secret of this distribution (insecure:
/// no; the message names `what`, the number, the limit and the row).
Status checkModulus(const Manifest &manifest, SecretDistribution secret, double logModulus,
                    const std::string &what);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_MANIFEST_H
