//===- arena.cpp - aligned buffers of words ---------------------------------------------------===//
#include "runtime/base/arena.h"

#include "runtime/base/huge_pages.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/mman.h>

namespace sluice {

static constexpr size_t smallAlignment = 64;

static size_t roundUp(size_t size, size_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

static bool isMapped(size_t words) { return words * 8 >= hugePageBytes; }

// Maps 2 MiB more and gives the ends back.
void *mapHugePages(size_t sizeBytes) {
  size_t mapped = sizeBytes + hugePageBytes;
  void *base = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return nullptr;
  char *first = static_cast<char *>(base);
  size_t head = roundUp(reinterpret_cast<uintptr_t>(first), hugePageBytes) -
                reinterpret_cast<uintptr_t>(first);
  if (head > 0)
    munmap(first, head);
  if (size_t tail = hugePageBytes - head; tail > 0)
    munmap(first + head + sizeBytes, tail);
  madvise(first + head, sizeBytes, MADV_HUGEPAGE); // Advice: without huge pages all still works.
  return first + head;
}

Expected<AlignedWords> AlignedWords::tryAllocate(size_t words) {
  AlignedWords result;
  if (words == 0)
    return result;
  if (words > (std::numeric_limits<size_t>::max() - 2 * hugePageBytes) / 8)
    return Status::error(StatusCode::invalidArgument, "a buffer of %zu words is larger than memory",
                         words);
  void *memory;
  if (isMapped(words)) {
    memory = mapHugePages(roundUp(words * 8, hugePageBytes));
  } else {
    size_t sizeBytes = roundUp(words * 8, smallAlignment);
    memory = std::aligned_alloc(smallAlignment, sizeBytes);
    if (memory)
      std::memset(memory, 0, sizeBytes);
  }
  if (!memory)
    return Status::error(StatusCode::io, "no memory for a buffer of %zu words", words);
  result.words = static_cast<uint64_t *>(memory);
  result.count = words;
  return result;
}

AlignedWords::AlignedWords(size_t words) {
  Expected<AlignedWords> buffer = tryAllocate(words);
  if (!buffer.isOk()) {
    std::fprintf(stderr, "sluice: %s\n", buffer.message().c_str());
    std::abort();
  }
  *this = std::move(*buffer);
}

AlignedWords::AlignedWords(AlignedWords &&other) noexcept
    : words(std::exchange(other.words, nullptr)), count(std::exchange(other.count, 0)) {}

AlignedWords &AlignedWords::operator=(AlignedWords &&other) noexcept {
  if (this != &other) {
    release();
    words = std::exchange(other.words, nullptr);
    count = std::exchange(other.count, 0);
  }
  return *this;
}

AlignedWords::~AlignedWords() { release(); }

void AlignedWords::release() {
  if (!words)
    return;
  if (isMapped(count))
    munmap(words, roundUp(count * 8, hugePageBytes));
  else
    std::free(words);
}

} // namespace sluice
