//===- BootstrapPresets.h - bootstraps with names ---------------------------------------------===//
//
// insecure_set1 ... insecure_set5 are the parameter sets of Bossuat et al. (tables 5 and 6): their
// bits for each level, ranges and degrees, on limbs of this runtime. They fail with a probability
// of 2^-15, which nobody should rely on. set1 ... set5 are their siblings that ship: a dense secret
// with an ephemeral one, a probability of 2^-128, 128 bits of security. The security table has an
// ephemeral secret for N = 2^16 only, so set5 has that ring where its model has 2^15. The tiny ones
// are for tests. docs/bootstrap.md lists all of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BOOTSTRAPPRESETS_H
#define SLUICE_PASSES_ALGORITHMS_BOOTSTRAPPRESETS_H

#include "passes/algorithms/BootstrapPlan.h"

#include <span>
#include <string_view>

namespace sluice::algorithms {

/// All presets, each of which planBootstrap accepts.
std::span<const BootstrapPlan> bootstrapPresets();

/// The preset of this name; nullptr where there is none.
const BootstrapPlan *findBootstrapPreset(std::string_view name);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BOOTSTRAPPRESETS_H
