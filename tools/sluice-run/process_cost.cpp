//===- process_cost.cpp - what this process took from the system ----------------------------===//
#include "tools/sluice-run/process_cost.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <sys/resource.h>

static std::atomic<uint64_t> allocations{0};

static void *countedAllocation(void *memory) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (!memory)
    std::abort(); // No exception would be caught: the libraries check sizes before they allocate.
  return memory;
}

void *operator new(size_t size) { return countedAllocation(std::malloc(size ? size : 1)); }
void *operator new(size_t size, std::align_val_t alignment) {
  size_t unit = static_cast<size_t>(alignment);
  return countedAllocation(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace sluice::run {

uint64_t allocationCount() { return allocations.load(std::memory_order_relaxed); }

uint64_t minorFaultCount() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_minflt);
}

// Not ru_maxrss, which a process inherits: it would be the peak of whoever started this one.
uint64_t peakMemoryBytes() {
  constexpr std::string_view field = "VmHWM:"; // in KiB
  uint64_t kibibytes = 0;
  if (FILE *status = std::fopen("/proc/self/status", "re")) {
    char line[256];
    while (std::fgets(line, sizeof line, status))
      if (std::string_view(line).starts_with(field)) {
        kibibytes = std::strtoull(line + field.size(), nullptr, 10);
        break;
      }
    std::fclose(status);
  }
  return kibibytes * 1024;
}

} // namespace sluice::run
