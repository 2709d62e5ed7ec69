//===- artifact_writer_test.cpp - bytes of a .sluice file against docs/formats.md -------------===//
//
// The container is taken apart here by the offsets of the page, with code that knows nothing of the
// writer's.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/driver/ArtifactWriter.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sodium.h>

using namespace sluice;
using nlohmann::json;

namespace {

ArtifactContents sampleContents() {
  ArtifactContents contents;
  Manifest &manifest = contents.manifest;
  manifest.programName = "score";
  manifest.logN = 13;
  manifest.limbs = {1125899906826241, 1125899906629633, 1099511480321};
  manifest.special = {0};
  manifest.levels = {{1}, {1, 2}};
  manifest.security = {128, false, 140.0, 214, "uniform ternary, N = 2^13"};
  manifest.slots = 4096;
  manifest.inputs = {{"x", {30}, -8, 8, 32, 100, true, 1, {"2^40", 0x1p40, 0}}};
  manifest.outputs = {{"y", {}, 0, 0, 1, 100, true, 0, {"2^80 * q2^-1", 1e12, 0.25}}};
  manifest.evaluationKeys = {{KeyKind::relinearize, 0, {0, 1, 2}, {{1}, {2}}},
                             {KeyKind::galois, 25, {0, 1}, {{1}}}};
  manifest.forecast = {24.5, 1000, 2000, 12.25, 1, 3, 4};
  contents.program.abi = 1;
  contents.program.target = "cpu";
  contents.program.arenaSlots = 9;
  contents.program.scratchSlots = 3;
  contents.program.inputs = {{1, {{0, 1}, {2, 3}}}};
  contents.program.outputs = {{0, {{4}, {5}}}};
  contents.program.constants = {{ConstantKind::slots, 0, 2, false, 3.5, 0.125, {1, 2}}};
  contents.program.keys = {0, 1};
  contents.constantValues = {0.5, -1.0};
  contents.code = "\x7f"
                  "ELF, as it were";
  return contents;
}

template <typename T> T read(const std::string &bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Section `index` of the table: its tag and content.
std::pair<std::string, std::string> section(const std::string &bytes, size_t index) {
  size_t entry = 24 + 32 * index;
  auto offset = read<uint64_t>(bytes, entry + 8), size = read<uint64_t>(bytes, entry + 16);
  EXPECT_EQ(offset % 64, 0u);
  EXPECT_EQ(read<uint64_t>(bytes, entry + 24), 0u);
  std::string tag = bytes.substr(entry, 8);
  return {tag.substr(0, tag.find('\0')), bytes.substr(offset, size)};
}

std::string hash(const std::string &bytes) {
  std::string digest(32, '\0');
  crypto_generichash(reinterpret_cast<unsigned char *>(digest.data()), digest.size(),
                     reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(), nullptr,
                     0);
  return digest;
}

TEST(ArtifactWriter, TheContainerIsThatOfThePage) {
  ASSERT_EQ(std::endian::native, std::endian::little); // read<T> above
  std::string bytes = writeArtifact(sampleContents()).bytes;
  EXPECT_EQ(bytes.substr(0, 8), std::string("SLUICE\x1A\n"));
  EXPECT_EQ(read<uint32_t>(bytes, 8), 1u);  // format version
  EXPECT_EQ(read<uint32_t>(bytes, 12), 1u); // kind: program
  EXPECT_EQ(read<uint32_t>(bytes, 16), 4u); // sections
  EXPECT_EQ(read<uint32_t>(bytes, 20), 0u);
  const char *tags[] = {"manifest", "program", "constant", "code"};
  for (size_t index = 0; index < 4; ++index)
    EXPECT_EQ(section(bytes, index).first, tags[index]);
  EXPECT_EQ(section(bytes, 3).second, sampleContents().code);
  EXPECT_EQ(read<double>(section(bytes, 2).second, 8), -1.0);
  EXPECT_EQ(bytes.substr(bytes.size() - 32), hash(bytes.substr(0, bytes.size() - 32)));
  // No byte stands after the last section but the checksum.
  size_t entry = 24 + 32 * 3;
  EXPECT_EQ(read<uint64_t>(bytes, entry + 8) + read<uint64_t>(bytes, entry + 16) + 32,
            bytes.size());
}

TEST(ArtifactWriter, TheIdBindsProgramConstantsAndCode) {
  Artifact artifact = writeArtifact(sampleContents());
  json manifest = json::parse(artifact.manifest);
  EXPECT_EQ(section(artifact.bytes, 0).second, artifact.manifest);
  std::string digest = hash(section(artifact.bytes, 1).second + section(artifact.bytes, 2).second +
                            section(artifact.bytes, 3).second);
  std::string digits(65, '\0');
  sodium_bin2hex(digits.data(), digits.size(),
                 reinterpret_cast<const unsigned char *>(digest.data()), digest.size());
  EXPECT_EQ(manifest["program"]["id"], digits.substr(0, 64));

  ArtifactContents other = sampleContents();
  other.constantValues[1] = 1.0;
  EXPECT_NE(json::parse(writeArtifact(other).manifest)["program"]["id"], manifest["program"]["id"]);
}

TEST(ArtifactWriter, LaunchesAndDeviceCodeFollowTheCode) {
  ArtifactContents contents = sampleContents();
  contents.launches = {3, uint64_t(1) << 56};
  contents.deviceCode = "a fat binary, as it were";
  Artifact artifact = writeArtifact(contents);
  EXPECT_EQ(read<uint32_t>(artifact.bytes, 16), 6u); // sections
  EXPECT_EQ(
      section(artifact.bytes, 4),
      std::pair(std::string("launches"), std::string("\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16)));
  EXPECT_EQ(section(artifact.bytes, 5), std::pair(std::string("device"), contents.deviceCode));

  // The id binds them too.
  json id = json::parse(artifact.manifest)["program"]["id"];
  EXPECT_NE(id, json::parse(writeArtifact(sampleContents()).manifest)["program"]["id"]);
  contents.launches.front() = 4;
  EXPECT_NE(id, json::parse(writeArtifact(contents).manifest)["program"]["id"]);
}

TEST(ArtifactWriter, TheManifestHasTheFieldsOfThePage) {
  json manifest = json::parse(writeArtifact(sampleContents()).manifest);
  manifest["program"].erase("id");
  manifest["program"].erase("compiler");
  EXPECT_EQ(manifest, json::parse(R"({
    "format": "sluice-manifest", "version": 1,
    "program": {"name": "score"},
    "ring": {"log_n": 13, "limbs": [1125899906826241, 1125899906629633, 1099511480321], "special": [0]},
    "levels": [[1], [1, 2]],
    "secret": {"distribution": "uniform-ternary"},
    "error_standard_deviation": 3.2,
    "security": {"bits": 128.0, "insecure": false, "log_qp": 140.0, "limit": 214, "row": "uniform ternary, N = 2^13"},
    "slots": 4096,
    "inputs": [{"name": "x", "shape": [30], "range": [-8.0, 8.0], "lanes": 32, "batch": 100, "batched": true,
                "level": 1, "scale": {"exact": "2^40", "high": 1099511627776.0, "low": 0.0}}],
    "outputs": [{"name": "y", "shape": [], "lanes": 1, "batch": 100, "batched": true,
                 "level": 0, "scale": {"exact": "2^80 * q2^-1", "high": 1e12, "low": 0.25}}],
    "evaluation_keys": [{"kind": "relinearize", "limbs": [0, 1, 2], "digits": [[1], [2]]},
                        {"kind": "galois", "element": 25, "limbs": [0, 1], "digits": [[1]]}],
    "forecast": {"precision_bits": 24.5, "key_bytes": 1000, "arena_bytes": 2000, "time_ms": 12.25,
                 "levels": 1, "ciphertext_products": 3, "key_switches": 4}
  })"));
}

TEST(ArtifactWriter, TheProgramHasTheFieldsOfThePage) {
  json program = json::parse(section(writeArtifact(sampleContents()).bytes, 1).second);
  EXPECT_EQ(program, json::parse(R"({
    "format": "sluice-program", "version": 1, "abi": 1, "target": "cpu",
    "arena_slots": 9, "scratch_slots": 3,
    "inputs": [{"level": 1, "slots": [[0, 1], [2, 3]]}],
    "outputs": [{"level": 0, "slots": [[4], [5]]}],
    "constants": [{"kind": "slots", "offset": 0, "count": 2, "complex": false,
                   "scale": {"high": 3.5, "low": 0.125}, "limbs": [1, 2]}],
    "keys": [0, 1]
  })"));
}

} // namespace
