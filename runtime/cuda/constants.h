//===- constants.h - constants encoded on a device --------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_CONSTANTS_H
#define SLUICE_RUNTIME_CUDA_CONSTANTS_H

#include "runtime/cuda/device_memory.h"
#include "runtime/exec/backend.h"

#include <vector>

namespace sluice::cuda {

/// Reduces and transforms all constants with the kernels of the device's module, to the residues
/// that ring::encodeSlots and ring::toEvalInPlace give. `limbs`: LimbConstants on the device. Gives
/// the address of each constant's first row; the others follow, N words each.
Expected<std::vector<Address>> encodeConstants(const exec::BackendResources &resources,
                                               const std::vector<Address> &limbs,
                                               DeviceMemory &memory);

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_CONSTANTS_H
