//===- ParameterChoice.h - the parameters that a packed program may have ----------------------===//
//
// What select-parameters takes the best of, and what the driver tries one after the other.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_PARAMETERCHOICE_H
#define SLUICE_PASSES_PARAMETERCHOICE_H

#include "passes/CircuitAnalysis.h"
#include "passes/algorithms/ParameterSearch.h"

#include "mlir/IR/BuiltinOps.h"

namespace sluice {

/// The options of select-parameters.
struct ParameterOptions {
  double precision = 16;
  unsigned logN = 0; ///< 0: any
  unsigned extraScale = 0;
  unsigned maxLogN = 17;
  bool insecure = false;
};

class ParameterChoice {
public:
  /// The candidates for the entry function of `module` (packed stage), by kernel work at the costs
  /// on the module, the best one first (ParameterSearch.h). Emits an error where none is possible.
  static mlir::FailureOr<ParameterChoice> find(mlir::ModuleOp module,
                                               const ParameterOptions &options);
  /// The same, and gives all candidates, refused ones too, where none is possible.
  static mlir::FailureOr<ParameterChoice>
  find(mlir::ModuleOp module, const ParameterOptions &options,
       std::vector<algorithms::ParameterCandidate> &refused);

  const std::vector<algorithms::ParameterCandidate> &candidates() const { return found; }
  /// Puts the parameters of candidate `index` on `module`, or a copy of it, in place of its number
  /// of slots. Fails without a message where it has no chain; the candidate then says why.
  mlir::LogicalResult apply(size_t index, mlir::ModuleOp module);
  unsigned depth() const { return analysis.depth(); }

private:
  ParameterChoice(CircuitAnalysis analysis, const ParameterOptions &options)
      : options(options), analysis(std::move(analysis)) {}

  algorithms::CircuitFacts facts() const;
  algorithms::ParameterRequest request() const;
  mlir::LogicalResult setRings();
  mlir::LogicalResult emitUnreachable() const;
  unsigned findDeepest() const;
  ckks::ParamsAttr toAttribute(const algorithms::Chain &chain) const;

  ParameterOptions options;
  CircuitAnalysis analysis;
  unsigned smallestLogN = 0, largestLogN = 0;
  std::vector<algorithms::LevelWork> work;
  std::vector<algorithms::ParameterCandidate> found;
};

/// The program's slots and what is known of it. Emits an error without slots or finite bounds.
mlir::FailureOr<CircuitAnalysis> analyzePacked(mlir::ModuleOp module);

} // namespace sluice

#endif // SLUICE_PASSES_PARAMETERCHOICE_H
