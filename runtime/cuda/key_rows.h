//===- key_rows.h - which rows of keys stay on the device, and when others come ---------------===//
#ifndef SLUICE_RUNTIME_CUDA_KEY_ROWS_H
#define SLUICE_RUNTIME_CUDA_KEY_ROWS_H

#include "runtime/base/status.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::cuda {

/// Copies row `row` to buffer `buffer` after launch `launch - 1` and before launch `launch`; the
/// first launch that reads it there is `reader`.
struct KeyCopy {
  uint32_t launch = 0, reader = 0, row = 0, buffer = 0;

  auto operator<=>(const KeyCopy &) const = default;
};

/// Where rows of keys are during a run.
struct KeyRowPlan {
  uint32_t buffers = 0; // that are used
  // Copied once, when the program is loaded (launches have no meaning): for buffers that nothing
  // else is copied to.
  std::vector<KeyCopy> resident;
  // In every run, in the order of `launch`: each as early as its buffer is free.
  std::vector<KeyCopy> streamed;
  // buffersOf[l][i]: where the row rowsOf[l][i] is for launch l.
  std::vector<std::vector<uint32_t>> buffersOf;
};

/// Plans for launches that read rows rowsOf[launch], numbers below rowCount, with at most
/// `buffers` buffers of one row. If not all rows fit, half of the buffers keep the rows that are
/// read most often, and the others are taken in turn, so that copies run ahead of their readers.
/// outOfRange: a launch reads more rows than there are buffers.
Expected<KeyRowPlan> planKeyRows(std::span<const std::vector<uint32_t>> rowsOf, uint32_t rowCount,
                                 uint64_t buffers);

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KEY_ROWS_H
