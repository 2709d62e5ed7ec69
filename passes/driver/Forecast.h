//===- Forecast.h - how precise a settled program will be, and what it holds ------------------===//
#ifndef SLUICE_PASSES_DRIVER_FORECAST_H
#define SLUICE_PASSES_DRIVER_FORECAST_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <vector>

namespace sluice {

/// The errors of one output, in units of its values.
struct OutputErrors {
  double deviation = 0; ///< of a number; never below that of rounding one ciphertext
  uint64_t numbers = 0; ///< that one decryption gives out
};

/// Predicted from theory before a key is made; no factor is fitted to measurements.
struct Forecast {
  double precisionBits =
      0; ///< -log2 of the standard deviation of the error, of the least precise output
  double worstSlotBits = 0; ///< -log2 of the largest error seen
  uint64_t levels = 0;      ///< above level 0
  uint64_t ciphertextProducts = 0;
  uint64_t keySwitches = 0;
  uint64_t keyBytes = 0; ///< of the evaluation-key file
  std::vector<OutputErrors> outputs;
};

/// Forecast of a module of the settled stage, polynomials and linear transforms expanded. Precision
/// comes from runs of the twin with noise (driver/Twin.h): 16 to 64 encryptions, each of at most
/// 16 items drawn uniformly from the inputs' ranges; when those break a range that the user
/// promised, they are moved towards the middle. Deterministic. Emits an error and fails when the
/// module is not of that stage or an input has no range. With `seeksWorst` the deviations of
/// outputs are the largest of several kinds of inputs: all at one end of their range, at either,
/// and the same in all items. This does not change precisionBits. With `reference`, the same
/// program at an earlier stage, errors are what is left to its values: those of bootstraps by their
/// sines among them.
mlir::FailureOr<Forecast> computeForecast(mlir::ModuleOp module, bool seeksWorst = false,
                                          mlir::ModuleOp reference = {});

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_FORECAST_H
