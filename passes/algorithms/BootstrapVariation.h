//===- BootstrapVariation.h - a preset in another form ----------------------------------------===//
//
// The presets bootstrap full vectors of complex values in one round, ModRaise first. A variation is
// a preset of which some of that differs; what has to follow does: groups of factors, range,
// message bound, levels. Source: docs/mathematics.md section 9 (forms).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BOOTSTRAPVARIATION_H
#define SLUICE_PASSES_ALGORITHMS_BOOTSTRAPVARIATION_H

#include "passes/algorithms/BootstrapPlan.h"

#include <cstdint>
#include <optional>

namespace sluice::algorithms {

/// What differs from a preset; nothing means as it is there.
struct BootstrapVariation {
  std::optional<int64_t> slots; ///< a power of two, of at least one factor for each matrix
  std::optional<BootstrapOrder> order;
  bool isReal = false;
  int64_t rounds = 1; ///< 1 to 8
  /// 1 for none. The levels of a longer one come from the residual levels, unless the preset is
  /// insecure: that one grows.
  std::optional<int64_t> arcsineDegree;
  bool isNested = false; ///< levels share no limbs; for comparisons
};

/// The plan of `preset`, which must have one round, as `variation` wants it.
///
/// Fewer slots have fewer factors in as many matrices. SlotsToCoeffs first makes messages of the
/// slots themselves, up to the whole scale. Several rounds raise the scale by what they gain, and
/// the residual levels become fewer of that scale's size, of as many bits together; where that
/// leaves less than the rounds need, the plan grows. invalidArgument for what cannot be;
/// planBootstrap has the last word on everything else, security above all.
Expected<BootstrapPlan> varyBootstrap(const BootstrapPlan &preset,
                                      const BootstrapVariation &variation);

/// Whole bits that each round but the first adds: what every message within the plan's bound loses
/// at least, to the sine and its series and, by an estimate, to EvalMod's roundings; 0 if nothing.
unsigned gainOfRound(const BootstrapPlan &plan);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BOOTSTRAPVARIATION_H
