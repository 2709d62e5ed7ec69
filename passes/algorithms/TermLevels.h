//===- TermLevels.h - where a polynomial's terms are summed -----------------------------------===//
//
// A block of a PolynomialPlan adds terms, constants times powers, one level above its value, where
// most powers do not stand. On nested levels each power is there for nothing; on others it takes a
// division, and it can be cheaper to sum the terms higher up, where the powers stand or even where
// the products for them do that are not rescaled yet, and to divide the sum. Source:
// docs/mathematics.md section 6.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_TERMLEVELS_H
#define SLUICE_PASSES_ALGORITHMS_TERMLEVELS_H

#include "passes/algorithms/PolynomialPlan.h"

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace sluice::algorithms {

/// The levels that a polynomial is evaluated on.
struct PolynomialLevels {
  int64_t top = 0; ///< a block's value stands at top - below
  /// Where T_index stands; its product before the rescale is one level higher.
  std::function<int64_t(unsigned)> ofPower;
  std::function<bool(int64_t, int64_t)> isNested; ///< values reach the second level for nothing
  /// The price of a division from a level to one that is not higher, by the special limbs of a key
  /// switch too or not.
  std::function<double(int64_t, int64_t, bool)> division;
};

struct TermLevels {
  /// By block: the level at which its terms are summed, top - below + 1 or above. A power that
  /// stands one level below takes part as its product.
  std::vector<int64_t> ofBlock;
  std::set<unsigned> rescaled; ///< powers that stand at their own level
  std::set<unsigned> products; ///< powers whose products are terms
  /// Powers that are brought to another level by a division, with that level.
  std::set<std::pair<unsigned, int64_t>> lowered;
  /// Blocks with products whose terms are rescaled to their level before; those of other blocks are
  /// there for nothing.
  std::set<size_t> dividedSums;
};

/// The cheapest; the terms of all blocks of one level are summed at the same level.
TermLevels chooseTermLevels(const PolynomialPlan &plan, const PolynomialLevels &levels);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_TERMLEVELS_H
