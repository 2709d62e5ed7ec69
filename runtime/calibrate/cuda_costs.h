//===- cuda_costs.h - times every family of kernels on a CUDA device --------------------------===//
#ifndef SLUICE_RUNTIME_CALIBRATE_CUDA_COSTS_H
#define SLUICE_RUNTIME_CALIBRATE_CUDA_COSTS_H

#include "runtime/abi/costs.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/cuda/device.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace sluice::calibrate {

/// What is measured of one degree.
struct DegreeCosts {
  std::array<KernelTime, kernelFamilyCount> times; // as in CostTable
  double launchNs = 0;                             // of a launch in a graph, beside its work
  bool isReal = false;                             // residues are doubles, else integers
};

/// Times the kernels of `code`, kernels/calibration.cuh compiled for this degree (12 to 16), on a
/// device that loaded nothing so far. io: no memory; corruptFile: the device refuses the code, or
/// it is another; also fails as the device does.
Expected<DegreeCosts> measureDegree(cuda::Device &device, std::span<const uint8_t> code,
                                    unsigned logN, Effort effort);

/// The costs of one device, degree by degree.
class DeviceCalibration {
public:
  /// `device`: "cuda", or "emulated:PREFIX", whose module for degree 2^N is the shared object at
  /// PREFIX<N>.so; for tests. `pool` must outlive it. Fails as cuda::openDevice.
  static Expected<DeviceCalibration> create(std::string device, ThreadPool &pool);

  /// As measureDegree; outOfRange: no degree of a cost file.
  Status measure(unsigned logN, std::span<const uint8_t> code, Effort effort = {});
  /// The cost file's content. invalidArgument: some degree was not measured.
  Expected<Costs> costs() const;

private:
  DeviceCalibration(std::string device, ThreadPool &pool)
      : deviceName(std::move(device)), pool(&pool) {}
  /// A device of its own for every degree: it loads code once, and its memory goes with it.
  Expected<std::unique_ptr<cuda::Device>> open(unsigned logN) const;

  std::string deviceName;
  ThreadPool *pool;
  Costs found;
  std::array<bool, costDegrees> isMeasured = {};
};

} // namespace sluice::calibrate

#endif // SLUICE_RUNTIME_CALIBRATE_CUDA_COSTS_H
