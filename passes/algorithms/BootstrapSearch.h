//===- BootstrapSearch.h - the bootstrap that a precision asks for ----------------------------===//
//
// From bits, slots and a failure probability to plans: ring, order, secrets, sizes of levels, P,
// EvalMod's range, degree, double angles and arcsine, groupings of the matrices. What is searched
// is a grid; each plan of it is judged by BootstrapNoise and BootstrapTime, and those that are
// precise enough are ordered by the time that they take for each level that they leave. Source:
// Bossuat et al., section 6; docs/bootstrap.md.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BOOTSTRAPSEARCH_H
#define SLUICE_PASSES_ALGORITHMS_BOOTSTRAPSEARCH_H

#include "passes/algorithms/BootstrapNoise.h"
#include "passes/algorithms/BootstrapTime.h"

#include <optional>

namespace sluice::algorithms {

struct BootstrapRequest {
  double bits = 20; ///< -log2 of the standard deviation of a result's error, at least
  unsigned logSlots = 15;
  double log2FailureTarget = -128;
  unsigned logN = 0; ///< 0: any for which the security table has an ephemeral secret
  SecretDistribution secret = SecretDistribution::uniformTernary;
  bool isReal = false;
  size_t leastLevels = 1; ///< that are left between two bootstraps
};

/// The grid. Sizes of levels are multiples of five bits, which chains meet exactly.
struct BootstrapGrid {
  std::vector<BootstrapOrder> orders = {BootstrapOrder::modRaiseFirst,
                                        BootstrapOrder::slotsToCoefficientsFirst};
  std::vector<double> scales = {30, 35, 40, 45, 50, 55, 60};
  std::vector<double> levelZeros = {50, 55, 60, 65};
  std::vector<unsigned> ratios = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<unsigned> arcsineDegrees = {1, 3, 5, 7};
  unsigned maxDoubleAngles = 6;
  std::vector<double> evalModSizes = {45, 50, 55, 60, 65};
  std::vector<size_t> largerLevels = {0, 3, 4, 5}; ///< of EvalMod: five bits more, the upper ones
  std::vector<size_t> matrices = {2, 3, 4, 5};     ///< of either transform
  std::vector<double> coefficientsToSlotsSizes = {45, 50, 55, 60};
  std::vector<double> slotsToCoefficientsSizes = {30, 35, 40, 45, 50, 55, 60};
  std::vector<unsigned> specialLimbs = {3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<double> digitMargins = {0, 10};
};

struct BootstrapCandidate {
  BootstrapPlan plan;
  double bits = 0;
  double timeNs = 0; ///< warm, on one thread
  size_t levelsLeft = 0;
  double logQLeft = 0;
  uint64_t keyBytes = 0;

  /// What the search minimises.
  double nsPerLevel() const { return timeNs / double(levelsLeft); }
};

/// Factors of 2^logSlots in `matrices` groups as even as they can be, the larger ones first.
std::vector<int64_t> evenGroups(unsigned logSlots, size_t matrices);

/// The best plan of each ring, order, scale, ratio, arcsine, degree and number of double angles
/// that meets the request, best first, at most `count` of them; every one has a chain that the
/// security table allows. Empty where none is precise enough.
std::vector<BootstrapCandidate> searchBootstraps(const BootstrapRequest &request,
                                                 const CostTable &costs, size_t count = 8,
                                                 const BootstrapGrid &grid = {});

/// The most whole bits for which searchBootstraps finds something.
unsigned mostBits(BootstrapRequest request, const CostTable &costs, const BootstrapGrid &grid = {});

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BOOTSTRAPSEARCH_H
