//===- conversion_shares.cpp - how base conversions are shared out among blocks of threads ----===//
#include "runtime/cuda/conversion_shares.h"

#include <algorithm>
#include <utility>

namespace sluice::cuda {
namespace {

/// Operations on a word, in products of doubles: to read a source and add to z; to reduce the sum
/// of a destination and transform it; to add a source to it.
constexpr uint64_t sourceWork = 10, destinationWork = 48, productWork = 4;

/// Blocks of a multiprocessor that registers leave room for; and what the device itself takes of
/// shared memory for each block.
constexpr uint32_t maxBlocks = 3, ownSharedBytes = 1024;

constexpr uint64_t workOfSources(ConversionSize size) { return size.sources * sourceWork; }
constexpr uint64_t workOfDestination(ConversionSize size) {
  return destinationWork + size.sources * productWork;
}

/// As many of `sources` as leave room for the blocks that a multiprocessor needs.
uint32_t heldSources(uint32_t sources, unsigned logN, uint32_t bytesOfBlock) {
  const uint32_t taken = conversionBytes(logN, 0, sources);
  return bytesOfBlock > taken ? std::min(sources, (bytesOfBlock - taken) / heldBytes(logN)) : 0;
}

class Sharing {
public:
  Sharing(std::span<const ConversionSize> sizes, uint32_t tiles, uint32_t blockCount)
      : sizes(sizes), tiles(tiles) {
    uint64_t work = 0, largest = 0;
    for (ConversionSize size : sizes) {
      work += tiles * (workOfSources(size) + size.destinations * workOfDestination(size));
      largest = std::max(largest, workOfSources(size));
    }
    // A block begins in the midst of a tile, mostly.
    aim = work / blockCount + largest / 2;
  }

  std::vector<std::vector<SharedPart>> run() && {
    blocks.emplace_back();
    for (uint32_t conversion = 0; conversion < sizes.size(); ++conversion)
      for (uint32_t tile = 0; tile < tiles; ++tile)
        shareTile(conversion, tile);
    return std::move(blocks);
  }

private:
  void shareTile(uint32_t conversion, uint32_t tile) {
    const ConversionSize size = sizes[conversion];
    const uint64_t each = workOfDestination(size);
    for (uint32_t first = 0; first < size.destinations;) {
      // Two at least, since a block takes two at a time.
      const uint64_t room = std::max(aim, done + workOfSources(size)) - done - workOfSources(size);
      uint32_t count = static_cast<uint32_t>((room + each) / each / 2 * 2);
      if (count == 0 && done > 0) {
        blocks.emplace_back();
        done = 0;
        continue;
      }
      const uint32_t left = size.destinations - first;
      count = std::min(std::max(count, 2u), left);
      blocks.back().push_back({conversion, tile, first, count});
      done += workOfSources(size) + count * each;
      first += count;
    }
  }

  std::span<const ConversionSize> sizes;
  const uint32_t tiles;
  uint64_t aim = 0, done = 0; // in a block
  std::vector<std::vector<SharedPart>> blocks;
};

} // namespace

ConversionShares shareConversions(std::span<const ConversionSize> sizes, unsigned logN,
                                  const ConversionMachine &machine) {
  uint32_t mostSources = 0;
  for (ConversionSize size : sizes)
    mostSources = std::max(mostSources, size.sources);
  const uint32_t all = machine.sharedMemoryOfBlock + ownSharedBytes,
                 taken = machine.sharedMemoryOfKernel + ownSharedBytes;
  ConversionShares shares;
  shares.held = heldSources(mostSources, logN, std::max(all / machine.aimedBlocks, taken) - taken);
  shares.sharedBytes = conversionBytes(logN, shares.held, mostSources);
  const uint32_t blocks = std::clamp(all / (shares.sharedBytes + taken), 1u, maxBlocks);
  shares.blocks = Sharing(sizes, conversionGeometry(logN).blocksPerLimb,
                          blocks * machine.multiprocessors * machine.rounds)
                      .run();
  return shares;
}

std::vector<ConversionPart> partsOf(const ConversionShares &shares,
                                    std::span<const ConversionSize> sizes,
                                    const SourceParameters *sources,
                                    const DestinationParameters *destinations) {
  std::vector<std::pair<const SourceParameters *, const DestinationParameters *>> places;
  for (ConversionSize size : sizes) {
    places.emplace_back(sources, destinations);
    sources += size.sources;
    destinations += size.destinations;
  }
  std::vector<ConversionPart> parts;
  for (const std::vector<SharedPart> &block : shares.blocks)
    for (const SharedPart &part : block) {
      const auto [first, destination] = places[part.conversion];
      const uint32_t count = sizes[part.conversion].sources;
      parts.push_back({first, destination + part.firstDestination, count, part.destinationCount,
                       std::min(shares.held, count), part.tile});
    }
  return parts;
}

std::vector<ConversionShare> sharesOf(const ConversionShares &shares, const ConversionPart *parts) {
  std::vector<ConversionShare> found;
  for (const std::vector<SharedPart> &block : shares.blocks) {
    found.push_back({parts, block.size()});
    parts += block.size();
  }
  return found;
}

} // namespace sluice::cuda
