//===- section.cpp - the frame of every binary file ------------------------------------------===//
#include "runtime/wire/section.h"

#include "runtime/base/bytes.h"
#include "runtime/base/wipe.h"

#include <algorithm>
#include <bit>

namespace sluice::wire {
namespace {

constexpr uint8_t magic[8] = {'S', 'L', 'U', 'I', 'C', 'E', 0x1A, '\n'};
constexpr uint64_t headerBytes = 24, entryBytes = 32, checksumBytes = 32;
constexpr uint64_t alignment = 64;
constexpr size_t tagBytes = 8;
constexpr size_t pieceBytes = size_t(1) << 20; // of a file, in memory at a time

static_assert(std::endian::native == std::endian::little, "files are read word for word");

uint64_t alignUp(uint64_t offset) { return (offset + alignment - 1) / alignment * alignment; }
uint64_t tableEnd(uint64_t sections) { return headerBytes + sections * entryBytes; }

unsigned long long number(uint64_t value) { return value; }

Status corrupt(const Source &source, uint64_t offset, const std::string &what) {
  return Status::error(StatusCode::corruptFile, "%s: at byte %llu: %s", source.name().c_str(),
                       number(offset), what.c_str());
}

/// Checks the first 24 bytes and returns the number of sections.
Expected<uint32_t> readHeader(Source &source, FileKind kind) {
  uint8_t header[headerBytes];
  if (source.size() < headerBytes + checksumBytes)
    return Status::error(StatusCode::corruptFile,
                         "%s: truncated: %llu bytes are less than the smallest file has (%llu)",
                         source.name().c_str(), number(source.size()),
                         number(headerBytes + checksumBytes));
  SLUICE_RETURN_IF_ERROR(source.read(0, header));
  if (!std::equal(std::begin(magic), std::end(magic), header))
    return corrupt(source, 0, "this is not a Sluice file (its magic bytes are missing)");
  ByteReader reader(std::span<const uint8_t>(header).subspan(sizeof magic), sizeof magic);
  SLUICE_ASSIGN_OR_RETURN(uint32_t version, reader.readU32());
  SLUICE_ASSIGN_OR_RETURN(uint32_t kindFound, reader.readU32());
  SLUICE_ASSIGN_OR_RETURN(uint32_t count, reader.readU32());
  SLUICE_ASSIGN_OR_RETURN(uint32_t zero, reader.readU32());
  if (version > containerVersion)
    return Status::error(StatusCode::unsupportedVersion,
                         "%s: file format version %u is newer than this program reads (version "
                         "%u): update Sluice",
                         source.name().c_str(), version, containerVersion);
  if (version != containerVersion)
    return corrupt(source, 8, "there is no file format version " + std::to_string(version));
  if (kindFound != static_cast<uint32_t>(kind)) {
    std::string_view found = fileKindName(static_cast<FileKind>(kindFound));
    return Status::error(StatusCode::mismatch, "%s: this is %s, but %s is needed here",
                         source.name().c_str(), std::string(found).c_str(),
                         std::string(fileKindName(kind)).c_str());
  }
  if (count == 0 || count > maxSections)
    return corrupt(source, 16, std::to_string(count) + " sections, but 1 to 64 are allowed");
  if (zero != 0)
    return corrupt(source, 20, "reserved bytes are not zero");
  return count;
}

/// Checks that `bytes`, from `offset` of the file, are zero.
Status expectZero(const Source &source, std::span<const uint8_t> bytes, uint64_t offset) {
  for (size_t index = 0; index < bytes.size(); ++index)
    if (bytes[index] != 0)
      return corrupt(source, offset + index, "padding is not zero");
  return Status();
}

/// One entry of the table: a known tag, not seen before, at the place where it must be.
Status readEntry(const Source &source, ByteReader &reader, std::span<const std::string_view> tags,
                 std::vector<Section> &sections, uint64_t &end) {
  uint64_t entryOffset = reader.offset();
  Section section;
  SLUICE_ASSIGN_OR_RETURN(section.tag, reader.readText(tagBytes));
  SLUICE_ASSIGN_OR_RETURN(section.offset, reader.readU64());
  SLUICE_ASSIGN_OR_RETURN(section.size, reader.readU64());
  SLUICE_ASSIGN_OR_RETURN(uint64_t zero, reader.readU64());
  if (std::find(tags.begin(), tags.end(), section.tag) == tags.end())
    return corrupt(source, entryOffset, "a section of this name does not belong here");
  for (const Section &other : sections)
    if (other.tag == section.tag)
      return corrupt(source, entryOffset, "section '" + section.tag + "' stands twice");
  if (zero != 0)
    return corrupt(source, entryOffset + 24, "reserved bytes are not zero");
  if (section.offset != alignUp(end))
    return corrupt(source, entryOffset + 8,
                   "section '" + section.tag + "' must begin at byte " +
                       std::to_string(alignUp(end)) + ", not " + std::to_string(section.offset));
  if (section.offset > source.size() || section.size > source.size() - section.offset)
    return Status::error(StatusCode::corruptFile,
                         "%s: truncated: section '%s' has %llu bytes from byte %llu, the file "
                         "ends at %llu",
                         source.name().c_str(), section.tag.c_str(), number(section.size),
                         number(section.offset), number(source.size()));
  end = section.offset + section.size;
  sections.push_back(std::move(section));
  return Status();
}

Expected<std::vector<Section>> readTable(Source &source, uint32_t count,
                                         std::span<const std::string_view> tags) {
  if (source.size() < tableEnd(count) + checksumBytes)
    return Status::error(StatusCode::corruptFile,
                         "%s: truncated: %llu bytes cannot hold a table of %u sections",
                         source.name().c_str(), number(source.size()), count);
  std::vector<uint8_t> table(count * entryBytes);
  SLUICE_RETURN_IF_ERROR(source.read(headerBytes, table));
  ByteReader reader(table, headerBytes);
  std::vector<Section> sections;
  uint64_t end = tableEnd(count);
  for (uint32_t index = 0; index < count; ++index) {
    uint64_t previousEnd = end;
    SLUICE_RETURN_IF_ERROR(readEntry(source, reader, tags, sections, end));
    std::vector<uint8_t> gap(sections.back().offset - previousEnd);
    SLUICE_RETURN_IF_ERROR(source.read(previousEnd, gap));
    SLUICE_RETURN_IF_ERROR(expectZero(source, gap, previousEnd));
  }
  if (source.size() != end + checksumBytes)
    return Status::error(StatusCode::corruptFile,
                         "%s: %s: %llu bytes, but its sections and checksum need %llu",
                         source.name().c_str(),
                         source.size() < end + checksumBytes ? "truncated" : "bytes after the end",
                         number(source.size()), number(end + checksumBytes));
  return sections;
}

Status verifyChecksum(Source &source) {
  Hasher hasher;
  uint64_t end = source.size() - checksumBytes;
  // Wiped whichever way this ends: the file may be a secret key.
  WipedVector<uint8_t> piece(std::min<uint64_t>(end, pieceBytes));
  for (uint64_t offset = 0; offset < end; offset += piece.size()) {
    std::span<uint8_t> part =
        std::span(piece).first(std::min<uint64_t>(piece.size(), end - offset));
    SLUICE_RETURN_IF_ERROR(source.read(offset, part));
    hasher.update(part);
  }
  Hash expected;
  SLUICE_RETURN_IF_ERROR(source.read(end, expected));
  if (hasher.finish() != expected)
    return corrupt(source, end, "the checksum does not match: the file was damaged");
  return Status();
}

} // namespace

std::string_view fileKindName(FileKind kind) {
  switch (kind) {
  case FileKind::program:
    return "a program";
  case FileKind::ciphertext:
    return "a ciphertext";
  case FileKind::evaluationKeys:
    return "a file of evaluation keys";
  case FileKind::publicKey:
    return "a public key";
  case FileKind::secretKey:
    return "a secret key";
  case FileKind::shareCount:
    return "a count of shared decryptions";
  }
  return "a file of unknown kind";
}

//===- Reading ===//

Expected<FileKind> readKind(Source &source) {
  uint8_t start[16];
  if (source.size() >= sizeof start)
    SLUICE_RETURN_IF_ERROR(source.read(0, start));
  if (source.size() < sizeof start || !std::equal(std::begin(magic), std::end(magic), start))
    return corrupt(source, 0, "this is not a Sluice file (its magic bytes are missing)");
  ByteReader reader(std::span<const uint8_t>(start).subspan(12), 12);
  SLUICE_ASSIGN_OR_RETURN(uint32_t kind, reader.readU32());
  return static_cast<FileKind>(kind);
}

Expected<SectionReader> SectionReader::open(std::unique_ptr<Source> source, FileKind kind,
                                            std::span<const std::string_view> tags) {
  SLUICE_ASSIGN_OR_RETURN(uint32_t count, readHeader(*source, kind));
  SLUICE_ASSIGN_OR_RETURN(std::vector<Section> sections, readTable(*source, count, tags));
  SLUICE_RETURN_IF_ERROR(verifyChecksum(*source));
  return SectionReader(std::move(source), std::move(sections));
}

const Section *SectionReader::find(std::string_view tag) const {
  for (const Section &section : sections)
    if (section.tag == tag)
      return &section;
  return nullptr;
}

Expected<Section> SectionReader::section(std::string_view tag) const {
  if (const Section *section = find(tag))
    return *section;
  return Status::error(StatusCode::corruptFile, "%s: section '%s' is missing", name().c_str(),
                       std::string(tag).c_str());
}

Expected<std::vector<uint8_t>> SectionReader::readSection(std::string_view tag,
                                                          uint64_t maxSize) const {
  SLUICE_ASSIGN_OR_RETURN(Section found, section(tag));
  if (found.size > maxSize)
    return corrupt(*source, found.offset,
                   "section '" + found.tag + "' has " + std::to_string(found.size) +
                       " bytes, but at most " + std::to_string(maxSize) + " are allowed");
  std::vector<uint8_t> bytes(found.size);
  SLUICE_RETURN_IF_ERROR(source->read(found.offset, bytes));
  return bytes;
}

Status SectionReader::read(const Section &section, uint64_t offset, std::span<uint8_t> out) const {
  if (offset > section.size || out.size() > section.size - offset)
    return corrupt(*source, section.offset + section.size,
                   "section '" + section.tag + "' is too short");
  return source->read(section.offset + offset, out);
}

Status SectionReader::readWords(const Section &section, uint64_t offset,
                                std::span<uint64_t> out) const {
  return read(section, offset,
              std::span(reinterpret_cast<uint8_t *>(out.data()), out.size_bytes()));
}

//===- Writing ===//

Expected<SectionWriter> SectionWriter::begin(std::unique_ptr<Sink> sink, FileKind kind,
                                             std::span<const SectionSize> sizes) {
  assert(!sizes.empty() && sizes.size() <= maxSections);
  SectionWriter writer(std::move(sink));
  uint64_t end = tableEnd(sizes.size());
  ByteWriter frame;
  frame.writeBytes(magic);
  frame.writeU32(containerVersion);
  frame.writeU32(static_cast<uint32_t>(kind));
  frame.writeU32(static_cast<uint32_t>(sizes.size()));
  frame.writeU32(0);
  for (const SectionSize &section : sizes) {
    uint64_t offset = alignUp(end);
    frame.writeText(section.tag, tagBytes);
    frame.writeU64(offset);
    frame.writeU64(section.size);
    frame.writeU64(0);
    writer.sections.push_back({std::string(section.tag), offset, section.size});
    end = offset + section.size;
  }
  SLUICE_RETURN_IF_ERROR(writer.emit(frame.bytes()));
  SLUICE_RETURN_IF_ERROR(writer.padTo(writer.sections[0].offset));
  SLUICE_RETURN_IF_ERROR(writer.enterNextSection());
  return writer;
}

Status SectionWriter::emit(std::span<const uint8_t> bytes) {
  hasher.update(bytes);
  position += bytes.size();
  return sink->write(bytes);
}

Status SectionWriter::padTo(uint64_t offset) {
  static constexpr uint8_t zeros[alignment] = {};
  assert(offset - position < alignment);
  return emit(std::span(zeros).first(offset - position));
}

Status SectionWriter::enterNextSection() {
  while (current < sections.size() &&
         position == sections[current].offset + sections[current].size) {
    if (++current < sections.size())
      SLUICE_RETURN_IF_ERROR(padTo(sections[current].offset));
  }
  return Status();
}

Status SectionWriter::append(std::span<const uint8_t> bytes) {
  if (bytes.empty())
    return Status();
  assert(current < sections.size() && "bytes after the last section");
  assert(bytes.size() <= sections[current].offset + sections[current].size - position &&
         "bytes cross the end of a section");
  SLUICE_RETURN_IF_ERROR(emit(bytes));
  return enterNextSection();
}

Status SectionWriter::appendWords(std::span<const uint64_t> words) {
  return append(std::span(reinterpret_cast<const uint8_t *>(words.data()), words.size_bytes()));
}

Status SectionWriter::finish() {
  assert(current == sections.size() && "a section is not full");
  Hash checksum = hasher.finish();
  SLUICE_RETURN_IF_ERROR(sink->write(checksum));
  return sink->commit();
}

} // namespace sluice::wire
