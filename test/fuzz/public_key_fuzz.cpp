//===- public_key_fuzz.cpp - public keys -----------------------------------------------------===//
#include "runtime/wire/public_key.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  const Manifest &manifest = fuzz::sampleManifest();
  std::vector<uint8_t> file =
      fuzz::makeFile(wire::FileKind::publicKey, wire::publicKeySections, 32, {data, size});
  auto key = wire::readPublicKey(wire::Source::fromMemory(file, "fuzz"), manifest);
  if (key)
    fuzz::requireCanonical(manifest, wire::publicKeyLimbs(manifest),
                           std::as_const(key->b).view().span());
  return 0;
}
