//===- public_key_test.cpp - public keys as bytes --------------------------------------------===//
#include "runtime/wire/public_key.h"

#include "test/runtime/wire/fixtures.h"
#include "test/runtime/wire/rewrite.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::wire;

const Manifest &manifest() {
  static const Manifest manifest = test::makeManifest({.logN = 4, .insecure = true, .shape = {4}});
  return manifest;
}

std::vector<uint8_t> makeFile(uint64_t firstWord = 0) {
  PublicKey key{std::string(32, 'b'), {}, ring::Poly(3, manifest().degree())};
  key.seed.fill(3);
  for (size_t word = 0; word < 3 * manifest().degree(); ++word)
    key.b.view().data[word] = word;
  key.b.limb(0)[0] = firstWord;
  std::vector<uint8_t> file;
  EXPECT_TRUE(writePublicKey(key, manifest(), Sink::toMemory(file)).isOk());
  return file;
}

Expected<PublicKey> read(std::span<const uint8_t> file) {
  return readPublicKey(Source::fromMemory(file, "p"), manifest());
}

TEST(PublicKey, RoundTrip) {
  EXPECT_EQ(publicKeyLimbs(manifest()), (std::vector<uint16_t>{0, 1, 2}));
  std::vector<uint8_t> file = makeFile();
  Expected<PublicKey> key = read(file);
  ASSERT_TRUE(key) << key.message();
  EXPECT_EQ(key->keyId, std::string(32, 'b'));
  EXPECT_EQ(key->seed[0], 3);
  EXPECT_EQ(key->b.limb(2)[15], 47u);
}

TEST(PublicKey, Refusals) {
  std::vector<uint8_t> file = makeFile();
  EXPECT_EQ(read(test::withHeaderField(file, "program", std::string(64, 'c'))).status().code(),
            StatusCode::mismatch);
  EXPECT_EQ(read(test::withHeaderField(file, "limbs", {0, 1})).status().message(),
            "p: limbs: is not the program's list of limbs");
  EXPECT_EQ(read(makeFile(~uint64_t(0))).status().code(), StatusCode::corruptFile);
}

} // namespace
