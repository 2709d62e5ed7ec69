//===- evaluation_keys_fuzz.cpp - evaluation keys --------------------------------------------===//
#include "runtime/wire/evaluation_keys.h"
#include "test/fuzz/object_input.h"

using namespace sluice;

namespace {

/// The sample's manifest with its rotation permuted: keys that the sample has not.
const Manifest &permutedManifest() {
  static const Manifest permuted = [] {
    Manifest manifest = fuzz::sampleManifest();
    for (ManifestKey &key : manifest.evaluationKeys)
      key.permuted = key.kind == KeyKind::galois;
    return manifest;
  }();
  return permuted;
}

void readAs(const Manifest &manifest, std::span<const uint8_t> file) {
  auto reader = wire::EvaluationKeysReader::open(wire::Source::fromMemory(file, "fuzz"), manifest);
  if (!reader)
    return;
  for (size_t k = 0; k < manifest.evaluationKeys.size(); ++k) {
    const ManifestKey &key = manifest.evaluationKeys[k];
    std::vector<uint64_t> words(wire::keyWords(manifest, key));
    if (!reader->readKey(k, words).isOk())
      continue;
    size_t digitWords = words.size() / key.digits.size();
    for (size_t j = 0; j < key.digits.size(); ++j)
      fuzz::requireCanonical(manifest, key.limbs,
                             std::span(words).subspan(j * digitWords, digitWords));
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Manifest &manifest = fuzz::sampleManifest();
  std::vector<uint8_t> file =
      fuzz::makeFile(wire::FileKind::evaluationKeys, wire::evaluationKeySections,
                     manifest.evaluationKeys.size() * sizeof(wire::Seed), {data, size});
  readAs(manifest, file);
  readAs(permutedManifest(), file);
  return 0;
}
