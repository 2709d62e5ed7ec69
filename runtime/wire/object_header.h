//===- object_header.h - what the headers of ciphertexts and keys share ----------------------===//
//
// Each of these files begins with a JSON header that binds it to a program and to
// a secret key, followed by residues.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_OBJECT_HEADER_H
#define SLUICE_RUNTIME_WIRE_OBJECT_HEADER_H

#include "runtime/wire/manifest.h"
#include "runtime/wire/section.h"

namespace sluice::wire {

/// Bytes of a key's name.
inline constexpr size_t keyIdBytes = 16;
/// Most bytes of a header that lists no keys.
inline constexpr size_t objectHeaderBytes = 64 * 1024;

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
