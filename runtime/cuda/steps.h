//===- steps.h - the launches of a program with addresses for numbers -------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_STEPS_H
#define SLUICE_RUNTIME_CUDA_STEPS_H

#include "runtime/abi/launches.h"
#include "runtime/cuda/device_memory.h"
#include "runtime/cuda/key_rows.h"
#include "runtime/cuda/limb_tables.h"
#include "runtime/exec/backend.h"

#include <map>
#include <string>
#include <vector>

namespace sluice::cuda {

/// A kernel launch, or a copy of a row of a key, with what it reads and writes of what changes
/// during a run: slots, then scratch regions, then buffers of key rows.
struct Step {
  KernelLaunch launch;
  const void *source = nullptr; // of a copy
  Address destination = 0;
  std::vector<uint32_t> reads, writes;
  uint32_t usage = 0; // number of its name
  uint32_t limbs = 0; // that it writes
  uint64_t bytes = 0; // that it moves
};

/// What passes between two beginnings of stages. `stage` is UINT32_MAX before the first.
struct StageSteps {
  uint32_t stage = UINT32_MAX;
  std::vector<Step> steps;
};

/// A program as its device runs it.
struct ProgramSteps {
  std::vector<StageSteps> stages;
  std::vector<std::string> names; // of kernels, and of copies
  uint32_t resources = 0;
};

/// Where the memory of a program is. All rows and slots have N words.
struct ProgramMemory {
  Address arena = 0;
  std::vector<Address> limbs;     // LimbConstants
  std::vector<Address> constants; // first row of each
  Address scratch = 0;            // regions of scratchRows rows
  uint32_t scratchRegions = 0, scratchRows = 0;
  Address keyBuffers = 0;
};

/// A row of half b or a of a key; numbers as in LaunchParameterKind.
struct KeyRow {
  uint32_t key = 0;
  uint16_t digit = 0, row = 0;
  bool isA = false;

  auto operator<=>(const KeyRow &) const = default;
};

/// The rows of keys that launches read, each once, and numbers of them for each launch.
struct KeyRowUses {
  std::vector<KeyRow> rows;
  std::vector<std::vector<uint32_t>> rowsOf;
};
KeyRowUses findKeyRows(const LaunchList &launches);

/// Most sources of the base conversions of one launch.
uint32_t widestConversion(const LaunchList &launches);

/// Puts all parameters of the launches in the device's memory, and finds their kernels in its
/// module.
Expected<ProgramSteps> resolveLaunches(const exec::BackendResources &resources,
                                       const ProgramMemory &place, const KeyRowUses &uses,
                                       const KeyRowPlan &plan, DeviceMemory &memory);

/// Where a row of a key is in this process.
const uint64_t *rowOf(const exec::BackendResources &resources, const KeyRow &row);

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_STEPS_H
