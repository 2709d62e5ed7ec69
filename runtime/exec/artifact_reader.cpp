//===- artifact_reader.cpp - .sluice files as bytes -----------------------------------------===//
#include "runtime/exec/artifact_reader.h"

#include "runtime/abi/sluice.h"
#include "runtime/exec/launch_check.h"
#include "runtime/wire/hash.h"
#include "runtime/wire/json_value.h"
#include "runtime/wire/launch_reader.h"
#include "runtime/wire/manifest.h"
#include "runtime/wire/section.h"

#include <algorithm>
#include <bit>

namespace sluice::exec {
namespace {

using wire::JsonValue;

constexpr const char *formatName = "sluice-program";
constexpr const char *targetName = "cpu";
constexpr size_t maxVersion = uint64_t(1) << 53;

unsigned long long wide(uint64_t value) { return value; }

/// Checks what the section was written for; gives the interface of its code.
Expected<uint32_t> readVersion(const JsonValue &root) {
  SLUICE_RETURN_IF_ERROR(root.checkFormat({.format = formatName,
                                           .holder = "a program section",
                                           .versionName = "program version",
                                           .newestVersion = programSectionVersion,
                                           .reader = "runtime",
                                           .remedy = "update Sluice"})
                             .status());
  SLUICE_ASSIGN_OR_RETURN(uint64_t abi, root.integer("abi", 1, maxVersion));
  if (abi > SLUICE_ABI_VERSION) // what earlier versions have stays
    return Status::error(StatusCode::unsupportedVersion,
                         "%s: its code was compiled for runtime interface %llu, but this runtime "
                         "has interface %u: update Sluice",
                         root.place().c_str(), wide(abi), SLUICE_ABI_VERSION);
  SLUICE_ASSIGN_OR_RETURN(std::string target, root.text("target", 64));
  if (target != targetName)
    return Status::error(StatusCode::unsupportedVersion,
                         "%s: its code was compiled for target '%s', but this runtime has '%s'",
                         root.place().c_str(), target.c_str(), targetName);
  return static_cast<uint32_t>(abi);
}

/// One limb of one polynomial of a port after the other.
Expected<std::vector<uint32_t>> readSlots(const JsonValue &json, size_t limbs,
                                          uint32_t arenaSlots) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> list, json.asArray(limbs, limbs));
  std::vector<uint32_t> slots;
  for (const JsonValue &element : list) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t slot, element.asInteger(0, arenaSlots - 1));
    slots.push_back(static_cast<uint32_t>(slot));
  }
  return slots;
}

Expected<ProgramPort> readPort(const JsonValue &json, const Manifest &manifest,
                               const ManifestTensor &tensor, size_t maxPolynomials,
                               uint32_t arenaSlots) {
  ProgramPort port;
  SLUICE_ASSIGN_OR_RETURN(JsonValue level, json.field("level"));
  SLUICE_ASSIGN_OR_RETURN(uint64_t value, level.asInteger(0, manifest.levels.size() - 1));
  port.level = static_cast<uint32_t>(value);
  if (port.level != tensor.level)
    return level.error("is %u, but the manifest has '%s' at level %u", port.level,
                       tensor.name.c_str(), tensor.level);
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> polynomials,
                          json.array("slots", 2, maxPolynomials));
  for (const JsonValue &polynomial : polynomials) {
    SLUICE_ASSIGN_OR_RETURN(std::vector<uint32_t> slots,
                            readSlots(polynomial, manifest.levels[port.level].size(), arenaSlots));
    port.slots.push_back(std::move(slots));
  }
  return port;
}

Status readPorts(const JsonValue &root, const char *key, const Manifest &manifest,
                 const std::vector<ManifestTensor> &tensors, size_t maxPolynomials,
                 uint32_t arenaSlots, std::vector<ProgramPort> &ports) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> list,
                          root.array(key, tensors.size(), tensors.size()));
  for (size_t i = 0; i < list.size(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(ProgramPort port,
                            readPort(list[i], manifest, tensors[i], maxPolynomials, arenaSlots));
    ports.push_back(std::move(port));
  }
  return Status();
}

/// Two inputs in one slot would overwrite each other.
Status expectDistinctInputs(const JsonValue &root, const ProgramSection &program) {
  std::vector<uint32_t> slots;
  for (const ProgramPort &port : program.inputs)
    for (const std::vector<uint32_t> &polynomial : port.slots)
      slots.insert(slots.end(), polynomial.begin(), polynomial.end());
  std::ranges::sort(slots);
  auto twice = std::ranges::adjacent_find(slots);
  if (twice != slots.end())
    return root.error("inputs: slot %u stands twice", *twice);
  return Status();
}

/// One of `values` by its name in files, which `nameOf` gives.
template <typename Value, size_t count>
Expected<Value> readName(const JsonValue &json, const Value (&values)[count],
                         const char *(*nameOf)(Value)) {
  SLUICE_ASSIGN_OR_RETURN(std::string name, json.asText(64));
  std::string known;
  for (Value value : values) {
    if (name == nameOf(value))
      return value;
    known += std::string(known.empty() ? "'" : ", '") + nameOf(value) + "'";
  }
  return json.error("'%s' is not known; known: %s", name.c_str(), known.c_str());
}

/// A matrix of at most `slots` rows.
Expected<DftMatrix> readDftMatrix(const JsonValue &json, uint64_t slots) {
  DftMatrix matrix;
  SLUICE_ASSIGN_OR_RETURN(JsonValue direction, json.field("direction"));
  SLUICE_ASSIGN_OR_RETURN(matrix.group.direction,
                          readName(direction, dftDirections, dftDirectionName));
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> form, json.optionalField("form"));
  if (form) {
    SLUICE_ASSIGN_OR_RETURN(matrix.form, readName(*form, dftForms, dftFormName));
  }
  SLUICE_ASSIGN_OR_RETURN(JsonValue logSlots, json.field("log_slots"));
  SLUICE_ASSIGN_OR_RETURN(uint64_t log, logSlots.asInteger(1, 16));
  matrix.group.logSlots = static_cast<uint32_t>(log);
  if (matrix.size() > slots)
    return logSlots.error("a matrix of %llu rows is wanted, but the constant has %llu slots",
                          wide(matrix.size()), wide(slots));
  SLUICE_ASSIGN_OR_RETURN(uint64_t first, json.integer("first", 1, log));
  SLUICE_ASSIGN_OR_RETURN(uint64_t count, json.integer("count", 1, log - first + 1));
  matrix.group.first = static_cast<uint32_t>(first);
  matrix.group.count = static_cast<uint32_t>(count);
  SLUICE_ASSIGN_OR_RETURN(matrix.factor, json.number("factor"));
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> halved, json.optionalField("halved_column"));
  if (halved) {
    SLUICE_ASSIGN_OR_RETURN(matrix.halvesColumnZero, halved->asBoolean());
  }
  return matrix;
}

/// What the values of a constant of `slots` slots are generated from.
Status readDftDiagonal(const JsonValue &json, uint64_t slots, ProgramConstant &constant) {
  DftDiagonal &diagonal = constant.diagonal;
  SLUICE_ASSIGN_OR_RETURN(JsonValue matrix, json.field("matrix"));
  SLUICE_ASSIGN_OR_RETURN(diagonal.matrix, readDftMatrix(matrix, slots));
  constant.isComplex = true;
  constant.count = diagonal.matrix.size();
  SLUICE_ASSIGN_OR_RETURN(diagonal.index, json.integer("index", 0, constant.count - 1));
  SLUICE_ASSIGN_OR_RETURN(diagonal.rotation, json.integer("rotation", 0, constant.count - 1));
  return Status();
}

/// Where the values of a constant of `slots` slots stand in section `constant`, which has
/// `valueCount` doubles.
Status readPlace(const JsonValue &json, uint64_t slots, uint64_t valueCount,
                 ProgramConstant &constant) {
  SLUICE_ASSIGN_OR_RETURN(constant.isComplex, json.boolean("complex"));
  SLUICE_ASSIGN_OR_RETURN(JsonValue count, json.field("count"));
  SLUICE_ASSIGN_OR_RETURN(constant.count, count.asInteger(1, slots));
  if (!std::has_single_bit(constant.count))
    return count.error("%llu is not a power of two", wide(constant.count));
  SLUICE_ASSIGN_OR_RETURN(JsonValue offset, json.field("offset"));
  SLUICE_ASSIGN_OR_RETURN(constant.offset, offset.asInteger(0, valueCount));
  uint64_t doubles = constant.count * (constant.isComplex ? 2 : 1); // at most 2^17: slots <= N/2
  if (doubles > valueCount - constant.offset)
    return offset.error("values %llu to %llu are wanted, but section 'constant' has %llu",
                        wide(constant.offset), wide(constant.offset + doubles - 1),
                        wide(valueCount));
  return Status();
}

Expected<ProgramConstant> readConstant(const JsonValue &json, const Manifest &manifest,
                                       uint64_t valueCount) {
  ProgramConstant constant;
  SLUICE_ASSIGN_OR_RETURN(JsonValue kind, json.field("kind"));
  SLUICE_ASSIGN_OR_RETURN(constant.kind, readName(kind, constantKinds, constantKindName));
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> ownSlots, json.optionalField("slots"));
  if (ownSlots) {
    SLUICE_ASSIGN_OR_RETURN(constant.slots, ownSlots->asInteger(1, manifest.degree() / 2));
    if (!std::has_single_bit(constant.slots))
      return ownSlots->error("%llu is not a power of two", wide(constant.slots));
  }
  const uint64_t slots = ownSlots ? constant.slots : manifest.slots;
  SLUICE_RETURN_IF_ERROR(constant.kind == ConstantKind::dftDiagonal
                             ? readDftDiagonal(json, slots, constant)
                             : readPlace(json, slots, valueCount, constant));
  SLUICE_ASSIGN_OR_RETURN(JsonValue scale, json.field("scale"));
  SLUICE_ASSIGN_OR_RETURN(constant.scaleHigh, scale.number("high"));
  SLUICE_ASSIGN_OR_RETURN(constant.scaleLow, scale.number("low"));
  if (constant.scaleHigh <= 0)
    return scale.error("must be positive");
  SLUICE_ASSIGN_OR_RETURN(constant.limbs,
                          json.distinctIndices("limbs", 1, limits::limbs, manifest.limbs.size()));
  return constant;
}

Status readConstants(const JsonValue &root, const Manifest &manifest, uint64_t valueCount,
                     std::vector<ProgramConstant> &constants) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> list,
                          root.array("constants", 0, limits::constants));
  uint64_t rows = 0; // at most 2^20 * 2^8
  for (const JsonValue &json : list) {
    SLUICE_ASSIGN_OR_RETURN(ProgramConstant constant, readConstant(json, manifest, valueCount));
    rows += constant.limbs.size();
    constants.push_back(std::move(constant));
  }
  if (rows > limits::arenaBytes / (8 * manifest.degree()))
    return root.error("constants: %llu encoded limbs of 2^%u words are more than 2^40 bytes",
                      wide(rows), manifest.logN);
  return Status();
}

Status readKeys(const JsonValue &root, const Manifest &manifest, std::vector<uint32_t> &keys) {
  size_t listed = manifest.evaluationKeys.size();
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> list, root.array("keys", 0, listed));
  for (const JsonValue &json : list) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t key, json.asInteger(0, listed - 1));
    keys.push_back(static_cast<uint32_t>(key));
  }
  return Status();
}

/// The id that docs/formats.md defines.
std::string programId(std::initializer_list<std::span<const uint8_t>> sections) {
  wire::Hasher hasher;
  for (std::span<const uint8_t> section : sections)
    hasher.update(section);
  return wire::toHex(hasher.finish());
}

Status readStages(const JsonValue &root, std::vector<std::string> &stages) {
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> list, root.optionalField("stages"));
  if (!list)
    return Status();
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> names, list->asArray(0, limits::stages));
  for (const JsonValue &name : names) {
    SLUICE_ASSIGN_OR_RETURN(std::string text, name.asText(limits::nameBytes));
    stages.push_back(std::move(text));
  }
  return Status();
}

Expected<std::vector<double>> toDoubles(std::span<const uint8_t> bytes, const std::string &name) {
  if (bytes.size() % 8 != 0)
    return Status::error(StatusCode::corruptFile,
                         "%s: section 'constant' has %zu bytes, not a multiple of 8", name.c_str(),
                         bytes.size());
  std::vector<double> values(bytes.size() / 8);
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t word = 0;
    for (size_t byte = 0; byte < 8; ++byte)
      word |= uint64_t{bytes[8 * i + byte]} << (8 * byte);
    values[i] = std::bit_cast<double>(word);
  }
  return values;
}

} // namespace

Expected<ProgramSection> readProgramSection(std::span<const uint8_t> bytes, const std::string &name,
                                            const Manifest &manifest, uint64_t constantCount) {
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, wire::parseJson(bytes, name));
  JsonValue root(document, name);
  ProgramSection program;
  SLUICE_ASSIGN_OR_RETURN(program.abi, readVersion(root));
  program.target = targetName;
  uint64_t maxSlots = std::min<uint64_t>(limits::arenaBytes / (8 * manifest.degree()), UINT32_MAX);
  SLUICE_ASSIGN_OR_RETURN(uint64_t arenaSlots, root.integer("arena_slots", 1, maxSlots));
  program.arenaSlots = static_cast<uint32_t>(arenaSlots);
  SLUICE_ASSIGN_OR_RETURN(std::optional<wire::JsonValue> scratch,
                          root.optionalField("scratch_slots"));
  if (scratch) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t scratchSlots, scratch->asInteger(0, limits::scratchSlots));
    program.scratchSlots = static_cast<uint32_t>(scratchSlots);
  }
  SLUICE_RETURN_IF_ERROR(
      readPorts(root, "inputs", manifest, manifest.inputs, 2, program.arenaSlots, program.inputs));
  SLUICE_RETURN_IF_ERROR(expectDistinctInputs(root, program));
  SLUICE_RETURN_IF_ERROR(readPorts(root, "outputs", manifest, manifest.outputs, limits::polynomials,
                                   program.arenaSlots, program.outputs));
  SLUICE_RETURN_IF_ERROR(readConstants(root, manifest, constantCount, program.constants));
  SLUICE_RETURN_IF_ERROR(readKeys(root, manifest, program.keys));
  SLUICE_RETURN_IF_ERROR(readStages(root, program.stages));
  return program;
}

Expected<Artifact> readArtifact(std::unique_ptr<wire::Source> source) {
  SLUICE_ASSIGN_OR_RETURN(
      wire::SectionReader reader,
      wire::SectionReader::open(std::move(source), wire::FileKind::program, wire::programSections));
  const std::string &name = reader.name();
  using Bytes = std::vector<uint8_t>;
  SLUICE_ASSIGN_OR_RETURN(Bytes manifest, reader.readSection("manifest", limits::manifestBytes));
  SLUICE_ASSIGN_OR_RETURN(Bytes program,
                          reader.readSection("program", limits::programSectionBytes));
  SLUICE_ASSIGN_OR_RETURN(Bytes constants,
                          reader.readSection("constant", limits::constantSectionBytes));
  Artifact artifact;
  artifact.name = name;
  SLUICE_ASSIGN_OR_RETURN(artifact.code, reader.readSection("code", limits::codeBytes));
  SLUICE_ASSIGN_OR_RETURN(artifact.manifest, wire::readManifest(manifest, name + ": manifest"));
  const bool isForDevices = reader.hasSection("launches") || reader.hasSection("device");
  Bytes launches;
  if (isForDevices) {
    SLUICE_ASSIGN_OR_RETURN(launches, reader.readSection("launches", limits::launchBytes));
    SLUICE_ASSIGN_OR_RETURN(artifact.deviceCode,
                            reader.readSection("device", limits::deviceCodeBytes));
  }
  std::string id = programId({program, constants, artifact.code, launches, artifact.deviceCode});
  if (id != artifact.manifest.programId)
    return Status::error(StatusCode::mismatch,
                         "%s: its manifest is of program %.16s…, but its other sections are "
                         "program %.16s…",
                         name.c_str(), artifact.manifest.programId.c_str(), id.c_str());
  SLUICE_ASSIGN_OR_RETURN(artifact.constants, toDoubles(constants, name));
  SLUICE_ASSIGN_OR_RETURN(artifact.program,
                          readProgramSection(program, name + ": program", artifact.manifest,
                                             artifact.constants.size()));
  if (isForDevices) {
    const std::string place = name + ": launches";
    SLUICE_ASSIGN_OR_RETURN(artifact.launches,
                            wire::readLaunches(launches, place, artifact.manifest.logN));
    SLUICE_RETURN_IF_ERROR(
        checkLaunches(*artifact.launches, artifact.program, artifact.manifest, place));
  }
  return artifact;
}

} // namespace sluice::exec
