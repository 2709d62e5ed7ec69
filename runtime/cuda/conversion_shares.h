//===- conversion_shares.h - how base conversions are shared out among blocks of threads ------===//
#ifndef SLUICE_RUNTIME_CUDA_CONVERSION_SHARES_H
#define SLUICE_RUNTIME_CUDA_CONVERSION_SHARES_H

#include "runtime/abi/launches.h"
#include "runtime/cuda/device.h"

#include <span>

namespace sluice::cuda {

/// For all conversions of a launch alike.
struct ConversionShares {
  uint32_t destinations = 1; // that a block takes, at most
  uint32_t held = 0;         // sources that a block has in shared memory, at most
  uint32_t sharedBytes = 0;  // conversionBytes of these
};

/// As many sources as leave room for three blocks on a multiprocessor; as many destinations as
/// leave the device the least to do, by counts of operations: few make each block read all sources
/// for little, many leave multiprocessors without a block in the end.
ConversionShares shareConversions(std::span<const ConversionSize> sizes, unsigned logN,
                                  const Device &device);

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_CONVERSION_SHARES_H
