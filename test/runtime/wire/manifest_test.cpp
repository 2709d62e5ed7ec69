//===- manifest_test.cpp - a program's manifest as bytes -------------------------------------===//
#include "test/runtime/wire/fixtures.h"

#include "runtime/wire/section.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace sluice;
using namespace sluice::wire;
using nlohmann::json;

json makeJson(const test::ManifestOptions &options = {}) {
  return json::parse(writeManifest(test::makeManifest(options)));
}

Status statusOf(const json &document) {
  return readManifest(test::bytesOf(document.dump()), "m").status();
}

/// The JSON with the value at `pointer` replaced.
json with(json document, const char *pointer, const json &value) {
  document[json::json_pointer(pointer)] = value;
  return document;
}

TEST(Manifest, RoundTrip) {
  for (size_t digitLimbs : {1, 2}) {
    Manifest manifest = test::makeManifest({.digitLimbs = digitLimbs, .permutedRotations = {1}});
    std::string text = writeManifest(manifest);
    Expected<Manifest> read = readManifest(test::bytesOf(text), "m");
    ASSERT_TRUE(read) << read.message();
    EXPECT_EQ(writeManifest(*read), text);
    EXPECT_EQ(read->limbs, manifest.limbs);
    EXPECT_EQ(read->levels, manifest.levels);
    EXPECT_EQ(read->evaluationKeys, manifest.evaluationKeys);
    EXPECT_EQ(read->inputs[0].shape, manifest.inputs[0].shape);
    EXPECT_EQ(read->inputs[0].rangeHigh, 8);
    EXPECT_EQ(read->security.row, "uniform ternary, N = 2^12");
  }
}

TEST(Manifest, ComplexTensors) {
  Manifest manifest = test::makeManifest({});
  EXPECT_EQ(writeManifest(manifest).find("complex"), std::string::npos);
  manifest.inputs[0].isComplex = true;
  Expected<Manifest> read = readManifest(test::bytesOf(writeManifest(manifest)), "m");
  ASSERT_TRUE(read) << read.message();
  EXPECT_TRUE(read->inputs[0].isComplex);
  EXPECT_FALSE(read->outputs[0].isComplex);
  EXPECT_EQ(statusOf(with(makeJson(), "/outputs/0/complex", "yes")).message(),
            "m: outputs[0].complex: must be true or false");
}

TEST(Manifest, UnknownFieldsAreIgnored) {
  EXPECT_TRUE(statusOf(with(makeJson(), "/later", 1)).isOk());
}

/// The example in docs/formats.md has these fields; a missing one is named.
TEST(Manifest, EveryFieldIsRequired) {
  json whole = makeJson(), flat = whole.flatten();
  for (const auto &[name, value] : flat.items()) {
    json::json_pointer pointer(name);
    if (pointer.back().find_first_not_of("0123456789") == std::string::npos)
      continue; // an element of an array
    json document = whole;
    document[pointer.parent_pointer()].erase(pointer.back());
    Status status = statusOf(document);
    EXPECT_NE(status.message().find("field '" + pointer.back() + "' is missing"), std::string::npos)
        << name << ": " << status.message();
  }
}

TEST(Manifest, EveryTypeIsChecked) {
  json whole = makeJson(), flat = whole.flatten();
  for (const auto &[name, value] : flat.items()) {
    if (name == "/outputs/0/shape")
      continue; // an empty array, which flatten() shows as null
    for (const json &wrong : {json(nullptr), json(json::object()), json(json::array())}) {
      Status status = statusOf(with(whole, name.c_str(), wrong));
      EXPECT_EQ(status.code(), StatusCode::corruptFile) << name << " = " << wrong;
    }
  }
}

struct Wrong {
  const char *pointer;
  json value;
  const char *message;
  StatusCode code = StatusCode::corruptFile;
};

TEST(Manifest, MessagesOfTheShape) {
  const Wrong cases[] = {
      {"/format", "x", "m: format: is 'x', but a manifest has 'sluice-manifest'"},
      {"/version", 2,
       "m: manifest version 2 is newer than this program reads (version 1): update Sluice",
       StatusCode::unsupportedVersion},
      {"/version", 0, "m: version: 0 is not in 1 to 9007199254740992"},
      {"/program/id", "ab", "m: program.id: must be 64 hexadecimal digits in lower case"},
      {"/program/name", std::string(257, 'x'),
       "m: program.name: has 257 bytes, at most 256 are allowed"},
      {"/program/name", "a\nb", "m: program.name: must not contain control characters"},
      {"/ring/log_n", 2, "m: ring.log_n: 2 is not in 3 to 17"},
      {"/ring/log_n", 18, "m: ring.log_n: 18 is not in 3 to 17"},
      {"/ring/log_n", -1, "m: ring.log_n: must be an integer from 3 to 17"},
      {"/ring/log_n", 12.5, "m: ring.log_n: must be an integer from 3 to 17"},
      {"/ring/limbs", json::array(), "m: ring.limbs: has 0 elements, 1 to 256 are allowed"},
      {"/ring/special", {3}, "m: ring.special[0]: 3 is not in 0 to 2"},
      {"/ring/special", {0, 0}, "m: ring.special[1]: 0 stands twice"},
      {"/levels/1", {1, 1}, "m: levels[1][1]: 1 stands twice"},
      {"/secret/distribution", "gaussian",
       "m: secret.distribution: 'gaussian' is not supported; 'uniform-ternary' and 'sparse-192' "
       "are"},
      {"/slots", 4096, "m: slots: 4096 is not in 1 to 2048"},
      {"/inputs", json::array(), "m: inputs: has 0 elements, 1 to 1024 are allowed"},
      {"/inputs/0/level", 2, "m: inputs[0].level: 2 is not in 0 to 1"},
      {"/inputs/0/shape", {0, 5}, "m: inputs[0].shape[0]: 0 is not in 1 to 2048"},
      {"/evaluation_keys/0/kind", "other",
       "m: evaluation_keys[0].kind: 'other' is none of 'relinearize', 'galois', 'to_ephemeral' and "
       "'to_main'"},
      {"/evaluation_keys/1/digits/0",
       {9},
       "m: evaluation_keys[1].digits[0][0]: 9 is not in 0 to 2"},
  };
  for (const Wrong &wrong : cases) {
    Status status = statusOf(with(makeJson(), wrong.pointer, wrong.value));
    EXPECT_EQ(status.message(), wrong.message);
    EXPECT_EQ(status.code(), wrong.code) << wrong.message;
  }
}

TEST(Manifest, MessagesOfTheMeaning) {
  json base = makeJson();
  const uint64_t composite = 819216385; // 1 modulo 2N
  ASSERT_FALSE(ring::isPrime(composite));
  const Wrong cases[] = {
      {"/ring/limbs/1", composite,
       "m: ring.limbs[1]: 819216385 is not a prime of 20 to 50 bits that is 1 modulo 2N = 8192"},
      {"/ring/limbs/1", 1000003,
       "m: ring.limbs[1]: 1000003 is not a prime of 20 to 50 bits that is 1 modulo 2N = 8192"},
      {"/ring/limbs/1", 40961,
       "m: ring.limbs[1]: 40961 is not a prime of 20 to 50 bits that is 1 modulo 2N = 8192"},
      {"/levels/1", {0, 1}, "m: levels[1]: limb 0 is one of P (ring.special)"},
      {"/levels/1",
       {2},
       "m: levels[1]: its modulus (30.00 bits) must be larger than that of the level below"},
      {"/evaluation_keys/1/element", 4,
       "m: evaluation_keys[1]: element 4 must be odd, more than 1 and less than 2N = 8192"},
      {"/evaluation_keys/1/element", 1,
       "m: evaluation_keys[1]: element 1 must be odd, more than 1 and less than 2N = 8192"},
      {"/evaluation_keys/0/limbs",
       {1, 2},
       "m: evaluation_keys[0].limbs: must begin with ring.special, followed by the limbs served"},
      {"/evaluation_keys/0/limbs",
       {0},
       "m: evaluation_keys[0].limbs: must begin with ring.special, followed by the limbs served"},
      {"/evaluation_keys/0/digits",
       {{1}},
       "m: evaluation_keys[0].digits: must hold each limb that the key serves exactly once"},
      {"/evaluation_keys/0/digits",
       {{1}, {2}, {1}},
       "m: evaluation_keys[0].digits: limb 1 stands twice"},
      {"/error_standard_deviation", 0.5,
       "m: error_standard_deviation: 0.5, but only 3.2 is supported"},
      {"/security/log_qp", 90.0, "m: security.log_qp: 90.00 is stated, but the limbs give 104.00"},
      {"/security/log_qp", 106.0,
       "m: security.log_qp: 106.00 is stated, but the limbs give 104.00"},
      {"/security/row", "uniform ternary, N = 2^14",
       "m: security: must name the row \"uniform ternary, N = 2^12\" with limit 106 for 128 bits"},
      {"/security/limit", 214,
       "m: security: must name the row \"uniform ternary, N = 2^12\" with limit 106 for 128 bits"},
      {"/security/bits", 192,
       "m: security: must name the row \"uniform ternary, N = 2^12\" with limit 106 for 128 bits"},
      {"/slots", 2000, "m: slots: 2000 is not a power of two up to N/2 = 2048"},
      {"/inputs/0/name", "", "m: inputs[0].name: must not be empty"},
      {"/inputs/0/shape", {2048, 3}, "m: inputs[0].shape: does not fit 2048 slots"},
      {"/inputs/0/lanes", 16,
       "m: inputs[0].lanes: must be a power of two and at least 32, the elements after padding "
       "each dimension to a power of two"},
      {"/inputs/0/lanes", 48,
       "m: inputs[0].lanes: must be a power of two and at least 32, the elements after padding "
       "each dimension to a power of two"},
      {"/inputs/0/batch", 65, "m: inputs[0].batch: 65 items of 32 lanes do not fit 2048 slots"},
      {"/inputs/0/range", {1, -1}, "m: inputs[0].range: [1, -1] is not a range"},
      {"/inputs/0/range",
       {0, 1e15},
       "m: inputs[0]: values up to 1e+15 at scale 2^30.0 do not fit level 1 (65.0 bits)"},
      {"/inputs/0/scale/high", -1, "m: inputs[0].scale: high = -1, low = 0 is not a scale"},
      {"/inputs/0/scale/low", 1, "m: inputs[0].scale: high = 1.07374e+09, low = 1 is not a scale"},
      {"/inputs/0/scale/exact", "2^31",
       "m: inputs[0].scale: '2^31' is 2^31.000000, but high + low is 2^30.000000"},
      {"/inputs/0/scale/exact", "2^30 * q7",
       "m: inputs[0].scale.exact: must be a product of powers of 2 and limbs, such as 2^90 * "
       "q3^-1"},
  };
  for (const Wrong &wrong : cases) {
    Status status = statusOf(with(base, wrong.pointer, wrong.value));
    EXPECT_EQ(status.message(), wrong.message);
    EXPECT_EQ(status.code(), wrong.code) << wrong.message;
  }
}

TEST(Manifest, EphemeralSecret) {
  // Level 0 of 54 bits and a limb of 50 are within the 117 bits of N = 2^16.
  json base = makeJson({.logN = 16,
                        .levelBits = {48, 40},
                        .specialBits = {49},
                        .rotations = {},
                        .ephemeralBits = 49});
  EXPECT_TRUE(statusOf(base).isOk()) << statusOf(base).message();
  const Wrong cases[] = {
      {"/ephemeral/distribution", "sparse-192",
       "m: ephemeral.distribution: 'sparse-192' is not supported; 'ephemeral-32' is"},
      {"/ephemeral/special", {9}, "m: ephemeral.special[0]: 9 is not in 0 to 3"},
      {"/ephemeral/special",
       {0},
       "m: evaluation_keys[1].limbs: must begin with ephemeral.special, followed by the limbs "
       "served"},
      {"/ephemeral/log_qp", 90.0, "m: ephemeral.log_qp: 90.00 is stated, but the limbs give 97.00"},
      {"/ephemeral/limit", 200,
       "m: ephemeral: must name the row \"ephemeral h = 32 (not standardised), N = 2^16\" with "
       "limit 117"},
      {"/evaluation_keys/1/kind", "to_nobody",
       "m: evaluation_keys[1].kind: 'to_nobody' is none of 'relinearize', 'galois', "
       "'to_ephemeral' and 'to_main'"},
      {"/secret/distribution", "ephemeral-32",
       "m: secret.distribution: 'ephemeral-32' is not supported; 'uniform-ternary' and "
       "'sparse-192' are"},
  };
  for (const Wrong &wrong : cases)
    EXPECT_EQ(statusOf(with(base, wrong.pointer, wrong.value)).message(), wrong.message);
  json without = base;
  without.erase("ephemeral");
  EXPECT_EQ(statusOf(without).message(),
            "m: evaluation_keys[1]: there is no ephemeral secret (ephemeral) that it could switch");
}

TEST(Manifest, EphemeralKeyBeyondItsRowIsRefused) {
  json document = makeJson({.logN = 16,
                            .levelBits = {48, 40},
                            .specialBits = {49},
                            .rotations = {},
                            .ephemeralBits = 49});
  // Its key at the upper level: 48 + 40 + 49 bits, without being called insecure.
  document["evaluation_keys"][1]["limbs"] = {3, 1, 2};
  document["evaluation_keys"][1]["digits"] = {{1}, {2}};
  EXPECT_EQ(statusOf(document).message(),
            "m: the modulus of the key for the ephemeral secret has 137.00 bits, but 128 bits of "
            "security allow 117 (ephemeral h = 32 (not standardised), N = 2^16)");
  // There is no row for smaller rings.
  EXPECT_EQ(statusOf(makeJson({.logN = 15,
                               .levelBits = {48, 40},
                               .specialBits = {49},
                               .rotations = {},
                               .ephemeralBits = 49}))
                .message(),
            "m: no modulus is known to be secure for a secret 'ephemeral-32' of degree N = 2^15");
}

TEST(Manifest, RepeatedThingsAreRefused) {
  json document = makeJson();
  document["inputs"].push_back(document["inputs"][0]);
  EXPECT_EQ(statusOf(document).message(), "m: inputs[1].name: two inputs have the name 'x'");
  document = makeJson();
  document["evaluation_keys"].push_back(document["evaluation_keys"][0]);
  EXPECT_EQ(statusOf(document).message(), "m: evaluation_keys[2]: the same key stands twice");
  document = makeJson();
  document["ring"]["limbs"].push_back(document["ring"]["limbs"][1]);
  EXPECT_NE(statusOf(document).message().find("ring.limbs[3]: "), std::string::npos);
  EXPECT_NE(statusOf(document).message().find("stands twice"), std::string::npos);
  document = makeJson({.specialBits = {}, .rotations = {}});
  document["evaluation_keys"].push_back(
      {{"kind", "relinearize"}, {"limbs", {0, 1}}, {"digits", {{0}, {1}}}});
  EXPECT_EQ(statusOf(document).message(),
            "m: evaluation_keys[0]: a key needs at least one limb of P (ring.special is empty)");
}

TEST(Manifest, SecurityIsComputedNotBelieved) {
  // 36 + 36 + 38 bits at N = 2^12, whose row allows 106.
  Status status = statusOf(makeJson({.levelBits = {36, 36}}));
  EXPECT_EQ(status.code(), StatusCode::insecure);
  EXPECT_EQ(status.message(), "m: the largest modulus has 110.00 bits, but 128 bits of security "
                              "allow 106 (uniform ternary, N = 2^12)");
  status = statusOf(makeJson({.logN = 11, .levelBits = {20}, .specialBits = {21}}));
  EXPECT_EQ(status.code(), StatusCode::insecure);
  EXPECT_EQ(status.message(),
            "m: no parameters of degree N = 2^11 are secure: N = 2^12 is the smallest");
  EXPECT_TRUE(statusOf(makeJson({.logN = 11, .insecure = true})).isOk());
  EXPECT_TRUE(statusOf(makeJson({.levelBits = {36, 36}, .insecure = true})).isOk());
}

/// A key over more limbs than the top level has counts for the check.
TEST(Manifest, EveryKeyIsChecked) {
  test::ManifestOptions options{.levelBits = {36, 30, 20}, .insecure = true};
  Manifest manifest = test::makeManifest(options);
  manifest.levels.pop_back(); // P and the levels have 104 bits, the keys 124
  manifest.inputs[0].level = 1;
  manifest.security = test::describeSecurity(manifest, false);
  EXPECT_EQ(statusOf(json::parse(writeManifest(manifest))).message(),
            "m: the largest modulus has 123.98 bits, but 128 bits of security allow 106 (uniform "
            "ternary, N = 2^12)");
}

/// One key at a time, the others within the row.
TEST(Manifest, EveryKindOfKeyIsChecked) {
  for (size_t large : {0, 1, 2}) {
    test::ManifestOptions options{
        .levelBits = {36, 30, 20}, .permutedRotations = {1}, .keyLevels = {1, 1, 1}};
    options.keyLevels[large] = 2;
    Manifest manifest = test::makeManifest(options);
    manifest.levels.pop_back();
    manifest.inputs[0].level = 1;
    manifest.security = test::describeSecurity(manifest, false);
    EXPECT_EQ(statusOf(json::parse(writeManifest(manifest))).message(),
              "m: the largest modulus has 123.98 bits, but 128 bits of security allow 106 (uniform "
              "ternary, N = 2^12)")
        << large;
    manifest.evaluationKeys.erase(manifest.evaluationKeys.begin() + static_cast<ptrdiff_t>(large));
    manifest.security = test::describeSecurity(manifest, false);
    EXPECT_TRUE(statusOf(json::parse(writeManifest(manifest))).isOk()) << large;
  }
}

TEST(Manifest, TextThatIsNoJson) {
  EXPECT_EQ(readManifest(test::bytesOf("{\"a\": }"), "m").status().message(),
            "m: not valid JSON at byte 7");
  EXPECT_EQ(readManifest({}, "m").status().code(), StatusCode::corruptFile);
  EXPECT_EQ(readManifest(test::bytesOf("[]"), "m").status().message(), "m: must be an object");
  std::string deep(1 << 20, '[');
  EXPECT_EQ(readManifest(test::bytesOf(deep), "m").status().code(), StatusCode::corruptFile);
  std::vector<uint8_t> large(limits::manifestBytes + 1, ' ');
  EXPECT_EQ(readManifest(large, "m").status().message(),
            "m: a manifest of 4194305 bytes; 4194304 are allowed");
}

TEST(Manifest, EveryTruncationIsRefused) {
  std::string text = writeManifest(test::makeManifest());
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_EQ(readManifest(test::bytesOf(text.substr(0, size)), "m").status().code(),
              StatusCode::corruptFile);
}

TEST(Manifest, BytesOfAProgramOrOfAManifestAlone) {
  std::string manifest = writeManifest(test::makeManifest());
  EXPECT_EQ(*readManifestBytes(Source::fromMemory(test::bytesOf(manifest), "m")),
            test::bytesOf(manifest));
  std::vector<uint8_t> file;
  SectionSize sizes[] = {
      {"manifest", manifest.size()}, {"program", 2}, {"constant", 0}, {"code", 0}};
  SectionWriter writer = *SectionWriter::begin(Sink::toMemory(file), FileKind::program, sizes);
  ASSERT_TRUE(writer.append(test::bytesOf(manifest)).isOk());
  ASSERT_TRUE(writer.append(test::bytesOf("{}")).isOk());
  ASSERT_TRUE(writer.finish().isOk());
  EXPECT_EQ(*readManifestBytes(Source::fromMemory(file, "p")), test::bytesOf(manifest));
}

} // namespace
