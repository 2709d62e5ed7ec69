//===- ciphertext_test.cpp - ciphertexts as bytes --------------------------------------------===//
#include "runtime/wire/ciphertext.h"

#include "runtime/ring/uniform.h"
#include "runtime/wire/section.h"
#include "test/runtime/wire/fixtures.h"
#include "test/runtime/wire/rewrite.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace sluice;
using namespace sluice::wire;
using nlohmann::json;

const Manifest &manifest() {
  static const Manifest manifest = test::makeManifest({.logN = 5, .insecure = true, .shape = {4}});
  return manifest;
}

/// A ciphertext with recognisable residues: limb i, word k holds 1000 p + 100 i + k.
Ciphertext makeCiphertext(Direction direction, size_t polynomials, bool seeded) {
  Ciphertext out;
  out.keyId = std::string(32, 'b');
  out.direction = direction;
  out.items = 2;
  const auto &limbs = manifest().levels[out.tensor(manifest()).level];
  for (size_t p = 0; p < polynomials; ++p) {
    ring::Poly &poly = out.polynomials.emplace_back(limbs.size(), manifest().degree());
    for (size_t i = 0; i < limbs.size(); ++i)
      for (size_t k = 0; k < manifest().degree(); ++k)
        poly.limb(i)[k] = 1000 * p + 100 * i + k;
  }
  if (seeded) {
    out.seed.emplace().fill(7);
    for (size_t i = 0; i < limbs.size(); ++i)
      ring::expandUniformLimb(*out.seed, 0, limbs[i],
                              *ring::Modulus::create(manifest().limbs[limbs[i]]),
                              {out.polynomials[1].limb(i), manifest().degree()});
  }
  return out;
}

std::vector<uint8_t> write(const Ciphertext &ciphertext) {
  std::vector<uint8_t> file;
  EXPECT_TRUE(writeCiphertext(ciphertext, manifest(), Sink::toMemory(file)).isOk());
  return file;
}

Expected<Ciphertext> read(std::span<const uint8_t> file) {
  return readCiphertext(Source::fromMemory(file, "c"), manifest());
}

struct Shape {
  Direction direction;
  size_t polynomials;
  bool seeded;
};

class CiphertextRoundTrip : public testing::TestWithParam<Shape> {};

TEST_P(CiphertextRoundTrip, GivesTheSame) {
  Shape shape = GetParam();
  Ciphertext before = makeCiphertext(shape.direction, shape.polynomials, shape.seeded);
  std::vector<uint8_t> file = write(before);
  Expected<Ciphertext> after = read(file);
  ASSERT_TRUE(after) << after.message();
  EXPECT_EQ(after->keyId, before.keyId);
  EXPECT_EQ(after->direction, before.direction);
  EXPECT_EQ(after->items, 2u);
  EXPECT_EQ(after->seed, before.seed);
  ASSERT_EQ(after->polynomials.size(), before.polynomials.size());
  for (size_t p = 0; p < before.polynomials.size(); ++p)
    EXPECT_TRUE(std::ranges::equal(std::as_const(after->polynomials[p]).view().span(),
                                   std::as_const(before.polynomials[p]).view().span()))
        << p;
}

INSTANTIATE_TEST_SUITE_P(Shapes, CiphertextRoundTrip,
                         testing::Values(Shape{Direction::input, 2, false},
                                         Shape{Direction::input, 2, true},
                                         Shape{Direction::output, 2, false},
                                         Shape{Direction::output, 3, false}));

TEST(Ciphertext, SeedHalvesTheFile) {
  size_t plain = write(makeCiphertext(Direction::input, 2, false)).size();
  size_t seeded = write(makeCiphertext(Direction::input, 2, true)).size();
  EXPECT_LT(seeded, plain - 400); // 2 limbs of 32 words are 512 bytes; a table entry and the seed
}

TEST(Ciphertext, Refusals) {
  struct Case {
    const char *field;
    json value;
    StatusCode code;
    const char *message;
  };
  const Case cases[] = {
      {"program", std::string(64, 'c'), StatusCode::mismatch,
       "c: made for program cccccccccccccccc…, but this is program aaaaaaaaaaaaaaaa… ('score')"},
      {"level", 0, StatusCode::mismatch, "c: level 0, but input 'x' is at level 1"},
      {"key", "zz", StatusCode::corruptFile, "c: key: must be 32 hexadecimal digits in lower case"},
      {"log_n", 6, StatusCode::corruptFile, "c: log_n: is 6, but the program's is 5"},
      {"direction", "up", StatusCode::corruptFile,
       "c: direction: 'up' is neither 'input' nor 'output'"},
      {"index", 1, StatusCode::corruptFile, "c: index: 1 is not in 0 to 0"},
      {"name", "y", StatusCode::corruptFile, "c: name: is 'y', but input 0 of the program is 'x'"},
      {"limbs", {2, 1}, StatusCode::corruptFile, "c: limbs: is not the program's list of limbs"},
      {"polynomials", 3, StatusCode::corruptFile, "c: polynomials: 3 is not in 2 to 2"},
      {"items", 0, StatusCode::corruptFile, "c: items: 0 is not in 1 to 4"},
      {"items", 5, StatusCode::corruptFile, "c: items: 5 is not in 1 to 4"},
      {"seeded", true, StatusCode::corruptFile, "c: section 'seed' is missing"},
  };
  std::vector<uint8_t> file = write(makeCiphertext(Direction::input, 2, false));
  for (const Case &wrong : cases) {
    Status status = read(test::withHeaderField(file, wrong.field, wrong.value)).status();
    EXPECT_EQ(status.message(), wrong.message);
    EXPECT_EQ(status.code(), wrong.code) << wrong.message;
  }
  std::vector<uint8_t> seeded = write(makeCiphertext(Direction::input, 2, true));
  EXPECT_EQ(read(test::withHeaderField(seeded, "seeded", false)).status().message(),
            "c: section 'seed' does not belong into a ciphertext that is not seeded");
  std::vector<uint8_t> three = write(makeCiphertext(Direction::output, 3, false));
  EXPECT_EQ(read(test::withHeaderField(three, "seeded", true)).status().message(),
            "c: seeded: only a ciphertext of two polynomials can be seeded");
}

TEST(Ciphertext, SizesAreCheckedBeforeUse) {
  std::vector<uint8_t> two = write(makeCiphertext(Direction::output, 2, false));
  Status status = read(test::withHeaderField(two, "polynomials", 3)).status();
  EXPECT_NE(status.message().find("section 'data'"), std::string::npos);
  EXPECT_NE(status.message().find("has 512 bytes, but 768 are needed"), std::string::npos);
}

TEST(Ciphertext, ResiduesMustBeCanonical) {
  Ciphertext ciphertext = makeCiphertext(Direction::input, 2, false);
  uint64_t q = manifest().limbs[manifest().levels[1][1]];
  ciphertext.polynomials[1].limb(1)[3] = q;
  std::vector<uint8_t> file = write(ciphertext);
  Status status = read(file).status();
  EXPECT_EQ(status.code(), StatusCode::corruptFile);
  // The last of 4 rows of 32 words begins 256 + 32 bytes before the end.
  EXPECT_EQ(status.message(), "c: at byte " + std::to_string(file.size() - 32 - 256 + 24) +
                                  ": a residue is not below its limb, the prime " +
                                  std::to_string(q));
}

} // namespace
