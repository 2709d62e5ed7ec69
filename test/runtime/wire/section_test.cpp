//===- section_test.cpp - the frame of every binary file -------------------------------------===//
#include "runtime/wire/section.h"

#include <cstring>
#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::wire;

constexpr std::string_view tags[] = {"header", "data", "empty"};

std::vector<uint8_t> text(std::string_view content) { return {content.begin(), content.end()}; }

/// header: 5 bytes, empty: 0, data: 70.
std::vector<uint8_t> makeFile() {
  std::vector<uint8_t> file;
  SectionSize sizes[] = {{"header", 5}, {"empty", 0}, {"data", 70}};
  SectionWriter writer = *SectionWriter::begin(Sink::toMemory(file), FileKind::ciphertext, sizes);
  EXPECT_TRUE(writer.append(text("hello")).isOk());
  EXPECT_TRUE(writer.append(std::vector<uint8_t>(30, 7)).isOk());
  EXPECT_TRUE(writer.append(std::vector<uint8_t>(40, 9)).isOk());
  EXPECT_TRUE(writer.finish().isOk());
  return file;
}

/// Gives a changed file a right checksum, so that the change itself is what a reader finds.
void seal(std::vector<uint8_t> &file) {
  Hash hash = hash256(std::span(file).first(file.size() - 32));
  std::memcpy(file.data() + file.size() - 32, hash.data(), hash.size());
}

Expected<SectionReader> open(std::span<const uint8_t> file, FileKind kind = FileKind::ciphertext) {
  return SectionReader::open(Source::fromMemory(file, "f"), kind, tags);
}

Status openStatus(std::span<const uint8_t> file, FileKind kind = FileKind::ciphertext) {
  return open(file, kind).status();
}

TEST(Section, RoundTripAndLayout) {
  std::vector<uint8_t> file = makeFile();
  // 24 + 3 * 32 = 120 bytes of frame; sections at 128, 192 (empty), 192; 70 bytes; checksum.
  EXPECT_EQ(file.size(), 192u + 70 + 32);
  EXPECT_EQ(std::memcmp(file.data(), "SLUICE\x1A\n\x01\0\0\0\x02\0\0\0\x03\0\0\0\0\0\0\0", 24), 0);
  EXPECT_EQ(std::memcmp(file.data() + 128, "hello", 5), 0);
  SectionReader reader = *open(file);
  EXPECT_EQ(*reader.readSection("header", 5), text("hello"));
  EXPECT_TRUE(reader.readSection("empty", 0)->empty());
  Section data = *reader.section("data");
  std::vector<uint8_t> part(2);
  ASSERT_TRUE(reader.read(data, 29, part).isOk());
  EXPECT_EQ(part, (std::vector<uint8_t>{7, 9}));
  EXPECT_EQ(reader.read(data, 69, part).code(), StatusCode::corruptFile);
  EXPECT_EQ(reader.readSection("data", 69).status().message(),
            "f: at byte 192: section 'data' has 70 bytes, but at most 69 are allowed");
  EXPECT_EQ(reader.section("seed").status().message(), "f: section 'seed' is missing");
}

TEST(Section, EveryTruncationIsRefused) {
  std::vector<uint8_t> file = makeFile();
  for (size_t size = 0; size < file.size(); ++size) {
    Status status = openStatus(std::span(file).first(size));
    EXPECT_EQ(status.code(), StatusCode::corruptFile) << size;
    EXPECT_NE(status.message().find("truncated"), std::string::npos) << status.message();
  }
}

TEST(Section, EveryBitFlipIsRefused) {
  std::vector<uint8_t> file = makeFile();
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_FALSE(open(file)) << "bit " << bit;
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
  EXPECT_TRUE(open(file));
}

TEST(Section, BytesAfterTheEndAreRefused) {
  std::vector<uint8_t> file = makeFile();
  file.push_back(0);
  EXPECT_EQ(openStatus(file).message(),
            "f: bytes after the end: 295 bytes, but its sections and checksum need 294");
}

/// One wrong field each, under a right checksum: offset, new byte, message.
TEST(Section, MessagesOfTheFrame) {
  struct Case {
    size_t offset;
    uint8_t value;
    StatusCode code;
    const char *message;
  };
  const Case cases[] = {
      {0, 'X', StatusCode::corruptFile,
       "f: at byte 0: this is not a Sluice file (its magic bytes are missing)"},
      {8, 2, StatusCode::unsupportedVersion,
       "f: file format version 2 is newer than this program reads (version 1): update Sluice"},
      {8, 0, StatusCode::corruptFile, "f: at byte 8: there is no file format version 0"},
      {12, 3, StatusCode::mismatch,
       "f: this is a file of evaluation keys, but a ciphertext is needed here"},
      {12, 9, StatusCode::mismatch,
       "f: this is a file of unknown kind, but a ciphertext is needed here"},
      {16, 0, StatusCode::corruptFile, "f: at byte 16: 0 sections, but 1 to 64 are allowed"},
      {16, 65, StatusCode::corruptFile, "f: at byte 16: 65 sections, but 1 to 64 are allowed"},
      {16, 60, StatusCode::corruptFile,
       "f: truncated: 294 bytes cannot hold a table of 60 sections"},
      {20, 1, StatusCode::corruptFile, "f: at byte 20: reserved bytes are not zero"},
      {24, 'x', StatusCode::corruptFile,
       "f: at byte 24: a section of this name does not belong here"},
      {32, 64, StatusCode::corruptFile,
       "f: at byte 32: section 'header' must begin at byte 128, not 64"},
      {46, 1, StatusCode::corruptFile,
       "f: truncated: section 'header' has 281474976710661 bytes from byte 128, the file ends at "
       "294"},
      {48, 1, StatusCode::corruptFile, "f: at byte 48: reserved bytes are not zero"},
      {121, 1, StatusCode::corruptFile, "f: at byte 121: padding is not zero"},
      {133, 1, StatusCode::corruptFile, "f: at byte 133: padding is not zero"},
      {104, 69, StatusCode::corruptFile,
       "f: bytes after the end: 294 bytes, but its sections and checksum need 293"},
      {104, 71, StatusCode::corruptFile,
       "f: truncated: 294 bytes, but its sections and checksum need 295"},
  };
  for (const Case &wrong : cases) {
    std::vector<uint8_t> file = makeFile();
    file[wrong.offset] = wrong.value;
    seal(file);
    Status status = openStatus(file);
    EXPECT_EQ(status.message(), wrong.message);
    EXPECT_EQ(status.code(), wrong.code) << wrong.message;
  }
}

TEST(Section, RepeatedSectionIsRefused) {
  std::vector<uint8_t> file = makeFile();
  std::memcpy(file.data() + 24 + 32, file.data() + 24, 8); // 'empty' becomes 'header'
  seal(file);
  EXPECT_EQ(openStatus(file).message(), "f: at byte 56: section 'header' stands twice");
}

TEST(Section, WrongChecksumIsSaid) {
  std::vector<uint8_t> file = makeFile();
  file[200] ^= 1;
  EXPECT_EQ(openStatus(file).message(),
            "f: at byte 262: the checksum does not match: the file was damaged");
}

} // namespace
