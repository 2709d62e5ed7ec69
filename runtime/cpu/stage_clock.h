//===- stage_clock.h - how long each stage of a program took --------------------------------===//
#ifndef SLUICE_RUNTIME_CPU_STAGE_CLOCK_H
#define SLUICE_RUNTIME_CPU_STAGE_CLOCK_H

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::cpu {

/// Adds up the time between the beginnings of stages. What passes before the first one belongs to
/// none.
class StageClock {
public:
  explicit StageClock(uint32_t stages) : spent(stages) {}

  /// Ends the stage that runs and begins another; a number that no stage has begins none.
  void begin(uint32_t stage) {
    const auto now = std::chrono::steady_clock::now();
    if (current < spent.size())
      spent[current] += static_cast<uint64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(now - since).count());
    current = stage;
    since = now;
  }
  void end() { begin(none); }
  void reset() {
    current = none;
    std::fill(spent.begin(), spent.end(), 0);
  }

  /// Nanoseconds, of each stage that ended.
  std::span<const uint64_t> nanoseconds() const { return spent; }

private:
  static constexpr uint32_t none = UINT32_MAX;
  std::vector<uint64_t> spent;
  uint32_t current = none;
  std::chrono::steady_clock::time_point since;
};

} // namespace sluice::cpu

#endif // SLUICE_RUNTIME_CPU_STAGE_CLOCK_H
