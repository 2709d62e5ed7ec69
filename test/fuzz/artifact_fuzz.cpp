//===- artifact_fuzz.cpp - whole .sluice files ----------------------------------------------===//
//
// A mutated file fails its checksum first, so the checksum is made right before it is read: what
// lies behind is what we want to reach.
//
//===----------------------------------------------------------------------------------------===//
#include "runtime/exec/artifact_reader.h"
#include "runtime/wire/hash.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace sluice;
  std::vector<uint8_t> file(data, data + size);
  if (file.size() >= 32) {
    std::span<uint8_t> checksum = std::span(file).last(32);
    wire::Hash hash = wire::hash256(std::span(file).first(file.size() - 32));
    std::ranges::copy(hash, checksum.begin());
  }
  auto artifact = exec::readArtifact(wire::Source::fromMemory(file, "fuzz"));
  return artifact.isOk() && artifact->program.arenaSlots == 0 ? -1 : 0;
}
