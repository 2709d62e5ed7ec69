//===- public_key.cpp - public keys as bytes -------------------------------------------------===//
#include "runtime/wire/public_key.h"

#include "runtime/ring/uniform.h"
#include "runtime/wire/header_json.h"

namespace sluice::wire {

std::vector<uint16_t> publicKeyLimbs(const Manifest &manifest) {
  std::vector<uint16_t> limbs = manifest.special;
  limbs.insert(limbs.end(), manifest.levels.back().begin(), manifest.levels.back().end());
  return limbs;
}

Expected<PublicKey> readPublicKey(std::unique_ptr<Source> source, const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(
      SectionReader reader,
      SectionReader::open(std::move(source), FileKind::publicKey, publicKeySections));
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, readHeader(reader, objectHeaderBytes));
  JsonValue header(document, reader.name());
  PublicKey key;
  SLUICE_ASSIGN_OR_RETURN(key.keyId, readBinding(header, manifest));
  std::vector<uint16_t> limbs = publicKeyLimbs(manifest);
  SLUICE_RETURN_IF_ERROR(expectLimbs(header, "limbs", manifest, limbs));
  SLUICE_ASSIGN_OR_RETURN(Section seed, reader.section("seed"));
  SLUICE_RETURN_IF_ERROR(expectSize(reader, seed, ring::seedBytes));
  SLUICE_RETURN_IF_ERROR(reader.read(seed, 0, key.seed));
  SLUICE_ASSIGN_OR_RETURN(Section data, reader.section("data"));
  SLUICE_RETURN_IF_ERROR(expectSize(reader, data, limbs.size() * manifest.degree() * 8));
  key.b = ring::Poly(limbs.size(), manifest.degree());
  SLUICE_RETURN_IF_ERROR(readResidues(reader, data, 0, manifest, limbs, key.b.view().span()));
  return key;
}

Status writePublicKey(const PublicKey &key, const Manifest &manifest, std::unique_ptr<Sink> sink) {
  std::vector<uint16_t> limbs = publicKeyLimbs(manifest);
  nlohmann::ordered_json json = bindingJson(manifest, key.keyId);
  json["limbs"] = limbs;
  std::string header = toText(json);
  SectionSize sizes[] = {{"header", header.size()},
                         {"seed", ring::seedBytes},
                         {"data", limbs.size() * manifest.degree() * 8}};
  SLUICE_ASSIGN_OR_RETURN(SectionWriter writer,
                          SectionWriter::begin(std::move(sink), FileKind::publicKey, sizes));
  SLUICE_RETURN_IF_ERROR(writer.append(bytesOf(header)));
  SLUICE_RETURN_IF_ERROR(writer.append(key.seed));
  SLUICE_RETURN_IF_ERROR(writer.appendWords(key.b.view().span()));
  return writer.finish();
}

} // namespace sluice::wire
