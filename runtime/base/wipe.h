//===- wipe.h - memory for secrets ------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_BASE_WIPE_H
#define SLUICE_RUNTIME_BASE_WIPE_H

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace sluice {

/// Overwrites `size` bytes with zeros, which the compiler may not leave out.
void wipeBytes(void *data, size_t size);

/// The same for a span or anything contiguous of trivially copyable values.
template <typename T, size_t Extent> void wipe(std::span<T, Extent> values) {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>);
  wipeBytes(values.data(), values.size_bytes());
}

/// Zero pages of their own, kept out of swap (best effort: limits of the system are not an error)
/// and out of core dumps. Ends the process if there is no memory.
void *allocateSecret(size_t size);
/// Wipes and frees memory from allocateSecret(size).
void freeSecret(void *data, size_t size);

/// Allocator over the two functions above.
template <typename T> struct SecretAllocator {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;
  SecretAllocator() = default;
  template <typename U> SecretAllocator(const SecretAllocator<U> &) {}
  T *allocate(size_t count) { return static_cast<T *>(allocateSecret(count * sizeof(T))); }
  void deallocate(T *data, size_t count) { freeSecret(data, count * sizeof(T)); }
  template <typename U> bool operator==(const SecretAllocator<U> &) const { return true; }
};

/// A vector that wipes what it gives back: on destruction, and the old buffer when it grows. Copies
/// are wiped too, but should not be made.
template <typename T> using WipedVector = std::vector<T, SecretAllocator<T>>;

} // namespace sluice

#endif // SLUICE_RUNTIME_BASE_WIPE_H
