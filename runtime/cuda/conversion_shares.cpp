//===- conversion_shares.cpp - how base conversions are shared out among blocks of threads ----===//
#include "runtime/cuda/conversion_shares.h"

#include "runtime/cuda/kernels/launch_parameters.h"

#include <algorithm>

namespace sluice::cuda {
namespace {

/// Operations on a word, in products of doubles: to read a source and add to z; to reduce the sum
/// of a destination and transform it; to add a source to it.
constexpr uint64_t sourceWork = 6, destinationWork = 48, productWork = 4;

/// Blocks of a multiprocessor: that registers leave room for, and that it needs to be busy.
constexpr uint32_t maxBlocks = 4, aimedBlocks = 3;
/// What the device itself takes of shared memory for each block.
constexpr uint32_t ownSharedBytes = 1024;
constexpr uint32_t maxDestinations = 32;

constexpr uint64_t quotientUp(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

} // namespace

ConversionShares shareConversions(std::span<const ConversionSize> sizes, unsigned logN,
                                  const Device &device) {
  uint32_t mostSources = 0, mostDestinations = 1;
  for (ConversionSize size : sizes) {
    mostSources = std::max(mostSources, size.sources);
    mostDestinations = std::max(mostDestinations, size.destinations);
  }
  // The kernel's own are two exchanges of as many bytes as a source.
  const uint32_t kernelBytes = 2 * heldBytes(logN) + ownSharedBytes,
                 all = device.sharedMemoryOfBlock() + ownSharedBytes,
                 aim = std::max(all / aimedBlocks, kernelBytes) - kernelBytes;
  ConversionShares shares;
  uint64_t least = UINT64_MAX;
  for (uint32_t count = 2; count < std::min(mostDestinations, maxDestinations) + 2; count += 2) {
    const uint32_t needed = conversionBytes(logN, 0, mostSources, count);
    const uint32_t held =
        aim > needed ? std::min(mostSources, (aim - needed) / heldBytes(logN)) : 0;
    const uint32_t bytes = conversionBytes(logN, held, mostSources, count);
    if (bytes + kernelBytes > all)
      break;
    const uint64_t blocks = std::min(all / (bytes + kernelBytes), maxBlocks);
    uint64_t parts = 0;
    for (ConversionSize size : sizes)
      parts += quotientUp(size.destinations, count);
    const uint64_t rounds =
        quotientUp(parts * columnsGeometry(logN).blocksPerLimb, blocks * device.multiprocessors());
    // Blocks of a multiprocessor share its time.
    const uint64_t work =
        mostSources * sourceWork +
        std::min(count, mostDestinations) * (destinationWork + mostSources * productWork);
    if (rounds * blocks * work < least) {
      least = rounds * blocks * work;
      shares = {count, held, bytes};
    }
  }
  return shares;
}

} // namespace sluice::cuda
