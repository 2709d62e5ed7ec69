//===- calibrate.cpp - times every family of kernels on this machine --------------------------===//
//
// Through the backend's functions, so that what surrounds a kernel counts as it does in a program.
// All probes of one degree are timed in turns, several times, and the shortest time of each counts:
// a disturbance would have to meet the same probe every time.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/calibrate/calibrate.h"

#include "runtime/calibrate/machine.h"

#include <chrono>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>

namespace sluice::calibrate {
namespace {

using Clock = std::chrono::steady_clock;

/// Something to time: what one call costs, in nanoseconds.
class Probe {
public:
  /// The first `warmUps` calls of every sample are not timed; `calls` and more are.
  Probe(std::function<void()> call, uint64_t warmUps, uint64_t calls)
      : call(std::move(call)), warmUps(warmUps), fewestCalls(calls) {}

  /// Done before every sample, and not timed.
  void setPreparation(std::function<void()> prepare) { preparation = std::move(prepare); }

  void sample(double milliseconds) {
    if (preparation)
      preparation();
    for (uint64_t n = 0; n < warmUps; ++n)
      call();
    auto start = Clock::now();
    double elapsed = 0;
    uint64_t calls = 0;
    do {
      for (uint64_t n = 0; n < fewestCalls; ++n)
        call();
      calls += fewestCalls;
      elapsed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    } while (elapsed < milliseconds * 1e6);
    best = std::min(best, elapsed / static_cast<double>(calls));
  }
  double ns() const { return best; }

private:
  std::function<void()> call, preparation;
  uint64_t warmUps, fewestCalls;
  double best = std::numeric_limits<double>::infinity();
};

struct ConvertShape {
  uint32_t sources, destinations;
};
/// Between the smallest and the largest that key switches and rescales of 50-bit limbs have.
constexpr ConvertShape convertShapes[] = {{1, 4}, {1, 16}, {3, 4}, {3, 16}, {6, 8}};
constexpr uint32_t digitCounts[] = {1, 2, 4, 6};
constexpr Operands bothPlaces[] = {Operands::cached, Operands::memory};

/// All probes of one degree on one pool.
class Calibration {
public:
  explicit Calibration(Machine &machine) : machine(machine) {
    addLimbProbes();
    for (Operands from : bothPlaces) {
      for (ConvertShape shape : convertShapes)
        add([=, &m = machine] { m.baseConvert(from, shape.sources, shape.destinations); });
      for (ConvertShape shape : convertShapes)
        add([=, &m = machine] { m.convertColumns(from, shape.sources, shape.destinations); },
            Contents::halfIntt);
      for (uint32_t digits : digitCounts)
        add([=, &m = machine] { m.innerProduct(from, digits); });
    }
    for (uint32_t slots = 3; 2 * slots <= machine.slotCount(); slots *= 2)
      addReachProbe(slots);
    addReachProbe(machine.slotCount() / 3 * 3);
  }

  void measure(Effort effort) {
    for (unsigned n = 0; n < effort.samples; ++n)
      for (Probe &probe : probes)
        probe.sample(effort.sampleMs);
  }

  void fill(CostTable &table, unsigned logN) const {
    auto degree = static_cast<double>(machine.degree());
    size_t next = 0;
    for (KernelFamily family : limbFamilies) {
      bool isTransform = family == KernelFamily::ntt || family == KernelFamily::intt;
      double units = machine.limbsPerCall() * degree * (isTransform ? logN / 2.0 : 1);
      double cached = probes[next++].ns() / units, memory = probes[next++].ns() / units;
      setTime(table.time(logN, family), cached, memory);
    }
    fillGroups(table, logN, next);
    fillReach(table.reach[CostTable::degreeIndex(logN)]);
  }

private:
  static constexpr KernelFamily limbFamilies[] = {
      KernelFamily::ntt,          KernelFamily::intt,      KernelFamily::negate,
      KernelFamily::add,          KernelFamily::sub,       KernelFamily::mul,
      KernelFamily::mulScalar,    KernelFamily::addScalar, KernelFamily::copy,
      KernelFamily::zero,         KernelFamily::mac,       KernelFamily::subMulScalar,
      KernelFamily::automorphism, KernelFamily::nttRows,   KernelFamily::inttRows,
  };

  /// With operands of certain contents, or of those that the probes before left.
  void add(std::function<void()> call, std::optional<Contents> contents = {}) {
    probes.emplace_back(std::move(call), 2, 1);
    if (contents)
      probes.back().setPreparation([this, contents] { machine.prepare(*contents); });
  }
  /// From the caches and from memory, in the order of limbFamilies.
  void addBoth(const std::function<void(Operands)> &call, std::optional<Contents> contents = {}) {
    for (Operands from : bothPlaces)
      add([=] { call(from); }, contents);
  }

  void addLimbProbes() {
    using F = sluice_functions;
    Machine &m = machine;
    for (auto function : {&F::ntt, &F::intt, &F::negate})
      addBoth([=, &m](Operands from) { m.unary(from, function); });
    for (auto function : {&F::add, &F::sub, &F::mul})
      addBoth([=, &m](Operands from) { m.binary(from, function); });
    for (auto function : {&F::mul_scalar, &F::add_scalar})
      addBoth([=, &m](Operands from) { m.scalar(from, function); });
    addBoth([&m](Operands from) { m.copy(from); });
    addBoth([&m](Operands from) { m.zero(from); });
    addBoth([&m](Operands from) { m.mac(from); });
    addBoth([&m](Operands from) { m.subMulScalar(from); });
    addBoth([&m](Operands from) { m.automorphism(from); });
    addBoth([&m](Operands from) { m.transformRows(from, &F::ntt_rows); }, Contents::halfNtt);
    addBoth([&m](Operands from) { m.transformRows(from, &F::intt_rows); }, Contents::residues);
  }

  /// Goes through `slots` slots again and again, once before it counts.
  void addReachProbe(uint32_t slots) {
    uint64_t sweep = slots / 3;
    probes.emplace_back([=, this] { machine.addWithin(slots); }, sweep, sweep);
    reachBytes.push_back(uint64_t{slots} * machine.degree() * sizeof(uint64_t));
  }

  static void setTime(KernelTime &time, double cached, double memory) {
    time = {cached, std::max(cached, memory)};
  }

  /// Conversions and inner products, whose probes begin at `next`.
  void fillGroups(CostTable &table, unsigned logN, size_t next) const {
    auto degree = static_cast<double>(machine.degree());
    std::array<double, 3> convert[2], columns[2], product[2];
    for (size_t place = 0; place < 2; ++place) {
      for (auto *parts : {convert, columns}) {
        std::vector<TimedSum> conversions;
        for (ConvertShape shape : convertShapes) {
          double s = shape.sources, d = shape.destinations;
          conversions.push_back({{s, d, s * d}, probes[next++].ns() / degree});
        }
        parts[place] = fitParts(conversions);
      }
      std::vector<TimedSum> products;
      for (uint32_t digits : digitCounts)
        products.push_back({{1, static_cast<double>(digits), 0},
                            probes[next++].ns() / (machine.limbsPerCall() * degree)});
      product[place] = fitParts(products);
    }
    auto set = [&](KernelFamily family, const std::array<double, 3> *parts, size_t part) {
      setTime(table.time(logN, family), parts[0][part], parts[1][part]);
    };
    set(KernelFamily::convertSource, convert, 0);
    set(KernelFamily::convertDestination, convert, 1);
    set(KernelFamily::convertTerm, convert, 2);
    set(KernelFamily::columnsSource, columns, 0);
    set(KernelFamily::columnsDestination, columns, 1);
    set(KernelFamily::columnsTerm, columns, 2);
    set(KernelFamily::innerProduct, product, 0);
    set(KernelFamily::innerProductDigit, product, 1);
  }

  /// Shares never fall. A disturbance only ever makes a time longer, so that where one does, the
  /// point before was disturbed.
  void fillReach(std::vector<ReachPoint> &reach) const {
    size_t first = probes.size() - reachBytes.size();
    double nearest = probes[first].ns(), farthest = probes.back().ns(), after = 1;
    reach.resize(reachBytes.size());
    for (size_t n = reachBytes.size(); n-- > 0;) {
      double way =
          farthest > nearest ? (probes[first + n].ns() - nearest) / (farthest - nearest) : 0;
      after = std::clamp(way, 0.0, after);
      reach[n] = {reachBytes[n], after};
    }
  }

  Machine &machine;
  std::vector<Probe> probes;
  std::vector<uint64_t> reachBytes;
};

std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  const std::string label = "model name";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(label))
      if (size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown";
}

Expected<CostTable> measureTable(unsigned threads, Effort effort, std::string &kernels) {
  ThreadPool pool(threads);
  CostTable table;
  table.threads = threads;
  for (unsigned logN = minCostLogN; logN <= maxCostLogN; ++logN) {
    SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<Machine> machine, Machine::create(logN, pool));
    Calibration calibration(*machine);
    calibration.measure(effort);
    SLUICE_RETURN_IF_ERROR(machine->finish());
    calibration.fill(table, logN);
    kernels = machine->kernelName();
  }
  return table;
}

} // namespace

Expected<Costs> measureCosts(unsigned threads, Effort effort) {
  Costs costs;
  costs.cpu = cpuName();
  for (unsigned count :
       threads > 1 ? std::vector<unsigned>{1, threads} : std::vector<unsigned>{1}) {
    SLUICE_ASSIGN_OR_RETURN(CostTable table, measureTable(count, effort, costs.kernels));
    costs.tables.push_back(std::move(table));
  }
  return costs;
}

} // namespace sluice::calibrate
