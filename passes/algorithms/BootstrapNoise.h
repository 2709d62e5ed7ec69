//===- BootstrapNoise.h - how precise a bootstrap is, from its plan ---------------------------===//
//
// The errors of one round of ModRaise, CoeffsToSlots, EvalMod and SlotsToCoeffs, from the plan
// alone, in microseconds where the forecast of a whole program takes seconds: to compare plans.
// Source: docs/mathematics.md section 9, error budget.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BOOTSTRAPNOISE_H
#define SLUICE_PASSES_ALGORITHMS_BOOTSTRAPNOISE_H

#include "passes/algorithms/BootstrapPlan.h"
#include "passes/algorithms/NoiseModel.h"
#include "passes/algorithms/TransformScales.h"

#include <vector>

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

/// The parts one by one, for searches that change one thing at a time. Of plans with one round.
/// Depends on sizes of levels only, not on their primes: digits fill P less its margin. In the
/// order slotsToCoefficientsFirst EvalMod sees the slots themselves: what happens behind ModRaise
/// reaches one slot each, and the sine is felt by all of a slot.
class BootstrapNoiseModel {
public:
  BootstrapNoiseModel(const BootstrapPlan &plan, const EvalMod &evalMod);

  double raise() const;
  double coefficientsToSlots() const;
  /// Sets the parts evalMod and approximation of `noise`, the message at 2^targetLog2.
  void addEvalMod(double targetLog2, BootstrapNoise &noise) const;
  /// `targetLog2` becomes log2 of the scale of EvalMod's message: that at which SlotsToCoeffs takes
  /// it, or where it comes first that which makes the result's.
  double slotsToCoefficients(double &targetLog2) const;

private:
  bool isSlotsFirst() const { return plan.order == BootstrapOrder::slotsToCoefficientsFirst; }
  double spread() const;
  double slotsToCoefficientsBefore() const;
  double slotDegree() const;
  double raisedWeight() const;
  double switchVariance(size_t level) const;
  TransformChain transform(const std::vector<int64_t> &groups, size_t level, double by,
                           double resultLog2) const;
  /// Bits of EvalMod's rescales, the first one first.
  std::vector<double> evalModRescales() const;

  const BootstrapPlan &plan;
  const EvalMod &evalMod;
  double degree, slots;
  double factor;             ///< the value is this times the message
  std::vector<double> sizes; ///< of all levels
  std::vector<double> logQ;  ///< of all levels
  NoiseParameters parameters;
};

/// All of them.
BootstrapNoise bootstrapNoise(const BootstrapPlan &plan, const EvalMod &evalMod);
BootstrapNoise bootstrapNoise(const BootstrapPlan &plan);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BOOTSTRAPNOISE_H
