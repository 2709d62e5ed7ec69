//===- device_machine.cpp - a device with operands to time its kernels on ---------------------===//
//
// The launches are those of a program, and the backend's own steps make them, so that what is timed
// is what programs run.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/calibrate/device_machine.h"

#include "runtime/ring/galois.h"
#include "runtime/ring/primes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>

namespace sluice::calibrate {
namespace {

using cuda::CalibrationKernel;
using cuda::CalibrationShape;

constexpr unsigned primeBits = 50;
/// Below every prime of `primeBits` bits.
constexpr uint64_t someScalar = 12345678901234;
/// Of each half of the arena. Caches of devices have less than 1 MiB for each multiprocessor.
constexpr uint64_t regionBytesPerProcessor = uint64_t(2) << 20;
/// A multiprocessor has up to 2048 threads of two words: so many words keep all busy four times.
constexpr uint64_t wordsPerProcessor = uint64_t(4) * 2048 * 2;
/// Of a graph, so that beginning it costs little beside them; and at most.
constexpr uint32_t fewestLaunches = 4, mostLaunches = 256;
constexpr uint32_t emptyLaunches = 64;
/// Of kernels that do an operation many times: where their operands come from does not matter.
constexpr uint32_t chainLaunches = 2;
constexpr uint32_t copiedLimbs = 16;
constexpr unsigned scratchRegions = 4; // as the backend's

uint64_t scalarWord(uint64_t value) { return launchParameter(LaunchParameterKind::scalar, value); }
uint64_t slotWord(uint32_t slot) { return launchParameter(LaunchParameterKind::slot, slot); }

} // namespace

Expected<std::unique_ptr<DeviceMachine>>
DeviceMachine::create(cuda::Device &device, std::span<const uint8_t> code, unsigned logN) {
  std::unique_ptr<DeviceMachine> machine(new DeviceMachine(device));
  SLUICE_ASSIGN_OR_RETURN(std::vector<uint64_t> primes,
                          ring::nttPrimesBelow(logN, primeBits, limbCount));
  SLUICE_ASSIGN_OR_RETURN(ring::Ring ring, ring::Ring::create(logN, primes));
  machine->resources.ring = std::make_shared<const ring::Ring>(std::move(ring));
  machine->rowBytes = machine->degree() * sizeof(uint64_t);
  const uint64_t processors = device.multiprocessors();
  machine->launchLimbs =
      static_cast<uint32_t>(std::clamp<uint64_t>(processors * wordsPerProcessor >> logN, 1, 4096));
  // Room for the operands of the largest launch, twice.
  constexpr uint32_t widest = 20; // slots of a limb of kernel product6
  static_assert(widest == cuda::shapeOf(CalibrationKernel::product6).outputs +
                              cuda::shapeOf(CalibrationKernel::product6).operands);
  machine->regionSlots = static_cast<uint32_t>(
      std::max({processors * regionBytesPerProcessor / machine->rowBytes,
                uint64_t{2} * widest * machine->launchLimbs, uint64_t{2} * limbCount}));
  machine->resources.arenaSlots = 2 * machine->regionSlots;
  machine->program = std::make_shared<exec::DeviceProgram>();
  machine->program->code.assign(code.begin(), code.end());
  for (uint32_t number = 0; number < cuda::calibrationKernels; ++number) {
    const CalibrationShape shape = cuda::shapeOf(CalibrationKernel{number});
    machine->program->launches.kernels.push_back(
        {shape.isRows ? LimbKernelKind::rows : LimbKernelKind::elements, shape.parameters(),
         shape.outputs});
  }
  machine->resources.device = machine->program;

  // The other half of the arena becomes half forms, made of the residues of this one.
  machine->beginStage();
  for (uint32_t slot = 0; slot < machine->regionSlots; slot += machine->launchLimbs)
    machine->append(
        machine->kernelLaunch(CalibrationKernel::inttRows, 1,
                              std::min(machine->launchLimbs, machine->regionSlots - slot)));
  machine->arithmeticStage = machine->beginStage();
  machine->append(machine->kernelLaunch(CalibrationKernel::arithmetic, 1, 1));
  machine->arithmeticSlot = machine->next[size_t(Region::residues)] - 1; // the one taken last
  return machine;
}

//===- What is timed ===//

size_t DeviceMachine::beginStage() {
  Launch launch;
  launch.kind = LaunchKind::beginStage;
  launch.number = static_cast<uint32_t>(timed.size());
  append(std::move(launch));
  timed.emplace_back();
  return timed.size() - 1;
}

uint32_t DeviceMachine::take(Region region, uint32_t count) {
  uint32_t &first = next[static_cast<size_t>(region)];
  assert(count <= regionSlots && "a launch has more operands than the arena");
  if (first + count > regionSlots)
    first = 0;
  const uint32_t taken = first;
  first += count;
  return taken + (region == Region::halves ? regionSlots : 0);
}

uint32_t DeviceMachine::roundsOf(uint32_t slots) const {
  return std::clamp(regionSlots / slots, fewestLaunches, mostLaunches);
}

std::vector<LaunchLimb> DeviceMachine::takeLimbs(Region region, uint32_t count,
                                                 uint16_t firstLimb) {
  const uint32_t first = take(region, count);
  std::vector<LaunchLimb> limbs;
  limbs.reserve(count);
  for (uint32_t i = 0; i < count; ++i)
    limbs.push_back({(firstLimb + i) % limbCount, first + i});
  return limbs;
}

Launch DeviceMachine::kernelLaunch(CalibrationKernel kernel, uint32_t count, uint32_t limbs) {
  const CalibrationShape shape = cuda::shapeOf(kernel);
  const Region read = kernel == CalibrationKernel::nttRows ? Region::halves : Region::residues,
               written = kernel == CalibrationKernel::inttRows ? Region::halves : Region::residues;
  const uint64_t scalar = kernel == CalibrationKernel::automorphism
                              ? ring::rotationElement(resources.ring->logN(), 1)
                              : someScalar;
  std::vector<uint32_t> slots;
  slots.reserve(shape.outputs + shape.operands);
  for (uint32_t i = 0; i < shape.outputs; ++i)
    slots.push_back(take(written, limbs));
  for (uint32_t i = 0; i < shape.operands; ++i)
    slots.push_back(take(read, limbs));
  Launch launch;
  launch.number = static_cast<uint32_t>(kernel);
  launch.limbs = limbs;
  for (uint32_t i = 0; i < limbs; ++i) {
    launch.parameters.push_back(
        launchParameter(LaunchParameterKind::limb, (nextLimb + i) % limbCount));
    for (uint32_t slot : slots)
      launch.parameters.push_back(slotWord(slot + i));
    launch.parameters.push_back(scalarWord(scalar));
    launch.parameters.push_back(scalarWord(count));
  }
  nextLimb = static_cast<uint16_t>((nextLimb + limbs) % limbCount);
  return launch;
}

size_t DeviceMachine::addKernel(CalibrationKernel kernel, uint32_t count) {
  const CalibrationShape shape = cuda::shapeOf(kernel);
  const size_t number = beginStage();
  timed[number].launches =
      count > 1 ? chainLaunches : roundsOf((shape.outputs + shape.operands) * launchLimbs);
  for (uint32_t i = 0; i < timed[number].launches; ++i)
    append(kernelLaunch(kernel, count, launchLimbs));
  return number;
}

size_t DeviceMachine::addNothing() {
  const size_t number = beginStage();
  timed[number].launches = emptyLaunches;
  for (uint32_t i = 0; i < emptyLaunches; ++i)
    append(kernelLaunch(CalibrationKernel::nothing, 0, 1));
  return number;
}

size_t DeviceMachine::addTransform(LaunchKind kind) {
  const size_t number = beginStage();
  timed[number].launches = roundsOf(2 * launchLimbs);
  for (uint32_t i = 0; i < timed[number].launches; ++i) {
    Launch launch;
    launch.kind = kind;
    launch.destinations = takeLimbs(Region::residues, launchLimbs, nextLimb);
    launch.sources = takeLimbs(Region::residues, launchLimbs, nextLimb);
    nextLimb = static_cast<uint16_t>((nextLimb + launchLimbs) % limbCount);
    append(std::move(launch));
  }
  return number;
}

size_t DeviceMachine::addConversion(LaunchKind kind, uint32_t sources, uint32_t destinations) {
  const Region region = kind == LaunchKind::baseConvertColumns ? Region::halves : Region::residues;
  const size_t number = beginStage();
  timed[number].launches = roundsOf(sources + destinations);
  for (uint32_t i = 0; i < timed[number].launches; ++i) {
    Launch launch;
    launch.kind = kind;
    launch.sources = takeLimbs(region, sources, 0);
    launch.destinations = takeLimbs(region, destinations, static_cast<uint16_t>(sources));
    append(std::move(launch));
  }
  return number;
}

//===- On the device ===//

Status DeviceMachine::load() {
  SLUICE_RETURN_IF_ERROR(device.loadModule(program->code));
  SLUICE_ASSIGN_OR_RETURN(cuda::DeviceMemory limited, cuda::DeviceMemory::create(device));
  memory = std::make_unique<cuda::DeviceMemory>(std::move(limited));
  SLUICE_ASSIGN_OR_RETURN(start, device.makeEvent());
  SLUICE_ASSIGN_OR_RETURN(end, device.makeEvent());

  cuda::ProgramMemory place;
  SLUICE_ASSIGN_OR_RETURN(place.limbs, cuda::putLimbs(*resources.ring, *memory));
  SLUICE_RETURN_IF_ERROR(memory->flush());
  SLUICE_ASSIGN_OR_RETURN(
      arena, memory->allocate(resources.arenaSlots * rowBytes, "the arena of the calibration"));
  place.arena = arena;
  place.scratchRegions = scratchRegions;
  place.scratchRows = cuda::widestConversion(program->launches);
  SLUICE_ASSIGN_OR_RETURN(
      place.scratch,
      memory->allocate(uint64_t{scratchRegions} * place.scratchRows * rowBytes, "scratch"));
  SLUICE_RETURN_IF_ERROR(fillResidues());
  const cuda::KeyRowUses uses = cuda::findKeyRows(program->launches); // none
  SLUICE_ASSIGN_OR_RETURN(cuda::KeyRowPlan plan, cuda::planKeyRows(uses.rowsOf, 0, 0));
  SLUICE_ASSIGN_OR_RETURN(steps, cuda::resolveLaunches(resources, place, uses, plan, *memory));
  SLUICE_RETURN_IF_ERROR(makeGraphs());
  // What everything else reads, and which arithmetic computes it.
  for (size_t number = 0; number <= arithmeticStage; ++number)
    SLUICE_RETURN_IF_ERROR(timed[number].graph->launch());
  std::vector<uint64_t> row(degree());
  SLUICE_RETURN_IF_ERROR(
      device.copyFromDevice(row.data(), arena + arithmeticSlot * rowBytes, rowBytes));
  SLUICE_RETURN_IF_ERROR(device.synchronise());
  real = row[0] == 1;
  return Status();
}

Status DeviceMachine::fillResidues() {
  std::vector<uint64_t> row(degree());
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same operands in every calibration
  std::mt19937_64 random(1);
  for (uint64_t &word : row)
    word = random() >> (64 - primeBits + 1);
  for (uint32_t slot = 0; slot < regionSlots; ++slot)
    SLUICE_RETURN_IF_ERROR(device.copyToDevice(arena + slot * rowBytes, row.data(), rowBytes));
  return device.synchronise();
}

Status DeviceMachine::makeGraphs() {
  assert(steps.stages.size() == timed.size());
  for (size_t number = 0; number < timed.size(); ++number) {
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<cuda::Graph> graph, device.makeGraph());
    uint32_t step = 0;
    for (const cuda::Step &next : steps.stages[number].steps) {
      const uint32_t before = step - 1;
      SLUICE_RETURN_IF_ERROR(
          graph->addKernel(next.launch, std::span(&before, step == 0 ? 0u : 1u)));
      ++step;
    }
    SLUICE_RETURN_IF_ERROR(graph->instantiate());
    timed[number].graph = std::move(graph);
  }
  return Status();
}

Expected<double> DeviceMachine::time(cuda::Graph &graph, uint32_t times) {
  SLUICE_RETURN_IF_ERROR(start->record());
  for (uint32_t i = 0; i < times; ++i)
    SLUICE_RETURN_IF_ERROR(graph.launch());
  SLUICE_RETURN_IF_ERROR(end->record());
  SLUICE_RETURN_IF_ERROR(device.synchronise());
  return end->millisecondsSince(*start);
}

Status DeviceMachine::sample(double milliseconds) {
  constexpr double mostTimes = 1000;
  for (size_t number = arithmeticStage + 1; number < timed.size(); ++number) {
    Timed &each = timed[number];
    // The first time brings the caches to what all others find, and says how many these must be.
    // It counts only if it alone is long enough.
    SLUICE_ASSIGN_OR_RETURN(double all, time(*each.graph, 1));
    uint32_t times = 1;
    if (all < milliseconds) {
      times = static_cast<uint32_t>(
          std::clamp(std::ceil(milliseconds / std::max(all, 1e-6)), 1.0, mostTimes));
      SLUICE_ASSIGN_OR_RETURN(all, time(*each.graph, times));
    }
    const double ns = all * 1e6 / (static_cast<double>(each.launches) * times);
    each.best = each.best == 0 ? ns : std::min(each.best, ns);
  }
  return Status();
}

Expected<double> DeviceMachine::copyNs(unsigned samples) {
  SLUICE_ASSIGN_OR_RETURN(void *pinned, device.allocatePinned(copiedLimbs * rowBytes));
  auto *rows = static_cast<uint8_t *>(pinned);
  double best[2] = {INFINITY, INFINITY};
  // The first sample of each direction is not counted.
  for (unsigned n = 0; n <= samples; ++n)
    for (size_t direction : {0, 1}) {
      SLUICE_RETURN_IF_ERROR(start->record());
      for (uint32_t i = 0; i < copiedLimbs; ++i) {
        uint8_t *host = rows + i * rowBytes;
        const cuda::Address slot = arena + i * rowBytes;
        SLUICE_RETURN_IF_ERROR(direction == 0 ? device.copyFromDevice(host, slot, rowBytes)
                                              : device.copyToDevice(slot, host, rowBytes));
      }
      SLUICE_RETURN_IF_ERROR(end->record());
      SLUICE_RETURN_IF_ERROR(device.synchronise());
      SLUICE_ASSIGN_OR_RETURN(double milliseconds, end->millisecondsSince(*start));
      if (n > 0)
        best[direction] = std::min(best[direction], milliseconds * 1e6 / copiedLimbs);
    }
  return (best[0] + best[1]) / 2;
}

} // namespace sluice::calibrate
