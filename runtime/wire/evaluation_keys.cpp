//===- evaluation_keys.cpp - evaluation keys as bytes ----------------------------------------===//
#include "runtime/wire/evaluation_keys.h"

#include "runtime/wire/header_json.h"

#include <algorithm>

namespace sluice::wire {
namespace {

/// Checks that the file's keys are the manifest's.
Status expectKeys(const JsonValue &header, const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> list,
                          header.array("keys", 0, limits::evaluationKeys));
  std::vector<ManifestKey> found;
  for (const JsonValue &json : list) {
    SLUICE_ASSIGN_OR_RETURN(ManifestKey key, readKey(json, manifest));
    found.push_back(std::move(key));
  }
  for (const ManifestKey &key : manifest.evaluationKeys)
    if (std::find(found.begin(), found.end(), key) == found.end())
      return Status::error(StatusCode::notFound,
                           "%s: the key for %s is missing; make the keys again from this "
                           "program's manifest",
                           header.place().c_str(), keyName(key).c_str());
  if (found != manifest.evaluationKeys)
    return Status::error(StatusCode::mismatch,
                         "%s: its keys are not those of the program's manifest, in that order",
                         header.place().c_str());
  return Status();
}

} // namespace

std::string keyName(const ManifestKey &key) {
  if (key.kind == KeyKind::relinearize)
    return "relinearisation";
  if (key.kind == KeyKind::toEphemeral)
    return "the ephemeral secret";
  if (key.kind == KeyKind::toMain)
    return "the way back from the ephemeral secret";
  return "rotation, element " + std::to_string(key.element) + (key.permuted ? ", permuted" : "");
}

Expected<EvaluationKeysReader> EvaluationKeysReader::open(std::unique_ptr<Source> source,
                                                          const Manifest &manifest) {
  SLUICE_ASSIGN_OR_RETURN(
      SectionReader sections,
      SectionReader::open(std::move(source), FileKind::evaluationKeys, evaluationKeySections));
  EvaluationKeysReader keys(std::move(sections), manifest);
  const SectionReader &reader = keys.reader;
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, readHeader(reader, limits::manifestBytes));
  JsonValue header(document, reader.name());
  SLUICE_ASSIGN_OR_RETURN(keys.id, readBinding(header, manifest));
  SLUICE_RETURN_IF_ERROR(expectLimbTable(header, manifest));
  SLUICE_RETURN_IF_ERROR(expectLimbs(header, "special", manifest, manifest.special));
  SLUICE_RETURN_IF_ERROR(expectKeys(header, manifest));

  uint64_t words = 0;
  for (const ManifestKey &key : manifest.evaluationKeys) {
    keys.offsets.push_back(8 * words);
    words += keyWords(manifest, key);
  }
  SLUICE_ASSIGN_OR_RETURN(Section seeds, reader.section("seeds"));
  SLUICE_RETURN_IF_ERROR(expectSize(reader, seeds, keys.offsets.size() * sizeof(Seed)));
  SLUICE_ASSIGN_OR_RETURN(keys.keys, reader.section("keys"));
  SLUICE_RETURN_IF_ERROR(expectSize(reader, keys.keys, 8 * words));
  keys.seeds.resize(keys.offsets.size());
  for (size_t k = 0; k < keys.seeds.size(); ++k)
    SLUICE_RETURN_IF_ERROR(reader.read(seeds, k * sizeof(Seed), keys.seeds[k]));
  return keys;
}

Status EvaluationKeysReader::readKey(size_t k, std::span<uint64_t> out) const {
  const ManifestKey &key = manifest->evaluationKeys[k];
  assert(out.size() == keyWords(*manifest, key));
  uint64_t words = key.limbs.size() * manifest->degree();
  for (size_t j = 0; j < key.digits.size(); ++j)
    SLUICE_RETURN_IF_ERROR(readResidues(reader, keys, offsets[k] + 8 * j * words, *manifest,
                                        key.limbs, out.subspan(j * words, words)));
  return Status();
}

Expected<EvaluationKeysWriter> EvaluationKeysWriter::begin(std::unique_ptr<Sink> sink,
                                                           const Manifest &manifest,
                                                           const std::string &keyId,
                                                           std::span<const Seed> seeds) {
  assert(seeds.size() == manifest.evaluationKeys.size());
  nlohmann::ordered_json json = bindingJson(manifest, keyId);
  json["limbs"] = manifest.limbs;
  json["special"] = manifest.special;
  json["keys"] = nlohmann::ordered_json::array();
  uint64_t words = 0;
  for (const ManifestKey &key : manifest.evaluationKeys) {
    json["keys"].push_back(keyJson(key));
    words += keyWords(manifest, key);
  }
  std::string header = toText(json);
  SectionSize sizes[] = {
      {"header", header.size()}, {"seeds", seeds.size_bytes()}, {"keys", 8 * words}};
  SLUICE_ASSIGN_OR_RETURN(SectionWriter writer,
                          SectionWriter::begin(std::move(sink), FileKind::evaluationKeys, sizes));
  SLUICE_RETURN_IF_ERROR(writer.append(bytesOf(header)));
  for (const Seed &seed : seeds)
    SLUICE_RETURN_IF_ERROR(writer.append(seed));
  return EvaluationKeysWriter(std::move(writer));
}

} // namespace sluice::wire
