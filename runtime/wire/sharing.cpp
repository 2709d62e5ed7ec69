//===- sharing.cpp - what files say of decryptions that may be shared ------------------------===//
#include "runtime/wire/sharing.h"

#include "runtime/abi/flooding.h"
#include "runtime/wire/header_json.h"

#include <algorithm>

namespace sluice::wire {

static Expected<Sharing> readSharing(const JsonValue &json) {
  Sharing sharing;
  SLUICE_ASSIGN_OR_RETURN(std::string hash, json.hex("manifest", sharing.manifest.size()));
  std::optional<std::vector<uint8_t>> bytes = fromHex(hash, sharing.manifest.size());
  if (!bytes)
    return json.error("its manifest is no hash");
  std::ranges::copy(*bytes, sharing.manifest.begin());
  SLUICE_ASSIGN_OR_RETURN(sharing.allowed, json.integer("allowed", 1, maxDecryptions));
  return sharing;
}

Expected<SecretKeyHeader> readSecretKeyHeader(const SectionReader &reader,
                                              const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, readHeader(reader, objectHeaderBytes));
  JsonValue json(document, reader.name());
  SecretKeyHeader header;
  SLUICE_ASSIGN_OR_RETURN(header.keyId, readBinding(json, manifest));
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> sharing, json.optionalField("sharing"));
  if (sharing) {
    SLUICE_ASSIGN_OR_RETURN(header.sharing, readSharing(*sharing));
  }
  return header;
}

std::string secretKeyHeaderText(const Manifest &manifest, const SecretKeyHeader &header) {
  nlohmann::ordered_json json = bindingJson(manifest, header.keyId);
  if (header.sharing)
    json["sharing"] = {{"manifest", toHex(header.sharing->manifest)},
                       {"allowed", header.sharing->allowed}};
  return toText(json);
}

Expected<ShareCount> readShareCount(std::unique_ptr<Source> source, const Manifest &manifest) {
  unsigned permissions = source->permissions();
  SLUICE_ASSIGN_OR_RETURN(
      SectionReader reader,
      SectionReader::open(std::move(source), FileKind::shareCount, shareCountSections));
  if ((permissions & 077) != 0)
    return Status::error(StatusCode::insecure,
                         "%s: others can access this count (mode %04o): run chmod 600 on it",
                         reader.name().c_str(), permissions);
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, readHeader(reader, objectHeaderBytes));
  JsonValue json(document, reader.name());
  ShareCount count;
  SLUICE_ASSIGN_OR_RETURN(count.keyId, readBinding(json, manifest));
  SLUICE_ASSIGN_OR_RETURN(count.allowed, json.integer("allowed", 1, maxDecryptions));
  SLUICE_ASSIGN_OR_RETURN(count.used, json.integer("used", 0, count.allowed));
  return count;
}

Status writeShareCount(const ShareCount &count, const Manifest &manifest,
                       std::unique_ptr<Sink> sink) {
  nlohmann::ordered_json json = bindingJson(manifest, count.keyId);
  json["allowed"] = count.allowed;
  json["used"] = count.used;
  std::string header = toText(json);
  SectionSize sizes[] = {{"header", header.size()}};
  SLUICE_ASSIGN_OR_RETURN(SectionWriter writer,
                          SectionWriter::begin(std::move(sink), FileKind::shareCount, sizes));
  SLUICE_RETURN_IF_ERROR(writer.append(bytesOf(header)));
  return writer.finish();
}

} // namespace sluice::wire
