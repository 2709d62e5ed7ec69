//===- dependencies.h - which steps of a program wait for which -------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_DEPENDENCIES_H
#define SLUICE_RUNTIME_CUDA_DEPENDENCIES_H

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::cuda {

/// Finds what each step must wait for: steps that read and write numbered resources, given in an
/// order in which they would be right one after the other. A step waits for the last writer of what
/// it reads or writes, and for all that read since then what it writes.
class DependencyTracker {
public:
  explicit DependencyTracker(uint32_t resources) : uses(resources) {}

  /// Adds a step, numbered from 0 on; gives the steps that it waits for, ascending, each once.
  /// A resource may stand in both lists, and more than once.
  std::vector<uint32_t> add(std::span<const uint32_t> reads, std::span<const uint32_t> writes);

  /// Begins again with step 0: all steps so far are done.
  void restart();

private:
  static constexpr uint32_t none = UINT32_MAX;
  struct Use {
    uint32_t writer = none;
    std::vector<uint32_t> readers; // since the writer
  };

  std::vector<Use> uses;
  std::vector<uint32_t> touched; // resources with a use
  uint32_t steps = 0;
};

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_DEPENDENCIES_H
