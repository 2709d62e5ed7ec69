//===- ChainPlan.h - chains of full words -----------------------------------------------------===//
//
// A chain whose levels have any sizes and yet fill their words: level l is a prefix of the full
// limbs (primes just below 2^50) and some of at most four terminal limbs, which all levels share.
// Neighbouring levels need not be nested. The chain is closed: its top level holds every limb, so
// that key switching adds none. Source: docs/mathematics.md sections 16.1 to 16.4.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_CHAINPLAN_H
#define SLUICE_PASSES_ALGORITHMS_CHAINPLAN_H

#include "runtime/base/status.h"

#include <cstdint>
#include <vector>

namespace sluice::algorithms {

struct ChainPlanRequest {
  unsigned logN = 16;
  /// Bits that each level adds to the one below it, level 0 first: log2 Q_l shall be the sum of the
  /// first l + 1. Positive; levels above 0 add at least one bit.
  std::vector<double> steps;
  unsigned maxTerminals = 4; ///< at most 4
  unsigned specialLimbs = 1; ///< of P, all of them full
  /// Of the special limb of the key from the main to the ephemeral secret, 20 ... 50; 0 for none.
  /// With 50 it exceeds every limb of the levels.
  unsigned ephemeralBits = 0;
  /// What each digit stays below P by: the error of a key switch falls by as many bits.
  double digitMargin = 0;
  /// Every level has limbs of its own beside those of the levels below, one of up to 50 bits or two
  /// halves: what chains are without shared limbs, for comparisons.
  bool isNested = false;
};

/// A limb table and how it is divided. Indices are into `limbs`: P, the ephemeral special limb, the
/// terminals from the smallest up, the full limbs from the largest down.
struct ChainPlan {
  std::vector<uint64_t> limbs;
  std::vector<int64_t> special;
  std::vector<int64_t> ephemeralSpecial; ///< of no level and not of P; empty or one
  std::vector<std::vector<int64_t>> levels;
  /// The limbs of the top level in their order, cut so that no digit exceeds P less its margin.
  std::vector<std::vector<int64_t>> digits;
  double logQ = 0; ///< log2 of the top level's product, which is that of all levels' limbs
  double logP = 0;
  double maxDeviation = 0; ///< the largest |log2 Q_l - its target|, bits
  unsigned maxExcess = 0;  ///< the largest |level l| - ceil(log2 Q_l / 50)

  double logQP() const { return logQ + logP; }
  /// Limbs of all levels together.
  size_t sumOfLimbs() const;
  /// log2 of the product of the limbs with these indices.
  double log2Product(const std::vector<int64_t> &indices) const;
};

/// The chain of least deviation that was found, with as few terminals as reach it; the same for the
/// same request. outOfRange when the ring has too few primes or a size is out of its range.
Expected<ChainPlan> planChain(const ChainPlanRequest &request);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_CHAINPLAN_H
