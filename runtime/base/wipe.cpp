//===- wipe.cpp - memory for secrets ----------------------------------------------------------===//
#include "runtime/base/wipe.h"

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

static size_t wholePages(size_t size) {
  static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (size + page - 1) / page * page;
}

void *allocateSecret(size_t size) {
  size_t mapped = wholePages(size == 0 ? 1 : size);
  void *data = mapped < size ? MAP_FAILED
                             : mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
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
