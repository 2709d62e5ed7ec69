//===- arena.h - aligned buffers of words -----------------------------------------------------===//
#ifndef SLUICE_RUNTIME_BASE_ARENA_H
#define SLUICE_RUNTIME_BASE_ARENA_H

#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

/// Words of a cache line: what stands between limbs or rows in memory. A power of two apart, words
/// at one place of many of them, as conversions and inner products read them, would compete for the
/// same few places of a cache.
inline constexpr size_t lineWords = 8;

/// An owned buffer of 64-bit words, zero at first, aligned to 64 bytes; from 2 MiB on aligned to 2
/// MiB with huge pages advised, and physical only once touched. Move-only; its address survives a
/// move.
class AlignedWords {
public:
  AlignedWords() = default;
  /// Ends the process if there is no memory; for sizes that were checked. Sizes from a file go
  /// through tryAllocate.
  explicit AlignedWords(size_t words);
  /// The same with an error (invalidArgument if the size in bytes overflows, io if there is no
  /// memory).
  static Expected<AlignedWords> tryAllocate(size_t words);

  AlignedWords(AlignedWords &&other) noexcept;
  AlignedWords &operator=(AlignedWords &&other) noexcept;
  ~AlignedWords();

  uint64_t *data() { return words; }
  const uint64_t *data() const { return words; }
  size_t size() const { return count; }
  bool isEmpty() const { return count == 0; }
  std::span<uint64_t> span() { return {words, count}; }
  std::span<const uint64_t> span() const { return {words, count}; }
  uint64_t &operator[](size_t index) {
    assert(index < count);
    return words[index];
  }
  uint64_t operator[](size_t index) const {
    assert(index < count);
    return words[index];
  }

private:
  void release();

  uint64_t *words = nullptr;
  size_t count = 0;
};

} // namespace sluice

#endif // SLUICE_RUNTIME_BASE_ARENA_H
