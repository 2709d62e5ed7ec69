//===- run.cpp - the steps of a run ---------------------------------------------------------===//
#include "tools/sluice-run/run.h"

#include "runtime/exec/executor.h"
#include "tools/sluice-run/process_cost.h"
#include "tools/sluice-run/report.h"

#include <chrono>

namespace sluice::run {
namespace {

Expected<std::shared_ptr<const exec::KeySet>>
loadKeys(const Options &options, const exec::Program &program, ThreadPool &pool) {
  if (options.keys.empty())
    return std::shared_ptr<const exec::KeySet>();
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source,
                          wire::Source::openFile(options.keys));
  return exec::KeySet::load(std::move(source), program, pool);
}

Expected<std::vector<wire::Ciphertext>> readInputs(const Options &options,
                                                   const Manifest &manifest) {
  std::vector<wire::Ciphertext> inputs;
  for (const std::string &path : options.inputs) {
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source, wire::Source::openFile(path));
    SLUICE_ASSIGN_OR_RETURN(wire::Ciphertext input,
                            wire::readCiphertext(std::move(source), manifest));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Status writeOutputs(const Options &options, const Manifest &manifest,
                    std::span<const wire::Ciphertext> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> sink,
                            wire::Sink::createFile(options.outputs[i]));
    SLUICE_RETURN_IF_ERROR(wire::writeCiphertext(outputs[i], manifest, std::move(sink)));
  }
  return Status();
}

Expected<Costs> runRepeatedly(const Options &options, exec::Executor &executor,
                              std::span<const wire::Ciphertext> inputs,
                              std::vector<wire::Ciphertext> &outputs) {
  Costs costs;
  for (unsigned run = 0; run < options.repeat; ++run) {
    uint64_t allocations = allocationCount(), faults = minorFaultCount();
    SLUICE_RETURN_IF_ERROR(executor.run(inputs, outputs));
    costs.allocations = allocationCount() - allocations;
    costs.minorFaults = minorFaultCount() - faults;
    costs.computeMs.push_back(executor.statistics().computeMs);
    costs.totalMs.push_back(executor.statistics().totalMs);
  }
  return costs;
}

} // namespace

Status runProgram(const Options &options) {
  SLUICE_ASSIGN_OR_RETURN(unsigned threads, threadCountFromEnvironment());
  ThreadPool pool(threads);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source,
                          wire::Source::openFile(options.program));
  SLUICE_ASSIGN_OR_RETURN(
      std::shared_ptr<const exec::Program> program,
      exec::Program::load(std::move(source), pool, exec::constantFormFor(options.device)));
  const Manifest &manifest = program->manifest();
  if (options.outputs.size() != manifest.outputs.size())
    return Status::error(
        StatusCode::invalidArgument, "'%s' has %zu outputs, but -o was given %zu times",
        manifest.programName.c_str(), manifest.outputs.size(), options.outputs.size());
  SLUICE_ASSIGN_OR_RETURN(std::shared_ptr<const exec::KeySet> keys,
                          loadKeys(options, *program, pool));
  const auto start = std::chrono::steady_clock::now();
  SLUICE_ASSIGN_OR_RETURN(exec::Executor executor,
                          exec::Executor::create(program, keys, pool,
                                                 {.checkCalls = options.checkCalls,
                                                  .device = options.device,
                                                  .timesKernels = !options.profile.empty()}));
  const std::chrono::duration<double, std::milli> prepared =
      std::chrono::steady_clock::now() - start;
  SLUICE_ASSIGN_OR_RETURN(std::vector<wire::Ciphertext> inputs, readInputs(options, manifest));
  std::vector<wire::Ciphertext> outputs;
  SLUICE_ASSIGN_OR_RETURN(Costs costs, runRepeatedly(options, executor, inputs, outputs));
  costs.prepareMs = prepared.count();
  SLUICE_RETURN_IF_ERROR(writeOutputs(options, manifest, outputs));
  if (!options.profile.empty())
    SLUICE_RETURN_IF_ERROR(writeProfile(executor, options.profile));
  if (!options.json)
    return Status();
  std::vector<std::string> hashes;
  hashes.reserve(outputs.size());
  for (const wire::Ciphertext &output : outputs)
    hashes.push_back(residuesHash(output));
  printJson(executor, keys.get(), costs, hashes);
  return Status();
}

} // namespace sluice::run
