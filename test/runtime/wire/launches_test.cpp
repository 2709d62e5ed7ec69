//===- launches_test.cpp - words of a launch list against docs/formats.md ---------------------===//
#include "runtime/wire/launches.h"

#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr uint64_t limbOf(uint64_t limb, uint64_t slot) { return limb << 32 | slot; }

TEST(Launches, EachWordIsThatOfThePage) {
  LaunchList list;
  list.kernels = {{LimbKernelKind::elements, 3, 1}, {LimbKernelKind::rows, 4, 2}};
  Launch loop;
  loop.number = 1;
  loop.limbs = 2;
  using Kind = LaunchParameterKind;
  loop.parameters = {launchParameter(Kind::limb, 0),
                     launchParameter(Kind::slot, 7),
                     launchParameter(Kind::slot, 8),
                     launchParameter(Kind::constantRow, 3 << 16 | 1),
                     launchParameter(Kind::limb, 2),
                     launchParameter(Kind::slot, 9),
                     launchParameter(Kind::slot, 10),
                     launchParameter(Kind::keyRowA, uint64_t(5) << 32 | 1 << 16 | 2)};
  Launch convert;
  convert.kind = LaunchKind::baseConvertColumns;
  convert.destinations = {{1, 4}, {2, 5}, {1, 7}};
  convert.sources = {{0, 6}, {0, 8}, {2, 9}};
  convert.conversions = {{2, 1}, {1, 2}};
  Launch transform;
  transform.kind = LaunchKind::intt;
  transform.destinations = {{1, 4}};
  transform.sources = {{1, 5}};
  Launch stage;
  stage.kind = LaunchKind::beginStage;
  stage.number = 2;
  list.launches = {loop, convert, transform, stage};

  const std::vector<uint64_t> expected = {
      0x31686c6563756c73, 1 | uint64_t(13) << 32, 2, 4,
      // kernels: kind, outputs, parameters
      0 | 1 << 16 | uint64_t(3) << 32, 1 | 2 << 16 | uint64_t(4) << 32,
      // kernel 1 for two limbs: kinds of parameters stand in the top byte
      0 | 1 << 8 | uint64_t(2) << 32, uint64_t(1) << 56, uint64_t(2) << 56 | 7,
      uint64_t(2) << 56 | 8, uint64_t(3) << 56 | 0x30001, uint64_t(1) << 56 | 2,
      uint64_t(2) << 56 | 9, uint64_t(2) << 56 | 10, uint64_t(5) << 56 | 0x0500010002,
      // two conversions: to two limbs from one, to one from two
      2 | 2 << 8 | uint64_t(3) << 32, uint64_t(2) << 32 | 1, uint64_t(1) << 32 | 2, limbOf(1, 4),
      limbOf(2, 5), limbOf(1, 7), limbOf(0, 6), limbOf(0, 8), limbOf(2, 9),
      // a transform of one limb
      4 | uint64_t(1) << 32, limbOf(1, 4), limbOf(1, 5),
      // stage 2 begins
      5 | 2 << 8};
  EXPECT_EQ(wire::writeLaunches(list, 13), expected);
}

} // namespace
