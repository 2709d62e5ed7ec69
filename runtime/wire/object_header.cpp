//===- object_header.cpp - what the headers of ciphertexts and keys share --------------------===//
#include "runtime/wire/header_json.h"

#include <algorithm>

namespace sluice::wire {

Expected<nlohmann::json> readHeader(const SectionReader &reader, size_t maxBytes) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, reader.readSection("header", maxBytes));
  return parseJson(bytes, reader.name() + ": header");
}

Expected<std::string> readBinding(const JsonValue &header, const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(std::string program, header.hex("program", 32));
  if (program != manifest.programId)
    return Status::error(StatusCode::mismatch,
                         "%s: made for program %.16s…, but this is program %.16s… ('%s')",
                         header.place().c_str(), program.c_str(), manifest.programId.c_str(),
                         manifest.programName.c_str());
  SLUICE_ASSIGN_OR_RETURN(JsonValue logN, header.field("log_n"));
  SLUICE_ASSIGN_OR_RETURN(uint64_t value, logN.asInteger(limits::minLogN, limits::maxLogN));
  if (value != manifest.logN)
    return logN.error("is %u, but the program's is %u", static_cast<unsigned>(value),
                      manifest.logN);
  return header.hex("key", keyIdBytes);
}

nlohmann::ordered_json bindingJson(const Manifest &manifest, const std::string &keyId) {
  return {{"program", manifest.programId}, {"key", keyId}, {"log_n", manifest.logN}};
}

Status expectLimbTable(const JsonValue &header, const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> found, header.array("limbs", 1, limits::limbs));
  bool isEqual = found.size() == manifest.limbs.size();
  for (size_t i = 0; isEqual && i < found.size(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t prime,
                            found[i].asInteger(2, (uint64_t(1) << limits::maxLimbBits) - 1));
    isEqual = prime == manifest.limbs[i];
  }
  return isEqual ? Status() : header.error("its limbs are not the program's");
}

Status expectLimbs(const JsonValue &header, const char *key, const Manifest &manifest,
                   std::span<const uint16_t> expected) {
  SLUICE_ASSIGN_OR_RETURN(JsonValue field, header.field(key));
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint16_t> found,
                          field.asDistinctIndices(0, limits::limbs, manifest.limbs.size()));
  if (!std::ranges::equal(found, expected))
    return field.error("is not the program's list of limbs");
  return Status();
}

Status expectSize(const SectionReader &reader, const Section &section, uint64_t size) {
  if (section.size == size)
    return Status();
  return Status::error(
      StatusCode::corruptFile, "%s: section '%s' at byte %llu has %llu bytes, but %llu are needed",
      reader.name().c_str(), section.tag.c_str(), static_cast<unsigned long long>(section.offset),
      static_cast<unsigned long long>(section.size), static_cast<unsigned long long>(size));
}

Status readResidues(const SectionReader &reader, const Section &section, uint64_t offset,
                    const Manifest &manifest, std::span<const uint16_t> limbs,
                    std::span<uint64_t> out) {
  size_t degree = manifest.degree();
  assert(out.size() == limbs.size() * degree);
  SLUICE_RETURN_IF_ERROR(reader.readWords(section, offset, out));
  for (size_t i = 0; i < limbs.size(); ++i) {
    uint64_t q = manifest.limbs[limbs[i]];
    std::span<const uint64_t> row = out.subspan(i * degree, degree);
    auto bad = std::ranges::find_if(row, [q](uint64_t residue) { return residue >= q; });
    if (bad == row.end())
      continue;
    uint64_t word = i * degree + static_cast<size_t>(bad - row.begin());
    return Status::error(StatusCode::corruptFile,
                         "%s: at byte %llu: a residue is not below its limb, the prime %llu",
                         reader.name().c_str(),
                         static_cast<unsigned long long>(section.offset) + offset + 8 * word,
                         static_cast<unsigned long long>(q));
  }
  return Status();
}

} // namespace sluice::wire
