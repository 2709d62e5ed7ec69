//===- BootstrapChoice.h - the bootstraps that a packed program may have ----------------------===//
//
// As ParameterChoice.h, for programs with ckks.refresh: the plan of their bootstraps decides the
// ring, the secrets and the chain, the levels in between are those that the program needs.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_BOOTSTRAPCHOICE_H
#define SLUICE_PASSES_BOOTSTRAPCHOICE_H

#include "passes/CircuitAnalysis.h"
#include "passes/ParameterChoice.h"
#include "passes/algorithms/BootstrapSearch.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace sluice {

/// Whether the module has bootstraps without a plan.
bool hasRefreshes(mlir::ModuleOp module);

class BootstrapChoice {
public:
  /// The candidates for `module` (packed stage) with `options.precision` bits in every bootstrap,
  /// by the time of the program's bootstraps and of the operations between them, the best one
  /// first. Emits an error where there is none, with the most bits that there are.
  /// `extraLevels`: above those that products need, for adjusted scales.
  static mlir::FailureOr<BootstrapChoice>
  find(mlir::ModuleOp module, const ParameterOptions &options, unsigned extraLevels = 0);

  /// Plans with as many levels as the program needs, and the time of the whole program.
  const std::vector<algorithms::BootstrapCandidate> &candidates() const { return found; }
  /// Of one run.
  unsigned bootstraps() const { return count; }
  /// Puts the parameters and the plan of candidate `index` on `module`, or a copy of it, in place
  /// of its number of slots.
  mlir::LogicalResult apply(size_t index, mlir::ModuleOp module) const;

private:
  unsigned count = 0;
  std::vector<algorithms::BootstrapCandidate> found;
};

} // namespace sluice

#endif // SLUICE_PASSES_BOOTSTRAPCHOICE_H
