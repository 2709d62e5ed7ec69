//===- bytes.h - checked little-endian reader and writer --------------------------------------===//
#ifndef SLUICE_RUNTIME_BASE_BYTES_H
#define SLUICE_RUNTIME_BASE_BYTES_H

#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Reads a span of untrusted bytes from its front. Every read is checked; a read past the end
/// consumes nothing and says at which offset how many bytes were missing. The span must outlive the
/// reader.
class ByteReader {
public:
  /// `baseOffset` is added to the offsets in messages: the place of the span in its file.
  explicit ByteReader(std::span<const uint8_t> bytes, uint64_t baseOffset = 0)
      : bytes(bytes), baseOffset(baseOffset) {}

  uint64_t offset() const { return baseOffset + position; }
  size_t remaining() const { return bytes.size() - position; }

  Expected<uint8_t> readU8();
  Expected<uint16_t> readU16();
  Expected<uint32_t> readU32();
  Expected<uint64_t> readU64();
  Expected<int64_t> readI64();
  Expected<double> readF64();

  /// The next `size` bytes, as a view into the span.
  Expected<std::span<const uint8_t>> readBytes(uint64_t size);
  /// The next words.size() words of 64 bits.
  Status readWords(std::span<uint64_t> words);
  /// The next `size` bytes as text without its zero padding at the end.
  Expected<std::string> readText(uint64_t size);
  /// Passes over `size` bytes.
  Status skip(uint64_t size);
  /// Fails unless every byte was read.
  Status expectEnd() const;

private:
  std::span<const uint8_t> bytes;
  uint64_t baseOffset;
  size_t position = 0;
};

/// Appends little-endian values to a growing buffer.
class ByteWriter {
public:
  void writeU8(uint8_t value) { buffer.push_back(value); }
  void writeU16(uint16_t value) { writeInteger(value, 2); }
  void writeU32(uint32_t value) { writeInteger(value, 4); }
  void writeU64(uint64_t value) { writeInteger(value, 8); }
  void writeI64(int64_t value) { writeInteger(static_cast<uint64_t>(value), 8); }
  void writeF64(double value);
  void writeBytes(std::span<const uint8_t> bytes);
  void writeWords(std::span<const uint64_t> words);
  /// `text`, zero-padded to `size` bytes; text.size() <= size.
  void writeText(std::string_view text, size_t size);
  /// Zero bytes until the size is a multiple of `alignment`.
  void alignTo(size_t alignment);

  size_t size() const { return buffer.size(); }
  std::span<const uint8_t> bytes() const { return buffer; }
  std::vector<uint8_t> take() && { return std::move(buffer); }

private:
  void writeInteger(uint64_t value, unsigned sizeBytes);

  std::vector<uint8_t> buffer;
};

} // namespace sluice

#endif // SLUICE_RUNTIME_BASE_BYTES_H
