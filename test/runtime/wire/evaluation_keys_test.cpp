//===- evaluation_keys_test.cpp - evaluation keys as bytes -----------------------------------===//
#include "runtime/wire/evaluation_keys.h"

#include "test/runtime/wire/fixtures.h"
#include "test/runtime/wire/rewrite.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::wire;

const std::string keyId(32, 'b');

const Manifest &manifest() {
  static const Manifest manifest =
      test::makeManifest({.logN = 4, .insecure = true, .shape = {4}, .rotations = {1, -1}});
  return manifest;
}

/// Word w of key k is 1000 k + w.
std::vector<uint64_t> makeWords(size_t k) {
  std::vector<uint64_t> words(keyWords(manifest(), manifest().evaluationKeys[k]));
  for (size_t word = 0; word < words.size(); ++word)
    words[word] = 1000 * k + word;
  return words;
}

std::vector<uint8_t> makeFile(uint64_t spoiled = 0) {
  std::vector<Seed> seeds(manifest().evaluationKeys.size());
  for (size_t k = 0; k < seeds.size(); ++k)
    seeds[k].fill(static_cast<uint8_t>(k + 1));
  std::vector<uint8_t> file;
  EvaluationKeysWriter writer =
      *EvaluationKeysWriter::begin(Sink::toMemory(file), manifest(), keyId, seeds);
  for (size_t k = 0; k < seeds.size(); ++k) {
    std::vector<uint64_t> words = makeWords(k);
    if (spoiled && k == 1)
      words[0] = spoiled;
    EXPECT_TRUE(writer.append(words).isOk());
  }
  EXPECT_TRUE(writer.finish().isOk());
  return file;
}

Expected<EvaluationKeysReader> open(std::span<const uint8_t> file,
                                    const Manifest &program = manifest()) {
  return EvaluationKeysReader::open(Source::fromMemory(file, "k"), program);
}

TEST(EvaluationKeys, RoundTrip) {
  std::vector<uint8_t> file = makeFile();
  Expected<EvaluationKeysReader> reader = open(file);
  ASSERT_TRUE(reader) << reader.message();
  EXPECT_EQ(reader->keyId(), keyId);
  for (size_t k : {2, 0, 1}) { // in any order
    std::vector<uint64_t> words(keyWords(manifest(), manifest().evaluationKeys[k]));
    ASSERT_TRUE(reader->readKey(k, words).isOk());
    EXPECT_EQ(words, makeWords(k));
    EXPECT_EQ(reader->seed(k)[31], k + 1);
  }
}

TEST(EvaluationKeys, AnotherProgramIsRefused) {
  Manifest other = manifest();
  other.programId = std::string(64, '9');
  std::vector<uint8_t> file = makeFile();
  Status status = open(file, other).status();
  EXPECT_EQ(status.code(), StatusCode::mismatch);
  EXPECT_EQ(status.message(),
            "k: made for program aaaaaaaaaaaaaaaa…, but this is program 9999999999999999… "
            "('score')");
}

TEST(EvaluationKeys, AMissingKeyIsNamed) {
  std::vector<uint8_t> file =
      test::withHeader(makeFile(), [](auto &header) { header["keys"].erase(1); });
  Status status = open(file).status();
  EXPECT_EQ(status.code(), StatusCode::notFound);
  EXPECT_EQ(status.message(), "k: the key for rotation, element 5 is missing; make the keys again "
                              "from this program's manifest");
}

TEST(EvaluationKeys, OtherListsAreRefused) {
  std::vector<uint8_t> file = makeFile();
  auto message = [&](auto change) {
    return open(test::withHeader(file, change)).status().message();
  };
  EXPECT_EQ(message([](auto &header) { std::swap(header["keys"][0], header["keys"][1]); }),
            "k: its keys are not those of the program's manifest, in that order");
  EXPECT_EQ(message([](auto &header) { header["keys"].push_back(header["keys"][0]); }),
            "k: its keys are not those of the program's manifest, in that order");
  EXPECT_EQ(message([](auto &header) { header["limbs"][1] = 12289; }),
            "k: its limbs are not the program's");
  EXPECT_EQ(message([](auto &header) { header["special"] = {1}; }),
            "k: special: is not the program's list of limbs");
  EXPECT_EQ(message([](auto &header) { header["keys"][0]["limbs"] = {0, 77}; }),
            "k: keys[0].limbs[1]: 77 is not in 0 to 2");
}

TEST(EvaluationKeys, SizesAreChecked) {
  Manifest larger = manifest();
  larger.evaluationKeys.pop_back();
  std::vector<uint8_t> file =
      test::withHeader(makeFile(), [](auto &header) { header["keys"].erase(2); });
  Status status = open(file, larger).status();
  EXPECT_EQ(status.code(), StatusCode::corruptFile);
  EXPECT_NE(status.message().find("section 'seeds'"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("has 96 bytes, but 64 are needed"), std::string::npos);
}

TEST(EvaluationKeys, ResiduesMustBeCanonical) {
  std::vector<uint8_t> file = makeFile(~uint64_t(0));
  Expected<EvaluationKeysReader> reader = open(file);
  ASSERT_TRUE(reader) << reader.message();
  std::vector<uint64_t> words(keyWords(manifest(), manifest().evaluationKeys[1]));
  EXPECT_TRUE(reader->readKey(0, words).isOk());
  EXPECT_EQ(reader->readKey(1, words).code(), StatusCode::corruptFile);
}

} // namespace
