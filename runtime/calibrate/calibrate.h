//===- calibrate.h - times every family of kernels on this machine ----------------------------===//
#ifndef SLUICE_RUNTIME_CALIBRATE_CALIBRATE_H
#define SLUICE_RUNTIME_CALIBRATE_CALIBRATE_H

#include "runtime/abi/costs.h"
#include "runtime/base/status.h"

#include <array>
#include <span>

namespace sluice::calibrate {

/// How long to measure: the shortest of `samples` times counts, each over at least `sampleMs`.
struct Effort {
  unsigned samples = 5;
  double sampleMs = 3;
};

/// Times the backend's functions at every degree of abi/costs.h on one thread and, if there are
/// more, on `threads`. Takes about 15 s. Fails as selectKernels does, or with io when there is no
/// memory.
Expected<Costs> measureCosts(unsigned threads, Effort effort = {});

/// Something that was timed, and how many of each of three parts it has (0: no such part).
struct TimedSum {
  std::array<double, 3> counts;
  double ns;
};
/// What each part costs: the least squares of relative errors among costs that are not negative.
std::array<double, 3> fitParts(std::span<const TimedSum> sums);

} // namespace sluice::calibrate

#endif // SLUICE_RUNTIME_CALIBRATE_CALIBRATE_H
