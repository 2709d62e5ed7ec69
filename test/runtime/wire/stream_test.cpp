//===- stream_test.cpp - where files are read from and written to ----------------------------===//
#include "runtime/wire/stream.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace {

using namespace sluice;
using namespace sluice::wire;

std::string testPath(const char *name) { return testing::TempDir() + "stream_test_" + name; }

unsigned permissions(const std::string &path) {
  struct stat status;
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777;
}

TEST(Stream, WrittenFileIsReadBack) {
  std::string path = testPath("file");
  std::vector<uint8_t> bytes = {1, 2, 3, 4, 5};
  std::unique_ptr<Sink> sink = *Sink::createFile(path);
  ASSERT_TRUE(sink->write(bytes).isOk());
  ASSERT_TRUE(sink->commit().isOk());
  std::unique_ptr<Source> source = *Source::openFile(path);
  EXPECT_EQ(source->size(), 5u);
  std::vector<uint8_t> out(3);
  ASSERT_TRUE(source->read(1, out).isOk());
  EXPECT_EQ(out, (std::vector<uint8_t>{2, 3, 4}));
  EXPECT_EQ(source->read(3, out).code(), StatusCode::corruptFile);
  EXPECT_EQ(source->read(~uint64_t(0), out).code(), StatusCode::corruptFile);
  std::filesystem::remove(path);
}

TEST(Stream, SecretFilesArePrivateFromTheFirstByte) {
  std::string path = testPath("secret");
  {
    std::unique_ptr<Sink> sink = *Sink::createFile(path, 0600);
    ASSERT_TRUE(sink->write(std::vector<uint8_t>{42}).isOk());
    for (const auto &entry : std::filesystem::directory_iterator(testing::TempDir())) {
      if (entry.path().string().starts_with(path)) {
        EXPECT_EQ(permissions(entry.path().string()), 0600u);
      }
    }
    ASSERT_TRUE(sink->commit().isOk());
  }
  EXPECT_EQ(permissions(path), 0600u);
  std::filesystem::remove(path);
}

TEST(Stream, AFileThatIsKeptIsNotReplaced) {
  std::string path = testPath("kept");
  for (uint8_t byte : {uint8_t(1), uint8_t(2)}) {
    std::unique_ptr<Sink> sink = *Sink::createFile(path, 0600, Existing::keep);
    ASSERT_TRUE(sink->write(std::vector<uint8_t>{byte}).isOk());
    Status status = sink->commit();
    EXPECT_EQ(status.message(), byte == 1 ? "" : path + ": cannot write: File exists");
  }
  std::vector<uint8_t> out(1);
  ASSERT_TRUE((*Source::openFile(path))->read(0, out).isOk());
  EXPECT_EQ(out[0], 1);
  std::filesystem::remove(path);
  for (const auto &entry : std::filesystem::directory_iterator(testing::TempDir()))
    EXPECT_FALSE(entry.path().string().starts_with(path)) << entry.path();
}

TEST(Stream, WithoutCommitNothingAppears) {
  std::string path = testPath("discarded");
  {
    ASSERT_TRUE((*Sink::createFile(path))->write(std::vector<uint8_t>{1}).isOk());
  }
  for (const auto &entry : std::filesystem::directory_iterator(testing::TempDir()))
    EXPECT_FALSE(entry.path().string().starts_with(path)) << entry.path();
}

TEST(Stream, Refusals) {
  EXPECT_EQ(Source::openFile(testPath("absent")).status().code(), StatusCode::notFound);
  EXPECT_EQ(Source::openFile(testing::TempDir()).status().code(), StatusCode::io);
  EXPECT_EQ(Sink::createFile(testPath("no") + "/such/folder").status().code(),
            StatusCode::notFound);
  std::vector<uint8_t> bytes(10);
  std::unique_ptr<Source> source = Source::fromMemory(bytes, "x");
  EXPECT_EQ(readAll(*source, 9, "a test").status().message(),
            "x: 10 bytes, but a test has at most 9");
  EXPECT_EQ(readAll(*source, 10, "a test")->size(), 10u);
}

} // namespace
