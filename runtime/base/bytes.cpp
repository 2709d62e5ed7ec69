//===- bytes.cpp - checked little-endian reader and writer ------------------------------------===//
#include "runtime/base/bytes.h"

#include <bit>
#include <cstring>

namespace sluice {

static uint64_t loadLittleEndian(const uint8_t *bytes, unsigned size) {
  uint64_t value = 0;
  for (unsigned byte = 0; byte < size; ++byte)
    value |= static_cast<uint64_t>(bytes[byte]) << (8 * byte);
  return value;
}

template <typename T> static Expected<T> readInteger(ByteReader &reader) {
  SLUICE_ASSIGN_OR_RETURN(std::span<const uint8_t> view, reader.readBytes(sizeof(T)));
  return static_cast<T>(loadLittleEndian(view.data(), sizeof(T)));
}

Expected<uint8_t> ByteReader::readU8() { return readInteger<uint8_t>(*this); }
Expected<uint16_t> ByteReader::readU16() { return readInteger<uint16_t>(*this); }
Expected<uint32_t> ByteReader::readU32() { return readInteger<uint32_t>(*this); }
Expected<uint64_t> ByteReader::readU64() { return readInteger<uint64_t>(*this); }
Expected<int64_t> ByteReader::readI64() { return readInteger<int64_t>(*this); }

Expected<double> ByteReader::readF64() {
  SLUICE_ASSIGN_OR_RETURN(uint64_t pattern, readU64());
  return std::bit_cast<double>(pattern);
}

Expected<std::span<const uint8_t>> ByteReader::readBytes(uint64_t size) {
  if (size > remaining())
    return Status::error(StatusCode::corruptFile,
                         "at byte %llu: %llu bytes expected, only %zu are left",
                         static_cast<unsigned long long>(offset()),
                         static_cast<unsigned long long>(size), remaining());
  std::span<const uint8_t> view = bytes.subspan(position, static_cast<size_t>(size));
  position += static_cast<size_t>(size);
  return view;
}

Status ByteReader::readWords(std::span<uint64_t> words) {
  SLUICE_ASSIGN_OR_RETURN(std::span<const uint8_t> view, readBytes(words.size() * uint64_t{8}));
  if constexpr (std::endian::native == std::endian::little) {
    if (!words.empty())
      std::memcpy(words.data(), view.data(), view.size());
  } else {
    for (size_t word = 0; word < words.size(); ++word)
      words[word] = loadLittleEndian(view.data() + 8 * word, 8);
  }
  return Status();
}

Expected<std::string> ByteReader::readText(uint64_t size) {
  SLUICE_ASSIGN_OR_RETURN(std::span<const uint8_t> view, readBytes(size));
  size_t length = view.size();
  while (length > 0 && view[length - 1] == 0)
    --length;
  return std::string(reinterpret_cast<const char *>(view.data()), length);
}

Status ByteReader::skip(uint64_t size) { return readBytes(size).status(); }

Status ByteReader::expectEnd() const {
  if (remaining() == 0)
    return Status();
  return Status::error(StatusCode::corruptFile, "at byte %llu: %zu bytes after the end",
                       static_cast<unsigned long long>(offset()), remaining());
}

void ByteWriter::writeInteger(uint64_t value, unsigned sizeBytes) {
  for (unsigned byte = 0; byte < sizeBytes; ++byte)
    buffer.push_back(static_cast<uint8_t>(value >> (8 * byte)));
}

void ByteWriter::writeF64(double value) { writeU64(std::bit_cast<uint64_t>(value)); }

void ByteWriter::writeBytes(std::span<const uint8_t> bytes) {
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
}

void ByteWriter::writeWords(std::span<const uint64_t> words) {
  if constexpr (std::endian::native == std::endian::little) {
    const uint8_t *first = reinterpret_cast<const uint8_t *>(words.data());
    buffer.insert(buffer.end(), first, first + words.size_bytes());
  } else {
    for (uint64_t word : words)
      writeU64(word);
  }
}

void ByteWriter::writeText(std::string_view text, size_t size) {
  assert(text.size() <= size && "text longer than its field");
  buffer.insert(buffer.end(), text.begin(), text.end());
  buffer.insert(buffer.end(), size - text.size(), 0);
}

void ByteWriter::alignTo(size_t alignment) {
  while (buffer.size() % alignment != 0)
    buffer.push_back(0);
}

} // namespace sluice
