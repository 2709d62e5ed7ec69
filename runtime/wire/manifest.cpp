//===- manifest.cpp - a program's manifest as bytes ------------------------------------------===//
//
// Shape here (what the JSON must look like), meaning in manifest_check.cpp.
//
//===-----------------------------------------------------------------------------------------===//
#include "runtime/wire/manifest.h"

#include "runtime/wire/certificate.h"
#include "runtime/wire/header_json.h"

namespace sluice::wire {
namespace {

constexpr const char *formatName = "sluice-manifest";
constexpr size_t scaleTextBytes = 4096;
constexpr uint64_t maxCount = uint64_t(1) << 53; // JSON numbers are exact up to here

using Indices = std::vector<uint16_t>;
using Json = nlohmann::ordered_json;

//===- Reading ===//

Status readProgram(const JsonValue &json, Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(manifest.programName, json.text("name", limits::nameBytes));
  SLUICE_ASSIGN_OR_RETURN(manifest.programId, json.hex("id", 32));
  SLUICE_ASSIGN_OR_RETURN(manifest.compiler, json.text("compiler", limits::nameBytes));
  return Status();
}

Status readRing(const JsonValue &json, Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(uint64_t logN, json.integer("log_n", limits::minLogN, limits::maxLogN));
  manifest.logN = static_cast<uint32_t>(logN);
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> limbs, json.array("limbs", 1, limits::limbs));
  for (const JsonValue &limb : limbs) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t prime,
                            limb.asInteger(2, (uint64_t(1) << limits::maxLimbBits) - 1));
    manifest.limbs.push_back(prime);
  }
  SLUICE_ASSIGN_OR_RETURN(manifest.special, json.distinctIndices("special", 0, limits::groupLimbs,
                                                                 manifest.limbs.size()));
  return Status();
}

Status readLevels(const JsonValue &root, Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> levels, root.array("levels", 1, limits::levels));
  for (const JsonValue &level : levels) {
    SLUICE_ASSIGN_OR_RETURN(Indices limbs,
                            level.asDistinctIndices(1, limits::limbs, manifest.limbs.size()));
    manifest.levels.push_back(std::move(limbs));
  }
  return Status();
}

Status readSecret(const JsonValue &root, Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(JsonValue secret, root.field("secret"));
  SLUICE_ASSIGN_OR_RETURN(JsonValue distribution, secret.field("distribution"));
  SLUICE_ASSIGN_OR_RETURN(std::string text, distribution.asText(64));
  if (text == secretDistributionName(SecretDistribution::sparse192))
    manifest.secret = SecretDistribution::sparse192;
  else if (text != secretDistributionName(SecretDistribution::uniformTernary))
    return distribution.error("'%s' is not supported; 'uniform-ternary' and 'sparse-192' are",
                              text.c_str());
  SLUICE_ASSIGN_OR_RETURN(manifest.errorStandardDeviation, root.number("error_standard_deviation"));
  return Status();
}

Status readEphemeral(const JsonValue &root, Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> json, root.optionalField("ephemeral"));
  if (!json)
    return Status();
  ManifestEphemeral &ephemeral = manifest.ephemeral.emplace();
  SLUICE_ASSIGN_OR_RETURN(JsonValue distribution, json->field("distribution"));
  SLUICE_ASSIGN_OR_RETURN(std::string text, distribution.asText(64));
  if (text != secretDistributionName(ephemeral.distribution))
    return distribution.error("'%s' is not supported; 'ephemeral-32' is", text.c_str());
  SLUICE_ASSIGN_OR_RETURN(ephemeral.special, json->distinctIndices("special", 1, limits::groupLimbs,
                                                                   manifest.limbs.size()));
  SLUICE_ASSIGN_OR_RETURN(ephemeral.logQP, json->number("log_qp"));
  SLUICE_ASSIGN_OR_RETURN(uint64_t limit, json->integer("limit", 0, 1 << 20));
  ephemeral.limit = static_cast<uint32_t>(limit);
  SLUICE_ASSIGN_OR_RETURN(ephemeral.row, json->text("row", limits::nameBytes));
  return Status();
}

Status readSecurity(const JsonValue &json, ManifestSecurity &security) {
  SLUICE_ASSIGN_OR_RETURN(security.bits, json.number("bits"));
  SLUICE_ASSIGN_OR_RETURN(security.insecure, json.boolean("insecure"));
  SLUICE_ASSIGN_OR_RETURN(security.logQP, json.number("log_qp"));
  SLUICE_ASSIGN_OR_RETURN(uint64_t limit, json.integer("limit", 0, 1 << 20));
  security.limit = static_cast<uint32_t>(limit);
  SLUICE_ASSIGN_OR_RETURN(security.row, json.text("row", limits::nameBytes));
  return Status();
}

Expected<ManifestScale> readScale(const JsonValue &json) {
  ManifestScale scale;
  SLUICE_ASSIGN_OR_RETURN(scale.exact, json.text("exact", scaleTextBytes));
  SLUICE_ASSIGN_OR_RETURN(scale.high, json.number("high"));
  SLUICE_ASSIGN_OR_RETURN(scale.low, json.number("low"));
  return scale;
}

Expected<ManifestTensor> readTensor(const JsonValue &json, const Manifest &manifest, bool isInput) {
  ManifestTensor tensor;
  SLUICE_ASSIGN_OR_RETURN(tensor.name, json.text("name", limits::nameBytes));
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> shape, json.array("shape", 0, limits::rank));
  for (const JsonValue &size : shape) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t value, size.asInteger(1, manifest.slots));
    tensor.shape.push_back(value);
  }
  if (isInput) {
    SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> range, json.array("range", 2, 2));
    SLUICE_ASSIGN_OR_RETURN(tensor.rangeLow, range[0].asNumber());
    SLUICE_ASSIGN_OR_RETURN(tensor.rangeHigh, range[1].asNumber());
  }
  SLUICE_ASSIGN_OR_RETURN(tensor.lanes, json.integer("lanes", 1, manifest.slots));
  SLUICE_ASSIGN_OR_RETURN(tensor.batch, json.integer("batch", 1, manifest.slots));
  SLUICE_ASSIGN_OR_RETURN(tensor.batched, json.boolean("batched"));
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> isComplex, json.optionalField("complex"));
  if (isComplex) {
    SLUICE_ASSIGN_OR_RETURN(tensor.isComplex, isComplex->asBoolean());
  }
  SLUICE_ASSIGN_OR_RETURN(uint64_t level, json.integer("level", 0, manifest.levels.size() - 1));
  tensor.level = static_cast<uint32_t>(level);
  SLUICE_ASSIGN_OR_RETURN(JsonValue scale, json.field("scale"));
  SLUICE_ASSIGN_OR_RETURN(tensor.scale, readScale(scale));
  return tensor;
}

Status readTensors(const JsonValue &root, Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(manifest.slots,
                          root.integer("slots", 1, uint64_t(1) << (manifest.logN - 1)));
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> inputs, root.array("inputs", 1, limits::tensors));
  for (const JsonValue &input : inputs) {
    SLUICE_ASSIGN_OR_RETURN(ManifestTensor tensor, readTensor(input, manifest, true));
    manifest.inputs.push_back(std::move(tensor));
  }
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> outputs,
                          root.array("outputs", 1, limits::tensors));
  for (const JsonValue &output : outputs) {
    SLUICE_ASSIGN_OR_RETURN(ManifestTensor tensor, readTensor(output, manifest, false));
    manifest.outputs.push_back(std::move(tensor));
  }
  return Status();
}

Status readKeys(const JsonValue &root, Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> keys,
                          root.array("evaluation_keys", 0, limits::evaluationKeys));
  for (const JsonValue &json : keys) {
    SLUICE_ASSIGN_OR_RETURN(ManifestKey key, readKey(json, manifest));
    manifest.evaluationKeys.push_back(std::move(key));
  }
  return Status();
}

Status readForecast(const JsonValue &json, ManifestForecast &forecast) {
  SLUICE_ASSIGN_OR_RETURN(forecast.precisionBits, json.number("precision_bits"));
  SLUICE_ASSIGN_OR_RETURN(forecast.keyBytes, json.integer("key_bytes", 0, maxCount));
  SLUICE_ASSIGN_OR_RETURN(forecast.arenaBytes, json.integer("arena_bytes", 0, maxCount));
  SLUICE_ASSIGN_OR_RETURN(forecast.timeMs, json.number("time_ms"));
  SLUICE_ASSIGN_OR_RETURN(forecast.levels, json.integer("levels", 0, maxCount));
  SLUICE_ASSIGN_OR_RETURN(forecast.ciphertextProducts,
                          json.integer("ciphertext_products", 0, maxCount));
  SLUICE_ASSIGN_OR_RETURN(forecast.keySwitches, json.integer("key_switches", 0, maxCount));
  return Status();
}

//===- Writing ===//

Json scaleJson(const ManifestScale &scale) {
  return {{"exact", scale.exact}, {"high", scale.high}, {"low", scale.low}};
}

Json tensorJson(const ManifestTensor &tensor, bool isInput) {
  Json json;
  json["name"] = tensor.name;
  json["shape"] = tensor.shape;
  if (isInput)
    json["range"] = {tensor.rangeLow, tensor.rangeHigh};
  json["lanes"] = tensor.lanes;
  json["batch"] = tensor.batch;
  json["batched"] = tensor.batched;
  if (tensor.isComplex)
    json["complex"] = true;
  json["level"] = tensor.level;
  json["scale"] = scaleJson(tensor.scale);
  return json;
}

Json securityJson(const ManifestSecurity &security) {
  return {{"bits", security.bits},
          {"insecure", security.insecure},
          {"log_qp", security.logQP},
          {"limit", security.limit},
          {"row", security.row}};
}

Json forecastJson(const ManifestForecast &forecast) {
  return {{"precision_bits", forecast.precisionBits},
          {"key_bytes", forecast.keyBytes},
          {"arena_bytes", forecast.arenaBytes},
          {"time_ms", forecast.timeMs},
          {"levels", forecast.levels},
          {"ciphertext_products", forecast.ciphertextProducts},
          {"key_switches", forecast.keySwitches}};
}

Json ephemeralJson(const ManifestEphemeral &ephemeral) {
  return {{"distribution", secretDistributionName(ephemeral.distribution)},
          {"special", ephemeral.special},
          {"log_qp", ephemeral.logQP},
          {"limit", ephemeral.limit},
          {"row", ephemeral.row}};
}

} // namespace

Expected<ManifestKey> readKey(const JsonValue &json, const Manifest &manifest) {
  ManifestKey key;
  SLUICE_ASSIGN_OR_RETURN(JsonValue kind, json.field("kind"));
  SLUICE_ASSIGN_OR_RETURN(std::string text, kind.asText(64));
  const std::optional<KeyKind> known = findKeyKind(text);
  if (!known)
    return kind.error("'%s' is none of 'relinearize', 'galois', 'to_ephemeral' and 'to_main'",
                      text.c_str());
  key.kind = *known;
  if (key.kind == KeyKind::galois) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t element, json.integer("element", 1, 2 * manifest.degree()));
    key.element = static_cast<uint32_t>(element);
    SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> permuted, json.optionalField("permuted"));
    if (permuted) {
      SLUICE_ASSIGN_OR_RETURN(key.permuted, permuted->asBoolean());
    }
  }
  size_t table = manifest.limbs.size();
  SLUICE_ASSIGN_OR_RETURN(key.limbs, json.distinctIndices("limbs", 1, limits::limbs, table));
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> digits, json.array("digits", 1, limits::limbs));
  for (const JsonValue &digit : digits) {
    SLUICE_ASSIGN_OR_RETURN(Indices limbs, digit.asDistinctIndices(1, limits::groupLimbs, table));
    key.digits.push_back(std::move(limbs));
  }
  return key;
}

Json keyJson(const ManifestKey &key) {
  Json json;
  json["kind"] = keyKindName(key.kind);
  if (key.kind == KeyKind::galois)
    json["element"] = key.element;
  if (key.permuted)
    json["permuted"] = true;
  json["limbs"] = key.limbs;
  json["digits"] = key.digits;
  return json;
}

Expected<Manifest> readManifest(std::span<const uint8_t> bytes, const std::string &name) {
  if (bytes.size() > limits::manifestBytes)
    return Status::error(StatusCode::corruptFile, "%s: a manifest of %zu bytes; %llu are allowed",
                         name.c_str(), bytes.size(),
                         static_cast<unsigned long long>(limits::manifestBytes));
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, parseJson(bytes, name));
  JsonValue root(document, name);
  Manifest manifest;
  SLUICE_RETURN_IF_ERROR(root.checkFormat({.format = formatName,
                                           .holder = "a manifest",
                                           .versionName = "manifest version",
                                           .newestVersion = manifestVersion,
                                           .reader = "program",
                                           .remedy = "update Sluice"})
                             .status());
  SLUICE_ASSIGN_OR_RETURN(JsonValue program, root.field("program"));
  SLUICE_RETURN_IF_ERROR(readProgram(program, manifest));
  SLUICE_ASSIGN_OR_RETURN(JsonValue ring, root.field("ring"));
  SLUICE_RETURN_IF_ERROR(readRing(ring, manifest));
  SLUICE_RETURN_IF_ERROR(readLevels(root, manifest));
  SLUICE_RETURN_IF_ERROR(readSecret(root, manifest));
  SLUICE_RETURN_IF_ERROR(readEphemeral(root, manifest));
  SLUICE_ASSIGN_OR_RETURN(JsonValue security, root.field("security"));
  SLUICE_RETURN_IF_ERROR(readSecurity(security, manifest.security));
  SLUICE_RETURN_IF_ERROR(readTensors(root, manifest));
  SLUICE_RETURN_IF_ERROR(readKeys(root, manifest));
  SLUICE_ASSIGN_OR_RETURN(JsonValue forecast, root.field("forecast"));
  SLUICE_RETURN_IF_ERROR(readForecast(forecast, manifest.forecast));
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> certificate, root.optionalField("certificate"));
  if (certificate) {
    SLUICE_ASSIGN_OR_RETURN(manifest.certificate, readCertificate(*certificate));
  }
  SLUICE_RETURN_IF_ERROR(checkManifest(manifest, name));
  return manifest;
}

std::string writeManifest(const Manifest &manifest, int indent) {
  Json json;
  json["format"] = formatName;
  json["version"] = manifestVersion;
  json["program"] = {
      {"name", manifest.programName}, {"id", manifest.programId}, {"compiler", manifest.compiler}};
  json["ring"] = {
      {"log_n", manifest.logN}, {"limbs", manifest.limbs}, {"special", manifest.special}};
  json["levels"] = manifest.levels;
  json["secret"] = {{"distribution", secretDistributionName(manifest.secret)}};
  if (manifest.ephemeral)
    json["ephemeral"] = ephemeralJson(*manifest.ephemeral);
  json["error_standard_deviation"] = manifest.errorStandardDeviation;
  json["security"] = securityJson(manifest.security);
  json["slots"] = manifest.slots;
  json["inputs"] = Json::array();
  for (const ManifestTensor &tensor : manifest.inputs)
    json["inputs"].push_back(tensorJson(tensor, true));
  json["outputs"] = Json::array();
  for (const ManifestTensor &tensor : manifest.outputs)
    json["outputs"].push_back(tensorJson(tensor, false));
  json["evaluation_keys"] = Json::array();
  for (const ManifestKey &key : manifest.evaluationKeys)
    json["evaluation_keys"].push_back(keyJson(key));
  json["forecast"] = forecastJson(manifest.forecast);
  if (manifest.certificate)
    json["certificate"] = certificateJson(*manifest.certificate);
  return toText(json, indent);
}

Expected<std::vector<uint8_t>> readManifestBytes(std::unique_ptr<Source> source) {
  uint8_t first = 0;
  if (source->size() > 0)
    SLUICE_RETURN_IF_ERROR(source->read(0, std::span(&first, 1)));
  if (first != 'S') // JSON never begins so, every Sluice file does
    return readAll(*source, limits::manifestBytes, "a manifest");
  SLUICE_ASSIGN_OR_RETURN(
      SectionReader reader,
      SectionReader::open(std::move(source), FileKind::program, programSections));
  return reader.readSection("manifest", limits::manifestBytes);
}

} // namespace sluice::wire
