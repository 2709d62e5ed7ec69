//===- evaluation_keys_fuzz.cpp - evaluation keys --------------------------------------------===//
#include "runtime/wire/evaluation_keys.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  const Manifest &manifest = fuzz::sampleManifest();
  size_t keyCount = manifest.evaluationKeys.size();
  std::vector<uint8_t> file =
      fuzz::makeFile(wire::FileKind::evaluationKeys, wire::evaluationKeySections,
                     keyCount * sizeof(wire::Seed), {data, size});
  auto reader = wire::EvaluationKeysReader::open(wire::Source::fromMemory(file, "fuzz"), manifest);
  if (!reader)
    return 0;
  for (size_t k = 0; k < keyCount; ++k) {
    const ManifestKey &key = manifest.evaluationKeys[k];
    std::vector<uint64_t> words(wire::keyWords(manifest, key));
    if (!reader->readKey(k, words).isOk())
      continue;
    size_t digitWords = words.size() / key.digits.size();
    for (size_t j = 0; j < key.digits.size(); ++j)
      fuzz::requireCanonical(manifest, key.limbs,
                             std::span(words).subspan(j * digitWords, digitWords));
  }
  return 0;
}
