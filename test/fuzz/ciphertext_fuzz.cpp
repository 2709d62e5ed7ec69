//===- ciphertext_fuzz.cpp - ciphertexts -----------------------------------------------------===//
#include "runtime/wire/ciphertext.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  const Manifest &manifest = fuzz::sampleManifest();
  std::vector<uint8_t> file =
      fuzz::makeFile(wire::FileKind::ciphertext, wire::ciphertextSections, 32, {data, size});
  auto ciphertext = wire::readCiphertext(wire::Source::fromMemory(file, "fuzz"), manifest);
  if (!ciphertext)
    return 0;
  const ManifestTensor &tensor = ciphertext->tensor(manifest);
  fuzz::require(ciphertext->items >= 1 && ciphertext->items <= tensor.batch);
  fuzz::require(ciphertext->polynomials.size() == 2 || ciphertext->polynomials.size() == 3);
  for (const ring::Poly &polynomial : ciphertext->polynomials)
    fuzz::requireCanonical(manifest, manifest.levels[tensor.level], polynomial.view().span());
  return 0;
}
