//===- secret_key_io_test.cpp - the secret key as a file -------------------------------------===//
#include "runtime/client/secret_key_io.h"

#include "test/runtime/wire/fixtures.h"
#include "test/runtime/wire/rewrite.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace {

using namespace sluice;
using namespace sluice::client;

class SecretKeyFile : public testing::Test {
protected:
  SecretKeyFile()
      : manifest(test::makeManifest({.logN = 5, .insecure = true, .shape = {4}})),
        path(testing::TempDir() + "secret_key_io_test.key") {
    key.keyId = std::string(32, 'd');
    for (size_t k = 0; k < manifest.degree(); ++k)
      key.coefficients.push_back(static_cast<int8_t>(k % 3) - 1);
    EXPECT_TRUE(write().isOk());
  }
  ~SecretKeyFile() override { std::filesystem::remove(path); }

  Status write(wire::Existing existing = wire::Existing::replace) {
    Expected<std::unique_ptr<wire::Sink>> sink = createSecretKeyFile(path, existing);
    return sink ? writeSecretKey(key, manifest, std::move(*sink)) : sink.status();
  }

  Expected<SecretKey> read() {
    Expected<std::unique_ptr<wire::Source>> source = wire::Source::openFile(path);
    EXPECT_TRUE(source) << source.message();
    return readSecretKey(std::move(*source), manifest);
  }

  std::vector<uint8_t> bytes() {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  Status statusOf(std::span<const uint8_t> file) {
    return readSecretKey(wire::Source::fromMemory(file, "s"), manifest).status();
  }

  Manifest manifest;
  std::string path;
  SecretKey key;
};

TEST_F(SecretKeyFile, RoundTrip) {
  Expected<SecretKey> back = read();
  ASSERT_TRUE(back) << back.message();
  EXPECT_EQ(back->keyId, key.keyId);
  EXPECT_EQ(back->coefficients, key.coefficients);
}

TEST_F(SecretKeyFile, OnlyTheOwnerMayReadIt) {
  struct stat status;
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  Status refused = read().status();
  EXPECT_EQ(refused.code(), StatusCode::insecure);
  EXPECT_EQ(refused.message(),
            path + ": others can access this secret key (mode 0640): run chmod 600 on it");
}

TEST_F(SecretKeyFile, AFileThatWasOpenIsReplacedByAPrivateOne) {
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  ASSERT_TRUE(write().isOk());
  EXPECT_TRUE(read());
}

TEST_F(SecretKeyFile, IsReplacedOnlyByWhoSaysSo) {
  std::vector<uint8_t> before = bytes();
  key.keyId = std::string(32, 'e');
  EXPECT_EQ(write(wire::Existing::keep).message(),
            path + ": there is a secret key already, and replacing it loses all that was encrypted "
                   "under it; use --force (in Python force=True) if you want that");
  EXPECT_EQ(bytes(), before);
  ASSERT_TRUE(write(wire::Existing::replace).isOk());
  EXPECT_NE(bytes(), before);
}

TEST_F(SecretKeyFile, ALinkThatLeadsNowhereIsKept) {
  std::filesystem::remove(path);
  std::filesystem::create_symlink(path + ".elsewhere", path);
  EXPECT_EQ(write(wire::Existing::keep).code(), StatusCode::invalidArgument);
}

TEST_F(SecretKeyFile, Refusals) {
  std::vector<uint8_t> file = bytes();
  EXPECT_EQ(statusOf(test::withHeaderField(file, "program", std::string(64, 'c'))).code(),
            StatusCode::mismatch);
  EXPECT_EQ(statusOf(test::withHeaderField(file, "log_n", 6)).code(), StatusCode::corruptFile);
  key.coefficients[3] = 2;
  ASSERT_TRUE(write().isOk());
  EXPECT_EQ(statusOf(bytes()).message(), "s: section 'secret': a coefficient is none of -1, 0, 1");
  key.coefficients[3] = -128;
  ASSERT_TRUE(write().isOk());
  EXPECT_EQ(statusOf(bytes()).code(), StatusCode::corruptFile);
  key.coefficients.resize(8);
  ASSERT_TRUE(write().isOk());
  EXPECT_EQ(statusOf(bytes()).code(), StatusCode::corruptFile);
}

TEST_F(SecretKeyFile, EveryTruncationAndBitFlipIsRefused) {
  std::vector<uint8_t> file = bytes();
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(statusOf(std::span(file).first(size)).isOk());
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_FALSE(statusOf(file).isOk()) << bit;
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
}

} // namespace
