//===- costs.h - what kernels cost on one machine ---------------------------------------------===//
//
// Plain data, field for field the cost file of docs/formats.md. runtime/calibrate measures it,
// runtime/wire reads (and checks) and writes it, the compiler forecasts with it.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_COSTS_H
#define SLUICE_RUNTIME_ABI_COSTS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Version of the cost file that this source reads and writes.
inline constexpr uint32_t costsVersion = 2;

/// Degrees at which kernels are timed; others cost what the nearest of these does.
inline constexpr unsigned minCostLogN = 12, maxCostLogN = 16;
inline constexpr size_t costDegrees = maxCostLogN - minCostLogN + 1;

namespace limits {
inline constexpr uint64_t costsBytes = uint64_t(1) << 20;
inline constexpr double costNs = 1e6; // of one residue
inline constexpr double launchNs = 1e9;
inline constexpr size_t reachPoints = 64; // of one degree
inline constexpr uint32_t costThreads = 1024;
inline constexpr size_t costTables = 16;
} // namespace limits

/// What is timed by itself. Most are functions of functions.def (those with a constant cost what
/// the plain ones do); two of them have parts that grow with different numbers.
enum class KernelFamily : uint8_t {
  ntt, // of one butterfly; a limb has N/2 * log2 N
  intt,
  copy, // this and all others: of one residue
  zero,
  add,
  sub,
  negate,
  mul,
  mac,
  mulScalar,
  addScalar,
  subMulScalar,
  automorphism,
  convertSource, // of one source limb, whatever the destinations
  convertDestination,
  convertTerm,  // of one source limb for one destination limb
  innerProduct, // of both results, whatever the digits
  innerProductDigit,
  nttRows,
  inttRows,
  columnsSource, // the parts of base_convert_columns, like those of base_convert
  columnsDestination,
  columnsTerm,
};

/// The names in files, in the order above.
inline constexpr std::array<const char *, 23> kernelFamilyNames = {
    "ntt",
    "intt",
    "copy",
    "zero",
    "add",
    "sub",
    "negate",
    "mul",
    "mac",
    "mul_scalar",
    "add_scalar",
    "sub_mul_scalar",
    "automorphism",
    "base_convert_source",
    "base_convert_destination",
    "base_convert_term",
    "inner_product",
    "inner_product_digit",
    "ntt_rows",
    "intt_rows",
    "base_convert_columns_source",
    "base_convert_columns_destination",
    "base_convert_columns_term",
};
inline constexpr size_t kernelFamilyCount = kernelFamilyNames.size();

/// Nanoseconds when the operands were used just before (on a device: are in registers), and when
/// they come from memory.
struct KernelTime {
  double cached = 0, memory = 0;
};

/// How much of the way from `cached` to `memory` an operand is that was last used when `bytes`
/// other bytes had been touched since.
struct ReachPoint {
  uint64_t bytes = 0;
  double share = 0;
};

/// Costs on a number of threads, for each degree.
struct CostTable {
  uint32_t threads = 1;
  std::array<std::array<KernelTime, kernelFamilyCount>, costDegrees> times;
  std::array<std::vector<ReachPoint>, costDegrees> reach; // by growing bytes
  /// What a launch costs beside the work of its kernel, in nanoseconds, 0 to limits::launchNs: of
  /// devices; nothing on CPUs, whose calls have theirs in the times above.
  std::optional<double> launchNs;

  bool isOfDevice() const { return launchNs.has_value(); }
  static size_t degreeIndex(unsigned logN) {
    return std::clamp(logN, minCostLogN, maxCostLogN) - minCostLogN;
  }
  const KernelTime &time(unsigned logN, KernelFamily family) const {
    return times[degreeIndex(logN)][static_cast<size_t>(family)];
  }
  KernelTime &time(unsigned logN, KernelFamily family) {
    return times[degreeIndex(logN)][static_cast<size_t>(family)];
  }
};

/// A cost file: the processor or the device, the row of kernels, one table for each number of
/// threads, the first for one (a device has one table).
struct Costs {
  std::string cpu, kernels;
  std::vector<CostTable> tables;
};

} // namespace sluice

#endif // SLUICE_RUNTIME_ABI_COSTS_H
