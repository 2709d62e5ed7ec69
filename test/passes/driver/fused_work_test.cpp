//===- fused_work_test.cpp - the work of small programs, counted by hand ---------------------===//

#include "passes/driver/FusedWork.h"
#include "test/passes/driver/stages.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace sluice;
using algorithms::KernelWork;

namespace {

/// The work of the one function of a module in phase fused; empty without a plan.
std::optional<std::vector<KernelWork>> workOf(const std::string &body) {
  StagedModule module(
      "module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>} {\n" + body +
      "\n}");
  EXPECT_TRUE(module) << module.messages;
  return listWork(*module.get().getOps<mlir::func::FuncOp>().begin());
}

std::map<KernelFamily, uint64_t> unitsOf(const std::vector<KernelWork> &works) {
  std::map<KernelFamily, uint64_t> units;
  for (const KernelWork &work : works)
    units[work.family] += work.units;
  return units;
}

const char *switchKey = R"(
  func.func @f(%x: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>}) -> !rns.poly<[0, 1, 2], eval>
      attributes {rns.arena_slots = 11} {
    %c = rns.intt %x {rns.slots = array<i32: 2, 3>} : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], coeff>
    %u = rns.base_convert %c {rns.slots = array<i32: 4>} : !rns.poly<[0, 1], coeff> -> !rns.poly<[2], coeff>
    %n = rns.ntt %u {rns.slots = array<i32: 4>} : !rns.poly<[2], coeff> -> !rns.poly<[2], eval>
    %d = rns.concat %x, %n {rns.slots = array<i32: 0, 1, 4>}
        : !rns.poly<[0, 1], eval>, !rns.poly<[2], eval> -> !rns.poly<[0, 1, 2], eval>
    %k = rns.key {kind = relinearize} : !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]>
    %b, %a = rns.inner_product %d, %d with %k attributes {rns.slots = array<i32: 5, 6, 7, 8, 9, 10>}
        : !rns.poly<[0, 1, 2], eval>, !rns.poly<[0, 1, 2], eval> with !rns.key<limbs = [2, 0, 1], digits = [[0], [1]]>
        -> !rns.poly<[0, 1, 2], eval>
    %s = rns.add %b, %a {rns.slots = array<i32: 5, 6, 7>} : !rns.poly<[0, 1, 2], eval>
    return %s : !rns.poly<[0, 1, 2], eval>
  })";

TEST(FusedWork, OfAKeySwitch) {
  auto works = workOf(switchKey);
  ASSERT_TRUE(works);
  // Two limbs in and three out; 2 x 1 pairs of the conversion; 3 limbs times 2 digits. Views, keys
  // and constants are no work.
  std::map<KernelFamily, uint64_t> expected = {{KernelFamily::copy, 5},
                                               {KernelFamily::intt, 2},
                                               {KernelFamily::convertSource, 2},
                                               {KernelFamily::convertDestination, 1},
                                               {KernelFamily::convertTerm, 2},
                                               {KernelFamily::ntt, 1},
                                               {KernelFamily::innerProduct, 3},
                                               {KernelFamily::innerProductDigit, 6},
                                               {KernelFamily::add, 3}};
  EXPECT_EQ(unitsOf(*works), expected);
}

TEST(FusedWork, TouchesEveryRowOfTheKeyOnce) {
  auto works = workOf(switchKey);
  ASSERT_TRUE(works);
  std::multiset<algorithms::LimbPlace> seen;
  for (const KernelWork &work : *works)
    if (work.family == KernelFamily::innerProductDigit)
      seen.insert(work.places.begin(), work.places.end());
  // Two digits of three rows, both halves; the three limbs of the digits, which are read twice.
  EXPECT_EQ(seen.size(), 2u * 3 * 3);
  EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), 2u * 3 * 2 + 3);
}

TEST(FusedWork, GoesThroughAKernelLimbByLimb) {
  auto works = workOf(R"(
  func.func @f(%x: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>}) -> !rns.poly<[0, 1], eval>
      attributes {rns.arena_slots = 4, rns.scratch_slots = 1} {
    %k = rns.constant {kind = slots, values = dense<[1.0]> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0, 1], eval>
    %r = rns.limb_kernel %x {rns.slots = array<i32: 2, 3>} : (!rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1], eval>) {
    ^bb0(%a: !rns.poly<[0, 1], eval>):
      %p = rns.mul %a, %k {rns.scratch = array<i32: 0>} : !rns.poly<[0, 1], eval>
      %t = rns.automorphism %p {element = 5} {rns.scratch = array<i32: -1>} : !rns.poly<[0, 1], eval>
      rns.yield %t : !rns.poly<[0, 1], eval>
    }
    return %r : !rns.poly<[0, 1], eval>
  })");
  ASSERT_TRUE(works);
  ASSERT_EQ(works->size(), 2u + 2 * 2 + 2);
  const KernelWork &product = (*works)[2], &turned = (*works)[3], &next = (*works)[4];
  EXPECT_EQ(product.family, KernelFamily::mul);
  EXPECT_EQ(turned.family, KernelFamily::automorphism);
  EXPECT_EQ(next.family, KernelFamily::mul);
  EXPECT_EQ(turned.places.front(), product.places.back()) << "by way of the scratch slot";
  EXPECT_EQ(next.places.back(), product.places.back()) << "which limb 1 uses again";
  EXPECT_NE(next.places.front(), product.places.front());
  EXPECT_EQ((*works)[6].places.back(), turned.places.back()) << "the result is read from its slot";
}

TEST(FusedWork, NeedsAPlan) {
  EXPECT_FALSE(workOf("func.func @f(%x: !rns.poly<[0], eval>) -> !rns.poly<[0], eval> {\n"
                      "return %x : !rns.poly<[0], eval>\n}"));
}

const char *halves = R"(
  func.func @f(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) -> !rns.poly<[1], eval>
      attributes {rns.arena_slots = 4, rns.scratch_slots = 1} {
    %h = rns.intt_rows %x {rns.slots = array<i32: 1>} : !rns.poly<[0], eval> -> !rns.poly<[0], half_intt>
    %v = rns.base_convert %h {rns.slots = array<i32: 2>} : !rns.poly<[0], half_intt> -> !rns.poly<[1], half_ntt>
    %r = rns.limb_kernel %v {rns.slots = array<i32: 3>} : (!rns.poly<[1], half_ntt>) -> !rns.poly<[1], eval> {
    ^bb0(%a: !rns.poly<[1], half_ntt>):
      %e = rns.ntt_rows %a {rns.scratch = array<i32: 0>} : !rns.poly<[1], half_ntt> -> !rns.poly<[1], eval>
      %n = rns.negate %e {rns.scratch = array<i32: -1>} : !rns.poly<[1], eval>
      rns.yield %n : !rns.poly<[1], eval>
    }
    return %r : !rns.poly<[1], eval>
  })";

TEST(FusedWork, OfHalfTransforms) {
  auto works = workOf(halves);
  ASSERT_TRUE(works);
  std::map<KernelFamily, uint64_t> expected = {
      {KernelFamily::copy, 2},          {KernelFamily::inttRows, 1},
      {KernelFamily::columnsSource, 1}, {KernelFamily::columnsDestination, 1},
      {KernelFamily::columnsTerm, 1},   {KernelFamily::nttRows, 1},
      {KernelFamily::negate, 1}};
  EXPECT_EQ(unitsOf(*works), expected);
  // The loop runs in blocks: what ntt_rows left is in the cache, the result is not.
  for (const KernelWork &work : *works)
    if (work.family == KernelFamily::negate) {
      ASSERT_EQ(work.places.size(), 2u);
      EXPECT_EQ(work.places[0], algorithms::cachedPlace);
      EXPECT_NE(work.places[1], algorithms::cachedPlace);
    }
}

TEST(FusedWork, OfBlocksThatAnAutomorphismMoves) {
  auto works = workOf(R"(
  func.func @f(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) -> !rns.poly<[0], eval>
      attributes {rns.arena_slots = 1, rns.scratch_slots = 2} {
    %k = rns.constant {kind = slots, values = dense<[1.0]> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0], eval>
    %r, %s = rns.limb_kernel %x, %x {rns.slots = array<i32: 0, 0>} : (!rns.poly<[0], eval>, !rns.poly<[0], eval>) -> (!rns.poly<[0], eval>, !rns.poly<[0], eval>) {
    ^bb0(%a: !rns.poly<[0], eval>, %b: !rns.poly<[0], eval>):
      %t = rns.automorphism %a {element = 5} {rns.scratch = array<i32: 0>} : !rns.poly<[0], eval>
      %u = rns.mul %t, %t {rns.scratch = array<i32: 1>} : !rns.poly<[0], eval>
      %v = rns.negate %b {rns.scratch = array<i32: -1>} : !rns.poly<[0], eval>
      %w, %z = rns.weighted_sum %u, %v plus [%k] times [%t] and [%b] {rns.scratch = array<i32: 1, -2>} : !rns.poly<[0], eval>
      rns.yield %v, %z : !rns.poly<[0], eval>, !rns.poly<[0], eval>
    }
    return %r : !rns.poly<[0], eval>
  })");
  ASSERT_TRUE(works);
  std::map<KernelFamily, uint64_t> expected = {{KernelFamily::copy, 2},
                                               {KernelFamily::automorphism, 1},
                                               {KernelFamily::mul, 1},
                                               {KernelFamily::negate, 1},
                                               {KernelFamily::innerProductDigit, 1},
                                               {KernelFamily::innerProduct, 1}};
  EXPECT_EQ(unitsOf(*works), expected);
}

} // namespace
