//===- GenericCosts.cpp - what kernels cost where nothing was measured -----------------------===//
//
// Measured by sluice-calibrate on one core of an AMD EPYC (Zen 3; 512 KiB of second-level cache, 32
// MiB of third-level cache that others share), the AVX2 row, 2026-11-21: the shortest time of four
// runs, the mean of their reaches, rounded. A CPU with AVX-512 IFMA is faster, an older one slower;
// what passes choose by, the ratios, differ less.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/algorithms/CostModel.h"

namespace sluice::algorithms {

namespace {

/// Nanoseconds at N = 2^12 ... 2^16.
struct FamilyCosts {
  KernelFamily family;
  std::array<double, costDegrees> cached, memory;
};

constexpr FamilyCosts families[] = {
    {KernelFamily::ntt, {0.44, 0.43, 0.43, 0.43, 0.43}, {0.49, 0.48, 0.58, 0.57, 0.63}},
    {KernelFamily::intt, {0.42, 0.41, 0.41, 0.41, 0.41}, {0.46, 0.44, 0.45, 0.45, 0.45}},
    {KernelFamily::copy, {0.18, 0.17, 0.17, 0.19, 0.22}, {0.83, 0.81, 0.78, 0.80, 0.82}},
    {KernelFamily::zero, {0.11, 0.10, 0.09, 0.09, 0.10}, {0.57, 0.56, 0.51, 0.52, 0.52}},
    {KernelFamily::add, {0.27, 0.25, 0.27, 0.31, 0.34}, {0.96, 0.95, 0.92, 0.88, 0.94}},
    {KernelFamily::sub, {0.27, 0.25, 0.26, 0.33, 0.37}, {1.00, 0.99, 0.99, 0.96, 0.96}},
    {KernelFamily::negate, {0.19, 0.18, 0.17, 0.20, 0.25}, {0.76, 0.71, 0.68, 0.65, 0.66}},
    {KernelFamily::mul, {0.48, 0.46, 0.46, 0.48, 0.47}, {1.00, 0.99, 0.90, 0.91, 0.90}},
    {KernelFamily::mac, {0.60, 0.58, 0.61, 0.61, 0.63}, {1.28, 1.24, 1.22, 1.21, 1.15}},
    {KernelFamily::mulScalar, {0.42, 0.41, 0.40, 0.41, 0.41}, {0.74, 0.69, 0.71, 0.67, 0.68}},
    {KernelFamily::addScalar, {0.19, 0.18, 0.17, 0.19, 0.23}, {0.71, 0.69, 0.68, 0.65, 0.67}},
    {KernelFamily::subMulScalar, {0.52, 0.51, 0.52, 0.52, 0.52}, {0.99, 0.97, 0.93, 0.89, 0.95}},
    {KernelFamily::automorphism, {0.43, 0.41, 0.41, 0.46, 0.47}, {1.43, 1.49, 1.44, 1.43, 1.46}},
    {KernelFamily::convertSource, {1.13, 1.18, 1.15, 1.18, 1.17}, {1.27, 1.18, 1.21, 1.18, 1.17}},
    {KernelFamily::convertDestination,
     {0.88, 0.89, 0.89, 0.92, 0.87},
     {0.93, 0.90, 0.92, 0.92, 0.87}},
    {KernelFamily::convertTerm, {0.11, 0.10, 0.10, 0.11, 0.11}, {0.13, 0.12, 0.13, 0.15, 0.13}},
    {KernelFamily::innerProduct, {0.45, 0.43, 0.49, 0.48, 0.52}, {0.57, 0.48, 0.54, 0.52, 0.55}},
    {KernelFamily::innerProductDigit,
     {1.06, 1.09, 1.10, 1.07, 1.03},
     {1.32, 1.36, 1.43, 1.41, 1.45}},
    // Measured on one core of a faster AMD EPYC (Zen 4), the same row, times the ratio that
    // transforms have between the two: 1.23 cached, 1.1 from memory.
    {KernelFamily::nttRows, {2.42, 2.55, 2.41, 2.72, 2.58}, {2.76, 2.96, 2.77, 3.33, 2.93}},
    {KernelFamily::inttRows, {2.00, 2.15, 2.00, 2.16, 2.02}, {2.19, 2.32, 2.15, 2.54, 2.17}},
    {KernelFamily::columnsSource, {1.30, 1.23, 1.49, 1.54, 1.00}, {1.30, 1.24, 3.11, 2.96, 2.53}},
    {KernelFamily::columnsDestination,
     {1.50, 1.48, 1.72, 1.75, 2.08},
     {1.50, 1.48, 2.10, 2.17, 2.33}},
    {KernelFamily::columnsTerm, {0.11, 0.16, 0.11, 0.14, 0.20}, {0.53, 0.57, 0.11, 0.14, 0.20}},
};

constexpr uint64_t MiB = uint64_t(1) << 20;

/// The same at all degrees but for the nearest point, which is cached by definition.
constexpr ReachPoint reach[] = {
    {3 * MiB / 8, 0.0}, {3 * MiB / 4, 0.12}, {12 * MiB, 0.14},
    {24 * MiB, 0.46},   {48 * MiB, 0.80},    {96 * MiB, 1.0},
};

CostTable makeTable() {
  CostTable table;
  for (size_t degree = 0; degree < costDegrees; ++degree) {
    for (const FamilyCosts &costs : families)
      table.times[degree][static_cast<size_t>(costs.family)] = {costs.cached[degree],
                                                                costs.memory[degree]};
    table.reach[degree].assign(std::begin(reach), std::end(reach));
  }
  return table;
}

} // namespace

const CostTable &genericCosts() {
  static const CostTable table = makeTable();
  return table;
}

} // namespace sluice::algorithms
