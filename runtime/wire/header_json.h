//===- header_json.h - the JSON headers of ciphertexts and keys ------------------------------===//
//
// Private to wire.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_HEADER_JSON_H
#define SLUICE_RUNTIME_WIRE_HEADER_JSON_H

#include "runtime/wire/json_value.h"
#include "runtime/wire/object_header.h"

namespace sluice::wire {

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

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_HEADER_JSON_H
