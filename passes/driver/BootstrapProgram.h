//===- BootstrapProgram.h - a program that is one bootstrap -----------------------------------===//

#ifndef SLUICE_PASSES_DRIVER_BOOTSTRAPPROGRAM_H
#define SLUICE_PASSES_DRIVER_BOOTSTRAPPROGRAM_H

#include "passes/algorithms/BootstrapPlan.h"

#include <string>

namespace sluice {

/// What a bootstrap program takes and gives.
struct BootstrapProgramForm {
  bool isComplex = false; ///< whether the values are
  /// Whether the program takes what it gives: its operand has the level and scale of its result,
  /// and goes down to those at which a bootstrap begins.
  bool isRepeatable = false;
};

/// A module of the settled stage (docs/architecture.md) with `#ckks.params`, as text: its function
/// bootstraps one ciphertext z, in -1 ... 1 in each part of each slot, encrypted at the level and
/// scale at which `planned`, which must come from `plan`, takes it.
std::string writeBootstrapProgram(const algorithms::BootstrapPlan &plan,
                                  const algorithms::PlannedBootstrap &planned,
                                  BootstrapProgramForm form);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_BOOTSTRAPPROGRAM_H
