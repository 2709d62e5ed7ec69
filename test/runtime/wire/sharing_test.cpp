//===- sharing_test.cpp - what files say of decryptions that may be shared -------------------===//
#include "runtime/wire/sharing.h"

#include "test/runtime/wire/fixtures.h"
#include "test/runtime/wire/rewrite.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::wire;

const Manifest &manifest() {
  static const Manifest made = test::makeManifest({.logN = 5, .insecure = true, .shape = {4}});
  return made;
}

std::vector<uint8_t> write(const ShareCount &count) {
  std::vector<uint8_t> file;
  EXPECT_TRUE(writeShareCount(count, manifest(), Sink::toMemory(file)).isOk());
  return file;
}

Expected<ShareCount> read(std::span<const uint8_t> file) {
  return readShareCount(Source::fromMemory(file, "c"), manifest());
}

const ShareCount sample{std::string(32, 'd'), 7, 3};

TEST(ShareCount, RoundTrip) {
  Expected<ShareCount> back = read(write(sample));
  ASSERT_TRUE(back) << back.message();
  EXPECT_EQ(back->keyId, sample.keyId);
  EXPECT_EQ(back->allowed, 7u);
  EXPECT_EQ(back->used, 3u);
}

TEST(ShareCount, Refusals) {
  std::vector<uint8_t> file = write(sample);
  auto changed = [&](const char *field, const nlohmann::json &value) {
    return read(test::withHeaderField(file, field, value)).status();
  };
  EXPECT_EQ(changed("used", 8).message(), "c: used: 8 is not in 0 to 7");
  EXPECT_TRUE(changed("used", 7).isOk());
  EXPECT_EQ(changed("used", -1).code(), StatusCode::corruptFile);
  EXPECT_EQ(changed("allowed", 0).message(), "c: allowed: 0 is not in 1 to 1099511627776");
  EXPECT_EQ(changed("program", std::string(64, 'c')).code(), StatusCode::mismatch);
  EXPECT_EQ(changed("key", "x").code(), StatusCode::corruptFile);
}

TEST(ShareCount, EveryTruncationAndBitFlipIsRefused) {
  std::vector<uint8_t> file = write(sample);
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(read(std::span(file).first(size)));
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_FALSE(read(file)) << bit;
    file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
}

} // namespace
