//===- report.cpp - what a run cost, as JSON ------------------------------------------------===//
#include "tools/sluice-run/report.h"

#include "tools/sluice-run/process_cost.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace sluice::run {

static nlohmann::ordered_json functionsJson(const exec::Backend &backend) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const exec::FunctionUsage &usage : backend.usage())
    if (usage.calls > 0)
      list.push_back({{"name", usage.name},
                      {"calls", usage.calls},
                      {"limbs", usage.limbs},
                      {"ms", static_cast<double>(usage.nanoseconds) * 1e-6}});
  return list;
}

static nlohmann::ordered_json stagesJson(const exec::Executor &executor) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto &[name, milliseconds] : executor.stagesMs())
    list.push_back({{"name", name}, {"ms", milliseconds}});
  return list;
}

void printJson(const exec::Executor &executor, const exec::KeySet *keys, const Costs &costs) {
  const exec::LoadStatistics &load = executor.program().statistics();
  nlohmann::ordered_json json = {
      {"program", executor.program().manifest().programName},
      {"backend", executor.backend().description()},
      {"time_ms", executor.statistics().totalMs},
      {"compute_ms", executor.statistics().computeMs},
      {"runs_ms", costs.computeMs},
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
      {"stages", stagesJson(executor)},
      {"functions", functionsJson(executor.backend())},
  };
  std::printf("%s\n", json.dump(2).c_str());
}

} // namespace sluice::run
