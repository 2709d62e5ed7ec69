//===- main.cpp - sluice-run: runs a compiled program on ciphertexts
//---------------------------===//
#include "runtime/exec/executor.h"
#include "tools/sluice-run/options.h"
#include "tools/sluice-run/process_cost.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace sluice::run {
namespace {

/// What the last run cost, and what it took to get there.
struct Costs {
  uint64_t allocations = 0, minorFaults = 0;
};

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
    costs = {allocationCount() - allocations, minorFaultCount() - faults};
  }
  return costs;
}

nlohmann::ordered_json functionsJson(const exec::Backend &backend) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const exec::FunctionUsage &usage : backend.usage())
    if (usage.calls > 0)
      list.push_back({{"name", usage.name},
                      {"calls", usage.calls},
                      {"limbs", usage.limbs},
                      {"ms", static_cast<double>(usage.nanoseconds) * 1e-6}});
  return list;
}

void printJson(const exec::Executor &executor, const exec::KeySet *keys, const Costs &costs) {
  const exec::LoadStatistics &load = executor.program().statistics();
  nlohmann::ordered_json json = {
      {"program", executor.program().manifest().programName},
      {"backend", executor.backend().description()},
      {"time_ms", executor.statistics().totalMs},
      {"compute_ms", executor.statistics().computeMs},
      {"load_ms", load.totalMs},
      {"encode_ms", load.encodeMs},
      {"constants", load.constants},
      {"constant_bytes", load.constantBytes},
      {"keys_ms", keys ? keys->loadMs() : 0.0},
      {"key_bytes", keys ? keys->bytes() : 0},
      {"arena_bytes", executor.backend().arenaBytes()},
      {"peak_memory_bytes", peakMemoryBytes()},
      {"allocations", costs.allocations},
      {"minor_faults", costs.minorFaults},
      {"functions", functionsJson(executor.backend())},
  };
  std::printf("%s\n", json.dump(2).c_str());
}

Status run(const Options &options) {
  SLUICE_ASSIGN_OR_RETURN(unsigned threads, threadCountFromEnvironment());
  ThreadPool pool(threads);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> source,
                          wire::Source::openFile(options.program));
  SLUICE_ASSIGN_OR_RETURN(std::shared_ptr<const exec::Program> program,
                          exec::Program::load(std::move(source), pool));
  const Manifest &manifest = program->manifest();
  if (options.outputs.size() != manifest.outputs.size())
    return Status::error(
        StatusCode::invalidArgument, "'%s' has %zu outputs, but -o was given %zu times",
        manifest.programName.c_str(), manifest.outputs.size(), options.outputs.size());
  SLUICE_ASSIGN_OR_RETURN(std::shared_ptr<const exec::KeySet> keys,
                          loadKeys(options, *program, pool));
  SLUICE_ASSIGN_OR_RETURN(
      exec::Executor executor,
      exec::Executor::create(program, keys, pool, {.checkCalls = options.checkCalls}));
  SLUICE_ASSIGN_OR_RETURN(std::vector<wire::Ciphertext> inputs, readInputs(options, manifest));
  std::vector<wire::Ciphertext> outputs;
  SLUICE_ASSIGN_OR_RETURN(Costs costs, runRepeatedly(options, executor, inputs, outputs));
  SLUICE_RETURN_IF_ERROR(writeOutputs(options, manifest, outputs));
  if (options.json)
    printJson(executor, keys.get(), costs);
  return Status();
}

int main(std::span<const char *const> arguments) {
  Expected<Options> options = parseOptions(arguments);
  if (!options) {
    std::fprintf(stderr, "sluice-run: %s\n%s", options.message().c_str(), usageText);
    return 2;
  }
  if (options->help) {
    std::fputs(usageText, stdout);
    return 0;
  }
  if (options->version) {
    std::puts("sluice-run " SLUICE_VERSION);
    return 0;
  }
  Status status = run(*options);
  if (status.isOk())
    return 0;
  std::fprintf(stderr, "sluice-run: error: %s\n", status.message().c_str());
  return 1;
}

} // namespace
} // namespace sluice::run

int main(int argc, char **argv) {
  return sluice::run::main({argv + 1, static_cast<size_t>(argc - 1)});
}
