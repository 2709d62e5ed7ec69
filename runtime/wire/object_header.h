//===- object_header.h - what the headers of ciphertexts and keys share ----------------------===//
//
// Private to wire: each of these files begins with a JSON header that binds it to a program and to
// a secret key, followed by residues.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_OBJECT_HEADER_H
#define SLUICE_RUNTIME_WIRE_OBJECT_HEADER_H

#include "runtime/wire/json_value.h"
#include "runtime/wire/manifest.h"
#include "runtime/wire/section.h"

namespace sluice::wire {

/// Bytes of a key's name.
inline constexpr size_t keyIdBytes = 16;

/// Reads and parses the section `header` of a file, at most `maxBytes` of it.
Expected<nlohmann::json> readHeader(const SectionReader &reader, size_t maxBytes);

/// Checks that the header's program is the manifest's and its log_n the ring's, and returns its key
/// id (mismatch: another program; the message names both).
Expected<std::string> readBinding(const JsonValue &header, const Manifest &manifest);

/// The fields of readBinding.
nlohmann::ordered_json bindingJson(const Manifest &manifest, const std::string &keyId);

/// The JSON of one evaluation key, as manifests and files of evaluation keys list it.
nlohmann::ordered_json keyJson(const ManifestKey &key);
/// The inverse: a key of the right shape with limbs inside the manifest's table.
Expected<ManifestKey> readKey(const JsonValue &json, const Manifest &manifest);

/// Checks that the header's `limbs` are the primes of the manifest's table.
Status expectLimbTable(const JsonValue &header, const Manifest &manifest);

/// Checks that field `key` of the header is exactly the list `expected`.
Status expectLimbs(const JsonValue &header, const char *key, const Manifest &manifest,
                   std::span<const uint16_t> expected);

/// Checks a section's size before anything is allocated for it.
Status expectSize(const SectionReader &reader, const Section &section, uint64_t size);

/// Fills `out` (limbs.size() rows of N words) from `offset` of a section, and checks that each row
/// is in [0, q), q the prime of its limb.
Status readResidues(const SectionReader &reader, const Section &section, uint64_t offset,
                    const Manifest &manifest, std::span<const uint16_t> limbs,
                    std::span<uint64_t> out);

/// Bytes of a text, for sinks and readers.
inline std::span<const uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_OBJECT_HEADER_H
