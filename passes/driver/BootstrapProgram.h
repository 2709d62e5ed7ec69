//===- BootstrapProgram.h - a program that is one bootstrap -----------------------------------===//

#ifndef SLUICE_PASSES_DRIVER_BOOTSTRAPPROGRAM_H
#define SLUICE_PASSES_DRIVER_BOOTSTRAPPROGRAM_H

#include "passes/algorithms/BootstrapPlan.h"

#include <string>

namespace sluice {

/// The values that a bootstrap program takes and gives; clients encrypt real ones only.
enum class BootstrapValues : uint8_t {
  real,    ///< input x, output z
  complex, ///< inputs re and im of one ciphertext re + i im, outputs re and im of its bootstrap
};

/// A module of the settled stage (docs/architecture.md) with `#ckks.params`, as text: its function
/// bootstraps one ciphertext, in -1 ... 1 in each slot, encrypted at the level and scale at which
/// `planned`, which must come from `plan`, takes it. The complex form costs no level.
std::string writeBootstrapProgram(const algorithms::BootstrapPlan &plan,
                                  const algorithms::PlannedBootstrap &planned,
                                  BootstrapValues values);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_BOOTSTRAPPROGRAM_H
