//===- secret_key_fuzz.cpp - secret keys -----------------------------------------------------===//
#include "runtime/client/secret_key_io.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  const Manifest &manifest = fuzz::sampleManifest();
  std::vector<uint8_t> file =
      fuzz::makeFile(wire::FileKind::secretKey, wire::secretKeySections, 0, {data, size});
  auto key = client::readSecretKey(wire::Source::fromMemory(file, "fuzz"), manifest);
  if (!key)
    return 0;
  fuzz::require(key->coefficients.size() == manifest.degree() && key->keyId.size() == 32);
  for (int8_t coefficient : key->coefficients)
    fuzz::require(coefficient >= -1 && coefficient <= 1);
  return 0;
}
