//===- Report.cpp - what the compiler decided, for people and tools ---------------------------===//

#include "passes/driver/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

using nlohmann::ordered_json;

namespace sluice {

namespace {

void printCounts(llvm::raw_ostream &out, llvm::StringRef title,
                 const std::map<std::string, uint64_t> &counts) {
  if (counts.empty())
    return;
  out << title;
  const char *separator = " ";
  for (const auto &[name, count] : counts) {
    out << separator << count << " " << name;
    separator = ", ";
  }
  out << "\n";
}

void printTensors(llvm::raw_ostream &out, llvm::StringRef title,
                  const std::vector<ManifestTensor> &tensors) {
  for (const ManifestTensor &tensor : tensors) {
    out << title << " " << tensor.name << ": shape (";
    for (size_t dimension = 0; dimension < tensor.shape.size(); ++dimension)
      out << (dimension ? ", " : "") << tensor.shape[dimension];
    out << "), " << tensor.lanes << " lanes, batch " << tensor.batch << ", level " << tensor.level
        << ", scale " << tensor.scale.exact;
    if (tensor.rangeLow < tensor.rangeHigh)
      out << llvm::format(", range [%g, %g]", tensor.rangeLow, tensor.rangeHigh);
    out << "\n";
  }
}

void printSecurity(llvm::raw_ostream &out, const Manifest &manifest) {
  const ManifestSecurity &security = manifest.security;
  out << "security    ";
  if (security.insecure)
    out << "INSECURE (log2 PQ " << llvm::format("%.1f", security.logQP)
        << ", no row of the table allows it)\n";
  else
    out << llvm::format("%.0f", security.bits) << " bits: log2 PQ "
        << llvm::format("%.1f", security.logQP) << " <= " << security.limit << " (" << security.row
        << ")\n";
}

ordered_json candidatesJson(const std::vector<PlanCandidate> &candidates) {
  ordered_json list = ordered_json::array();
  for (const PlanCandidate &one : candidates) {
    ordered_json entry = {{"verdict", verdictName(one.verdict)},
                          {"log_n", one.logN},
                          {"parameters", one.description},
                          {"time_ms", one.timeMs},
                          {"bits", one.bits},
                          {"key_bytes", one.keyBytes},
                          {"log_qp", one.logQP},
                          {"log_q_left", one.logQLeft}};
    if (!one.reason.empty())
      entry["reason"] = one.reason;
    list.push_back(std::move(entry));
  }
  return list;
}

} // namespace

std::string formatBytes(uint64_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < std::size(units); ++unit)
    amount /= 1024;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(unit == 0 ? "%.0f " : "%.1f ", amount)
                                 << units[unit];
  return text;
}

uint64_t keyFileBytes(const ManifestKey &key, uint32_t logN) {
  return (uint64_t(key.digits.size()) * key.limbs.size() * sizeof(uint64_t)) << logN;
}

std::string formatReport(const Report &report) {
  const Manifest &manifest = report.manifest;
  const ManifestForecast &forecast = manifest.forecast;
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!manifest.limbs.empty()) {
    out << "program     " << manifest.programName << "\n";
    printSecurity(out, manifest);
    out << "ring        N = 2^" << manifest.logN << ", " << manifest.limbs.size() << " limbs ("
        << manifest.special.size() << " special), " << manifest.levels.size() << " levels, "
        << manifest.slots << " slots\n";
    printTensors(out, "input      ", manifest.inputs);
    printTensors(out, "output     ", manifest.outputs);
    if (forecast.precisionBits > 0)
      out << "precision   " << llvm::format("%.1f", forecast.precisionBits) << " bits expected\n";
    out << "keys        " << manifest.evaluationKeys.size() << ", "
        << formatBytes(forecast.keyBytes) << " in the file, " << formatBytes(2 * forecast.keyBytes)
        << " in the server's memory\n";
    out << "arena       " << report.arenaSlots << " slots and " << report.scratchSlots
        << " of a thread, " << formatBytes(forecast.arenaBytes) << "\n";
    if (forecast.timeMs > 0)
      out << "time        " << llvm::format("%.3g", forecast.timeMs)
          << " ms on one thread expected\n";
  }
  printCounts(out, "circuit    ", report.circuitOperations);
  printCounts(out, "kernels    ", report.kernelCalls);
  if (!report.candidates.empty())
    out << formatCandidates(report.candidates);
  if (report.artifactBytes)
    out << "artifact    " << formatBytes(report.artifactBytes) << " (code "
        << formatBytes(report.codeBytes) << ")\n";
  out << "compiled in " << llvm::format("%.0f", report.compileMs) << " ms:";
  for (const auto &[phase, ms] : report.phaseMs)
    out << " " << phase << llvm::format(" %.0f", ms);
  out << "\n";
  return text;
}

std::string formatReportJson(const Report &report) {
  const Manifest &manifest = report.manifest;
  const ManifestForecast &forecast = manifest.forecast;
  ordered_json json;
  if (!manifest.limbs.empty()) {
    json["name"] = manifest.programName;
    json["security"] = {{"bits", manifest.security.bits},
                        {"insecure", manifest.security.insecure},
                        {"log_qp", manifest.security.logQP},
                        {"limit", manifest.security.limit},
                        {"row", manifest.security.row}};
    json["log_n"] = manifest.logN;
    json["limbs"] = manifest.limbs.size();
    json["levels"] = manifest.levels.size();
    json["slots"] = manifest.slots;
    if (forecast.precisionBits > 0)
      json["precision_bits"] = forecast.precisionBits;
    json["keys"] = ordered_json::array();
    for (const ManifestKey &key : manifest.evaluationKeys)
      json["keys"].push_back({{"kind", keyKindName(key.kind)},
                              {"element", key.element},
                              {"limbs", key.limbs.size()},
                              {"digits", key.digits.size()},
                              {"bytes", keyFileBytes(key, manifest.logN)}});
    json["key_bytes"] = forecast.keyBytes;
    json["arena_slots"] = report.arenaSlots;
    json["scratch_slots"] = report.scratchSlots;
    json["arena_bytes"] = forecast.arenaBytes;
    json["time_ms"] = forecast.timeMs;
  }
  json["circuit_operations"] = report.circuitOperations;
  json["kernel_calls"] = report.kernelCalls;
  json["kernel_times"] = ordered_json::object();
  for (const auto &[family, total] : report.kernelTimes)
    json["kernel_times"][family] = {{"limbs", total.limbs}, {"ms", total.ms}};
  json["candidates"] = candidatesJson(report.candidates);
  json["artifact_bytes"] = report.artifactBytes;
  json["code_bytes"] = report.codeBytes;
  for (const auto &[phase, ms] : report.phaseMs)
    json["phase_ms"][phase] = ms;
  json["compile_ms"] = report.compileMs;
  return json.dump(2);
}

} // namespace sluice
