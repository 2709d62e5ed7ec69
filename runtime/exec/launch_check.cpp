//===- launch_check.cpp - checks of a launch list against its program -------------------------===//
#include "runtime/exec/launch_check.h"

#include "runtime/kernels/kernels.h"

#include <algorithm>
#include <span>

namespace sluice::exec {
namespace {

unsigned long long wide(uint64_t value) { return value; }

/// Checks one launch after the other.
class LaunchChecker {
public:
  LaunchChecker(const LaunchList &list, const ProgramSection &program, const Manifest &manifest)
      : list(list), program(program), manifest(manifest), writers(program.arenaSlots, none) {}

  Status check(const Launch &launch) {
    if (launch.kind == LaunchKind::limbKernel)
      return checkLimbKernel(launch);
    if (launch.kind == LaunchKind::beginStage)
      return isBelow("stage", launch.number, program.stages.size());
    for (const auto *limbs : {&launch.destinations, &launch.sources})
      for (LaunchLimb limb : *limbs) {
        SLUICE_RETURN_IF_ERROR(isBelow("limb", limb.limb, manifest.limbs.size()));
        SLUICE_RETURN_IF_ERROR(isBelow("slot", limb.slot, program.arenaSlots));
      }
    if (launch.kind == LaunchKind::ntt || launch.kind == LaunchKind::intt)
      return checkTransform(launch);
    return checkConversions(launch);
  }

private:
  static constexpr uint32_t none = UINT32_MAX;

  static Status fail(const char *what) {
    return Status::error(StatusCode::corruptFile, "%s", what);
  }
  static Status isBelow(const char *what, uint64_t number, uint64_t count) {
    if (number < count)
      return Status();
    return Status::error(StatusCode::corruptFile, "%s %llu, but the program has %llu", what,
                         wide(number), wide(count));
  }

  Status checkParameter(uint64_t word) const {
    const uint64_t number = word & ((uint64_t{1} << launchParameterShift) - 1);
    switch (static_cast<LaunchParameterKind>(word >> launchParameterShift)) {
    case LaunchParameterKind::scalar:
      if (number >> kernels::maxPrimeBits != 0)
        return Status::error(StatusCode::corruptFile, "scalar %llu is not below 2^%u", wide(number),
                             kernels::maxPrimeBits);
      return Status();
    case LaunchParameterKind::limb:
      return isBelow("limb", number, manifest.limbs.size());
    case LaunchParameterKind::slot:
      return isBelow("slot", number, program.arenaSlots);
    case LaunchParameterKind::constantRow:
      SLUICE_RETURN_IF_ERROR(isBelow("constant", number >> 16, program.constants.size()));
      return isBelow("row", number & 0xffff, program.constants[number >> 16].limbs.size());
    case LaunchParameterKind::keyRowB:
    case LaunchParameterKind::keyRowA:
      return checkKeyRow(number);
    }
    return fail("a parameter of unknown kind");
  }

  Status checkKeyRow(uint64_t number) const {
    SLUICE_RETURN_IF_ERROR(isBelow("key", number >> 32, program.keys.size()));
    const ManifestKey &key = manifest.evaluationKeys[program.keys[number >> 32]];
    SLUICE_RETURN_IF_ERROR(isBelow("key digit", number >> 16 & 0xffff, key.digits.size()));
    return isBelow("key row", number & 0xffff, key.limbs.size());
  }

  /// Notes that `owner` writes the slot.
  Status write(uint64_t slot, uint32_t owner) {
    if (writers[slot] != none)
      return Status::error(StatusCode::corruptFile, "slot %llu is written twice", wide(slot));
    writers[slot] = owner;
    written.push_back(slot);
    return Status();
  }
  /// Fails if another than `owner` writes the slot.
  Status read(uint64_t slot, uint32_t owner) const {
    if (writers[slot] == none || writers[slot] == owner)
      return Status();
    return Status::error(StatusCode::corruptFile,
                         "slot %llu is written for one limb and read for another", wide(slot));
  }
  void forgetWrites() {
    for (uint64_t slot : written)
      writers[slot] = none;
    written.clear();
  }

  Status checkLimbKernel(const Launch &launch) {
    const LimbKernel &kernel = list.kernels[launch.number];
    forgetWrites();
    for (size_t i = 0; i < launch.parameters.size(); ++i) {
      const uint64_t word = launch.parameters[i], parameter = i % kernel.parameters;
      SLUICE_RETURN_IF_ERROR(checkParameter(word));
      if (parameter == 0 && !isOfKind(word, LaunchParameterKind::limb))
        return fail("parameter 0 of a kernel is not a limb");
      if (parameter == 0 || parameter > kernel.outputs)
        continue;
      if (!isOfKind(word, LaunchParameterKind::slot))
        return fail("an output of a kernel is not a slot");
      SLUICE_RETURN_IF_ERROR(write(slotOf(word), static_cast<uint32_t>(i / kernel.parameters)));
    }
    for (size_t i = 0; i < launch.parameters.size(); ++i)
      if (isOfKind(launch.parameters[i], LaunchParameterKind::slot))
        SLUICE_RETURN_IF_ERROR(
            read(slotOf(launch.parameters[i]), static_cast<uint32_t>(i / kernel.parameters)));
    return Status();
  }
  static bool isOfKind(uint64_t word, LaunchParameterKind kind) {
    return word >> launchParameterShift == static_cast<uint64_t>(kind);
  }
  static uint64_t slotOf(uint64_t word) {
    return word & ((uint64_t{1} << launchParameterShift) - 1);
  }

  Status checkTransform(const Launch &launch) {
    forgetWrites();
    for (uint32_t i = 0; i < launch.destinations.size(); ++i)
      SLUICE_RETURN_IF_ERROR(write(launch.destinations[i].slot, i));
    for (uint32_t i = 0; i < launch.sources.size(); ++i)
      SLUICE_RETURN_IF_ERROR(read(launch.sources[i].slot, i));
    return Status();
  }

  Status checkConversions(const Launch &launch) {
    forgetWrites();
    std::span<const LaunchLimb> destinations = launch.destinations, sources = launch.sources;
    for (ConversionSize size : launch.conversions) {
      SLUICE_RETURN_IF_ERROR(
          checkConversion(destinations.first(size.destinations), sources.first(size.sources)));
      destinations = destinations.subspan(size.destinations);
      sources = sources.subspan(size.sources);
    }
    return Status();
  }

  /// What it reads, neither itself nor an earlier one of the launch writes; a later one may.
  Status checkConversion(std::span<const LaunchLimb> destinations,
                         std::span<const LaunchLimb> sources) {
    if (sources.size() > kernels::maxConvertSources)
      return Status::error(StatusCode::corruptFile,
                           "a conversion of %zu limbs, but at most %zu "
                           "are allowed",
                           sources.size(), kernels::maxConvertSources);
    for (const auto &limbs : {destinations, sources})
      SLUICE_RETURN_IF_ERROR(expectDistinctLimbs(limbs));
    for (LaunchLimb limb : destinations)
      SLUICE_RETURN_IF_ERROR(write(limb.slot, 0));
    for (LaunchLimb limb : sources)
      SLUICE_RETURN_IF_ERROR(read(limb.slot, 1));
    return Status();
  }
  static Status expectDistinctLimbs(std::span<const LaunchLimb> limbs) {
    std::vector<uint32_t> numbers;
    for (LaunchLimb limb : limbs)
      numbers.push_back(limb.limb);
    std::ranges::sort(numbers);
    const auto twice = std::ranges::adjacent_find(numbers);
    if (twice != numbers.end())
      return Status::error(StatusCode::corruptFile, "limb %u stands twice in a conversion", *twice);
    return Status();
  }

  const LaunchList &list;
  const ProgramSection &program;
  const Manifest &manifest;
  std::vector<uint32_t> writers; // of each slot in the launch at hand
  std::vector<uint64_t> written;
};

} // namespace

Status checkLaunches(const LaunchList &list, const ProgramSection &program,
                     const Manifest &manifest, const std::string &name) {
  LaunchChecker checker(list, program, manifest);
  for (size_t number = 0; number < list.launches.size(); ++number)
    SLUICE_RETURN_IF_ERROR(checker.check(list.launches[number])
                               .withContext(name + ": launch " + std::to_string(number)));
  return Status();
}

} // namespace sluice::exec
