//===- stream.h - where files are read from and written to -----------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_STREAM_H
#define SLUICE_RUNTIME_WIRE_STREAM_H

#include "runtime/base/status.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sluice::wire {

/// Bytes to read from: a file, or memory that outlives the source.
class Source {
public:
  /// Opens a regular file (io: there is none, or no right to read it).
  static Expected<std::unique_ptr<Source>> openFile(const std::string &path);
  /// `name` stands for the file's name in messages.
  static std::unique_ptr<Source> fromMemory(std::span<const uint8_t> bytes, std::string name);

  virtual ~Source() = default;
  /// Fills `out` from `offset`; fails if the source ends before.
  virtual Status read(uint64_t offset, std::span<uint8_t> out) = 0;
  uint64_t size() const { return sizeBytes; }
  const std::string &name() const { return sourceName; }
  /// The file's permission bits when it was opened; 0 for memory.
  unsigned permissions() const { return permissionBits; }

protected:
  Source(std::string name, uint64_t size, unsigned permissions = 0)
      : sourceName(std::move(name)), sizeBytes(size), permissionBits(permissions) {}

private:
  std::string sourceName;
  uint64_t sizeBytes;
  unsigned permissionBits;
};

/// What commit does with a file that is already at the path.
enum class Existing { replace, keep };

/// Where a file's bytes go: to memory, or beside `path` and then, whole, to `path`.
class Sink {
public:
  /// `mode`: permissions of the new file, also while it is being written. With Existing::keep
  /// commit fails when there is a file at `path`, whoever put it there and when.
  static Expected<std::unique_ptr<Sink>> createFile(const std::string &path, unsigned mode = 0644,
                                                    Existing existing = Existing::replace);
  /// `bytes` must outlive the sink.
  static std::unique_ptr<Sink> toMemory(std::vector<uint8_t> &bytes);

  virtual ~Sink() = default;
  virtual Status write(std::span<const uint8_t> bytes) = 0;
  /// Makes what was written visible at the path. Without it the file is discarded.
  virtual Status commit() = 0;
};

/// All of a source of at most `maxSize` bytes; `what` names the file's kind in the message.
Expected<std::vector<uint8_t>> readAll(Source &source, uint64_t maxSize, const char *what);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_STREAM_H
