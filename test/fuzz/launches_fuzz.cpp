//===- launches_fuzz.cpp - the section `launches` ---------------------------------------------===//
#include "runtime/exec/launch_check.h"
#include "runtime/wire/launch_reader.h"
#include "runtime/wire/launches.h"
#include "test/runtime/exec/sample/sample.h"

#include <cstdlib>
#include <cstring>

namespace {

using namespace sluice;

void require(bool condition) {
  if (!condition)
    std::abort();
}

/// What the CUDA backend takes for granted; ends the process otherwise.
void expectSafe(const LaunchList &list, const ProgramSection &program, const Manifest &manifest) {
  for (const Launch &launch : list.launches) {
    if (launch.kind == LaunchKind::limbKernel)
      require(launch.parameters.size() ==
              uint64_t{launch.limbs} * list.kernels[launch.number].parameters);
    uint64_t destinations = 0, sources = 0;
    for (ConversionSize size : launch.conversions) {
      require(size.destinations > 0 && size.sources > 0);
      destinations += size.destinations;
      sources += size.sources;
    }
    require(!isConversion(launch.kind) ||
            (destinations == launch.destinations.size() && sources == launch.sources.size()));
    for (const auto *limbs : {&launch.destinations, &launch.sources})
      for (LaunchLimb limb : *limbs)
        require(limb.limb < manifest.limbs.size() && limb.slot < program.arenaSlots);
    for (uint64_t word : launch.parameters)
      if (word >> launchParameterShift == static_cast<uint64_t>(LaunchParameterKind::slot))
        require(static_cast<uint32_t>(word) < program.arenaSlots);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Manifest manifest = sample::sampleManifest();
  static const ProgramSection program = sample::sampleSection();
  auto list = wire::readLaunches({data, size}, "fuzz", manifest.logN);
  if (!list)
    return 0;
  const std::vector<uint64_t> words = wire::writeLaunches(*list, manifest.logN);
  require(words.size() * sizeof(uint64_t) == size && std::memcmp(words.data(), data, size) == 0);
  if (exec::checkLaunches(*list, program, manifest, "fuzz").isOk())
    expectSafe(*list, program, manifest);
  return 0;
}
