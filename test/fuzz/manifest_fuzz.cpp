//===- manifest_fuzz.cpp - manifests ---------------------------------------------------------===//
#include "runtime/ring/ring.h"
#include "runtime/wire/manifest.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  auto manifest = wire::readManifest({data, size}, "fuzz");
  if (!manifest)
    return 0;
  // What was accepted is accepted again once written, and gives a ring.
  std::string text = wire::writeManifest(*manifest);
  auto again =
      wire::readManifest({reinterpret_cast<const uint8_t *>(text.data()), text.size()}, "again");
  fuzz::require(again.isOk() && wire::writeManifest(*again) == text);
  if (manifest->logN <= 8)
    fuzz::require(ring::Ring::create(manifest->logN, manifest->limbs).isOk());
  return 0;
}
