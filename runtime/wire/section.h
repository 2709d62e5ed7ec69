//===- section.h - the frame of every binary file --------------------------------------------===//
//
// Magic, version, kind, table of sections, sections, checksum: docs/formats.md, "The container".
// Written as a stream; read at random after the frame and the checksum were found right.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_SECTION_H
#define SLUICE_RUNTIME_WIRE_SECTION_H

#include "runtime/base/status.h"
#include "runtime/wire/hash.h"
#include "runtime/wire/stream.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::wire {

/// Version of the container that this source reads and writes.
inline constexpr uint32_t containerVersion = 1;
/// Most sections that a file may have.
inline constexpr uint32_t maxSections = 64;

enum class FileKind : uint32_t {
  program = 1,
  ciphertext = 2,
  evaluationKeys = 3,
  publicKey = 4,
  secretKey = 5,
  shareCount = 6,
};

/// Sections of each kind, in the order in which they are written (docs/formats.md).
inline constexpr std::string_view programSections[] = {"manifest", "program",  "constant",
                                                       "code",     "launches", "device"};
/// How many of them every program has; the rest only one that was compiled for a device too.
inline constexpr size_t requiredProgramSections = 4;
inline constexpr std::string_view ciphertextSections[] = {"header", "seed", "data"};
inline constexpr std::string_view evaluationKeySections[] = {"header", "seeds", "keys"};
inline constexpr std::string_view publicKeySections[] = {"header", "seed", "data"};
inline constexpr std::string_view secretKeySections[] = {"header", "secret"};
inline constexpr std::string_view shareCountSections[] = {"header"};

/// "a program", "a ciphertext", …: for messages.
std::string_view fileKindName(FileKind kind);

/// The kind that a file says it is, by its first bytes alone (corruptFile: it is no Sluice file).
Expected<FileKind> readKind(Source &source);

/// A section's place in a file.
struct Section {
  std::string tag;
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// A section to be written: its tag (at most 8 ASCII characters) and its size in bytes.
struct SectionSize {
  std::string_view tag;
  uint64_t size;
};

/// Reads the sections of one file. Every failure names the file and, where it has one, the offset.
class SectionReader {
public:
  /// Checks the frame, that the kind is `kind`, that every tag is one of `tags`, and the checksum
  /// (one pass over the file, in constant memory).
  static Expected<SectionReader> open(std::unique_ptr<Source> source, FileKind kind,
                                      std::span<const std::string_view> tags);

  bool hasSection(std::string_view tag) const { return find(tag) != nullptr; }
  /// The section's place (corruptFile: the file has none of this tag).
  Expected<Section> section(std::string_view tag) const;
  /// All of a section of at most `maxSize` bytes.
  Expected<std::vector<uint8_t>> readSection(std::string_view tag, uint64_t maxSize) const;
  /// Bytes of a section from `offset` inside it; the range was checked against the section's size.
  Status read(const Section &section, uint64_t offset, std::span<uint8_t> out) const;
  /// The same for little-endian words.
  Status readWords(const Section &section, uint64_t offset, std::span<uint64_t> out) const;

  const std::string &name() const { return source->name(); }

private:
  SectionReader(std::unique_ptr<Source> source, std::vector<Section> sections)
      : source(std::move(source)), sections(std::move(sections)) {}
  const Section *find(std::string_view tag) const;

  std::unique_ptr<Source> source;
  std::vector<Section> sections;
};

/// Writes one file: the sections' sizes first, then their bytes in order, then finish().
class SectionWriter {
public:
  static Expected<SectionWriter> begin(std::unique_ptr<Sink> sink, FileKind kind,
                                       std::span<const SectionSize> sections);

  /// The next bytes; they may not cross the end of the current section, whose successor begins by
  /// itself when it is full.
  Status append(std::span<const uint8_t> bytes);
  Status appendWords(std::span<const uint64_t> words);
  /// Writes the checksum and commits. Every section must be full.
  Status finish();

private:
  explicit SectionWriter(std::unique_ptr<Sink> sink) : sink(std::move(sink)) {}
  Status emit(std::span<const uint8_t> bytes);
  Status padTo(uint64_t offset);
  Status enterNextSection();

  std::unique_ptr<Sink> sink;
  Hasher hasher;
  std::vector<Section> sections;
  size_t current = 0;
  uint64_t position = 0;
};

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_SECTION_H
