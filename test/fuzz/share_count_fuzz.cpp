//===- share_count_fuzz.cpp - counts of shared decryptions -----------------------------------===//
#include "runtime/wire/sharing.h"
#include "test/fuzz/object_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  const Manifest &manifest = fuzz::sampleManifest();
  std::vector<uint8_t> file =
      fuzz::makeFile(wire::FileKind::shareCount, wire::shareCountSections, 0, {data, size});
  auto count = wire::readShareCount(wire::Source::fromMemory(file, "fuzz"), manifest);
  if (!count)
    return 0;
  fuzz::require(count->used <= count->allowed && count->allowed >= 1);
  std::vector<uint8_t> written;
  fuzz::require(wire::writeShareCount(*count, manifest, wire::Sink::toMemory(written)).isOk());
  auto again = wire::readShareCount(wire::Source::fromMemory(written, "again"), manifest);
  fuzz::require(again.isOk() && again->used == count->used && again->keyId == count->keyId);
  return 0;
}
