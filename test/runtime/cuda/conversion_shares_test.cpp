//===- conversion_shares_test.cpp - how base conversions are shared out among blocks ----------===//
#include "runtime/cuda/conversion_shares.h"

#include "runtime/cuda/kernels/launch_parameters.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace sluice::cuda {
namespace {

using Sizes = std::vector<ConversionSize>; // destinations, sources

constexpr ConversionMachine large = {
    .multiprocessors = 132, .sharedMemoryOfBlock = 227 << 10, .sharedMemoryOfKernel = 16 << 10};
constexpr ConversionMachine medium = {
    .multiprocessors = 144, .sharedMemoryOfBlock = 99 << 10, .sharedMemoryOfKernel = 16 << 10};
constexpr ConversionMachine small = {
    .multiprocessors = 40, .sharedMemoryOfBlock = 48 << 10, .sharedMemoryOfKernel = 16 << 10};
constexpr ConversionMachine tight = {
    .multiprocessors = 1, .sharedMemoryOfBlock = 48 << 10, .sharedMemoryOfKernel = 32 << 10};

/// Every destination of every tile of every conversion is in one part, and parts are not single
/// destinations but at a conversion's end.
void expectEachOnce(const ConversionShares &shares, const Sizes &sizes, unsigned logN) {
  const uint32_t tiles = conversionGeometry(logN).blocksPerLimb;
  std::vector<std::vector<uint32_t>> counts; // of each conversion: of each tile's destinations
  size_t mostParts = 0;
  for (ConversionSize size : sizes) {
    counts.emplace_back(size_t{tiles} * size.destinations);
    mostParts += size_t{tiles} * ((size.destinations + 1) / 2);
  }
  size_t parts = 0;
  for (const std::vector<SharedPart> &block : shares.blocks) {
    EXPECT_FALSE(block.empty());
    parts += block.size();
    for (const SharedPart &part : block) {
      ASSERT_LT(part.conversion, sizes.size());
      ASSERT_LT(part.tile, tiles);
      const uint32_t all = sizes[part.conversion].destinations;
      ASSERT_GT(part.destinationCount, 0u);
      ASSERT_LE(part.firstDestination, all);
      ASSERT_LE(part.destinationCount, all - part.firstDestination);
      EXPECT_TRUE(part.destinationCount % 2 == 0 ||
                  part.firstDestination + part.destinationCount == all);
      for (uint32_t i = 0; i < part.destinationCount; ++i)
        ++counts[part.conversion][size_t{part.tile} * all + part.firstDestination + i];
    }
  }
  EXPECT_LE(parts, mostParts); // the backend has room for so many
  for (size_t c = 0; c < counts.size(); ++c)
    EXPECT_TRUE(
        std::all_of(counts[c].begin(), counts[c].end(), [](uint32_t count) { return count == 1; }))
        << "conversion " << c;
}

/// A block has room for the sources that it holds and for what destinations need.
void expectRoom(const ConversionShares &shares, const Sizes &sizes, unsigned logN,
                const ConversionMachine &machine) {
  EXPECT_LE(shares.sharedBytes + machine.sharedMemoryOfKernel, machine.sharedMemoryOfBlock);
  uint32_t mostSources = 0;
  for (ConversionSize size : sizes) {
    mostSources = std::max(mostSources, size.sources);
    EXPECT_LE(conversionBytes(logN, std::min(shares.held, size.sources), size.sources),
              shares.sharedBytes);
  }
  EXPECT_LE(shares.held, mostSources);
}

TEST(CudaConversionShares, EachDestinationIsInOnePart) {
  std::mt19937 random(7);
  for (unsigned logN : {3, 10, 16})
    for (const ConversionMachine &machine : {large, medium, small, tight})
      for (int round = 0; round < 10; ++round) {
        Sizes sizes(1 + random() % 12);
        for (ConversionSize &size : sizes) {
          size.destinations = 1 + random() % 60;
          size.sources = 1 + random() % 20;
        }
        SCOPED_TRACE(testing::Message() << "logN " << logN << ", " << machine.multiprocessors
                                        << " multiprocessors, round " << round);
        const ConversionShares shares = shareConversions(sizes, logN, machine);
        expectEachOnce(shares, sizes, logN);
        expectRoom(shares, sizes, logN, machine);
      }
}

TEST(CudaConversionShares, TheSmallestLaunch) {
  for (unsigned logN : {3, 10, 16, 17})
    for (const ConversionMachine &machine : {large, small}) {
      const Sizes sizes = {{1, 1}};
      const ConversionShares shares = shareConversions(sizes, logN, machine);
      expectEachOnce(shares, sizes, logN);
      expectRoom(shares, sizes, logN, machine);
      EXPECT_LE(shares.blocks.size(), conversionGeometry(logN).blocksPerLimb);
    }
}

TEST(CudaConversionShares, AllSourcesAreHeldWhereThereIsRoom) {
  EXPECT_EQ(shareConversions(Sizes{{30, 6}}, 16, large).held, 6u);
  EXPECT_EQ(shareConversions(Sizes{{30, 6}, {20, 8}}, 16, large).held, 8u);
  // Not even one: the kernel alone has more than its part of the memory.
  EXPECT_EQ(shareConversions(Sizes{{30, 20}}, 17, tight).held, 0u);
}

TEST(CudaConversionShares, LargeLaunchesFillTheDeviceEvenly) {
  const std::vector<Sizes> launches = {Sizes(5, {30, 6}),
                                       Sizes(2, {25, 8}),
                                       Sizes(8, {20, 8}),
                                       Sizes(12, {60, 20}),
                                       {{31, 7}, {17, 3}, {40, 12}}};
  for (const Sizes &sizes : launches)
    for (const ConversionMachine &machine : {large, medium, small}) {
      const ConversionShares shares = shareConversions(sizes, 16, machine);
      // So many run at once: as shared memory and registers leave room for, three at most.
      const uint32_t own = 1024, all = machine.sharedMemoryOfBlock + own,
                     each = shares.sharedBytes + machine.sharedMemoryOfKernel + own;
      const double aimed =
          std::clamp(all / each, 1u, 3u) * machine.multiprocessors * machine.rounds;
      SCOPED_TRACE(testing::Message()
                   << sizes.size() << " of " << sizes[0].sources << " to " << sizes[0].destinations
                   << ", " << machine.multiprocessors << " multiprocessors");
      expectEachOnce(shares, sizes, 16);
      EXPECT_GT(static_cast<double>(shares.blocks.size()), 0.85 * aimed);
      EXPECT_LT(static_cast<double>(shares.blocks.size()), 1.2 * aimed);
    }
}

} // namespace
} // namespace sluice::cuda
