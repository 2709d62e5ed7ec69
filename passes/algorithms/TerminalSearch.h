//===- TerminalSearch.h - sizes of the small limbs that levels share --------------------------===//
//
// Source: docs/mathematics.md section 16.2, step 1.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_TERMINALSEARCH_H
#define SLUICE_PASSES_ALGORITHMS_TERMINALSEARCH_H

#include <span>
#include <vector>

namespace sluice::algorithms {

/// Bits of a full limb.
inline constexpr double fullLimbBits = 50;

/// The sums of all subsets of `sizes`: entry b has size i where bit i of b is set.
std::vector<double> subsetSums(std::span<const double> sizes);

/// The full limbs of the top level, which has all terminals besides, and is as near to
/// `targets.back()` as it can be.
int topFullLimbs(std::span<const double> sizes, std::span<const double> targets);

/// The largest distance of a target (bits) from the nearest level that terminals of these sizes
/// make, in a closed chain.
double chainDeviation(std::span<const double> sizes, std::span<const double> targets);

/// Sizes (bits, ascending) of `count` terminals of at least `least` bits each, for which
/// chainDeviation is small: the best of a grid of whole bits, each refined by a random walk (the
/// same one every time).
std::vector<std::vector<double>> searchTerminals(unsigned count, unsigned least,
                                                 std::span<const double> targets);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_TERMINALSEARCH_H
