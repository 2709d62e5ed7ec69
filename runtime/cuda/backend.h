//===- backend.h - exec's backend on a GPU ----------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_BACKEND_H
#define SLUICE_RUNTIME_CUDA_BACKEND_H

#include "runtime/base/threads.h"
#include "runtime/cuda/device.h"
#include "runtime/exec/backend.h"

namespace sluice::cuda {

struct BackendOptions {
  /// Run one launch after the other and time each, for usage(); otherwise they run as graphs, side
  /// by side where they can, and usage() has no times.
  bool timesKernels = false;
};

/// A backend that runs the launches of resources.device on `device`: it loads the code, copies
/// limbs, keys and constants, which it encodes, and makes a graph for each stage. Keys that do not
/// fit stay in this process's memory, and their rows are copied in every run. `pool` must outlive
/// it. Residues are those of the CPU's backend, bit for bit. io: the device has no memory for the
/// arena, the constants or the keys that one launch reads; also fails as Device::loadModule and
/// Device::findKernel.
Expected<std::unique_ptr<exec::Backend>> createBackend(exec::BackendResources resources,
                                                       std::unique_ptr<Device> device,
                                                       ThreadPool &pool,
                                                       BackendOptions options = {});

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_BACKEND_H
