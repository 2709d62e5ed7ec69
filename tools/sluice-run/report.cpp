//===- report.cpp - what a run cost, as JSON ------------------------------------------------===//
#include "tools/sluice-run/report.h"

#include "tools/sluice-run/process_cost.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sodium.h>

namespace sluice::run {

static nlohmann::ordered_json functionsJson(const exec::Backend &backend) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const exec::FunctionUsage &usage : backend.usage())
    if (usage.calls > 0)
      list.push_back({{"name", usage.name},
                      {"calls", usage.calls},
                      {"limbs", usage.limbs},
                      {"ms", static_cast<double>(usage.nanoseconds) * 1e-6},
                      {"bytes", usage.bytes}});
  return list;
}

static nlohmann::ordered_json stagesJson(const exec::Executor &executor) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto &[name, milliseconds] : executor.stagesMs())
    list.push_back({{"name", name}, {"ms", milliseconds}});
  return list;
}

/// The least and the median of all runs but the first, which warms up, unless it is the only one.
static nlohmann::ordered_json warmJson(std::vector<double> times) {
  if (times.size() > 1)
    times.erase(times.begin());
  std::ranges::sort(times);
  return {{"min", times.front()}, {"median", times[times.size() / 2]}};
}

std::string residuesHash(const wire::Ciphertext &output) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  for (const ring::Poly &poly : output.polynomials) {
    const std::span<const uint64_t> words = poly.view().span();
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char *>(words.data()),
                              words.size_bytes());
  }
  std::array<uint8_t, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256_final(&state, hash.data());
  std::string text(2 * hash.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  text.pop_back();
  return text;
}

Status writeProfile(const exec::Executor &executor, const std::string &path) {
  const nlohmann::ordered_json json = {
      {"program", executor.program().manifest().programName},
      {"backend", executor.backend().description()},
      {"compute_ms", executor.statistics().computeMs},
      {"stages", stagesJson(executor)},
      {"kernels", functionsJson(executor.backend())},
  };
  const std::string text = json.dump(2) + "\n";
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> sink, wire::Sink::createFile(path));
  SLUICE_RETURN_IF_ERROR(
      sink->write({reinterpret_cast<const uint8_t *>(text.data()), text.size()}));
  return sink->commit();
}

void printJson(const exec::Executor &executor, const exec::KeySet *keys, const Costs &costs,
               const std::vector<std::string> &hashes) {
  const exec::LoadStatistics &load = executor.program().statistics();
  nlohmann::ordered_json json = {
      {"program", executor.program().manifest().programName},
      {"backend", executor.backend().description()},
      {"time_ms", executor.statistics().totalMs},
      {"compute_ms", executor.statistics().computeMs},
      {"runs_ms", costs.computeMs},
      {"warm_ms", warmJson(costs.computeMs)},
      {"warm_total_ms", warmJson(costs.totalMs)},
      {"load_ms", load.totalMs},
      {"encode_ms", load.encodeMs},
      {"constants", load.constants},
      {"constant_bytes", load.constantBytes},
      {"keys_ms", keys ? keys->loadMs() : 0.0},
      {"key_bytes", keys ? keys->bytes() : 0},
      {"prepare_ms", costs.prepareMs},
      {"arena_bytes", executor.backend().arenaBytes()},
      {"peak_memory_bytes", peakMemoryBytes()},
      {"allocations", costs.allocations},
      {"minor_faults", costs.minorFaults},
      {"stages", stagesJson(executor)},
      {"functions", functionsJson(executor.backend())},
      {"outputs", hashes},
  };
  std::printf("%s\n", json.dump(2).c_str());
}

} // namespace sluice::run
