//===- artifact_reader_test.cpp - what a .sluice file must be -------------------------------===//
#include "runtime/base/bytes.h"
#include "runtime/exec/artifact_reader.h"
#include "runtime/wire/hash.h"
#include "runtime/wire/launches.h"
#include "runtime/wire/manifest.h"
#include "test/runtime/exec/sample/sample.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace sluice {
namespace {

using nlohmann::json;

std::span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

Expected<ProgramSection> readSection(const std::string &text) {
  return exec::readProgramSection(bytesOf(text), "f", sample::sampleManifest(),
                                  sample::sampleConstants().size());
}

TEST(ReadProgramSection, ReadsEveryField) {
  auto section = readSection(sample::sampleSectionJson());
  ASSERT_TRUE(section.isOk()) << section.message();
  ProgramSection expected = sample::sampleSection();
  EXPECT_EQ(section->abi, expected.abi);
  EXPECT_EQ(section->target, expected.target);
  EXPECT_EQ(section->arenaSlots, expected.arenaSlots);
  ASSERT_EQ(section->inputs.size(), 2u);
  EXPECT_EQ(section->inputs[0].level, 2u);
  EXPECT_EQ(section->inputs[0].slots, expected.inputs[0].slots);
  EXPECT_EQ(section->inputs[1].slots, expected.inputs[1].slots);
  ASSERT_EQ(section->outputs.size(), 1u);
  EXPECT_EQ(section->outputs[0].level, 0u);
  EXPECT_EQ(section->outputs[0].slots, expected.outputs[0].slots);
  ASSERT_EQ(section->constants.size(), 1u);
  EXPECT_EQ(section->constants[0].offset, 2u);
  EXPECT_EQ(section->constants[0].count, 4u);
  EXPECT_FALSE(section->constants[0].isComplex);
  EXPECT_EQ(section->constants[0].scaleHigh, expected.constants[0].scaleHigh);
  EXPECT_EQ(section->constants[0].scaleLow, expected.constants[0].scaleLow);
  EXPECT_EQ(section->constants[0].limbs, expected.constants[0].limbs);
  EXPECT_EQ(section->keys, expected.keys);
}

/// The constant of the sample as a diagonal of a matrix of 16 rows.
json diagonalConstant() {
  json constant = json::parse(sample::sampleSectionJson())["constants"][0];
  for (const char *key : {"offset", "count", "complex"})
    constant.erase(key);
  constant["kind"] = "dft_diagonal";
  constant["matrix"] = {{"direction", "slots_to_coefficients"},
                        {"log_slots", 3},
                        {"first", 2},
                        {"count", 2},
                        {"factor", 0.1},
                        {"form", "from_halves"},
                        {"halved_column", true}};
  constant["index"] = 15;
  constant["rotation"] = 4;
  return constant;
}

TEST(ReadProgramSection, ReadsDiagonals) {
  json document = json::parse(sample::sampleSectionJson());
  document["constants"] = {diagonalConstant(), diagonalConstant()};
  for (const char *key : {"form", "halved_column"})
    document["constants"][1]["matrix"].erase(key);
  document["constants"][1]["index"] = document["constants"][1]["rotation"] = 7;
  auto section = readSection(document.dump());
  ASSERT_TRUE(section.isOk()) << section.message();
  const DftGroup group = {DftDirection::slotsToCoefficients, 3, 2, 2};
  const DftDiagonal expected[] = {{{group, 0.1, DftForm::fromHalves, true}, 15, 4},
                                  {{group, 0.1, DftForm::plain, false}, 7, 7}};
  for (size_t c : {0, 1}) {
    EXPECT_EQ(section->constants[c].kind, ConstantKind::dftDiagonal);
    EXPECT_EQ(section->constants[c].diagonal, expected[c]);
    EXPECT_EQ(section->constants[c].count, c == 0 ? 16u : 8u);
    EXPECT_TRUE(section->constants[c].isComplex);
    EXPECT_EQ(section->constants[c].limbs, sample::sampleSection().constants[0].limbs);
  }
}

struct BadSection {
  const char *name;
  std::function<void(json &)> spoil;
  StatusCode code;
  const char *message;
};

void PrintTo(const BadSection &bad, std::ostream *out) { *out << bad.name; }

const uint64_t beyond32Bits = uint64_t{1} << 32;

/// Makes the constant a diagonal, then spoils it.
std::function<void(json &)> diagonalWith(const std::function<void(json &)> &spoil) {
  return [spoil](json &document) {
    json constant = diagonalConstant();
    spoil(constant);
    document["constants"][0] = constant;
  };
}

const BadSection badSections[] = {
    {"Format", [](json &j) { j["format"] = "zip"; }, StatusCode::corruptFile,
     "f: format: is 'zip', but a program section has 'sluice-program'"},
    {"NewerVersion", [](json &j) { j["version"] = 2; }, StatusCode::unsupportedVersion,
     "f: program version 2 is newer than this runtime reads (version 1): update Sluice"},
    {"OtherInterface", [](json &j) { j["abi"] = 7; }, StatusCode::unsupportedVersion,
     "f: its code was compiled for runtime interface 7, but this runtime has interface 4: update "
     "Sluice"},
    {"OtherTarget", [](json &j) { j["target"] = "abacus"; }, StatusCode::unsupportedVersion,
     "f: its code was compiled for target 'abacus', but this runtime has 'cpu'"},
    {"NoArena", [](json &j) { j.erase("arena_slots"); }, StatusCode::corruptFile,
     "f: field 'arena_slots' is missing"},
    {"EmptyArena", [](json &j) { j["arena_slots"] = 0; }, StatusCode::corruptFile,
     "f: arena_slots: 0 is not in 1 to 2147483648"},
    {"ArenaTooLarge", [](json &j) { j["arena_slots"] = 2147483649; }, StatusCode::corruptFile,
     "f: arena_slots: 2147483649 is not in 1 to 2147483648"},
    {"ScratchTooLarge", [](json &j) { j["scratch_slots"] = 65537; }, StatusCode::corruptFile,
     "f: scratch_slots: 65537 is not in 0 to 65536"},
    {"TooManyStages", [](json &j) { j["stages"] = std::vector<std::string>(257, "a"); },
     StatusCode::corruptFile, "f: stages: has 257 elements, 0 to 256 are allowed"},
    {"StageOfTooLongAName", [](json &j) { j["stages"] = {std::string(257, 'a')}; },
     StatusCode::corruptFile, "f: stages[0]: has 257 bytes, at most 256 are allowed"},
    {"InputMissing", [](json &j) { j["inputs"].erase(1); }, StatusCode::corruptFile,
     "f: inputs: has 1 elements, 2 to 2 are allowed"},
    {"InputLevel", [](json &j) { j["inputs"][1]["level"] = 1; }, StatusCode::corruptFile,
     "f: inputs[1].level: is 1, but the manifest has 'y' at level 2"},
    {"InputLevelOutsideTable", [](json &j) { j["inputs"][1]["level"] = 3; },
     StatusCode::corruptFile, "f: inputs[1].level: 3 is not in 0 to 2"},
    {"InputOfThreePolynomials",
     [](json &j) { j["inputs"][0]["slots"].push_back(json::array({50, 51, 52})); },
     StatusCode::corruptFile, "f: inputs[0].slots: has 3 elements, 2 to 2 are allowed"},
    {"LimbMissing", [](json &j) { j["inputs"][0]["slots"][1].erase(2); }, StatusCode::corruptFile,
     "f: inputs[0].slots[1]: has 2 elements, 3 to 3 are allowed"},
    {"InputSlotOutsideArena", [](json &j) { j["inputs"][0]["slots"][0][2] = 60; },
     StatusCode::corruptFile, "f: inputs[0].slots[0][2]: 60 is not in 0 to 59"},
    {"InputSlotWraps", [](json &j) { j["inputs"][0]["slots"][0][2] = beyond32Bits; },
     StatusCode::corruptFile, "f: inputs[0].slots[0][2]: 4294967296 is not in 0 to 59"},
    {"NegativeSlot", [](json &j) { j["inputs"][0]["slots"][0][2] = -1; }, StatusCode::corruptFile,
     "f: inputs[0].slots[0][2]: must be an integer from 0 to 59"},
    {"InputsOverlap", [](json &j) { j["inputs"][1]["slots"][1][0] = 40; }, StatusCode::corruptFile,
     "f: inputs: slot 40 stands twice"},
    {"OutputSlotOutsideArena", [](json &j) { j["outputs"][0]["slots"][0][0] = 60; },
     StatusCode::corruptFile, "f: outputs[0].slots[0][0]: 60 is not in 0 to 59"},
    {"OutputOfFourPolynomials", [](json &j) { j["outputs"][0]["slots"] = {{1}, {2}, {3}, {4}}; },
     StatusCode::corruptFile, "f: outputs[0].slots: has 4 elements, 2 to 3 are allowed"},
    {"ConstantKind", [](json &j) { j["constants"][0]["kind"] = "magic"; }, StatusCode::corruptFile,
     "f: constants[0].kind: 'magic' is not known; known: 'slots', 'dft_diagonal'"},
    {"ConstantCount", [](json &j) { j["constants"][0]["count"] = 3; }, StatusCode::corruptFile,
     "f: constants[0].count: 3 is not a power of two"},
    {"ConstantCountAboveSlots", [](json &j) { j["constants"][0]["count"] = 64; },
     StatusCode::corruptFile, "f: constants[0].count: 64 is not in 1 to 32"},
    {"ConstantSlots", [](json &j) { j["constants"][0]["slots"] = 12; }, StatusCode::corruptFile,
     "f: constants[0].slots: 12 is not a power of two"},
    {"ConstantSlotsAboveRing", [](json &j) { j["constants"][0]["slots"] = 64; },
     StatusCode::corruptFile, "f: constants[0].slots: 64 is not in 1 to 32"},
    {"ConstantCountAboveItsSlots", [](json &j) { j["constants"][0]["slots"] = 2; },
     StatusCode::corruptFile, "f: constants[0].count: 4 is not in 1 to 2"},
    {"ConstantEnd", [](json &j) { j["constants"][0]["offset"] = 3; }, StatusCode::corruptFile,
     "f: constants[0].offset: values 3 to 6 are wanted, but section 'constant' has 6"},
    {"ComplexConstantEnd", [](json &j) { j["constants"][0]["complex"] = true; },
     StatusCode::corruptFile,
     "f: constants[0].offset: values 2 to 9 are wanted, but section 'constant' has 6"},
    {"ConstantOffsetWraps", [](json &j) { j["constants"][0]["offset"] = UINT64_MAX; },
     StatusCode::corruptFile, "f: constants[0].offset: 18446744073709551615 is not in 0 to 6"},
    {"ConstantScale", [](json &j) { j["constants"][0]["scale"]["high"] = -1.0; },
     StatusCode::corruptFile, "f: constants[0].scale: must be positive"},
    {"ConstantLimb", [](json &j) { j["constants"][0]["limbs"][1] = 5; }, StatusCode::corruptFile,
     "f: constants[0].limbs[1]: 5 is not in 0 to 4"},
    {"ConstantLimbTwice", [](json &j) { j["constants"][0]["limbs"] = {1, 1}; },
     StatusCode::corruptFile, "f: constants[0].limbs[1]: 1 stands twice"},
    {"DiagonalWithoutMatrix", diagonalWith([](json &d) { d.erase("matrix"); }),
     StatusCode::corruptFile, "f: constants[0]: field 'matrix' is missing"},
    {"DiagonalDirection", diagonalWith([](json &d) { d["matrix"]["direction"] = "up"; }),
     StatusCode::corruptFile,
     "f: constants[0].matrix.direction: 'up' is not known; known: 'coefficients_to_slots', "
     "'slots_to_coefficients'"},
    {"DiagonalForm", diagonalWith([](json &d) { d["matrix"]["form"] = "round"; }),
     StatusCode::corruptFile,
     "f: constants[0].matrix.form: 'round' is not known; known: 'plain', 'onto_first_half', "
     "'from_halves'"},
    {"DiagonalOfNoSlots", diagonalWith([](json &d) { d["matrix"]["log_slots"] = 0; }),
     StatusCode::corruptFile, "f: constants[0].matrix.log_slots: 0 is not in 1 to 16"},
    {"DiagonalLogSlotsShift", diagonalWith([](json &d) { d["matrix"]["log_slots"] = 64; }),
     StatusCode::corruptFile, "f: constants[0].matrix.log_slots: 64 is not in 1 to 16"},
    {"DiagonalAboveItsSlots", diagonalWith([](json &d) { d["slots"] = 8; }),
     StatusCode::corruptFile,
     "f: constants[0].matrix.log_slots: a matrix of 16 rows is wanted, but the constant has 8 "
     "slots"},
    {"DiagonalAboveThePacking", diagonalWith([](json &d) { d["matrix"]["log_slots"] = 5; }),
     StatusCode::corruptFile,
     "f: constants[0].matrix.log_slots: a matrix of 64 rows is wanted, but the constant has 32 "
     "slots"},
    {"DiagonalFirst", diagonalWith([](json &d) { d["matrix"]["first"] = 0; }),
     StatusCode::corruptFile, "f: constants[0].matrix.first: 0 is not in 1 to 3"},
    {"DiagonalFirstBeyond", diagonalWith([](json &d) { d["matrix"]["first"] = 4; }),
     StatusCode::corruptFile, "f: constants[0].matrix.first: 4 is not in 1 to 3"},
    {"DiagonalOfNoFactor", diagonalWith([](json &d) { d["matrix"]["count"] = 0; }),
     StatusCode::corruptFile, "f: constants[0].matrix.count: 0 is not in 1 to 2"},
    {"DiagonalCount", diagonalWith([](json &d) { d["matrix"]["count"] = 3; }),
     StatusCode::corruptFile, "f: constants[0].matrix.count: 3 is not in 1 to 2"},
    {"DiagonalScaleFactor", diagonalWith([](json &d) { d["matrix"]["factor"] = nullptr; }),
     StatusCode::corruptFile, "f: constants[0].matrix.factor: must be a number"},
    {"DiagonalHalvedColumn", diagonalWith([](json &d) { d["matrix"]["halved_column"] = 1; }),
     StatusCode::corruptFile, "f: constants[0].matrix.halved_column: must be true or false"},
    {"DiagonalIndex", diagonalWith([](json &d) { d["index"] = 16; }), StatusCode::corruptFile,
     "f: constants[0].index: 16 is not in 0 to 15"},
    {"DiagonalRotation", diagonalWith([](json &d) { d["rotation"] = UINT64_MAX; }),
     StatusCode::corruptFile, "f: constants[0].rotation: 18446744073709551615 is not in 0 to 15"},
    {"KeyOutsideList", [](json &j) { j["keys"][1] = 2; }, StatusCode::corruptFile,
     "f: keys[1]: 2 is not in 0 to 1"},
    {"TooManyKeys", [](json &j) { j["keys"] = {0, 1, 0}; }, StatusCode::corruptFile,
     "f: keys: has 3 elements, 0 to 2 are allowed"},
};

class BadSectionTest : public testing::TestWithParam<BadSection> {};

TEST_P(BadSectionTest, IsRefusedWithItsReason) {
  json document = json::parse(sample::sampleSectionJson());
  GetParam().spoil(document);
  auto section = readSection(document.dump());
  ASSERT_FALSE(section.isOk());
  EXPECT_EQ(section.message(), GetParam().message);
  EXPECT_EQ(section.status().code(), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(All, BadSectionTest, testing::ValuesIn(badSections),
                         [](const auto &info) { return info.param.name; });

TEST(ReadProgramSection, RefusesWhatIsNotJson) {
  auto section = readSection("{\"format\": ");
  ASSERT_FALSE(section.isOk());
  EXPECT_EQ(section.message().rfind("f: not valid JSON at byte ", 0), 0u) << section.message();
}

/// Encoded constants are bounded before one is encoded: 2^9 times all limbs of 2^17 words is 2^40
/// bytes and more.
TEST(ReadProgramSection, BoundsEncodedConstants) {
  Manifest manifest = sample::sampleManifest();
  manifest.logN = 17;
  manifest.limbs.resize(256);
  json document = json::parse(sample::sampleSectionJson());
  std::vector<uint16_t> all(256);
  for (uint16_t i = 0; i < 256; ++i)
    all[i] = i;
  json constant = document["constants"][0];
  constant["limbs"] = all;
  document["constants"] = json::array();
  for (int i = 0; i < 4097; ++i)
    document["constants"].push_back(constant);
  std::string text = document.dump();
  auto section = exec::readProgramSection(bytesOf(text), "f", manifest, 6);
  ASSERT_FALSE(section.isOk());
  EXPECT_EQ(section.message(),
            "f: constants: 1048832 encoded limbs of 2^17 words are more than 2^40 bytes");
  document["constants"].erase(0);
  text = document.dump();
  EXPECT_TRUE(exec::readProgramSection(bytesOf(text), "f", manifest, 6).isOk());
}

Expected<exec::Artifact> readFile(const std::vector<uint8_t> &bytes) {
  return exec::readArtifact(wire::Source::fromMemory(bytes, "a.sluice"));
}

const std::vector<uint8_t> anyCode = {1, 2, 3};

TEST(ReadArtifact, ReadsEverySection) {
  std::vector<uint8_t> file = sample::sampleFile(anyCode);
  auto artifact = readFile(file);
  ASSERT_TRUE(artifact.isOk()) << artifact.message();
  EXPECT_EQ(artifact->manifest.programName, "sample");
  EXPECT_EQ(artifact->program.arenaSlots, 60u);
  EXPECT_EQ(artifact->constants, sample::sampleConstants());
  EXPECT_EQ(artifact->code, anyCode);
}

std::vector<uint8_t> launchBytes(const LaunchList &list) {
  ByteWriter writer;
  writer.writeWords(wire::writeLaunches(list, 6));
  return std::move(writer).take();
}

TEST(ReadArtifact, ReadsWhatIsForDevices) {
  const std::vector<uint8_t> launches = launchBytes(sample::sampleLaunches()), device = {4, 5};
  auto artifact = readFile(sample::sampleFileForDevices(anyCode, launches, device));
  ASSERT_TRUE(artifact.isOk()) << artifact.message();
  EXPECT_EQ(artifact->code, anyCode);
  EXPECT_EQ(artifact->deviceCode, device);
  ASSERT_TRUE(artifact->launches);
  EXPECT_EQ(launchBytes(*artifact->launches), launches);
  EXPECT_FALSE(readFile(sample::sampleFile(anyCode))->launches);
}

TEST(ReadArtifact, RefusesBadLaunchesAndLaunchesWithoutDeviceCode) {
  LaunchList list = sample::sampleLaunches();
  list.launches[4].sources[1].slot = 60;
  auto artifact = readFile(sample::sampleFileForDevices(anyCode, launchBytes(list), anyCode));
  EXPECT_EQ(artifact.message(), "a.sluice: launches: launch 4: slot 60, but the program has 60");
  artifact = readFile(sample::sampleFileForDevices(anyCode, anyCode, anyCode));
  EXPECT_EQ(artifact.message().find("a.sluice: launches: byte 0: truncated"), 0u)
      << artifact.message();
  const std::vector<uint8_t> launches = launchBytes(sample::sampleLaunches());
  artifact = readFile(sample::programFile(
      wire::writeManifest(sample::sampleManifest(anyCode)), sample::sampleSectionJson(),
      sample::doubleBytes(sample::sampleConstants()), anyCode, {launches}));
  EXPECT_EQ(artifact.message(), "a.sluice: section 'device' is missing");
}

TEST(ReadArtifact, RefusesAManifestOfAnotherProgram) {
  Manifest other = sample::sampleManifest(std::vector<uint8_t>{9});
  auto artifact =
      readFile(sample::programFile(wire::writeManifest(other), sample::sampleSectionJson(),
                                   sample::doubleBytes(sample::sampleConstants()), anyCode));
  ASSERT_FALSE(artifact.isOk());
  EXPECT_EQ(artifact.status().code(), StatusCode::mismatch);
  EXPECT_EQ(artifact.message(), "a.sluice: its manifest is of program " +
                                    other.programId.substr(0, 16) +
                                    "…, but its other sections are program " +
                                    sample::sampleManifest(anyCode).programId.substr(0, 16) + "…");
}

TEST(ReadArtifact, RefusesConstantsThatAreNotDoubles) {
  std::vector<uint8_t> constants(47);
  wire::Hasher hasher;
  std::string section = sample::sampleSectionJson();
  hasher.update(bytesOf(section));
  hasher.update(constants);
  hasher.update(anyCode);
  Manifest manifest = sample::sampleManifest(anyCode);
  manifest.programId = wire::toHex(hasher.finish());
  auto artifact =
      readFile(sample::programFile(wire::writeManifest(manifest), section, constants, anyCode));
  ASSERT_FALSE(artifact.isOk());
  EXPECT_EQ(artifact.message(), "a.sluice: section 'constant' has 47 bytes, not a multiple of 8");
}

TEST(ReadArtifact, RefusesEveryTruncation) {
  std::vector<uint8_t> file = sample::sampleFile(anyCode);
  for (size_t size = 0; size < file.size(); size += 7) {
    auto artifact = readFile({file.begin(), file.begin() + static_cast<ptrdiff_t>(size)});
    ASSERT_FALSE(artifact.isOk()) << size << " bytes";
  }
}

} // namespace
} // namespace sluice
