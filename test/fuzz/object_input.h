//===- object_input.h - fuzzer input as a file that passes its checksum ----------------------===//
#ifndef SLUICE_TEST_FUZZ_OBJECT_INPUT_H
#define SLUICE_TEST_FUZZ_OBJECT_INPUT_H

#include "runtime/abi/manifest.h"
#include "runtime/wire/section.h"

#include <cstdlib>
#include <span>
#include <vector>

namespace sluice::fuzz {

/// Ends the process: something that a reader promises does not hold.
inline void require(bool condition) {
  if (!condition)
    std::abort();
}

/// The manifest of test/compat/v1, whose files are the seeds.
const Manifest &sampleManifest();

/// A file of the kind, made from the input so that mutations reach what lies behind the frame:
///  - an input that begins with the magic bytes is a file, whose checksum is made right;
///  - any other holds the contents of the sections: the header up to the first zero byte,
///    `middleBytes` bytes for the section between header and last one, if the kind has one and the
///    byte after the zero is odd, then the rest.
/// test/fuzz/make_seeds.py writes seeds of both forms.
std::vector<uint8_t> makeFile(wire::FileKind kind, std::span<const std::string_view> tags,
                              size_t middleBytes, std::span<const uint8_t> input);

/// Whether every word of a row is below its limb.
void requireCanonical(const Manifest &manifest, std::span<const uint16_t> limbs,
                      std::span<const uint64_t> rows);

} // namespace sluice::fuzz

#endif // SLUICE_TEST_FUZZ_OBJECT_INPUT_H
