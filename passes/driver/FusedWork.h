//===- FusedWork.h - what a fused program will make the runtime do ----------------------------===//
#ifndef SLUICE_PASSES_DRIVER_FUSEDWORK_H
#define SLUICE_PASSES_DRIVER_FUSEDWORK_H

#include "passes/algorithms/ProgramTime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>
#include <optional>
#include <vector>

namespace sluice {

/// The work of every kernel that one run calls, in order, with the limbs that it touches: arena and
/// scratch slots, rows of constants and keys, tables of transforms and permutations; first the
/// copies of the inputs, last those of the outputs. Nothing for a function without a memory plan
/// (rns-to-runtime says what is missing).
std::optional<std::vector<algorithms::KernelWork>> listWork(mlir::func::FuncOp function);

/// The same on a device, and how many kernels it launches for one run.
struct DeviceWork {
  std::vector<algorithms::KernelWork> works;
  uint64_t launches = 0;
};
/// A device has the values of a limb kernel in registers: it touches what comes from outside and
/// what goes there, a limb once for each Galois element that it is read at, and no tables that only
/// CPUs have.
std::optional<DeviceWork> listDeviceWork(mlir::func::FuncOp function);

/// What a forecast is made of.
struct TimeForecast {
  std::map<KernelFamily, algorithms::FamilyTime> families;
  /// On a device, the launches of a run and what they cost beside that; else none.
  uint64_t launches = 0;
  double launchNs = 0;
};

/// The time of one warm run, on one thread or on the device that the costs are of, by the costs on
/// the module or the generic ones; empty for a module that is no fused program with a memory plan.
/// Fails with a diagnostic where the costs are ill-formed.
mlir::FailureOr<TimeForecast> forecastTimes(mlir::ModuleOp module);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_FUSEDWORK_H
