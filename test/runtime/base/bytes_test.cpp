//===- bytes_test.cpp -------------------------------------------------------------------------===//
#include "runtime/base/bytes.h"

#include <array>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

TEST(ByteWriter, WritesLittleEndian) {
  ByteWriter writer;
  writer.writeU8(0x01);
  writer.writeU16(0x0302);
  writer.writeU32(0x07060504);
  writer.writeU64(0x0f0e0d0c0b0a0908);
  std::span<const uint8_t> bytes = writer.bytes();
  ASSERT_EQ(bytes.size(), 15u);
  for (size_t i = 0; i < bytes.size(); ++i)
    EXPECT_EQ(bytes[i], i + 1);
}

TEST(ByteWriter, PadsTextAndAligns) {
  ByteWriter writer;
  writer.writeText("abc", 8);
  writer.alignTo(64);
  EXPECT_EQ(writer.size(), 64u);
  writer.alignTo(64);
  EXPECT_EQ(writer.size(), 64u);
  ByteReader reader(writer.bytes());
  EXPECT_EQ(*reader.readText(8), "abc");
}

TEST(ByteReader, ReadsBackWhatWasWritten) {
  const std::array<uint64_t, 2> words = {1, ~uint64_t{0}};
  ByteWriter writer;
  writer.writeU8(200);
  writer.writeU16(60000);
  writer.writeU32(4000000000);
  writer.writeI64(-5);
  writer.writeF64(-0.1);
  writer.writeWords(words);

  ByteReader reader(writer.bytes());
  EXPECT_EQ(*reader.readU8(), 200);
  EXPECT_EQ(*reader.readU16(), 60000);
  EXPECT_EQ(*reader.readU32(), 4000000000u);
  EXPECT_EQ(*reader.readI64(), -5);
  EXPECT_EQ(*reader.readF64(), -0.1);
  std::array<uint64_t, 2> again;
  EXPECT_TRUE(reader.readWords(again).isOk());
  EXPECT_EQ(again, words);
  EXPECT_TRUE(reader.expectEnd().isOk());
}

TEST(ByteReader, RefusesToReadPastTheEndAndStaysWhereItWas) {
  const std::array<uint8_t, 6> bytes = {1, 2, 3, 4, 5, 6};
  ByteReader reader(bytes, 100);
  EXPECT_EQ(*reader.readU16(), 0x0201);
  Expected<uint64_t> word = reader.readU64();
  EXPECT_EQ(word.status().code(), StatusCode::corruptFile);
  EXPECT_EQ(word.message(), "at byte 102: 8 bytes expected, only 4 are left");
  EXPECT_EQ(reader.remaining(), 4u);
  EXPECT_EQ(*reader.readU32(), 0x06050403u);
}

TEST(ByteReader, HugeSizesDoNotOverflow) {
  const std::array<uint8_t, 4> bytes = {};
  ByteReader reader(bytes);
  EXPECT_TRUE(reader.readU8().isOk());
  EXPECT_FALSE(reader.readBytes(~uint64_t{0}).isOk());
  EXPECT_FALSE(reader.skip(~uint64_t{0} - 1).isOk());
  EXPECT_EQ(reader.remaining(), 3u);
}

TEST(ByteReader, ReportsBytesAfterTheEnd) {
  const std::array<uint8_t, 3> bytes = {};
  ByteReader reader(bytes);
  EXPECT_TRUE(reader.skip(1).isOk());
  EXPECT_EQ(reader.expectEnd().message(), "at byte 1: 2 bytes after the end");
}

} // namespace
