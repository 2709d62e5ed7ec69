//===- LevelSearch.h - limbs of a leveled chain -----------------------------------------------===//
//
// The chain of the first version: level 0 holds the base limbs, every further level one limb near
// the scale, all of them nested; P is the smallest product of limbs that dominates every digit.
// Sources: docs/mathematics.md sections 3, 16.1 and 16.4.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_LEVELSEARCH_H
#define SLUICE_PASSES_ALGORITHMS_LEVELSEARCH_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace sluice::algorithms {

/// The `count` primes = 1 mod 2^(logN+1), at most 50 bits, nearest to 2^bits and not in `exclude`;
/// fewer than `count` when there are not so many. Bound to runtime/ring/primes.h by the passes.
using PrimeSource = std::function<std::vector<uint64_t>(unsigned logN, unsigned bits, size_t count,
                                                        std::span<const uint64_t> exclude)>;

/// P is at most so many bits larger than the largest digit, where its limbs are smaller than 50
/// bits: it does not waste modulus, and the key-switch error stays below the rounding error.
inline constexpr double specialMarginBits = 6;

struct ChainRequest {
  unsigned logN = 12;
  unsigned height = 0;     ///< number of levels above 0
  unsigned scaleLog2 = 45; ///< size of the limb of each level above 0, at most 50
  unsigned baseLog2 = 46;  ///< size of level 0, split into limbs of at most 50 bits
};

/// A limb table and how it is divided. Indices are into `limbs`.
struct Chain {
  unsigned logN = 12;
  std::vector<uint64_t> limbs;
  std::vector<unsigned> special;
  std::vector<std::vector<unsigned>> levels;
  std::vector<std::vector<unsigned>>
      digits;      ///< partition of the top level, in the order of its limbs
  double logQ = 0; ///< log2 of the product of the top level
  double logP = 0;

  double logQP() const { return logQ + logP; }
  /// log2 of each digit's product.
  std::vector<double> digitsLog2() const;
};

/// Cuts `sizes` (bits, in order) into at most `count` contiguous runs so that the largest sum of a
/// run is least; returns the length of each run.
std::vector<size_t> cutEvenly(std::span<const double> sizes, size_t count);

/// The chain with this number of key-switch digits (1 ... limbs of the top level); nothing when the
/// primes run out.
std::optional<Chain> buildChain(const ChainRequest &request, size_t digitCount,
                                const PrimeSource &primes);

/// log2 of the product of limbs.
double sumLog2(std::span<const uint64_t> limbs);

/// The chain with the fewest digits for which log2(P * Q) <= limitLog2; nothing when there is none.
std::optional<Chain> findChain(const ChainRequest &request, double limitLog2,
                               const PrimeSource &primes);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_LEVELSEARCH_H
