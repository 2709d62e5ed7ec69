//===- conversion_shares.h - how base conversions are shared out among blocks of threads ------===//
#ifndef SLUICE_RUNTIME_CUDA_CONVERSION_SHARES_H
#define SLUICE_RUNTIME_CUDA_CONVERSION_SHARES_H

#include "runtime/abi/launches.h"
#include "runtime/cuda/kernels/launch_parameters.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::cuda {

/// A tile of some destinations of one conversion.
struct SharedPart {
  uint32_t conversion, tile, firstDestination, destinationCount;
};

/// What each block of a launch does: blocks take as long as each other, about, and as many as a
/// device runs at once, so that none waits for others.
struct ConversionShares {
  std::vector<std::vector<SharedPart>> blocks;
  uint32_t held = 0;        // sources that a block has in shared memory, at most
  uint32_t sharedBytes = 0; // conversionBytes of the widest part
};

/// What decides of a device and its kernel, and how its time is to be used.
struct ConversionMachine {
  uint32_t multiprocessors = 1;
  uint32_t sharedMemoryOfBlock = 48 << 10, sharedMemoryOfKernel = 0; // its own, of the block's
  static constexpr uint32_t aimedBlocks = 2; // of one, which hide what each other wait for
  static constexpr uint32_t rounds = 2;      // blocks for each that runs at once
};

/// Shares conversions out by counts of operations: those of a tile stay in one block, which reads
/// the sources once for all destinations, except where that would leave other blocks idle.
ConversionShares shareConversions(std::span<const ConversionSize> sizes, unsigned logN,
                                  const ConversionMachine &machine);

/// The parts of all blocks, one block after the other. The parameters of the conversions of `sizes`
/// stand one conversion after the other.
std::vector<ConversionPart> partsOf(const ConversionShares &shares,
                                    std::span<const ConversionSize> sizes,
                                    const SourceParameters *sources,
                                    const DestinationParameters *destinations);
/// What blocks take of these parts, which stand at `parts`.
std::vector<ConversionShare> sharesOf(const ConversionShares &shares, const ConversionPart *parts);

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_CONVERSION_SHARES_H
