//===- keyset_test.cpp - loading evaluation keys --------------------------------------------===//
#include "runtime/exec/keyset.h"
#include "runtime/ring/uniform.h"
#include "runtime/wire/evaluation_keys.h"
#include "test/runtime/exec/sample/sample.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

const std::string keyId(32, 'a');

std::shared_ptr<const exec::Program> sampleProgram(Manifest manifest) {
  ThreadPool pool(1);
  auto program = exec::Program::fromFunction(std::move(manifest), sample::sampleSection(),
                                             sample::sampleConstants(), sluice_program_run, pool);
  EXPECT_TRUE(program.isOk()) << program.message();
  return *program;
}

/// Word `word` of key `k` in the files below: below every prime, and different everywhere.
uint64_t wordOf(size_t k, size_t word) { return 1000003 * k + word; }

wire::Seed seedOf(size_t k) {
  wire::Seed seed{};
  seed[0] = static_cast<uint8_t>(k + 1);
  return seed;
}

std::vector<uint8_t> keysFile(const Manifest &manifest) {
  std::vector<wire::Seed> seeds;
  for (size_t k = 0; k < manifest.evaluationKeys.size(); ++k)
    seeds.push_back(seedOf(k));
  std::vector<uint8_t> file;
  auto writer =
      wire::EvaluationKeysWriter::begin(wire::Sink::toMemory(file), manifest, keyId, seeds);
  EXPECT_TRUE(writer.isOk()) << writer.message();
  for (size_t k = 0; k < seeds.size(); ++k) {
    std::vector<uint64_t> words(wire::keyWords(manifest, manifest.evaluationKeys[k]));
    for (size_t word = 0; word < words.size(); ++word)
      words[word] = wordOf(k, word);
    EXPECT_TRUE(writer->append(words).isOk());
  }
  EXPECT_TRUE(writer->finish().isOk());
  return file;
}

Expected<std::shared_ptr<const exec::KeySet>>
load(const std::vector<uint8_t> &file, const exec::Program &program, unsigned threads = 1) {
  ThreadPool pool(threads);
  return exec::KeySet::load(wire::Source::fromMemory(file, "eval.keys"), program, pool);
}

class KeySetTest : public testing::TestWithParam<unsigned> {};

TEST_P(KeySetTest, HoldsBothHalvesOfEveryKey) {
  Manifest manifest = sample::sampleManifest();
  auto program = sampleProgram(manifest);
  auto set = load(keysFile(manifest), *program, GetParam());
  ASSERT_TRUE(set.isOk()) << set.message();
  EXPECT_EQ((*set)->keyId(), keyId);
  EXPECT_EQ((*set)->programId(), manifest.programId);
  ASSERT_EQ((*set)->keys().size(), 2u);
  EXPECT_EQ((*set)->bytes(), 2u * 2 * (2 * 5 * 64) * 8); // keys, halves, digits x limbs x N, words
  for (size_t k = 0; k < 2; ++k) {
    const exec::EvaluationKey &key = *(*set)->keys()[k];
    EXPECT_EQ(key.limbs, manifest.evaluationKeys[k].limbs);
    ASSERT_EQ(key.digitCount, 2u);
    for (size_t word = 0; word < 2 * 5 * 64; ++word)
      ASSERT_EQ(key.b[key.rowOffset(word / 320, word / 64 % 5) + word % 64], wordOf(k, word));
    for (uint32_t digit = 0; digit < 2; ++digit)
      for (size_t row = 0; row < key.limbs.size(); ++row) {
        std::vector<uint64_t> expected(64);
        uint16_t limb = key.limbs[row];
        ring::expandUniformLimb(seedOf(k), digit, limb, program->ring()->modulus(limb), expected);
        EXPECT_TRUE(std::ranges::equal(expected,
                                       key.a.span().subspan(key.rowOffset(digit, row), key.degree)))
            << "key " << k << ", digit " << digit << ", row " << row;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, KeySetTest, testing::Values(1u, 2u, 4u));

TEST(KeySet, RefusesKeysOfAnotherProgram) {
  Manifest other = sample::sampleManifest();
  other.programId = std::string(64, 'f');
  auto set = load(keysFile(other), *sampleProgram(sample::sampleManifest()));
  ASSERT_FALSE(set.isOk());
  EXPECT_EQ(set.status().code(), StatusCode::mismatch);
  EXPECT_NE(set.message().find("made for program ffffffffffffffff…, but this is program " +
                               sample::sampleManifest().programId.substr(0, 16)),
            std::string::npos)
      << set.message();
}

TEST(KeySet, NamesTheMissingKey) {
  Manifest fewer = sample::sampleManifest();
  fewer.evaluationKeys.pop_back();
  auto set = load(keysFile(fewer), *sampleProgram(sample::sampleManifest()));
  ASSERT_FALSE(set.isOk());
  EXPECT_EQ(set.status().code(), StatusCode::notFound);
  EXPECT_NE(set.message().find("the key for rotation, element 97 is missing"), std::string::npos)
      << set.message();
}

TEST(KeySet, RefusesKeysOfOtherLimbsOrDigits) {
  auto program = sampleProgram(sample::sampleManifest());
  for (auto change : {+[](ManifestKey &key) { key.limbs = {3, 4, 0, 1}, key.digits = {{0}, {1}}; },
                      +[](ManifestKey &key) { key.digits = {{0}, {1}, {2}}; },
                      +[](ManifestKey &key) { key.limbs = {3, 4, 1, 0, 2}; }}) {
    Manifest other = sample::sampleManifest();
    change(other.evaluationKeys[0]);
    auto set = load(keysFile(other), *program);
    ASSERT_FALSE(set.isOk());
    EXPECT_EQ(set.status().code(), StatusCode::notFound) << set.message();
  }
}

TEST(KeySet, RefusesTruncatedFiles) {
  Manifest manifest = sample::sampleManifest();
  auto program = sampleProgram(manifest);
  std::vector<uint8_t> file = keysFile(manifest);
  for (size_t size = 0; size < file.size(); size += 311)
    EXPECT_FALSE(load({file.begin(), file.begin() + static_cast<ptrdiff_t>(size)}, *program).isOk())
        << size << " bytes";
}

} // namespace
} // namespace sluice
