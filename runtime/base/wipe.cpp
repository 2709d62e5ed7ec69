//===- wipe.cpp - memory for secrets ----------------------------------------------------------===//
#include "runtime/base/wipe.h"

#include "runtime/base/huge_pages.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sluice {

void wipeBytes(void *data, size_t size) {
  if (size > 0)
    explicit_bzero(data, size);
}

/// Large secrets are locked, and so made physical, at once: huge pages make that cheap.
static bool isHuge(size_t size) { return size >= hugePageBytes; }

static size_t wholePages(size_t size) {
  static const size_t smallPage = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t page = isHuge(size) ? hugePageBytes : smallPage;
  return (size + page - 1) / page * page;
}

/// Null if there is no memory.
static void *mapPages(size_t size) {
  if (isHuge(size))
    return mapHugePages(size);
  void *data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return data == MAP_FAILED ? nullptr : data;
}

void *allocateSecret(size_t size) {
  size_t mapped = wholePages(size == 0 ? 1 : size);
  void *data = mapped < size || mapped > SIZE_MAX - 2 * hugePageBytes ? nullptr : mapPages(mapped);
  if (!data) {
    std::fprintf(stderr, "sluice: no memory for a secret of %zu bytes\n", size);
    std::abort();
  }
  // Both are best effort: a small RLIMIT_MEMLOCK must not keep a client from working.
  (void)mlock(data, mapped);
  (void)madvise(data, mapped, MADV_DONTDUMP);
  return data;
}

void freeSecret(void *data, size_t size) {
  if (!data)
    return;
  wipeBytes(data, size);
  munmap(data, wholePages(size == 0 ? 1 : size)); // Unlocks as well.
}

} // namespace sluice
