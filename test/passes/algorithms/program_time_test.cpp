//===- program_time_test.cpp - reuse distances by brute force, times by hand -----------------===//

#include "passes/algorithms/ProgramTime.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace sluice;
using namespace sluice::algorithms;

namespace {

/// Different places from the last access to `accesses[now]` on, `never` when there was none.
uint64_t distanceByCounting(const std::vector<LimbPlace> &accesses, size_t now) {
  std::set<LimbPlace> seen = {accesses[now]};
  for (size_t before = now; before-- > 0;) {
    if (accesses[before] == accesses[now])
      return seen.size();
    seen.insert(accesses[before]);
  }
  return ReuseDistances::never;
}

TEST(ReuseDistances, CountDifferentPlaces) {
  std::mt19937_64 random(3);
  for (uint64_t places : {1, 3, 40}) {
    std::vector<LimbPlace> accesses(300);
    ReuseDistances distances(accesses.size());
    for (size_t now = 0; now < accesses.size(); ++now) {
      accesses[now] = random() % places;
      EXPECT_EQ(distances.touch(accesses[now]), distanceByCounting(accesses, now)) << now;
    }
  }
}

TEST(ReachShare, IsLinearBetweenPoints) {
  std::vector<ReachPoint> reach = {{100, 0}, {200, 0.5}, {400, 1}};
  EXPECT_EQ(reachShare(reach, 8), 0);
  EXPECT_EQ(reachShare(reach, 100), 0);
  EXPECT_EQ(reachShare(reach, 150), 0.25);
  EXPECT_EQ(reachShare(reach, 300), 0.75);
  EXPECT_EQ(reachShare(reach, 401), 1);
  EXPECT_EQ(reachShare({}, 401), 0);
}

/// add: 1 to 3 ns a residue; a butterfly 2 ns; a term 0.5 ns. Limbs of 2^12 words: 32 KiB.
CostTable makeTable() {
  CostTable table;
  table.time(12, KernelFamily::add) = {1, 3};
  table.time(12, KernelFamily::ntt) = {2, 2};
  table.time(12, KernelFamily::convertTerm) = {0.5, 0.5};
  table.reach[0] = {{3 * 32768, 0}, {5 * 32768, 1}};
  return table;
}

TEST(ProgramTime, CountsUnitsOfEachFamily) {
  std::vector<KernelWork> works = {
      {KernelFamily::ntt, 1, {0}}, {KernelFamily::ntt, 1, {0}}, {KernelFamily::convertTerm, 6, {}}};
  auto times = programTime(works, 12, makeTable());
  EXPECT_EQ(times[KernelFamily::ntt].units, 2u);
  EXPECT_DOUBLE_EQ(times[KernelFamily::ntt].ns, 2 * 2.0 * (2048 * 12));
  EXPECT_EQ(times[KernelFamily::convertTerm].units, 6u);
  EXPECT_DOUBLE_EQ(times[KernelFamily::convertTerm].ns, 6 * 0.5 * 4096);
}

TEST(ProgramTime, WhatWasUsedLongAgoCostsMore) {
  // Three limbs, over and over: a reach of three limbs, which is cached.
  auto near = programTime({{KernelFamily::add, 1, {0, 1, 2}}}, 12, makeTable());
  EXPECT_DOUBLE_EQ(near[KernelFamily::add].ns, 4096.0);
  // Four limbs in turns: half way from 1 to 3 ns for each.
  auto half = programTime({{KernelFamily::add, 1, {0, 1}}, {KernelFamily::add, 1, {2, 3}}}, 12,
                          makeTable());
  EXPECT_DOUBLE_EQ(half[KernelFamily::add].ns, 2 * 2 * 4096.0);
  // One limb of the second call is that of the first: of six accesses to five limbs, the second and
  // third of limb 4 to 1 and 5 limbs, the others to 5.
  auto mixed = programTime({{KernelFamily::add, 1, {0, 1, 4}}, {KernelFamily::add, 1, {4, 2, 3}}},
                           12, makeTable());
  EXPECT_DOUBLE_EQ(mixed[KernelFamily::add].ns, 4096 * (3 + (1 + 2 * 2.0 / 3)));
}

} // namespace
