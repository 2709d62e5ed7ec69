//===- CircuitWork.h - what a packed circuit does at each level -------------------------------===//
#ifndef SLUICE_PASSES_CIRCUITWORK_H
#define SLUICE_PASSES_CIRCUITWORK_H

#include "passes/CircuitAnalysis.h"
#include "passes/algorithms/LevelWork.h"

#include <vector>

namespace sluice {

/// The operations of a circuit by the level of their operands, that of its depth first, level 0
/// last. Products are rescaled and relinearised one by one, rotations have a decomposition each:
/// what settle-scales and the rules of hoisting save is not counted.
std::vector<algorithms::LevelWork> workByLevel(const CircuitAnalysis &analysis);

} // namespace sluice

#endif // SLUICE_PASSES_CIRCUITWORK_H
