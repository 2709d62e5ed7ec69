//===- executor.cpp - runs a program on ciphertexts -----------------------------------------===//
#include "runtime/exec/executor.h"

#include "runtime/cpu/backend.h"
#include "runtime/cuda/backend.h"

#include <chrono>

namespace sluice::exec {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Status expectKeysFor(const Program &program, const KeySet *keys) {
  if (!keys && !program.section().keys.empty())
    return Status::error(StatusCode::notFound, "program '%s' needs evaluation keys",
                         program.manifest().programName.c_str());
  if (keys && keys->programId() != program.manifest().programId)
    return Status::error(StatusCode::mismatch,
                         "the evaluation keys are for program %.16s…, but this is program %.16s… "
                         "('%s')",
                         keys->programId().c_str(), program.manifest().programId.c_str(),
                         program.manifest().programName.c_str());
  return Status();
}

BackendResources resourcesOf(const Program &program, const KeySet *keys) {
  BackendResources resources;
  resources.ring = program.ring();
  resources.arenaSlots = program.section().arenaSlots;
  resources.scratchSlots = program.section().scratchSlots;
  resources.stages = static_cast<uint32_t>(program.section().stages.size());
  resources.constants.assign(program.constants().begin(), program.constants().end());
  resources.coefficients.assign(program.coefficients().begin(), program.coefficients().end());
  resources.device = program.device();
  for (uint32_t key : program.section().keys)
    resources.keys.push_back(keys->keys()[key]);
  return resources;
}

/// Whether elements stand in the ciphertexts of both alike, at one level and scale.
bool areAlike(const ManifestTensor &a, const ManifestTensor &b) {
  return a.shape == b.shape && a.lanes == b.lanes && a.batch == b.batch && a.batched == b.batched &&
         a.isComplex == b.isComplex && a.level == b.level && a.scale.exact == b.scale.exact;
}

/// The input for which `ciphertext` is given: its own, or of an output the one of its name.
Expected<uint32_t> findInput(const Manifest &manifest, const wire::Ciphertext &ciphertext) {
  const bool isInput = ciphertext.direction == wire::Direction::input;
  const std::vector<ManifestTensor> &own = isInput ? manifest.inputs : manifest.outputs;
  if (ciphertext.index >= own.size())
    return Status::error(StatusCode::invalidArgument, "%s %u was given, but '%s' has %zu",
                         isInput ? "input" : "output", ciphertext.index,
                         manifest.programName.c_str(), own.size());
  if (isInput)
    return ciphertext.index;
  const ManifestTensor &output = own[ciphertext.index];
  for (uint32_t index = 0; index < manifest.inputs.size(); ++index)
    if (manifest.inputs[index].name == output.name && areAlike(manifest.inputs[index], output))
      return index;
  return Status::error(StatusCode::invalidArgument,
                       "output '%s' was given, but '%s' has no input of that name, shape, level "
                       "and scale",
                       output.name.c_str(), manifest.programName.c_str());
}

} // namespace

Expected<Executor> Executor::create(std::shared_ptr<const Program> program,
                                    std::shared_ptr<const KeySet> keys, ThreadPool &pool,
                                    const ExecutorOptions &options) {
  SLUICE_RETURN_IF_ERROR(expectKeysFor(*program, keys.get()));
  BackendResources resources = resourcesOf(*program, keys.get());
  Executor executor;
  if (isCpu(options.device)) {
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<CalledBackend> machine,
                            cpu::createBackend(resources, pool));
    if (options.checkCalls)
      executor.checker = std::make_unique<CallChecker>(std::move(resources), *machine);
    executor.machine = std::move(machine);
  } else {
    if (options.checkCalls)
      return Status::error(StatusCode::invalidArgument,
                           "calls are checked on the CPU only: '%s' makes none",
                           options.device.c_str());
    assert(resources.device && "the program was loaded for the CPU");
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<cuda::Device> device,
                            cuda::openDevice(options.device, pool));
    SLUICE_ASSIGN_OR_RETURN(executor.machine,
                            cuda::createBackend(std::move(resources), std::move(device), pool,
                                                {.timesKernels = options.timesKernels}));
  }
  executor.ordered.resize(program->manifest().inputs.size());
  executor.loaded = std::move(program);
  executor.keySet = std::move(keys);
  return executor;
}

Expected<uint32_t> Executor::checkInput(const wire::Ciphertext &input) const {
  const Manifest &manifest = loaded->manifest();
  SLUICE_ASSIGN_OR_RETURN(uint32_t index, findInput(manifest, input));
  const ManifestTensor &tensor = manifest.inputs[index];
  size_t limbs = manifest.levels[tensor.level].size();
  if (input.polynomials.size() != 2)
    return Status::error(StatusCode::invalidArgument, "input '%s' has %zu polynomials, not 2",
                         tensor.name.c_str(), input.polynomials.size());
  for (const ring::Poly &poly : input.polynomials)
    if (poly.limbCount() != limbs || poly.view().degree != manifest.degree())
      return Status::error(StatusCode::mismatch,
                           "input '%s' has %zu limbs of %zu words, but level %u of '%s' has %zu "
                           "limbs of %llu",
                           tensor.name.c_str(), poly.limbCount(), poly.view().degree, tensor.level,
                           manifest.programName.c_str(), limbs,
                           static_cast<unsigned long long>(manifest.degree()));
  if (keySet && input.keyId != keySet->keyId())
    return Status::error(StatusCode::mismatch,
                         "input '%s' was encrypted under key %s, but the evaluation keys belong to "
                         "key %s",
                         tensor.name.c_str(), input.keyId.c_str(), keySet->keyId().c_str());
  return index;
}

/// Fills `ordered`, and checks what the inputs must have in common.
Status Executor::orderInputs(std::span<const wire::Ciphertext> inputs) {
  const Manifest &manifest = loaded->manifest();
  std::fill(ordered.begin(), ordered.end(), nullptr);
  for (const wire::Ciphertext &input : inputs) {
    SLUICE_ASSIGN_OR_RETURN(uint32_t index, checkInput(input));
    if (ordered[index])
      return Status::error(StatusCode::invalidArgument, "input '%s' was given twice",
                           manifest.inputs[index].name.c_str());
    ordered[index] = &input;
  }
  const wire::Ciphertext *batched = nullptr;
  for (size_t i = 0; i < ordered.size(); ++i) {
    const char *name = manifest.inputs[i].name.c_str();
    if (!ordered[i])
      return Status::error(StatusCode::notFound, "input '%s' of '%s' is missing", name,
                           manifest.programName.c_str());
    if (ordered[i]->keyId != ordered[0]->keyId)
      return Status::error(StatusCode::mismatch,
                           "inputs '%s' and '%s' were encrypted under different keys",
                           manifest.inputs[0].name.c_str(), name);
    if (!manifest.inputs[i].batched)
      continue;
    if (batched && batched->items != ordered[i]->items)
      return Status::error(
          StatusCode::mismatch, "input '%s' holds %llu items, but input '%s' holds %llu",
          batched->tensor(manifest).name.c_str(), static_cast<unsigned long long>(batched->items),
          name, static_cast<unsigned long long>(ordered[i]->items));
    batched = ordered[i];
  }
  return Status();
}

Status Executor::callProgram() {
  SLUICE_ASSIGN_OR_RETURN(const int32_t result,
                          checker
                              ? checker->run(loaded->entry(), loaded->manifest(), loaded->section())
                              : machine->run(loaded->entry()));
  if (result != 0)
    return Status::error(StatusCode::internal, "program '%s' returned %d, not 0",
                         loaded->manifest().programName.c_str(), result);
  return Status();
}

/// Outputs that have the right shape already are overwritten in place.
Status Executor::readOutputs(std::vector<wire::Ciphertext> &outputs) const {
  const Manifest &manifest = loaded->manifest();
  uint64_t items = 1;
  for (size_t i = 0; i < ordered.size(); ++i)
    if (manifest.inputs[i].batched)
      items = ordered[i]->items;
  outputs.resize(manifest.outputs.size());
  for (uint32_t index = 0; index < outputs.size(); ++index) {
    wire::Ciphertext &output = outputs[index];
    const ManifestTensor &tensor = manifest.outputs[index];
    const ProgramPort &port = loaded->section().outputs[index];
    output.keyId = ordered[0]->keyId;
    output.direction = wire::Direction::output;
    output.index = index;
    output.items = tensor.batched ? std::min(items, tensor.batch) : 1;
    output.seed.reset();
    output.polynomials.resize(port.slots.size());
    for (size_t p = 0; p < port.slots.size(); ++p) {
      ring::Poly &poly = output.polynomials[p];
      if (poly.limbCount() != port.slots[p].size() || poly.view().degree != manifest.degree())
        poly = ring::Poly(port.slots[p].size(), manifest.degree());
      SLUICE_RETURN_IF_ERROR(machine->read(port.slots[p], poly.view()));
    }
  }
  return Status();
}

std::vector<std::pair<std::string, double>> Executor::stagesMs() const {
  const std::vector<std::string> &names = loaded->section().stages;
  std::vector<std::pair<std::string, double>> stages;
  stages.reserve(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    stages.emplace_back(names[i], static_cast<double>(machine->stageUsage()[i]) * 1e-6);
  return stages;
}

Status Executor::run(std::span<const wire::Ciphertext> inputs,
                     std::vector<wire::Ciphertext> &outputs) {
  Clock::time_point start = Clock::now();
  SLUICE_RETURN_IF_ERROR(orderInputs(inputs));
  for (size_t i = 0; i < ordered.size(); ++i) {
    const ProgramPort &port = loaded->section().inputs[i];
    for (size_t p = 0; p < port.slots.size(); ++p)
      SLUICE_RETURN_IF_ERROR(machine->write(port.slots[p], ordered[i]->polynomials[p].view()));
  }
  machine->resetUsage();
  Clock::time_point computeStart = Clock::now();
  SLUICE_RETURN_IF_ERROR(callProgram());
  lastRun.computeMs = millisecondsSince(computeStart);
  SLUICE_RETURN_IF_ERROR(readOutputs(outputs));
  lastRun.totalMs = millisecondsSince(start);
  return Status();
}

} // namespace sluice::exec
