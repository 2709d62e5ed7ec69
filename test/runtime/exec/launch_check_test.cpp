//===- launch_check_test.cpp - launch lists against their program -----------------------------===//
#include "runtime/exec/launch_check.h"
#include "test/runtime/exec/sample/sample.h"

#include <gtest/gtest.h>

#include <functional>

namespace sluice {
namespace {

using enum LaunchParameterKind;

Status check(const LaunchList &list) {
  ProgramSection program = sample::sampleSection();
  program.stages = {"a", "b"};
  return exec::checkLaunches(list, program, sample::sampleManifest(), "f");
}

TEST(CheckLaunches, TakesWhatIsRight) {
  LaunchList list = sample::sampleLaunches();
  list.launches.push_back({LaunchKind::beginStage, 1, 0, {}, {}, {}, {}});
  const Status status = check(list);
  EXPECT_TRUE(status.isOk()) << status.message();
}

/// Parameter `index` of launch 0, which has two limbs of kernel 0: six parameters, two outputs.
std::function<void(LaunchList &)> parameter(size_t index, LaunchParameterKind kind,
                                            uint64_t number) {
  return
      [=](LaunchList &list) { list.launches[0].parameters[index] = launchParameter(kind, number); };
}

struct BadLaunch {
  std::function<void(LaunchList &)> spoil;
  const char *message;
};

TEST(CheckLaunches, RefusesWhatTheProgramDoesNotHave) {
  const BadLaunch bad[] = {
      {parameter(0, slot, 1), "f: launch 0: parameter 0 of a kernel is not a limb"},
      {parameter(0, limb, 5), "f: launch 0: limb 5, but the program has 5"},
      {parameter(2, constantRow, 0), "f: launch 0: an output of a kernel is not a slot"},
      {parameter(2, slot, 60), "f: launch 0: slot 60, but the program has 60"},
      {parameter(2, slot, 12), "f: launch 0: slot 12 is written twice"},
      {parameter(8, slot, 13), "f: launch 0: slot 13 is written twice"},
      {parameter(9, slot, 13), "f: launch 0: slot 13 is written for one limb and read for another"},
      {parameter(3, slot, 14), "f: launch 0: slot 14 is written for one limb and read for another"},
      {parameter(3, slot, uint64_t{1} << 40 | 1),
       "f: launch 0: slot 1099511627777, but the program has 60"},
      {parameter(3, scalar, uint64_t{1} << 50),
       "f: launch 0: scalar 1125899906842624 is not below 2^50"},
      {parameter(4, constantRow, 1 << 16), "f: launch 0: constant 1, but the program has 1"},
      {parameter(4, constantRow, 2), "f: launch 0: row 2, but the program has 2"},
      {parameter(5, keyRowB, uint64_t{2} << 32), "f: launch 0: key 2, but the program has 2"},
      {parameter(5, keyRowA, 2 << 16), "f: launch 0: key digit 2, but the program has 2"},
      {parameter(5, keyRowA, 5), "f: launch 0: key row 5, but the program has 5"},
      {[](LaunchList &list) { list.launches[2].destinations[1].limb = 5; },
       "f: launch 2: limb 5, but the program has 5"},
      {[](LaunchList &list) { list.launches[2].sources[0].slot = 60; },
       "f: launch 2: slot 60, but the program has 60"},
      {[](LaunchList &list) { list.launches[2].destinations[1].limb = 2; },
       "f: launch 2: limb 2 stands twice in a conversion"},
      {[](LaunchList &list) { list.launches[2].destinations[1].slot = 16; },
       "f: launch 2: slot 16 is written twice"},
      {[](LaunchList &list) { list.launches[3].sources[1].slot = 16; },
       "f: launch 3: slot 16 is written for one limb and read for another"},
      {[](LaunchList &list) { list.launches[3].sources[2].slot = 18; },
       "f: launch 3: slot 18 is written for one limb and read for another"},
      {[](LaunchList &list) { list.launches[3].sources[2].slot = 16; },
       "f: launch 3: slot 16 is written for one limb and read for another"},
      {[](LaunchList &list) { list.launches[3].destinations[1].slot = 16; },
       "f: launch 3: slot 16 is written twice"},
      {[](LaunchList &list) {
         list.launches[3].sources.resize(131);
         list.launches[3].conversions[1].sources = 129;
       },
       "f: launch 3: a conversion of 129 limbs, but at most 128 are allowed"},
      {[](LaunchList &list) { list.launches[4].destinations[1].slot = 20; },
       "f: launch 4: slot 20 is written twice"},
      {[](LaunchList &list) { list.launches[4].sources[1].slot = 20; },
       "f: launch 4: slot 20 is written for one limb and read for another"},
      {[](LaunchList &list) {
         list.launches.push_back({LaunchKind::beginStage, 2, 0, {}, {}, {}, {}});
       },
       "f: launch 6: stage 2, but the program has 2"},
  };
  for (const BadLaunch &spoilt : bad) {
    LaunchList list = sample::sampleLaunches();
    spoilt.spoil(list);
    const Status status = check(list);
    EXPECT_EQ(status.message(), spoilt.message);
    EXPECT_EQ(status.code(), StatusCode::corruptFile) << spoilt.message;
  }
}

} // namespace
} // namespace sluice
