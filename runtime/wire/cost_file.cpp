//===- cost_file.cpp - what kernels cost, as bytes -------------------------------------------===//
#include "runtime/wire/cost_file.h"

#include "runtime/wire/json_value.h"

namespace sluice::wire {
namespace {

constexpr const char *formatName = "sluice-costs";
constexpr size_t nameBytes = 256;
constexpr uint64_t maxCount = uint64_t(1) << 53; // JSON numbers are exact up to here

using Json = nlohmann::ordered_json;

//===- Reading ===//

Expected<double> readNumber(const JsonValue &json, double low, double high) {
  SLUICE_ASSIGN_OR_RETURN(double number, json.asNumber());
  if (number < low || number > high)
    return json.error("%g is not in %g to %g", number, low, high);
  return number;
}

/// {"cached": [...], "memory": [...]}, a number for each degree.
Status readTimes(const JsonValue &json, CostTable &table, size_t family) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> cached,
                          json.array("cached", costDegrees, costDegrees));
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> memory,
                          json.array("memory", costDegrees, costDegrees));
  for (size_t degree = 0; degree < costDegrees; ++degree) {
    KernelTime &time = table.times[degree][family];
    SLUICE_ASSIGN_OR_RETURN(time.cached, readNumber(cached[degree], 0, limits::costNs));
    SLUICE_ASSIGN_OR_RETURN(time.memory, readNumber(memory[degree], time.cached, limits::costNs));
  }
  return Status();
}

/// [[bytes, share], ...]
Status readReach(const JsonValue &json, std::vector<ReachPoint> &reach) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> points, json.asArray(0, limits::reachPoints));
  for (const JsonValue &point : points) {
    SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> pair, point.asArray(2, 2));
    ReachPoint last = reach.empty() ? ReachPoint() : reach.back();
    ReachPoint next;
    SLUICE_ASSIGN_OR_RETURN(next.bytes, pair[0].asInteger(last.bytes + 1, maxCount));
    SLUICE_ASSIGN_OR_RETURN(next.share, readNumber(pair[1], last.share, 1));
    reach.push_back(next);
  }
  return Status();
}

Expected<CostTable> readTable(const JsonValue &json) {
  CostTable table;
  SLUICE_ASSIGN_OR_RETURN(uint64_t threads, json.integer("threads", 1, limits::costThreads));
  table.threads = static_cast<uint32_t>(threads);
  SLUICE_ASSIGN_OR_RETURN(JsonValue ns, json.field("ns"));
  for (size_t family = 0; family < kernelFamilyCount; ++family) {
    SLUICE_ASSIGN_OR_RETURN(JsonValue times, ns.field(kernelFamilyNames[family]));
    SLUICE_RETURN_IF_ERROR(readTimes(times, table, family));
  }
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> reach,
                          json.array("reach", costDegrees, costDegrees));
  for (size_t degree = 0; degree < costDegrees; ++degree)
    SLUICE_RETURN_IF_ERROR(readReach(reach[degree], table.reach[degree]));
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> launch, json.optionalField("launch_ns"));
  if (launch) {
    SLUICE_ASSIGN_OR_RETURN(table.launchNs, readNumber(*launch, 0, limits::launchNs));
  }
  return table;
}

Status readTables(const JsonValue &root, Costs &costs) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> tables,
                          root.array("tables", 1, limits::costTables));
  for (const JsonValue &json : tables) {
    SLUICE_ASSIGN_OR_RETURN(CostTable table, readTable(json));
    if (costs.tables.empty() && table.threads != 1)
      return json.error("is for %u threads, but the first table is for one", table.threads);
    for (const CostTable &other : costs.tables)
      if (other.threads == table.threads)
        return json.error("is a second table for %u threads", table.threads);
    costs.tables.push_back(std::move(table));
  }
  return Status();
}

/// The degrees are those of this version; they stand in the file for its readers.
Status readDegrees(const JsonValue &root) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> degrees,
                          root.array("log_n", costDegrees, costDegrees));
  for (size_t degree = 0; degree < costDegrees; ++degree)
    SLUICE_RETURN_IF_ERROR(
        degrees[degree].asInteger(minCostLogN + degree, minCostLogN + degree).status());
  return Status();
}

//===- Writing ===//

Json timesJson(const CostTable &table, size_t family) {
  Json cached = Json::array(), memory = Json::array();
  for (const auto &times : table.times) {
    cached.push_back(times[family].cached);
    memory.push_back(times[family].memory);
  }
  return {{"cached", cached}, {"memory", memory}};
}

Json tableJson(const CostTable &table) {
  Json ns, reach = Json::array();
  for (size_t family = 0; family < kernelFamilyCount; ++family)
    ns[kernelFamilyNames[family]] = timesJson(table, family);
  for (const std::vector<ReachPoint> &points : table.reach) {
    Json list = Json::array();
    for (const ReachPoint &point : points)
      list.push_back(Json::array({point.bytes, point.share}));
    reach.push_back(list);
  }
  Json json = {{"threads", table.threads}, {"ns", ns}, {"reach", reach}};
  if (table.launchNs)
    json["launch_ns"] = *table.launchNs;
  return json;
}

} // namespace

Expected<Costs> readCosts(std::span<const uint8_t> bytes, const std::string &name) {
  if (bytes.size() > limits::costsBytes)
    return Status::error(StatusCode::corruptFile, "%s: %zu bytes, but a cost file has at most %llu",
                         name.c_str(), bytes.size(),
                         static_cast<unsigned long long>(limits::costsBytes));
  SLUICE_ASSIGN_OR_RETURN(nlohmann::json document, parseJson(bytes, name));
  JsonValue root(document, name);
  SLUICE_ASSIGN_OR_RETURN(uint32_t version,
                          root.checkFormat({.format = formatName,
                                            .holder = "a cost file",
                                            .versionName = "cost file version",
                                            .newestVersion = costsVersion,
                                            .reader = "program",
                                            .remedy = "update Sluice, or calibrate again"}));
  if (version < costsVersion)
    return Status::error(StatusCode::unsupportedVersion,
                         "%s: cost file version %u lacks kernels that version %u has: calibrate "
                         "again",
                         name.c_str(), version, costsVersion);
  Costs costs;
  SLUICE_ASSIGN_OR_RETURN(costs.cpu, root.text("cpu", nameBytes));
  SLUICE_ASSIGN_OR_RETURN(costs.kernels, root.text("kernels", nameBytes));
  SLUICE_RETURN_IF_ERROR(readDegrees(root));
  SLUICE_RETURN_IF_ERROR(readTables(root, costs));
  return costs;
}

std::string writeCosts(const Costs &costs) {
  Json json = {{"format", formatName},
               {"version", costsVersion},
               {"cpu", costs.cpu},
               {"kernels", costs.kernels}};
  for (unsigned logN = minCostLogN; logN <= maxCostLogN; ++logN)
    json["log_n"].push_back(logN);
  json["tables"] = Json::array();
  for (const CostTable &table : costs.tables)
    json["tables"].push_back(tableJson(table));
  return toText(json, 1) + "\n";
}

} // namespace sluice::wire
