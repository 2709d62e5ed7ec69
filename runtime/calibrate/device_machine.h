//===- device_machine.h - a device with operands to time its kernels on -----------------------===//
#ifndef SLUICE_RUNTIME_CALIBRATE_DEVICE_MACHINE_H
#define SLUICE_RUNTIME_CALIBRATE_DEVICE_MACHINE_H

#include "runtime/cuda/device.h"
#include "runtime/cuda/kernels/calibration_kernels.h"
#include "runtime/cuda/steps.h"

#include <memory>
#include <span>
#include <vector>

namespace sluice::calibrate {

/// One ring on a device, with an arena that is larger than its caches and the module of
/// kernels/calibration.cuh. First everything that is to be timed is added, then it is loaded, then
/// timed: each is a graph of launches, one after the other, that goes through the arena.
class DeviceMachine {
public:
  /// Of 50 bits: the largest base conversion that is timed has so many sources and destinations.
  static constexpr uint16_t limbCount = 32;

  /// `device` must outlive it; nothing was loaded there. `code`: the module, for this degree.
  static Expected<std::unique_ptr<DeviceMachine>>
  create(cuda::Device &device, std::span<const uint8_t> code, unsigned logN);

  size_t degree() const { return resources.ring->degree(); }
  /// Limbs of a launch of a kernel: work for every multiprocessor, several times over.
  uint32_t limbsPerLaunch() const { return launchLimbs; }

  /// Each gives the number of what it adds. Of a kernel, with operations done `count` times.
  size_t addKernel(cuda::CalibrationKernel kernel, uint32_t count);
  /// Of one limb, of which it touches nothing: the launch alone.
  size_t addNothing();
  /// LaunchKind::ntt or intt, of limbsPerLaunch() limbs.
  size_t addTransform(LaunchKind kind);
  /// LaunchKind::baseConvert or baseConvertColumns; sources + destinations <= limbCount.
  size_t addConversion(LaunchKind kind, uint32_t sources, uint32_t destinations);

  /// Fills the arena and makes the graphs. io: no memory; corruptFile: the code is not that of the
  /// calibration.
  Status load();
  /// Times all once more, each over at least `milliseconds` (0: one graph).
  Status sample(double milliseconds);
  /// Nanoseconds of one of the launches that were added: the shortest so far.
  double ns(size_t number) const { return timed[number].best; }

  /// Nanoseconds of a copy of one limb between pinned memory of this process and the device: the
  /// mean of both directions, the shortest of `samples`.
  Expected<double> copyNs(unsigned samples);
  /// After load(): are residues doubles in the kernels?
  bool isReal() const { return real; }

private:
  /// What the slots of a half of the arena hold.
  enum class Region : uint8_t { residues, halves };
  struct Timed {
    std::unique_ptr<cuda::Graph> graph;
    uint32_t launches = 0; // that were added, in the graph
    double best = 0;       // 0: not yet
  };

  explicit DeviceMachine(cuda::Device &device) : device(device) {}

  size_t beginStage();
  /// The next `count` slots of a region, in turns.
  uint32_t take(Region region, uint32_t count);
  /// How often launches that take so many slots of a region go through it.
  uint32_t roundsOf(uint32_t slots) const;
  Launch kernelLaunch(cuda::CalibrationKernel kernel, uint32_t count, uint32_t limbs);
  std::vector<LaunchLimb> takeLimbs(Region region, uint32_t count, uint16_t firstLimb);
  void append(Launch launch) { program->launches.launches.push_back(std::move(launch)); }
  Status fillResidues();
  Status makeGraphs();
  Status findArithmetic(const cuda::ProgramMemory &place);
  Expected<double> time(cuda::Graph &graph, uint32_t times);

  cuda::Device &device;
  exec::BackendResources resources;
  std::shared_ptr<exec::DeviceProgram> program; // the same as that of the resources
  std::unique_ptr<cuda::DeviceMemory> memory;
  cuda::ProgramSteps steps;
  std::unique_ptr<cuda::Event> start, end;
  std::vector<Timed> timed;
  cuda::Address arena = 0;
  uint32_t launchLimbs = 1, regionSlots = 0;
  uint32_t next[2] = {}; // of each region: the slot after the last one taken
  uint16_t nextLimb = 0; // of the next launch's first limb: transforms have tables for each
  uint64_t rowBytes = 0;
  size_t arithmeticStage = 0;
  uint32_t arithmeticSlot = 0;
  bool real = false;
};

} // namespace sluice::calibrate

#endif // SLUICE_RUNTIME_CALIBRATE_DEVICE_MACHINE_H
