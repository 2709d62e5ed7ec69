//===- ArtifactWriter.cpp - the bytes of a .sluice file ---------------------------------------===//

#include "passes/driver/ArtifactWriter.h"

#include "runtime/wire/hash.h"
#include "runtime/wire/manifest.h"
#include "runtime/wire/section.h"

#include <bit>
#include <cassert>
#include <nlohmann/json.hpp>

using nlohmann::ordered_json;

namespace sluice {

namespace {

std::span<const uint8_t> bytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

ordered_json toJson(const std::vector<ProgramPort> &ports) {
  ordered_json json = ordered_json::array();
  for (const ProgramPort &port : ports)
    json.push_back({{"level", port.level}, {"slots", port.slots}});
  return json;
}

ordered_json toJson(const DftMatrix &matrix) {
  ordered_json json = {{"direction", dftDirectionName(matrix.group.direction)},
                       {"log_slots", matrix.group.logSlots},
                       {"first", matrix.group.first},
                       {"count", matrix.group.count},
                       {"factor", matrix.factor}};
  if (matrix.form != DftForm::plain)
    json["form"] = dftFormName(matrix.form);
  if (matrix.halvesColumnZero)
    json["halved_column"] = true;
  return json;
}

ordered_json toJson(const ProgramConstant &constant) {
  ordered_json json = {{"kind", constantKindName(constant.kind)}};
  if (constant.kind == ConstantKind::dftDiagonal)
    json.update({{"matrix", toJson(constant.diagonal.matrix)},
                 {"index", constant.diagonal.index},
                 {"rotation", constant.diagonal.rotation}});
  else
    json.update(
        {{"offset", constant.offset}, {"count", constant.count}, {"complex", constant.isComplex}});
  json["scale"] = {{"high", constant.scaleHigh}, {"low", constant.scaleLow}};
  json["limbs"] = constant.limbs;
  if (constant.slots)
    json["slots"] = constant.slots;
  return json;
}

ordered_json toJson(const std::vector<ProgramConstant> &constants) {
  ordered_json json = ordered_json::array();
  for (const ProgramConstant &constant : constants)
    json.push_back(toJson(constant));
  return json;
}

ordered_json programJson(const ProgramSection &program) {
  ordered_json json = {
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
  if (!program.stages.empty())
    json["stages"] = program.stages;
  return json;
}

template <typename T> std::string toBytes(const std::vector<T> &values) {
  static_assert(std::endian::native == std::endian::little);
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

std::string programId(std::span<const std::string> sections) {
  wire::Hasher hasher;
  for (const std::string &section : sections)
    hasher.update(bytesOf(section));
  return wire::toHex(hasher.finish());
}

/// The container around the sections of a program, whose tags wire knows.
std::string writeContainer(std::span<const std::string> contents) {
  std::vector<wire::SectionSize> sizes;
  for (const std::string &content : contents)
    sizes.push_back({wire::programSections[sizes.size()], content.size()});
  std::vector<uint8_t> bytes;
  Expected<wire::SectionWriter> writer =
      wire::SectionWriter::begin(wire::Sink::toMemory(bytes), wire::FileKind::program, sizes);
  bool isWritten = writer.isOk();
  for (const std::string &content : contents)
    isWritten = isWritten && writer->append(bytesOf(content)).isOk();
  isWritten = isWritten && writer->finish().isOk();
  assert(isWritten && "memory takes whatever is written to it");
  return {bytes.begin(), bytes.end()};
}

} // namespace

Artifact writeArtifact(const ArtifactContents &contents) {
  // In the order of wire::programSections.
  std::vector<std::string> sections = {"", programJson(contents.program).dump(),
                                       toBytes(contents.constantValues), contents.code};
  if (!contents.deviceCode.empty()) {
    sections.push_back(toBytes(contents.launches));
    sections.push_back(contents.deviceCode);
  }
  Manifest manifest = contents.manifest;
  manifest.programId = programId(std::span(sections).subspan(1));
  manifest.compiler = "sluice " SLUICE_VERSION;

  Artifact artifact;
  artifact.manifest = wire::writeManifest(manifest, /*indent=*/2);
  sections.front() = artifact.manifest;
  artifact.bytes = writeContainer(sections);
  return artifact;
}

} // namespace sluice
