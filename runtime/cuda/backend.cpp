//===- backend.cpp - exec's backend on a GPU --------------------------------------------------===//
#include "runtime/cuda/backend.h"

#include "runtime/cuda/constants.h"
#include "runtime/cuda/dependencies.h"
#include "runtime/cuda/steps.h"

#include <algorithm>
#include <cstring>

namespace sluice::cuda {
namespace {

/// Launches of base conversions that may run side by side, each with scratch of its own.
constexpr uint32_t scratchRegions = 4;
/// Limbs that are copied between a ciphertext and the device at once.
constexpr uint64_t stagingLimbs = 64;

class CudaBackend final : public exec::Backend {
public:
  CudaBackend(exec::BackendResources resources, std::unique_ptr<Device> device, DeviceMemory memory,
              ThreadPool &pool, BackendOptions options)
      : resources(std::move(resources)), device(std::move(device)), memory(std::move(memory)),
        pool(pool), options(options), rowBytes(this->resources.ring->degree() * sizeof(uint64_t)),
        stageTimes(this->resources.stages) {}

  /// Puts everything on the device.
  Status load() {
    SLUICE_RETURN_IF_ERROR(device->loadModule(resources.device->code));
    SLUICE_ASSIGN_OR_RETURN(void *staging, device->allocatePinned(stagingLimbs * rowBytes));
    stagingWords = static_cast<uint64_t *>(staging);
    SLUICE_ASSIGN_OR_RETURN(place.limbs, putLimbs(*resources.ring, memory));
    SLUICE_RETURN_IF_ERROR(memory.flush());
    SLUICE_ASSIGN_OR_RETURN(place.arena, memory.allocate(arenaBytes(), "the arena"));
    place.scratchRegions = scratchRegions;
    place.scratchRows = widestConversion(resources.device->launches);
    SLUICE_ASSIGN_OR_RETURN(
        place.scratch,
        memory.allocate(uint64_t{scratchRegions} * place.scratchRows * rowBytes, "scratch"));
    SLUICE_ASSIGN_OR_RETURN(place.constants, encodeConstants(resources, place.limbs, memory));
    resources.coefficients.clear();
    SLUICE_RETURN_IF_ERROR(loadKeysAndLaunches());
    return options.timesKernels ? makeLaunchEvents() : makeGraphs();
  }

  std::string description() const override { return device->description(); }
  uint64_t arenaBytes() const override { return resources.arenaSlots * rowBytes; }

  Status write(std::span<const uint32_t> slots, ring::ConstPolyView poly) override {
    assert(slots.size() == poly.limbCount && poly.degree * sizeof(uint64_t) == rowBytes);
    for (size_t first = 0; first < slots.size(); first += stagingLimbs) {
      const size_t count = std::min<size_t>(slots.size() - first, stagingLimbs);
      parallelFor(pool, count,
                  [&](size_t i) { std::memcpy(staged(i), poly.limb(first + i), rowBytes); });
      for (size_t i = 0; i < count; ++i)
        SLUICE_RETURN_IF_ERROR(device->copyToDevice(slot(slots[first + i]), staged(i), rowBytes));
      SLUICE_RETURN_IF_ERROR(device->synchronise());
    }
    return Status();
  }

  Status read(std::span<const uint32_t> slots, ring::PolyView poly) override {
    assert(slots.size() == poly.limbCount && poly.degree * sizeof(uint64_t) == rowBytes);
    for (size_t first = 0; first < slots.size(); first += stagingLimbs) {
      const size_t count = std::min<size_t>(slots.size() - first, stagingLimbs);
      for (size_t i = 0; i < count; ++i)
        SLUICE_RETURN_IF_ERROR(device->copyFromDevice(staged(i), slot(slots[first + i]), rowBytes));
      SLUICE_RETURN_IF_ERROR(device->synchronise());
      parallelFor(pool, count,
                  [&](size_t i) { std::memcpy(poly.limb(first + i), staged(i), rowBytes); });
    }
    return Status();
  }

  Expected<int32_t> run(sluice_program_run_fn) override {
    SLUICE_RETURN_IF_ERROR(options.timesKernels ? runTimed() : runGraphs());
    countUsage();
    return 0;
  }

  std::span<const exec::FunctionUsage> usage() const override { return counted; }
  std::span<const uint64_t> stageUsage() const override { return stageTimes; }
  void resetUsage() override {
    std::ranges::fill(stageTimes, 0);
    for (exec::FunctionUsage &usage : counted)
      usage = {.name = usage.name};
  }

private:
  Address slot(uint32_t number) const { return place.arena + number * rowBytes; }
  uint64_t *staged(size_t i) const { return stagingWords + i * (rowBytes / sizeof(uint64_t)); }

  /// Keys come last: they take what the rest leaves, and the tables of launches need to know
  /// where their rows are.
  Status loadKeysAndLaunches() {
    const LaunchList &launches = resources.device->launches;
    const KeyRowUses uses = findKeyRows(launches);
    const uint64_t tables = tableBytes(launches);
    const uint64_t room = memory.bytesLeft() - std::min(memory.bytesLeft(), tables);
    Expected<KeyRowPlan> plan =
        planKeyRows(uses.rowsOf, static_cast<uint32_t>(uses.rows.size()), room / rowBytes);
    if (!plan)
      return Status::error(StatusCode::io, "keys do not fit in the device's memory: %s",
                           plan.message().c_str());
    SLUICE_ASSIGN_OR_RETURN(place.keyBuffers,
                            memory.allocate(plan->buffers * rowBytes, "buffers of keys"));
    for (const KeyCopy &copy : plan->resident)
      SLUICE_RETURN_IF_ERROR(device->copyToDevice(place.keyBuffers + copy.buffer * rowBytes,
                                                  rowOf(resources, uses.rows[copy.row]), rowBytes));
    if (!plan->streamed.empty())
      SLUICE_RETURN_IF_ERROR(pinKeys());
    SLUICE_ASSIGN_OR_RETURN(program, resolveLaunches(resources, place, uses, *plan, memory));
    SLUICE_RETURN_IF_ERROR(device->synchronise());
    if (plan->streamed.empty())
      resources.keys.clear();
    for (const std::string &name : program.names)
      counted.push_back({.name = name.c_str()});
    return Status();
  }

  /// An upper bound of what parameters of launches take, chunks and their ends included.
  uint64_t tableBytes(const LaunchList &launches) const {
    const Geometry tiles = conversionGeometry(resources.ring->logN());
    uint64_t bytes = uint64_t(64) << 20;
    for (const Launch &launch : launches.launches)
      bytes += (launch.conversions.size() + launch.destinations.size() / 2) * tiles.blocksPerLimb *
                   (sizeof(ConversionPart) + sizeof(ConversionShare)) +
               launch.parameters.size() * sizeof(uint64_t) +
               launch.sources.size() * (sizeof(SourceParameters) + sizeof(TransformParameters)) +
               launch.destinations.size() *
                   (sizeof(DestinationParameters) + sizeof(TransformParameters)) +
               launch.sources.size() * launch.destinations.size() * sizeof(ConversionFactor);
    return bytes;
  }

  Status pinKeys() {
    for (const auto &key : resources.keys)
      for (const AlignedWords *half : {&key->b, &key->a})
        SLUICE_RETURN_IF_ERROR(device->pin(half->data(), half->size() * sizeof(uint64_t)));
    return Status();
  }

  Status makeGraphs() {
    DependencyTracker tracker(program.resources);
    for (const StageSteps &stage : program.stages) {
      SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, device->makeGraph());
      tracker.restart();
      for (const Step &step : stage.steps) {
        const std::vector<uint32_t> before = tracker.add(step.reads, step.writes);
        SLUICE_RETURN_IF_ERROR(step.source
                                   ? graph->addCopy(step.destination, step.source, rowBytes, before)
                                   : graph->addKernel(step.launch, before));
      }
      SLUICE_RETURN_IF_ERROR(graph->instantiate());
      graphs.push_back(std::move(graph));
    }
    return makeEvents(program.stages.size() + 1);
  }

  Status makeLaunchEvents() {
    size_t steps = 0;
    for (const StageSteps &stage : program.stages)
      steps += stage.steps.size();
    return makeEvents(steps + 1);
  }

  Status makeEvents(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<Event> event, device->makeEvent());
      events.push_back(std::move(event));
    }
    return Status();
  }

  Status runGraphs() {
    for (size_t i = 0; i < graphs.size(); ++i) {
      SLUICE_RETURN_IF_ERROR(events[i]->record());
      SLUICE_RETURN_IF_ERROR(graphs[i]->launch());
    }
    SLUICE_RETURN_IF_ERROR(events[graphs.size()]->record());
    SLUICE_RETURN_IF_ERROR(device->synchronise());
    for (size_t i = 0; i < graphs.size(); ++i) {
      SLUICE_ASSIGN_OR_RETURN(uint64_t time, nanosecondsAfter(i));
      addTo(program.stages[i].stage, time);
    }
    return Status();
  }

  Status runTimed() {
    size_t number = 0;
    for (const StageSteps &stage : program.stages)
      for (const Step &step : stage.steps) {
        SLUICE_RETURN_IF_ERROR(events[number++]->record());
        SLUICE_RETURN_IF_ERROR(step.source
                                   ? device->copyToDevice(step.destination, step.source, rowBytes)
                                   : device->launch(step.launch));
      }
    SLUICE_RETURN_IF_ERROR(events[number]->record());
    SLUICE_RETURN_IF_ERROR(device->synchronise());
    number = 0;
    for (const StageSteps &stage : program.stages)
      for (const Step &step : stage.steps) {
        SLUICE_ASSIGN_OR_RETURN(uint64_t time, nanosecondsAfter(number++));
        counted[step.usage].nanoseconds += time;
        addTo(stage.stage, time);
      }
    return Status();
  }

  /// Between event `number` and the next.
  Expected<uint64_t> nanosecondsAfter(size_t number) const {
    SLUICE_ASSIGN_OR_RETURN(double milliseconds,
                            events[number + 1]->millisecondsSince(*events[number]));
    return static_cast<uint64_t>(milliseconds * 1e6);
  }
  void addTo(uint32_t stage, uint64_t nanoseconds) {
    if (stage < stageTimes.size())
      stageTimes[stage] += nanoseconds;
  }

  void countUsage() {
    for (const StageSteps &stage : program.stages)
      for (const Step &step : stage.steps) {
        exec::FunctionUsage &usage = counted[step.usage];
        ++usage.calls;
        usage.limbs += step.limbs;
        usage.bytes += step.bytes;
      }
  }

  exec::BackendResources resources;
  std::unique_ptr<Device> device; // outlives graphs and events
  DeviceMemory memory;
  ThreadPool &pool;
  const BackendOptions options;
  const uint64_t rowBytes;
  uint64_t *stagingWords = nullptr; // pinned
  ProgramMemory place;
  ProgramSteps program;
  std::vector<std::unique_ptr<Graph>> graphs; // of each stage
  std::vector<std::unique_ptr<Event>> events; // before each graph, or each step, and at the end
  std::vector<exec::FunctionUsage> counted;   // by name
  std::vector<uint64_t> stageTimes;
};

} // namespace

Expected<std::unique_ptr<exec::Backend>> createBackend(exec::BackendResources resources,
                                                       std::unique_ptr<Device> device,
                                                       ThreadPool &pool, BackendOptions options) {
  SLUICE_ASSIGN_OR_RETURN(DeviceMemory memory, DeviceMemory::create(*device));
  auto backend = std::make_unique<CudaBackend>(std::move(resources), std::move(device),
                                               std::move(memory), pool, options);
  SLUICE_RETURN_IF_ERROR(backend->load());
  return std::unique_ptr<exec::Backend>(std::move(backend));
}

} // namespace sluice::cuda
