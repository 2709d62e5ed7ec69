//===- launch_reader_test.cpp - what a section `launches` must be -----------------------------===//
#include "runtime/base/bytes.h"
#include "runtime/wire/launch_reader.h"
#include "runtime/wire/launches.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr unsigned logN = 10;

/// One launch of each kind.
LaunchList everyKind() {
  using enum LaunchParameterKind;
  LaunchList list;
  list.kernels = {{LimbKernelKind::rows, 3, 2}, {LimbKernelKind::elements, 2, 1}};
  list.launches.resize(6);
  list.launches[0].kind = LaunchKind::beginStage;
  list.launches[0].number = 3;
  list.launches[1].number = 1;
  list.launches[1].limbs = 2;
  list.launches[1].parameters = {launchParameter(limb, 1), launchParameter(slot, 5),
                                 launchParameter(limb, 2), launchParameter(slot, 7)};
  const LaunchKind kinds[] = {LaunchKind::baseConvert, LaunchKind::baseConvertColumns,
                              LaunchKind::ntt, LaunchKind::intt};
  for (size_t i = 0; i < 4; ++i) {
    Launch &launch = list.launches[2 + i];
    launch.kind = kinds[i];
    launch.destinations = {{1, 8}, {2, 9}};
    launch.sources = {{1, 10}, {2, 11}};
    if (i < 2)
      launch.sources.push_back({4, 12});
  }
  list.launches[2].conversions = {{2, 3}};
  list.launches[3].conversions = {{1, 1}, {1, 2}};
  return list;
}

std::vector<uint64_t> words() { return wire::writeLaunches(everyKind(), logN); }

Expected<LaunchList> read(const std::vector<uint64_t> &words) {
  ByteWriter writer;
  writer.writeWords(words);
  return wire::readLaunches(writer.bytes(), "f", logN);
}

TEST(ReadLaunches, ReadsWhatIsWritten) {
  const Expected<LaunchList> list = read(words());
  ASSERT_TRUE(list.isOk()) << list.message();
  EXPECT_EQ(wire::writeLaunches(*list, logN), words());
  EXPECT_EQ(list->kernels[0].kind, LimbKernelKind::rows);
  EXPECT_EQ(list->kernels[0].parameters, 3u);
  EXPECT_EQ(list->kernels[0].outputs, 2u);
  EXPECT_EQ(list->launches[0].number, 3u);
  EXPECT_EQ(list->launches[1].limbs, 2u);
  EXPECT_EQ(list->launches[1].parameters, everyKind().launches[1].parameters);
  EXPECT_EQ(list->launches[2].conversions.size(), 1u);
  ASSERT_EQ(list->launches[3].conversions.size(), 2u);
  EXPECT_EQ(list->launches[3].conversions[1].destinations, 1u);
  EXPECT_EQ(list->launches[3].conversions[1].sources, 2u);
  EXPECT_EQ(list->launches[3].number, 0u);
  EXPECT_EQ(list->launches[3].sources[2].limb, 4u);
  EXPECT_EQ(list->launches[5].sources[1].slot, 11u);
}

TEST(ReadLaunches, RefusesEveryTruncationAndBytesAfterTheEnd) {
  std::vector<uint64_t> content = words();
  ByteWriter writer;
  writer.writeWords(content);
  for (size_t size = 0; size < writer.size(); ++size) {
    const auto list = wire::readLaunches(writer.bytes().first(size), "f", logN);
    ASSERT_FALSE(list.isOk()) << size << " bytes";
    EXPECT_EQ(list.status().code(), StatusCode::corruptFile);
    EXPECT_NE(list.message().find("truncated"), std::string::npos) << list.message();
  }
  content.push_back(0);
  EXPECT_EQ(read(content).message(),
            "f: byte " + std::to_string(8 * content.size() - 8) + ": bytes after the last launch");
}

struct BadWord {
  size_t index;
  uint64_t word;
  StatusCode code;
  const char *message;
};

/// Words of everyKind: 0 to 3 the header, 4 and 5 kernels, 6 the stage, 7 the limb kernel with its
/// parameters from 8 on, 12 a conversion with its size, destinations and sources, 19 two with sizes
/// in 20 and 21, 27 a transform.
TEST(ReadLaunches, RefusesWhatIsNotSo) {
  const uint64_t one = uint64_t{1} << 32;
  const BadWord bad[] = {
      {0, 1, StatusCode::corruptFile,
       "f: byte 0: this is no launch list (its magic word is missing)"},
      {1, 2 | 10 * one, StatusCode::unsupportedVersion,
       "f: launch list version 2, but this runtime reads version 1: update Sluice"},
      {1, 10 * one, StatusCode::corruptFile,
       "f: launch list version 0, but this runtime reads version 1"},
      {1, 1 | 11 * one, StatusCode::mismatch,
       "f: its launches are for a ring of degree 2^11, but the manifest's is 2^10"},
      {2, 65537, StatusCode::corruptFile,
       "f: byte 16: 65537 kernels, but at most 65536 are allowed"},
      {3, uint64_t{1} << 60, StatusCode::corruptFile,
       "f: byte 24: 1152921504606846976 launches, but at most 1048576 are allowed"},
      {3, 34, StatusCode::corruptFile,
       "f: byte 32: truncated: 34 words of launches are wanted here, but 264 bytes follow"},
      {4, 2 | 2 << 16 | 3 * one, StatusCode::corruptFile, "f: byte 32: a kernel of unknown kind 2"},
      {4, 3 << 16 | 3 * one, StatusCode::corruptFile,
       "f: byte 32: a kernel of 3 parameters cannot have 3 outputs"},
      {4, 3 * one, StatusCode::corruptFile,
       "f: byte 32: a kernel of 3 parameters cannot have 0 outputs"},
      {5, 1 << 16 | 16385 * one, StatusCode::corruptFile,
       "f: byte 40: a kernel of 16385 parameters, but at most 16384 are allowed"},
      {6, 5 | one, StatusCode::corruptFile, "f: byte 48: the beginning of a stage has no limbs"},
      {7, 6 | one, StatusCode::corruptFile, "f: byte 56: a launch of unknown kind 6"},
      {7, 2 << 8 | 2 * one, StatusCode::corruptFile, "f: byte 56: kernel 2 of 2"},
      {7, 1 << 8, StatusCode::corruptFile,
       "f: byte 56: a launch of 0 limbs, but 1 to 65535 are allowed"},
      {7, 1 << 8 | 65536 * one, StatusCode::corruptFile,
       "f: byte 56: a launch of 65536 limbs, but 1 to 65535 are allowed"},
      {9, uint64_t{6} << 56, StatusCode::corruptFile, "f: byte 72: a parameter of unknown kind 6"},
      {12, 1 | 2 * one, StatusCode::corruptFile, "f: byte 96: a launch of no conversions"},
      {12, 1 | uint64_t{0xffffff} << 8 | 2 * one, StatusCode::corruptFile,
       "f: byte 104: truncated: 16777215 words of conversions are wanted here, but 192 bytes "
       "follow"},
      {13, 2 * one, StatusCode::corruptFile, "f: byte 104: a conversion of 0 limbs to 2"},
      {13, 3, StatusCode::corruptFile, "f: byte 104: a conversion of 3 limbs to 0"},
      {13, 3 * one | 3, StatusCode::corruptFile,
       "f: byte 96: conversions to 3 limbs in a launch of 2"},
      {13, 2 * one | 65536, StatusCode::corruptFile,
       "f: byte 96: conversions of 65536 limbs, but at most 65535 are allowed"},
      {13, 2 * one | 65535, StatusCode::corruptFile,
       "f: byte 128: truncated: 65535 words of limbs are wanted here, but 168 bytes follow"},
      // Sums that are right in 32 bits.
      {20, 0xffffffff * one | 1, StatusCode::corruptFile,
       "f: byte 152: conversions to 4294967296 limbs in a launch of 2"},
      {21, one | 0xffffffff, StatusCode::corruptFile,
       "f: byte 152: conversions of 4294967296 limbs, but at most 65535 are allowed"},
      {27, 3 | 1 << 8 | 2 * one, StatusCode::corruptFile,
       "f: byte 216: launches of transforms have no numbers"},
      {31, 3 * one, StatusCode::corruptFile, "f: byte 248: a transform takes limb 3 to limb 2"},
  };
  for (const BadWord &spoilt : bad) {
    std::vector<uint64_t> content = words();
    content[spoilt.index] = spoilt.word;
    const auto list = read(content);
    ASSERT_FALSE(list.isOk()) << spoilt.message;
    EXPECT_EQ(list.message(), spoilt.message);
    EXPECT_EQ(list.status().code(), spoilt.code) << spoilt.message;
  }
}

} // namespace
} // namespace sluice
