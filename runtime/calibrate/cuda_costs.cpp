//===- cuda_costs.cpp - times every family of kernels on a CUDA device ------------------------===//
//
// A limb kernel has its values in registers: it reads what comes from outside and writes its
// results, once each. So `memory` is a kernel of one operation, whose operands were used longest
// ago, and `cached` is what one more operation costs in a kernel of many, the difference of two
// counts. What no limb kernel contains (whole transforms, base conversions) has one time. All
// times are without the launches, which are counted by themselves.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/calibrate/cuda_costs.h"

#include "runtime/calibrate/device_machine.h"

#include <algorithm>

namespace sluice::calibrate {
namespace {

using cuda::CalibrationKernel;

/// Operations in a kernel of few and of many: already few take longer than the operands' way from
/// memory, which by data sheets is under thirty additions.
constexpr uint32_t fewOperations = 32, manyOperations = 96;
/// The same of transforms of rows, and of pairs of sums.
constexpr uint32_t fewRounds = 4, manyRounds = 12;
/// What is left of a launch without its own cost is at least this share of it: noise alone can
/// make it less.
constexpr double leastShare = 0.01;

struct ConvertShape {
  uint32_t sources, destinations;
};
/// Between the smallest and the largest that key switches and rescales of 50-bit limbs have.
constexpr ConvertShape convertShapes[] = {{1, 6}, {1, 24}, {4, 6}, {4, 24}, {8, 12}, {8, 24}};
constexpr std::pair<CalibrationKernel, double> products[] = {{CalibrationKernel::product1, 1},
                                                             {CalibrationKernel::product2, 2},
                                                             {CalibrationKernel::product4, 4},
                                                             {CalibrationKernel::product6, 6}};

/// Families of one operation, and kernels that do it a number of times.
struct Repeated {
  KernelFamily family;
  CalibrationKernel kernel;
  uint32_t few = fewOperations, many = manyOperations;
};
constexpr Repeated repeated[] = {
    {KernelFamily::add, CalibrationKernel::add},
    {KernelFamily::sub, CalibrationKernel::sub},
    {KernelFamily::negate, CalibrationKernel::negate},
    {KernelFamily::mul, CalibrationKernel::mul},
    {KernelFamily::mac, CalibrationKernel::mac},
    {KernelFamily::mulScalar, CalibrationKernel::mulScalar},
    {KernelFamily::addScalar, CalibrationKernel::addScalar},
    {KernelFamily::subMulScalar, CalibrationKernel::subMulScalar},
    {KernelFamily::nttRows, CalibrationKernel::nttRows, fewRounds, manyRounds},
    {KernelFamily::inttRows, CalibrationKernel::inttRows, fewRounds, manyRounds},
};

/// All that is timed of one degree.
class DeviceProbes {
public:
  explicit DeviceProbes(DeviceMachine &machine) : machine(machine) {
    nothing = machine.addNothing();
    straight = machine.addKernel(CalibrationKernel::straight, 1);
    zero = machine.addKernel(CalibrationKernel::zero, 1);
    automorphism = machine.addKernel(CalibrationKernel::automorphism, 1);
    for (const Repeated &each : repeated)
      chains.push_back({machine.addKernel(each.kernel, 1), machine.addKernel(each.kernel, each.few),
                        machine.addKernel(each.kernel, each.many)});
    for (auto kernel : {CalibrationKernel::reductions, CalibrationKernel::digits})
      sums.push_back({machine.addKernel(kernel, 1), machine.addKernel(kernel, fewRounds),
                      machine.addKernel(kernel, manyRounds)});
    for (auto [kernel, digits] : products)
      productNumbers.push_back(machine.addKernel(kernel, 1));
    ntt = machine.addTransform(LaunchKind::ntt);
    intt = machine.addTransform(LaunchKind::intt);
    for (LaunchKind kind : {LaunchKind::baseConvert, LaunchKind::baseConvertColumns})
      for (ConvertShape shape : convertShapes)
        conversions.push_back(machine.addConversion(kind, shape.sources, shape.destinations));
  }

  double launchNs() const { return machine.ns(nothing); }

  void fill(DegreeCosts &costs, unsigned logN, double copyNs) const {
    auto time = [&](KernelFamily family) -> KernelTime & {
      return costs.times[static_cast<size_t>(family)];
    };
    const auto degree = static_cast<double>(machine.degree());
    time(KernelFamily::copy) = one(copyNs / degree);
    time(KernelFamily::zero) = {0, ofResidue(zero)}; // a constant, in registers
    // What moves is the load: a kernel with more in it has that one and the same store.
    setTime(time(KernelFamily::automorphism), ofResidue(automorphism) - ofResidue(straight),
            ofResidue(automorphism));
    for (size_t n = 0; n < chains.size(); ++n)
      setTime(time(repeated[n].family), slope(chains[n], repeated[n].few, repeated[n].many),
              ofResidue(chains[n].once));
    const double butterflies = machine.limbsPerLaunch() * degree * logN / 2;
    time(KernelFamily::ntt) = one(withoutLaunches(ntt, 2) / butterflies);
    time(KernelFamily::intt) = one(withoutLaunches(intt, 2) / butterflies);
    fillProducts(time(KernelFamily::innerProduct), time(KernelFamily::innerProductDigit));
    fillConversion(0, time(KernelFamily::convertSource), time(KernelFamily::convertDestination),
                   time(KernelFamily::convertTerm));
    fillConversion(std::size(convertShapes), time(KernelFamily::columnsSource),
                   time(KernelFamily::columnsDestination), time(KernelFamily::columnsTerm));
  }

private:
  /// Numbers of a kernel with its operation done once, few times and many times.
  struct Chain {
    size_t once, few, many;
  };

  static KernelTime one(double ns) { return {ns, ns}; }
  static void setTime(KernelTime &time, double cached, double memory) {
    time.cached = std::max(cached, 0.0);
    time.memory = std::max(time.cached, memory);
  }

  double withoutLaunches(size_t number, double launches) const {
    const double ns = machine.ns(number);
    return std::max(ns - launches * launchNs(), leastShare * ns);
  }
  double residues() const {
    return machine.limbsPerLaunch() * static_cast<double>(machine.degree());
  }
  double ofResidue(size_t number) const { return withoutLaunches(number, 1) / residues(); }
  /// Of one more operation on a residue.
  double slope(const Chain &chain, uint32_t few, uint32_t many) const {
    return (machine.ns(chain.many) - machine.ns(chain.few)) / ((many - few) * residues());
  }

  void fillProducts(KernelTime &product, KernelTime &digit) const {
    std::vector<TimedSum> timed;
    timed.reserve(productNumbers.size());
    for (size_t n = 0; n < productNumbers.size(); ++n)
      timed.push_back({{1, products[n].second, 0}, ofResidue(productNumbers[n])});
    const std::array<double, 3> parts = fitParts(timed);
    const double reduction = slope(sums[0], fewRounds, manyRounds),
                 round = slope(sums[1], fewRounds, manyRounds);
    setTime(product, reduction, parts[0]);
    setTime(digit, (round - reduction) / cuda::digitsPerSum(), parts[1]);
  }

  void fillConversion(size_t first, KernelTime &source, KernelTime &destination,
                      KernelTime &term) const {
    std::vector<TimedSum> timed;
    for (ConvertShape shape : convertShapes) {
      const double s = shape.sources, d = shape.destinations;
      timed.push_back(
          {{s, d, s * d},
           withoutLaunches(conversions[first++], 2) / static_cast<double>(machine.degree())});
    }
    const std::array<double, 3> parts = fitParts(timed);
    source = one(parts[0]);
    destination = one(parts[1]);
    term = one(parts[2]);
  }

  DeviceMachine &machine;
  size_t nothing, straight, zero, automorphism, ntt, intt;
  std::vector<Chain> chains; // as in repeated
  std::vector<Chain> sums;   // reductions, and with digits
  std::vector<size_t> productNumbers, conversions;
};

} // namespace

Expected<DegreeCosts> measureDegree(cuda::Device &device, std::span<const uint8_t> code,
                                    unsigned logN, Effort effort) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<DeviceMachine> machine,
                          DeviceMachine::create(device, code, logN));
  DeviceProbes probes(*machine);
  SLUICE_RETURN_IF_ERROR(machine->load());
  for (unsigned n = 0; n < effort.samples; ++n)
    SLUICE_RETURN_IF_ERROR(machine->sample(effort.sampleMs));
  SLUICE_ASSIGN_OR_RETURN(double copyNs, machine->copyNs(effort.samples));
  DegreeCosts costs;
  costs.isReal = machine->isReal();
  costs.launchNs = probes.launchNs();
  probes.fill(costs, logN, copyNs);
  return costs;
}

Expected<std::unique_ptr<cuda::Device>> DeviceCalibration::open(unsigned logN) const {
  const bool isEmulated = deviceName.starts_with("emulated:");
  return cuda::openDevice(isEmulated ? deviceName + std::to_string(logN) + ".so" : deviceName,
                          *pool);
}

Expected<DeviceCalibration> DeviceCalibration::create(std::string device, ThreadPool &pool) {
  DeviceCalibration calibration(std::move(device), pool);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<cuda::Device> opened, calibration.open(minCostLogN));
  calibration.found.cpu = opened->name();
  CostTable &table = calibration.found.tables.emplace_back();
  // Registers are the only cache that a kernel is sure of: whatever another one left is in memory.
  for (std::vector<ReachPoint> &reach : table.reach)
    reach = {{1, 1}};
  return calibration;
}

Status DeviceCalibration::measure(unsigned logN, std::span<const uint8_t> code, Effort effort) {
  if (logN < minCostLogN || logN > maxCostLogN)
    return Status::error(StatusCode::outOfRange, "degree 2^%u is not in 2^%u to 2^%u", logN,
                         minCostLogN, maxCostLogN);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<cuda::Device> device, open(logN));
  SLUICE_ASSIGN_OR_RETURN(DegreeCosts costs, measureDegree(*device, code, logN, effort));
  CostTable &table = found.tables.front();
  const size_t degree = CostTable::degreeIndex(logN);
  table.times[degree] = costs.times;
  table.launchNs = std::min(table.launchNs.value_or(costs.launchNs), costs.launchNs);
  found.kernels = costs.isReal ? "cuda fp64" : "cuda integer";
  isMeasured[degree] = true;
  return Status();
}

Expected<Costs> DeviceCalibration::costs() const {
  for (size_t degree = 0; degree < costDegrees; ++degree)
    if (!isMeasured[degree])
      return Status::error(StatusCode::invalidArgument, "degree 2^%zu was not measured",
                           minCostLogN + degree);
  return found;
}

} // namespace sluice::calibrate
