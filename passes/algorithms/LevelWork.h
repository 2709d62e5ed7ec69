//===- LevelWork.h - what a circuit does at each level ----------------------------------------===//
//
// Operations counted by the level of their operands, before there are chains or kernels: to price
// the same circuit under many parameters (CostModel.h). What a finished program takes,
// ProgramTime.h says.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_LEVELWORK_H
#define SLUICE_PASSES_ALGORITHMS_LEVELWORK_H

#include "passes/algorithms/Chebyshev.h"
#include "passes/algorithms/CostModel.h"

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace sluice::algorithms {

/// A product with a clear matrix: its non-zero diagonals, of `size` entries, each of which stands
/// for `stride` slots.
struct MatrixWork {
  std::vector<int64_t> indices;
  int64_t size = 1, stride = 1;
};

/// The operations whose operands stand at one level.
struct LevelWork {
  unsigned tensors = 0, relinearizations = 0, constants = 0, rescales = 0;
  unsigned drops = 0;    ///< values that come from higher levels without a product
  unsigned switches = 0; ///< rotations and conjugations, each with a decomposition of its own
  std::vector<MatrixWork> matrices;
  std::set<int64_t> rotations; ///< that need a key, from 0 to the slots; -1 is the conjugation
};

/// Adds those of polynomial `p`. Its variable stands at levels.front(); every further entry is one
/// level below.
void addPolynomial(const Polynomial &p, std::span<LevelWork> levels);

/// What levels cost in a chain: limbs that a rescale drops, and whether a level is part of those
/// above it, so that going down costs nothing.
struct LevelSteps {
  unsigned dropped = 1;
  bool isNested = true;
};

/// Nanoseconds of the operations at one level, on ciphertexts of this size.
double latencyNs(const LevelWork &work, const OperandSize &size, const LevelSteps &steps,
                 const KernelCosts &costs);

/// Bytes of all keys of a circuit, each at the highest level that uses it: `sizes` are those of its
/// levels, the same way round as `levels`, the highest one first.
uint64_t keyBytes(std::span<const LevelWork> levels, std::span<const OperandSize> sizes,
                  const KernelCosts &costs);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_LEVELWORK_H
