//===- cost_file_test.cpp - what kernels cost, as bytes --------------------------------------===//
#include "runtime/wire/cost_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace sluice;
using namespace sluice::wire;
using nlohmann::json;

/// Every figure another one; all are small sums of powers of two, so that they print and read back
/// as they are.
CostTable makeTable(uint32_t threads) {
  CostTable table;
  table.threads = threads;
  double ns = 0.25 * threads;
  for (auto &times : table.times)
    for (KernelTime &time : times) {
      time = {ns, 2 * ns};
      ns += 0.125;
    }
  for (size_t degree = 0; degree < costDegrees; ++degree)
    table.reach[degree] = {
        {uint64_t(1024) << degree, 0}, {uint64_t(1) << 20, 0.5}, {uint64_t(1) << 27, 1}};
  return table;
}

Costs makeCosts() { return {"A CPU", "avx2", {makeTable(1), makeTable(4)}}; }

Expected<Costs> read(const std::string &text) {
  return readCosts({reinterpret_cast<const uint8_t *>(text.data()), text.size()}, "c");
}

TEST(CostFile, RoundTrip) {
  Costs costs = makeCosts();
  std::string text = writeCosts(costs);
  Expected<Costs> again = read(text);
  ASSERT_TRUE(again) << again.message();
  EXPECT_EQ(writeCosts(*again), text);
  EXPECT_EQ(again->cpu, "A CPU");
  EXPECT_EQ(again->kernels, "avx2");
  ASSERT_EQ(again->tables.size(), 2u);
  EXPECT_EQ(again->tables[1].threads, 4u);
  for (unsigned logN = minCostLogN; logN <= maxCostLogN; ++logN)
    for (size_t family = 0; family < kernelFamilyCount; ++family) {
      auto kernel = static_cast<KernelFamily>(family);
      EXPECT_EQ(again->tables[1].time(logN, kernel).cached,
                costs.tables[1].time(logN, kernel).cached);
      EXPECT_EQ(again->tables[1].time(logN, kernel).memory,
                costs.tables[1].time(logN, kernel).memory);
    }
  ASSERT_EQ(again->tables[0].reach[2].size(), 3u);
  EXPECT_EQ(again->tables[0].reach[2][0].bytes, 4096u);
  EXPECT_EQ(again->tables[0].reach[2][1].share, 0.5);
}

TEST(CostFile, OnlyDevicesHaveLaunches) {
  Costs costs = makeCosts();
  EXPECT_EQ(writeCosts(costs).find("launch_ns"), std::string::npos);
  EXPECT_FALSE(read(writeCosts(costs))->tables[0].isOfDevice());
  costs.tables.resize(1);
  costs.tables[0].launchNs = 1536.5;
  Expected<Costs> again = read(writeCosts(costs));
  ASSERT_TRUE(again) << again.message();
  EXPECT_TRUE(again->tables[0].isOfDevice());
  EXPECT_EQ(again->tables[0].launchNs, 1536.5);
  EXPECT_EQ(writeCosts(*again), writeCosts(costs));
}

TEST(CostFile, UnknownFieldsAreIgnored) {
  json document = json::parse(writeCosts(makeCosts()));
  document["later"] = 1;
  EXPECT_TRUE(read(document.dump()));
}

TEST(CostFile, EveryFieldIsRequired) {
  json whole = json::parse(writeCosts(makeCosts())), flat = whole.flatten();
  for (const auto &[name, value] : flat.items()) {
    json::json_pointer pointer(name);
    while (pointer.back().find_first_not_of("0123456789") == std::string::npos)
      pointer.pop_back(); // an element of an array: take the array
    json document = whole;
    document[pointer.parent_pointer()].erase(pointer.back());
    EXPECT_NE(read(document.dump()).message().find("field '" + pointer.back() + "' is missing"),
              std::string::npos)
        << name;
  }
}

TEST(CostFile, OtherDegreesCostWhatTheNearestDoes) {
  CostTable table = makeTable(1);
  EXPECT_EQ(table.time(8, KernelFamily::add).cached, table.time(12, KernelFamily::add).cached);
  EXPECT_EQ(table.time(17, KernelFamily::add).cached, table.time(16, KernelFamily::add).cached);
}

struct Refusal {
  const char *name, *pointer;
  json value;
  StatusCode code;
  const char *message;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithItsMessage) {
  const Refusal &refusal = GetParam();
  json document = json::parse(writeCosts(makeCosts()));
  document[json::json_pointer(refusal.pointer)] = refusal.value;
  Expected<Costs> costs = read(document.dump());
  ASSERT_FALSE(costs);
  EXPECT_EQ(costs.status().code(), refusal.code);
  EXPECT_EQ(costs.message(), refusal.message);
}

constexpr StatusCode corrupt = StatusCode::corruptFile;

INSTANTIATE_TEST_SUITE_P(
    CostFile, Refused,
    testing::Values(
        Refusal{"Format", "/format", "sluice-manifest", corrupt,
                "c: format: is 'sluice-manifest', but a cost file has 'sluice-costs'"},
        Refusal{"Newer", "/version", 3, StatusCode::unsupportedVersion,
                "c: cost file version 3 is newer than this program reads (version 2): update "
                "Sluice, or calibrate again"},
        Refusal{"Older", "/version", 1, StatusCode::unsupportedVersion,
                "c: cost file version 1 lacks kernels that version 2 has: calibrate again"},
        Refusal{"LongName", "/cpu", std::string(257, 'x'), corrupt,
                "c: cpu: has 257 bytes, at most 256 are allowed"},
        Refusal{"OtherDegree", "/log_n/0", 11, corrupt, "c: log_n[0]: 11 is not in 12 to 12"},
        Refusal{"NoTable", "/tables", json::array(), corrupt,
                "c: tables: has 0 elements, 1 to 16 are allowed"},
        Refusal{"NoThreads", "/tables/0/threads", 0, corrupt,
                "c: tables[0].threads: 0 is not in 1 to 1024"},
        Refusal{"FirstForOne", "/tables/0/threads", 2, corrupt,
                "c: tables[0]: is for 2 threads, but the first table is for one"},
        Refusal{"Twice", "/tables/1/threads", 1, corrupt,
                "c: tables[1]: is a second table for 1 threads"},
        Refusal{"Negative", "/tables/0/ns/add/cached/1", -1, corrupt,
                "c: tables[0].ns.add.cached[1]: -1 is not in 0 to 1e+06"},
        Refusal{"Huge", "/tables/0/ns/add/memory/1", 1e7, corrupt,
                "c: tables[0].ns.add.memory[1]: 1e+07 is not in 3.625 to 1e+06"},
        Refusal{"MemoryFasterThanCache", "/tables/0/ns/ntt/memory/0", 0.125, corrupt,
                "c: tables[0].ns.ntt.memory[0]: 0.125 is not in 0.25 to 1e+06"},
        Refusal{"NoNumber", "/tables/0/ns/add/cached/1", "1", corrupt,
                "c: tables[0].ns.add.cached[1]: must be a number"},
        Refusal{"TooFew",
                "/tables/0/ns/add/cached",
                {1, 1, 1, 1},
                corrupt,
                "c: tables[0].ns.add.cached: has 4 elements, 5 to 5 are allowed"},
        Refusal{"NegativeLaunch", "/tables/0/launch_ns", -1, corrupt,
                "c: tables[0].launch_ns: -1 is not in 0 to 1e+09"},
        Refusal{"LaunchIsNoNumber", "/tables/0/launch_ns", "1", corrupt,
                "c: tables[0].launch_ns: must be a number"},
        Refusal{"ReachFalls", "/tables/0/reach/0/2/1", 0.25, corrupt,
                "c: tables[0].reach[0][2][1]: 0.25 is not in 0.5 to 1"},
        Refusal{"ReachAboveOne", "/tables/0/reach/0/2/1", 1.5, corrupt,
                "c: tables[0].reach[0][2][1]: 1.5 is not in 0.5 to 1"},
        Refusal{"ReachGoesBack", "/tables/0/reach/0/1/0", 1024, corrupt,
                "c: tables[0].reach[0][1][0]: 1024 is not in 1025 to 9007199254740992"},
        Refusal{"NoPair",
                "/tables/0/reach/0/1",
                {1, 1, 1},
                corrupt,
                "c: tables[0].reach[0][1]: has 3 elements, 2 to 2 are allowed"}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(CostFile, WhatIsNoCostFileIsRefused) {
  EXPECT_EQ(read(std::string(limits::costsBytes + 1, ' ')).message(),
            "c: 1048577 bytes, but a cost file has at most 1048576");
  EXPECT_FALSE(read("{"));
  EXPECT_FALSE(read("[]"));
}

} // namespace
