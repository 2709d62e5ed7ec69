//===- conversion_shares.cpp - how base conversions are shared out among blocks of threads ----===//
#include "runtime/cuda/conversion_shares.h"

#include "runtime/cuda/kernels/launch_parameters.h"

#include <algorithm>

namespace sluice::cuda {
namespace {

/// Operations on a word, in products of doubles: to read a source and add to z; to reduce the sum
/// of a destination and transform it; to add a source to it.
constexpr uint64_t sourceWork = 6, destinationWork = 48, productWork = 4;

/// Blocks that registers leave room for on a multiprocessor; and what the device itself takes of
/// shared memory for each block.
constexpr uint32_t maxBlocks = 6, ownSharedBytes = 1024;

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
  const uint32_t bytes = heldBytes(logN), all = device.sharedMemoryOfBlock() + ownSharedBytes;
  const uint32_t room = all / 2 / bytes,
                 taken = 3 + static_cast<uint32_t>(quotientUp(ownSharedBytes, bytes));
  ConversionShares shares;
  shares.held = std::min(mostSources, room > taken ? room - taken : 0);
  shares.sharedBytes = (1 + shares.held) * bytes;
  const uint64_t blocks =
      std::clamp(all / (shares.sharedBytes + 2 * bytes + ownSharedBytes), 1u, maxBlocks);
  const uint64_t atOnce = blocks * device.multiprocessors();

  uint64_t least = UINT64_MAX;
  for (uint32_t count = 2; count < mostDestinations + 2; count += 2) {
    uint64_t parts = 0;
    for (ConversionSize size : sizes)
      parts += quotientUp(size.destinations, count);
    const uint64_t work =
        mostSources * sourceWork +
        std::min(count, mostDestinations) * (destinationWork + mostSources * productWork);
    const uint64_t total = quotientUp(parts * columnsGeometry(logN).blocksPerLimb, atOnce) * work;
    if (total < least) {
      least = total;
      shares.destinations = count;
    }
  }
  return shares;
}

} // namespace sluice::cuda
