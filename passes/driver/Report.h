//===- Report.h - what the compiler decided, for people and tools -----------------------------===//
#ifndef SLUICE_PASSES_DRIVER_REPORT_H
#define SLUICE_PASSES_DRIVER_REPORT_H

#include "passes/driver/PlanCandidate.h"
#include "runtime/abi/manifest.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Filled by compileModule as far as the phases that ran know it.
struct Report {
  /// Set from phase llvm on: ring, security, inputs and outputs, keys, forecast.
  Manifest manifest;
  uint32_t arenaSlots = 0, scratchSlots = 0;
  /// Operations of the settled phase and kernel calls of the fused phase, by operation name.
  std::map<std::string, uint64_t> circuitOperations, kernelCalls;
  /// What the forecast of the time is made of, by family of kernels (runtime/abi/costs.h): limbs
  /// worked on, milliseconds on one thread; on a device also "launch": launches, milliseconds.
  struct KernelTotal {
    uint64_t limbs = 0;
    double ms = 0;
  };
  std::map<std::string, KernelTotal> kernelTimes;
  /// The parameters that were looked at, the chosen ones first; empty where they were given.
  std::vector<PlanCandidate> candidates;
  /// Milliseconds spent to reach each phase, in order, and in all.
  std::vector<std::pair<std::string, double>> phaseMs;
  double compileMs = 0;
  uint64_t artifactBytes = 0, codeBytes = 0;
};

/// Bytes that key `key` takes in an evaluation-key file: its half that is not expanded from a seed.
/// In memory a server holds twice as much.
uint64_t keyFileBytes(const ManifestKey &key, uint32_t logN);

/// "12.3 MiB".
std::string formatBytes(uint64_t bytes);

/// A table of some twenty lines: security, ring, levels, keys, memory, operations, time,
/// candidates.
std::string formatReport(const Report &report);

/// The same as a JSON object.
std::string formatReportJson(const Report &report);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_REPORT_H
