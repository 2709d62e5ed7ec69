//===- BootstrapNoise.h - how precise a bootstrap is, before it is written out -----------------===//
//
// The errors of one round of ModRaise, CoeffsToSlots, EvalMod and SlotsToCoeffs, from the plan
// alone, in microseconds where the forecast of a whole program takes seconds: to compare plans.
// Source: docs/mathematics.md section 9, error budget.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BOOTSTRAPNOISE_H
#define SLUICE_PASSES_ALGORITHMS_BOOTSTRAPNOISE_H

#include "passes/algorithms/BootstrapPlan.h"

namespace sluice::algorithms {

/// Mean squares of the error of one part (real or imaginary) of a slot of the result, by where they
/// come from. Values are spread evenly over the square of side 2.
struct BootstrapNoise {
  double raise = 0;               ///< the switches of keys around ModRaise
  double coefficientsToSlots = 0; ///< key switches and encodings
  double evalMod = 0;             ///< roundings
  double approximation = 0;       ///< of the remainder: series, sine
  double slotsToCoefficients = 0; ///< key switches, encodings, roundings

  double sum() const {
    return raise + coefficientsToSlots + evalMod + approximation + slotsToCoefficients;
  }
  /// -log2 of the standard deviation.
  double bits() const;
};

/// Of a plan in the order modRaiseFirst with one round. Depends on sizes of levels only, not on
/// their primes: digits fill P less its margin.
BootstrapNoise bootstrapNoise(const BootstrapPlan &plan, const EvalMod &evalMod);
BootstrapNoise bootstrapNoise(const BootstrapPlan &plan);

/// The part of Q_0 that EvalMod allows a message, by the sizes of the levels.
double messageBound(const BootstrapPlan &plan);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BOOTSTRAPNOISE_H
