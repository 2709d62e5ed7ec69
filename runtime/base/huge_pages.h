//===- huge_pages.h - zero pages of 2 MiB -----------------------------------------------------===//
#ifndef SLUICE_RUNTIME_BASE_HUGE_PAGES_H
#define SLUICE_RUNTIME_BASE_HUGE_PAGES_H

#include <cstddef>

namespace sluice {

inline constexpr size_t hugePageBytes = size_t{1} << 21;

/// Private zero pages at a multiple of 2 MiB with huge pages advised, physical only once touched;
/// given back by munmap. `size` is a multiple of hugePageBytes, at least twice that below the
/// largest size_t. Null if there is no memory.
void *mapHugePages(size_t size);

} // namespace sluice

#endif // SLUICE_RUNTIME_BASE_HUGE_PAGES_H
