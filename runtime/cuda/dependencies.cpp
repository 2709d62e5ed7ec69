//===- dependencies.cpp - which steps of a program wait for which -----------------------------===//
#include "runtime/cuda/dependencies.h"

#include <algorithm>

namespace sluice::cuda {

std::vector<uint32_t> DependencyTracker::add(std::span<const uint32_t> reads,
                                             std::span<const uint32_t> writes) {
  std::vector<uint32_t> before;
  const uint32_t step = steps++;
  auto waitFor = [&](uint32_t other) {
    if (other != none && other != step)
      before.push_back(other);
  };
  for (uint32_t resource : reads) {
    waitFor(uses[resource].writer);
    if (uses[resource].readers.empty() || uses[resource].readers.back() != step)
      uses[resource].readers.push_back(step);
    touched.push_back(resource);
  }
  for (uint32_t resource : writes) {
    // A reader waited for the writer before it: who waits for the readers need not for the writer.
    Use &use = uses[resource];
    const bool hasOthers = std::ranges::any_of(use.readers, [&](uint32_t r) { return r != step; });
    if (!hasOthers)
      waitFor(use.writer);
    for (uint32_t reader : use.readers)
      waitFor(reader);
    use.writer = step;
    use.readers.clear();
    touched.push_back(resource);
  }
  std::ranges::sort(before);
  const auto duplicates = std::ranges::unique(before);
  before.erase(duplicates.begin(), duplicates.end());
  return before;
}

void DependencyTracker::restart() {
  for (uint32_t resource : touched)
    uses[resource] = {};
  touched.clear();
  steps = 0;
}

} // namespace sluice::cuda
