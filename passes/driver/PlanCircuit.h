//===- PlanCircuit.h - candidates for the parameters of a program, and the best of them -------===//
//
// The step plan-circuit: select-parameters judges candidates by their operations alone; here the
// best of these are settled, forecast and lowered to kernels, and what is left to the model is only
// which of them are worth it. No pass, since it runs phases (docs/decisions.md).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_PLANCIRCUIT_H
#define SLUICE_PASSES_DRIVER_PLANCIRCUIT_H

#include "passes/Pipelines.h"
#include "passes/driver/PlanCandidate.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sluice {

/// Precision of a module of the settled stage.
struct PlanForecast {
  double bits = 0;                ///< of the output that has the fewest
  std::vector<double> deviations; ///< of the errors of the outputs
};

/// Forecasts a settled module; nothing where it has no inputs to draw, a failure with a diagnostic
/// where it is not precise enough.
using PlanJudge =
    std::function<mlir::FailureOr<std::optional<PlanForecast>>(mlir::ModuleOp settled)>;

struct PlannedCircuit {
  /// Whether `module` has parameters now, with which it settles and is precise enough.
  bool isPlanned = false;
  std::optional<PlanForecast> forecast;  ///< of the settled module
  std::vector<PlanCandidate> candidates; ///< the chosen one first
};

/// Puts the best parameters, and where it has bootstraps without a plan theirs, on `module` (packed
/// stage). Where no candidate is allowed, or none that
/// was tried settles and pleases `judge`, the module stays as it is; nothing is emitted but what
/// the search itself refuses.
PlannedCircuit planCircuit(mlir::ModuleOp module, const PipelineOptions &options,
                           const PlanJudge &judge);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_PLANCIRCUIT_H
