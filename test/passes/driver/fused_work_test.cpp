//===- fused_work_test.cpp - the work of small programs, counted by hand ---------------------===//

#include "passes/driver/FusedWork.h"

#include "passes/CostsAttribute.h"
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

//===- On devices ===//

const std::string ringModule =
    "module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>} {\n";

/// One limb in, one out. %p is needed at two Galois elements, %z by nobody.
const char *turnedSum = R"(
  func.func @f(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) -> !rns.poly<[0], eval>
      attributes {rns.arena_slots = 2, rns.scratch_slots = 3} {
    %k = rns.constant {kind = slots, values = dense<[1.0]> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0], eval>
    %r = rns.limb_kernel %x {rns.slots = array<i32: 1>} : (!rns.poly<[0], eval>) -> !rns.poly<[0], eval> {
    ^bb0(%a: !rns.poly<[0], eval>):
      %p = rns.mul %a, %k {rns.scratch = array<i32: 0>} : !rns.poly<[0], eval>
      %z = rns.negate %a {rns.scratch = array<i32: 2>} : !rns.poly<[0], eval>
      %t = rns.automorphism %p {element = 5} {rns.scratch = array<i32: 1>} : !rns.poly<[0], eval>
      %s = rns.add %p, %t {rns.scratch = array<i32: -1>} : !rns.poly<[0], eval>
      rns.yield %s : !rns.poly<[0], eval>
    }
    return %r : !rns.poly<[0], eval>
  })";

std::optional<DeviceWork> deviceWorkOf(const std::string &body) {
  StagedModule module(ringModule + body + "\n}");
  EXPECT_TRUE(module) << module.messages;
  return listDeviceWork(*module.get().getOps<mlir::func::FuncOp>().begin());
}

TEST(DeviceWork, LoadsAndStoresOnceForEachElement) {
  auto work = deviceWorkOf(turnedSum);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->launches, 1u);
  std::map<KernelFamily, uint64_t> expected = {{KernelFamily::copy, 2},
                                               {KernelFamily::mul, 2},
                                               {KernelFamily::automorphism, 1},
                                               {KernelFamily::add, 1}};
  EXPECT_EQ(unitsOf(work->works), expected);
  for (const KernelWork &each : work->works) {
    std::vector<bool> isFromMemory;
    for (algorithms::LimbPlace place : each.places)
      isFromMemory.push_back(place != algorithms::cachedPlace);
    if (each.family == KernelFamily::mul) {
      EXPECT_EQ(isFromMemory, (std::vector<bool>{true, true, false}));
    } else if (each.family == KernelFamily::automorphism) {
      EXPECT_EQ(isFromMemory, (std::vector<bool>{false, false})) << "and no permutation";
    } else if (each.family == KernelFamily::add) {
      EXPECT_EQ(isFromMemory, (std::vector<bool>{false, false, true}));
    }
  }
}

TEST(DeviceWork, CountsTwoLaunchesForTransformsAndConversions) {
  auto work = deviceWorkOf(switchKey);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->launches, 2u * 3 + 2) << "intt, base_convert, ntt; inner_product and add";
}

/// Of a device: 1 ns in registers and 4 from memory for arithmetic, a launch of a microsecond.
CostTable deviceCosts() {
  CostTable costs;
  costs.launchNs = 1000;
  for (std::vector<ReachPoint> &reach : costs.reach)
    reach = {{1, 1}};
  for (KernelFamily family : {KernelFamily::add, KernelFamily::mul, KernelFamily::negate})
    costs.time(3, family) = {1, 4};
  costs.time(3, KernelFamily::automorphism) = {0.5, 9};
  costs.time(3, KernelFamily::copy) = {10, 10};
  return costs;
}

TEST(DeviceForecast, AddsLaunchesToWhatKernelsTouch) {
  StagedModule module(ringModule + turnedSum + "\n}");
  ASSERT_TRUE(module) << module.messages;
  module.get()->setAttr(costsAttr, toAttribute(deviceCosts(), module.get().getContext()));
  auto forecast = forecastTimes(module.get());
  ASSERT_TRUE(succeeded(forecast)) << module.messages;
  EXPECT_EQ(forecast->launches, 1u);
  EXPECT_DOUBLE_EQ(forecast->launchNs, 1000);
  auto ns = [&](KernelFamily family) { return forecast->families[family].ns; };
  EXPECT_DOUBLE_EQ(ns(KernelFamily::copy), 8 * 2 * 10.0);
  EXPECT_DOUBLE_EQ(ns(KernelFamily::mul), 8 * 2 * (1 + 2.0 / 3 * 3)) << "two of three from memory";
  EXPECT_DOUBLE_EQ(ns(KernelFamily::automorphism), 8 * 0.5);
  EXPECT_DOUBLE_EQ(ns(KernelFamily::add), 8 * (1 + 1.0 / 3 * 3));
}

TEST(DeviceForecast, OfCostsOfACpuHasNoLaunches) {
  StagedModule module(ringModule + turnedSum + "\n}");
  ASSERT_TRUE(module) << module.messages;
  auto forecast = forecastTimes(module.get());
  ASSERT_TRUE(succeeded(forecast));
  EXPECT_EQ(forecast->launches, 0u);
  EXPECT_EQ(forecast->launchNs, 0);
  EXPECT_EQ(forecast->families[KernelFamily::negate].units, 1u) << "a CPU does what is there";
}

TEST(DeviceForecast, RefusesALaunchThatIsNoTime) {
  StagedModule module(ringModule + turnedSum + "\n}");
  ASSERT_TRUE(module) << module.messages;
  mlir::Builder builder(module.get().getContext());
  for (mlir::Attribute wrong : {mlir::Attribute(builder.getF64FloatAttr(-1)),
                                mlir::Attribute(builder.getI64IntegerAttr(1000)),
                                mlir::Attribute(builder.getF32FloatAttr(1))}) {
    mlir::NamedAttrList costs(toAttribute(deviceCosts(), builder.getContext()));
    costs.set("launch", wrong);
    module.get()->setAttr(costsAttr, costs.getDictionary(builder.getContext()));
    module.messages.clear();
    EXPECT_TRUE(failed(forecastTimes(module.get())));
    EXPECT_NE(module.messages.find("has a 'launch' that is no time of a launch"), std::string::npos)
        << module.messages;
  }
}

} // namespace
