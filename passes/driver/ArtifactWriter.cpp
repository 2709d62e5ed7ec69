//===- ArtifactWriter.cpp - the bytes of a .sluice file ---------------------------------------===//

#include "passes/driver/ArtifactWriter.h"

#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <sodium.h>

using nlohmann::ordered_json;

namespace sluice {

namespace {

using Digest = std::array<unsigned char, 32>;

Digest blake2b(std::initializer_list<std::string_view> parts) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, std::tuple_size_v<Digest>);
  for (std::string_view part : parts)
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char *>(part.data()),
                              part.size());
  Digest digest;
  crypto_generichash_final(&state, digest.data(), digest.size());
  return digest;
}

std::string hexadecimal(const Digest &digest) {
  std::string text(2 * digest.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
  text.pop_back();
  return text;
}

template <typename T> void appendLittleEndian(std::string &out, T value) {
  for (size_t byte = 0; byte < sizeof(T); ++byte)
    out.push_back(static_cast<char>(value >> (8 * byte)));
}

// --- The container ------------------------------------------------------------------------------

struct Section {
  std::string_view tag; // at most 8 characters
  std::string_view content;
};

constexpr std::string_view magic("SLUICE\x1A\n", 8);
constexpr uint32_t formatVersion = 1;
constexpr uint32_t kindProgram = 1;
constexpr size_t headerBytes = 24, sectionEntryBytes = 32, sectionAlignment = 64;

size_t alignedUp(size_t offset) {
  return (offset + sectionAlignment - 1) / sectionAlignment * sectionAlignment;
}

std::string writeContainer(const std::vector<Section> &sections) {
  std::string out(magic);
  appendLittleEndian(out, formatVersion);
  appendLittleEndian(out, kindProgram);
  appendLittleEndian(out, static_cast<uint32_t>(sections.size()));
  appendLittleEndian(out, uint32_t(0));

  size_t offset = alignedUp(headerBytes + sectionEntryBytes * sections.size());
  for (const Section &section : sections) {
    std::string tag(section.tag);
    tag.resize(8, '\0');
    out += tag;
    appendLittleEndian(out, static_cast<uint64_t>(offset));
    appendLittleEndian(out, static_cast<uint64_t>(section.content.size()));
    appendLittleEndian(out, uint64_t(0));
    offset = alignedUp(offset + section.content.size());
  }
  for (const Section &section : sections) {
    out.resize(alignedUp(out.size()), '\0');
    out += section.content;
  }
  Digest checksum = blake2b({out});
  out.append(checksum.begin(), checksum.end());
  return out;
}

// --- JSON ---------------------------------------------------------------------------------------

ordered_json toJson(const ManifestScale &scale) {
  return {{"exact", scale.exact}, {"high", scale.high}, {"low", scale.low}};
}

ordered_json toJson(const ManifestTensor &tensor, bool isInput) {
  ordered_json json{{"name", tensor.name}, {"shape", tensor.shape}};
  if (isInput)
    json["range"] = {tensor.rangeLow, tensor.rangeHigh};
  json["lanes"] = tensor.lanes;
  json["batch"] = tensor.batch;
  json["batched"] = tensor.batched;
  json["level"] = tensor.level;
  json["scale"] = toJson(tensor.scale);
  return json;
}

ordered_json toJson(const std::vector<ManifestTensor> &tensors, bool areInputs) {
  ordered_json json = ordered_json::array();
  for (const ManifestTensor &tensor : tensors)
    json.push_back(toJson(tensor, areInputs));
  return json;
}

ordered_json toJson(const std::vector<ManifestKey> &keys) {
  ordered_json json = ordered_json::array();
  for (const ManifestKey &key : keys) {
    ordered_json entry;
    if (key.kind == KeyKind::galois)
      entry = {{"kind", "galois"}, {"element", key.element}};
    else
      entry = {{"kind", "relinearize"}};
    if (key.permuted)
      entry["permuted"] = true;
    entry["limbs"] = key.limbs;
    entry["digits"] = key.digits;
    json.push_back(std::move(entry));
  }
  return json;
}

ordered_json toJson(const ManifestForecast &forecast) {
  return {{"precision_bits", forecast.precisionBits},
          {"key_bytes", forecast.keyBytes},
          {"arena_bytes", forecast.arenaBytes},
          {"time_ms", forecast.timeMs},
          {"levels", forecast.levels},
          {"ciphertext_products", forecast.ciphertextProducts},
          {"key_switches", forecast.keySwitches}};
}

ordered_json toJson(const ManifestSecurity &security) {
  return {{"bits", security.bits},
          {"insecure", security.insecure},
          {"log_qp", security.logQP},
          {"limit", security.limit},
          {"row", security.row}};
}

ordered_json manifestJson(const Manifest &manifest, const std::string &programId) {
  return {
      {"format", "sluice-manifest"},
      {"version", manifestVersion},
      {"program",
       {{"name", manifest.programName}, {"id", programId}, {"compiler", "sluice " SLUICE_VERSION}}},
      {"ring",
       {{"log_n", manifest.logN}, {"limbs", manifest.limbs}, {"special", manifest.special}}},
      {"levels", manifest.levels},
      {"secret", {{"distribution", secretDistributionName(manifest.secret)}}},
      {"error_standard_deviation", manifest.errorStandardDeviation},
      {"security", toJson(manifest.security)},
      {"slots", manifest.slots},
      {"inputs", toJson(manifest.inputs, /*areInputs=*/true)},
      {"outputs", toJson(manifest.outputs, /*areInputs=*/false)},
      {"evaluation_keys", toJson(manifest.evaluationKeys)},
      {"forecast", toJson(manifest.forecast)},
  };
}

ordered_json toJson(const std::vector<ProgramPort> &ports) {
  ordered_json json = ordered_json::array();
  for (const ProgramPort &port : ports)
    json.push_back({{"level", port.level}, {"slots", port.slots}});
  return json;
}

ordered_json toJson(const std::vector<ProgramConstant> &constants) {
  ordered_json json = ordered_json::array();
  for (const ProgramConstant &constant : constants)
    json.push_back({{"kind", "slots"},
                    {"offset", constant.offset},
                    {"count", constant.count},
                    {"complex", constant.isComplex},
                    {"scale", {{"high", constant.scaleHigh}, {"low", constant.scaleLow}}},
                    {"limbs", constant.limbs}});
  return json;
}

ordered_json programJson(const ProgramSection &program) {
  return {
      {"format", "sluice-program"},
      {"version", programSectionVersion},
      {"abi", program.abi},
      {"target", program.target},
      {"arena_slots", program.arenaSlots},
      {"scratch_slots", program.scratchSlots},
      {"inputs", toJson(program.inputs)},
      {"outputs", toJson(program.outputs)},
      {"constants", toJson(program.constants)},
      {"keys", program.keys},
  };
}

std::string constantBytes(const std::vector<double> &values) {
  std::string bytes;
  bytes.reserve(values.size() * sizeof(double));
  for (double value : values)
    appendLittleEndian(bytes, std::bit_cast<uint64_t>(value));
  return bytes;
}

} // namespace

Artifact writeArtifact(const ArtifactContents &contents) {
  std::string program = programJson(contents.program).dump();
  std::string constants = constantBytes(contents.constantValues);
  std::string id = hexadecimal(blake2b({program, constants, contents.code}));

  Artifact artifact;
  artifact.manifest = manifestJson(contents.manifest, id).dump(2);
  artifact.bytes = writeContainer({{"manifest", artifact.manifest},
                                   {"program", program},
                                   {"constant", constants},
                                   {"code", contents.code}});
  return artifact;
}

} // namespace sluice
