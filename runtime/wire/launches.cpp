//===- launches.cpp - the section `launches` of a program -------------------------------------===//
#include "runtime/wire/launches.h"

#include <cassert>

namespace sluice::wire {
namespace {

uint64_t kernelWord(const LimbKernel &kernel) {
  return static_cast<uint64_t>(kernel.kind) | uint64_t(kernel.outputs) << 16 |
         uint64_t(kernel.parameters) << 32;
}

uint64_t countOf(const Launch &launch) {
  return launch.kind == LaunchKind::limbKernel ? launch.limbs : launch.destinations.size();
}

void append(std::vector<uint64_t> &words, const std::vector<LaunchLimb> &limbs) {
  for (LaunchLimb limb : limbs)
    words.push_back(uint64_t(limb.limb) << 32 | limb.slot);
}

void append(std::vector<uint64_t> &words, const Launch &launch) {
  const uint64_t number = isConversion(launch.kind) ? launch.conversions.size() : launch.number;
  words.push_back(static_cast<uint64_t>(launch.kind) | number << 8 | countOf(launch) << 32);
  for (ConversionSize size : launch.conversions)
    words.push_back(uint64_t(size.destinations) << 32 | size.sources);
  words.insert(words.end(), launch.parameters.begin(), launch.parameters.end());
  append(words, launch.destinations);
  append(words, launch.sources);
}

} // namespace

std::vector<uint64_t> writeLaunches(const LaunchList &list, unsigned logN) {
  std::vector<uint64_t> words = {launchListMagic, launchListVersion | uint64_t(logN) << 32,
                                 list.kernels.size(), list.launches.size()};
  for (const LimbKernel &kernel : list.kernels)
    words.push_back(kernelWord(kernel));
  for (const Launch &launch : list.launches) {
    assert((launch.kind != LaunchKind::limbKernel ||
            launch.parameters.size() ==
                uint64_t(launch.limbs) * list.kernels[launch.number].parameters) &&
           "a limb kernel has all its parameters");
    append(words, launch);
  }
  return words;
}

} // namespace sluice::wire
