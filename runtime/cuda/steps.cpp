//===- steps.cpp - the launches of a program with addresses for numbers -----------------------===//
#include "runtime/cuda/steps.h"

#include "runtime/cuda/conversion_shares.h"

#include <algorithm>
#include <set>

namespace sluice::cuda {
namespace {

constexpr uint64_t low(uint64_t word, unsigned bits) { return word & ((uint64_t{1} << bits) - 1); }

LaunchParameterKind kindOf(uint64_t word) {
  return static_cast<LaunchParameterKind>(word >> launchParameterShift);
}
uint64_t numberOf(uint64_t word) { return low(word, launchParameterShift); }

bool isKeyRow(uint64_t word) {
  return kindOf(word) == LaunchParameterKind::keyRowB ||
         kindOf(word) == LaunchParameterKind::keyRowA;
}

KeyRow keyRowOf(uint64_t word) {
  const uint64_t number = numberOf(word);
  return {static_cast<uint32_t>(number >> 32), static_cast<uint16_t>(number >> 16),
          static_cast<uint16_t>(number), kindOf(word) == LaunchParameterKind::keyRowA};
}

std::vector<uint16_t> limbsOf(std::span<const LaunchLimb> limbs) {
  std::vector<uint16_t> numbers;
  for (LaunchLimb limb : limbs)
    numbers.push_back(static_cast<uint16_t>(limb.limb));
  return numbers;
}

std::vector<uint32_t> slotsOf(std::span<const LaunchLimb> limbs) {
  std::vector<uint32_t> slots;
  for (LaunchLimb limb : limbs)
    slots.push_back(limb.slot);
  return slots;
}

/// Makes the steps of one launch after the other.
class Resolver {
public:
  Resolver(const exec::BackendResources &resources, const ProgramMemory &place,
           const KeyRowUses &uses, const KeyRowPlan &plan, DeviceMemory &memory)
      : resources(resources), place(place), uses(uses), plan(plan), memory(memory),
        conversions(*resources.ring), logN(resources.ring->logN()),
        rowBytes(resources.ring->degree() * sizeof(uint64_t)), columns(columnsGeometry(logN)),
        rows(rowsGeometry(logN)), elements(elementsGeometry(logN)) {
    program.stages.emplace_back();
    program.resources = firstKeyBuffer() + plan.buffers;
  }

  Status add(uint32_t number, const Launch &launch) {
    copyKeyRows(number);
    switch (launch.kind) {
    case LaunchKind::limbKernel:
      return addLimbKernel(number, launch);
    case LaunchKind::baseConvert:
      return addConversions(launch, /*inColumns=*/false);
    case LaunchKind::baseConvertColumns:
      return addConversions(launch, /*inColumns=*/true);
    case LaunchKind::ntt:
      return addForward(launch);
    case LaunchKind::intt:
      return addInverse(launch);
    case LaunchKind::beginStage:
      program.stages.push_back({launch.number, {}});
      return Status();
    }
    return Status();
  }

  Expected<ProgramSteps> finish() && {
    SLUICE_RETURN_IF_ERROR(memory.flush());
    std::erase_if(program.stages, [](const StageSteps &stage) { return stage.steps.empty(); });
    return std::move(program);
  }

private:
  uint32_t firstScratch() const { return resources.arenaSlots; }
  uint32_t firstKeyBuffer() const { return firstScratch() + place.scratchRegions; }
  Address slot(uint64_t number) const { return place.arena + number * rowBytes; }
  Address keyBuffer(uint32_t number) const { return place.keyBuffers + number * rowBytes; }

  /// A step with a kernel by its name.
  Expected<Step> makeStep(const std::string &kernel, uint32_t blocksX, uint32_t blocksY,
                          uint32_t threads) {
    Step step;
    auto found = kernels.find(kernel);
    if (found == kernels.end()) {
      SLUICE_ASSIGN_OR_RETURN(Kernel function, memory.device().findKernel(kernel));
      found = kernels.emplace(kernel, Named{function, nameOf(kernel)}).first;
    }
    step.launch = {found->second.kernel, blocksX, blocksY, threads};
    step.usage = found->second.name;
    return step;
  }
  uint32_t nameOf(const std::string &name) {
    program.names.push_back(name);
    return static_cast<uint32_t>(program.names.size() - 1);
  }
  void append(Step step) { program.stages.back().steps.push_back(std::move(step)); }

  /// What the plan wants copied before launch `number`.
  void copyKeyRows(uint32_t number) {
    for (; nextCopy < plan.streamed.size() && plan.streamed[nextCopy].launch <= number;
         ++nextCopy) {
      if (copyName == UINT32_MAX)
        copyName = nameOf("copy of key rows");
      const KeyCopy &copy = plan.streamed[nextCopy];
      Step step;
      step.source = rowOf(resources, uses.rows[copy.row]);
      step.destination = keyBuffer(copy.buffer);
      step.writes = {firstKeyBuffer() + copy.buffer};
      step.usage = copyName;
      step.limbs = 1;
      step.bytes = rowBytes;
      append(std::move(step));
    }
  }

  /// The address or value that a parameter of a limb kernel becomes.
  uint64_t resolve(uint64_t word, uint32_t launch, size_t &keyRow, Step &step) {
    const uint64_t number = numberOf(word);
    switch (kindOf(word)) {
    case LaunchParameterKind::scalar:
      return number;
    case LaunchParameterKind::limb:
      return place.limbs[number];
    case LaunchParameterKind::slot:
      return slot(number);
    case LaunchParameterKind::constantRow:
      return place.constants[number >> 16] + low(number, 16) * rowBytes;
    case LaunchParameterKind::keyRowB:
    case LaunchParameterKind::keyRowA: {
      const uint32_t buffer = plan.buffersOf[launch][keyRow++];
      step.reads.push_back(firstKeyBuffer() + buffer);
      return keyBuffer(buffer);
    }
    }
    return 0;
  }

  Status addLimbKernel(uint32_t number, const Launch &launch) {
    const LimbKernel &kernel = resources.device->launches.kernels[launch.number];
    const Geometry geometry = kernel.kind == LimbKernelKind::rows ? rows : elements;
    SLUICE_ASSIGN_OR_RETURN(Step step,
                            makeStep("limb_kernel_" + std::to_string(launch.number),
                                     geometry.blocksPerLimb, launch.limbs, geometry.threads));
    std::vector<uint64_t> words;
    words.reserve(launch.parameters.size());
    size_t keyRow = 0;
    for (uint32_t limb = 0; limb < launch.limbs; ++limb) {
      std::set<uint64_t> operands;
      for (uint32_t p = 0; p < kernel.parameters; ++p) {
        const uint64_t word = launch.parameters[size_t{limb} * kernel.parameters + p];
        words.push_back(resolve(word, number, keyRow, step));
        if (kindOf(word) == LaunchParameterKind::slot)
          (p <= kernel.outputs ? step.writes : step.reads)
              .push_back(static_cast<uint32_t>(numberOf(word)));
        if (kindOf(word) > LaunchParameterKind::limb)
          operands.insert(p <= kernel.outputs ? ~word : word);
      }
      step.bytes += operands.size() * rowBytes;
    }
    step.limbs = launch.limbs * kernel.outputs;
    SLUICE_ASSIGN_OR_RETURN(step.launch.argument, memory.put(std::span<const uint64_t>(words)));
    append(std::move(step));
    return Status();
  }

  /// A step that takes each of `sources` to the limb at the same place in `destinations`.
  Status addTransform(const char *kernel, Geometry geometry,
                      const std::vector<LaunchLimb> &destinations,
                      const std::vector<LaunchLimb> &sources) {
    const uint32_t count = static_cast<uint32_t>(destinations.size());
    SLUICE_ASSIGN_OR_RETURN(Step step,
                            makeStep(kernel, geometry.blocksPerLimb, count, geometry.threads));
    std::vector<TransformParameters> parameters;
    for (uint32_t i = 0; i < count; ++i) {
      parameters.push_back({pointerTo<const LimbConstants>(place.limbs[sources[i].limb]),
                            pointerTo<const uint64_t>(slot(sources[i].slot)),
                            pointerTo<uint64_t>(slot(destinations[i].slot))});
      step.reads.push_back(sources[i].slot);
      step.writes.push_back(destinations[i].slot);
    }
    step.limbs = count;
    step.bytes = 2 * count * rowBytes;
    SLUICE_ASSIGN_OR_RETURN(step.launch.argument,
                            memory.put(std::span<const TransformParameters>(parameters)));
    append(std::move(step));
    return Status();
  }

  Status addForward(const Launch &launch) {
    SLUICE_RETURN_IF_ERROR(
        addTransform("sluice_forward_columns", columns, launch.destinations, launch.sources));
    return addTransform("sluice_ntt_rows", rows, launch.destinations, launch.destinations);
  }

  Status addInverse(const Launch &launch) {
    SLUICE_RETURN_IF_ERROR(
        addTransform("sluice_intt_rows", rows, launch.destinations, launch.sources));
    std::vector<SourceParameters> parameters;
    for (LaunchLimb limb : launch.destinations) {
      const kernels::LimbTables &tables = resources.ring->tables(limb.limb);
      // With one row, the rows have done the product by N^-1.
      const bool isOneRow = logRowsOf(logN) == 0;
      const Factor one = factorOf(resources.ring->modulus(limb.limb).shoupFactor(1));
      parameters.push_back({pointerTo<const LimbConstants>(place.limbs[limb.limb]),
                            pointerTo<const uint64_t>(slot(limb.slot)),
                            pointerTo<uint64_t>(slot(limb.slot)),
                            isOneRow ? one : factorOf(tables.inverseN),
                            isOneRow ? one : factorOf(tables.inverseNRoot)});
    }
    const std::vector<uint32_t> slots = slotsOf(launch.destinations);
    return addScaled("sluice_inverse_columns", columns, parameters, slots, slots).status();
  }

  /// A step of a kernel that takes SourceParameters; gives where they are.
  Expected<Address> addScaled(const char *kernel, Geometry geometry,
                              std::span<const SourceParameters> parameters,
                              std::vector<uint32_t> reads, std::vector<uint32_t> writes) {
    const uint32_t count = static_cast<uint32_t>(parameters.size());
    SLUICE_ASSIGN_OR_RETURN(Step step,
                            makeStep(kernel, geometry.blocksPerLimb, count, geometry.threads));
    step.reads = std::move(reads);
    step.writes = std::move(writes);
    step.limbs = count;
    step.bytes = 2 * count * rowBytes;
    SLUICE_ASSIGN_OR_RETURN(Address address, memory.put(parameters));
    step.launch.argument = address;
    append(std::move(step));
    return address;
  }

  /// Parameters of the conversions of a launch, one after the other.
  struct ConversionLimbs {
    std::vector<SourceParameters> sources;
    std::vector<DestinationParameters> destinations;
  };

  /// Two steps: all sources are scaled into a scratch region, then all destinations written.
  Status addConversions(const Launch &launch, bool inColumns) {
    const uint32_t region = nextRegion;
    nextRegion = (nextRegion + 1) % place.scratchRegions;
    ConversionLimbs all;
    std::span<const LaunchLimb> destinations = launch.destinations, sources = launch.sources;
    for (ConversionSize size : launch.conversions) {
      SLUICE_RETURN_IF_ERROR(addConversion(destinations.first(size.destinations),
                                           sources.first(size.sources), inColumns, region, all));
      destinations = destinations.subspan(size.destinations);
      sources = sources.subspan(size.sources);
    }
    SLUICE_ASSIGN_OR_RETURN(Address sourceAddress,
                            addScaled(inColumns ? "sluice_inverse_columns" : "sluice_scale",
                                      inColumns ? columns : elements, all.sources,
                                      slotsOf(launch.sources), {firstScratch() + region}));
    SLUICE_ASSIGN_OR_RETURN(Address destinationAddress,
                            memory.put(std::span<const DestinationParameters>(all.destinations)));
    SLUICE_ASSIGN_OR_RETURN(Step step,
                            makeStep(inColumns ? "sluice_convert_columns" : "sluice_convert", 1, 1,
                                     conversionGeometry(logN).threads));
    Device &device = memory.device();
    SLUICE_ASSIGN_OR_RETURN(uint32_t kernelBytes, device.sharedMemoryOf(step.launch.kernel));
    const ConversionShares shares =
        shareConversions(launch.conversions, logN,
                         {.multiprocessors = device.multiprocessors(),
                          .sharedMemoryOfBlock = device.sharedMemoryOfBlock(),
                          .sharedMemoryOfKernel = kernelBytes});
    if (shares.sharedBytes + kernelBytes > device.sharedMemoryOfBlock())
      return Status::error(
          StatusCode::io, "a base conversion needs %u bytes of shared memory, but %s has %u",
          shares.sharedBytes + kernelBytes, device.name().c_str(), device.sharedMemoryOfBlock());
    step.launch.blocksX = static_cast<uint32_t>(shares.blocks.size());
    step.launch.sharedBytes = shares.sharedBytes;
    step.reads = {firstScratch() + region};
    step.writes = slotsOf(launch.destinations);
    step.limbs = static_cast<uint32_t>(launch.destinations.size());
    step.bytes = (launch.sources.size() + launch.destinations.size()) * rowBytes;
    const std::vector<ConversionPart> parts =
        partsOf(shares, launch.conversions, pointerTo<const SourceParameters>(sourceAddress),
                pointerTo<const DestinationParameters>(destinationAddress));
    SLUICE_ASSIGN_OR_RETURN(Address partAddress,
                            memory.put(std::span<const ConversionPart>(parts)));
    const std::vector<ConversionShare> blocks =
        sharesOf(shares, pointerTo<const ConversionPart>(partAddress));
    SLUICE_ASSIGN_OR_RETURN(step.launch.argument,
                            memory.put(std::span<const ConversionShare>(blocks)));
    append(std::move(step));
    return Status();
  }

  /// Adds one conversion to those of its launch that come before.
  Status addConversion(std::span<const LaunchLimb> destinations,
                       std::span<const LaunchLimb> sources, bool inColumns, uint32_t region,
                       ConversionLimbs &all) {
    SLUICE_ASSIGN_OR_RETURN(const DeviceConversion *conversion,
                            conversions.get(limbsOf(sources), limbsOf(destinations), memory));
    const bool endsTransform = inColumns && logRowsOf(logN) > 0;
    for (size_t k = 0; k < sources.size(); ++k) {
      const kernels::ConvertSource &source = conversion->host.tables().sources[k];
      const uint64_t row = uint64_t{region} * place.scratchRows + all.sources.size();
      all.sources.push_back({pointerTo<const LimbConstants>(place.limbs[sources[k].limb]),
                             pointerTo<const uint64_t>(slot(sources[k].slot)),
                             pointerTo<uint64_t>(place.scratch + row * rowBytes),
                             factorOf(endsTransform ? source.scaled : source.punctured),
                             factorOf(endsTransform ? source.scaledRoot : source.punctured)});
    }
    for (size_t i = 0; i < destinations.size(); ++i)
      all.destinations.push_back({pointerTo<const LimbConstants>(place.limbs[destinations[i].limb]),
                                  pointerTo<uint64_t>(slot(destinations[i].slot)),
                                  pointerTo<const ConversionFactor>(conversion->factors[i]),
                                  conversion->minusProducts[i]});
    return Status();
  }

  struct Named {
    Kernel kernel;
    uint32_t name;
  };

  const exec::BackendResources &resources;
  const ProgramMemory &place;
  const KeyRowUses &uses;
  const KeyRowPlan &plan;
  DeviceMemory &memory;
  Conversions conversions;
  const unsigned logN;
  const uint64_t rowBytes;
  const Geometry columns, rows, elements;
  ProgramSteps program;
  std::map<std::string, Named> kernels;
  uint32_t nextRegion = 0, copyName = UINT32_MAX;
  size_t nextCopy = 0;
};

} // namespace

KeyRowUses findKeyRows(const LaunchList &launches) {
  KeyRowUses uses;
  std::map<KeyRow, uint32_t> numbers;
  for (const Launch &launch : launches.launches) {
    std::vector<uint32_t> &rows = uses.rowsOf.emplace_back();
    for (uint64_t word : launch.parameters)
      if (isKeyRow(word)) {
        const auto [found, isNew] =
            numbers.try_emplace(keyRowOf(word), static_cast<uint32_t>(uses.rows.size()));
        if (isNew)
          uses.rows.push_back(found->first);
        rows.push_back(found->second);
      }
  }
  return uses;
}

uint32_t widestConversion(const LaunchList &launches) {
  size_t widest = 0;
  for (const Launch &launch : launches.launches)
    if (isConversion(launch.kind))
      widest = std::max(widest, launch.sources.size());
  return static_cast<uint32_t>(widest);
}

const uint64_t *rowOf(const exec::BackendResources &resources, const KeyRow &row) {
  const exec::EvaluationKey &key = *resources.keys[row.key];
  return (row.isA ? key.a : key.b).data() + key.rowOffset(row.digit, row.row);
}

Expected<ProgramSteps> resolveLaunches(const exec::BackendResources &resources,
                                       const ProgramMemory &place, const KeyRowUses &uses,
                                       const KeyRowPlan &plan, DeviceMemory &memory) {
  Resolver resolver(resources, place, uses, plan, memory);
  const std::vector<Launch> &launches = resources.device->launches.launches;
  for (uint32_t number = 0; number < launches.size(); ++number)
    SLUICE_RETURN_IF_ERROR(
        resolver.add(number, launches[number]).withContext("launch " + std::to_string(number)));
  return std::move(resolver).finish();
}

} // namespace sluice::cuda
