//===- EvalModNoise.h - the errors of EvalMod in a chain --------------------------------------===//
//
// Roundings inside EvalMod, carried to its message to first order: every power, block and double
// angle is rescaled once, at a scale that follows from the sizes of the levels, and the derivative
// of the message by each of these values says what the rounding counts. Means over the integers
// that ModRaise leaves. Source: docs/mathematics.md sections 6, 8 and 9 (error budget).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_EVALMODNOISE_H
#define SLUICE_PASSES_ALGORITHMS_EVALMODNOISE_H

#include "passes/algorithms/EvalMod.h"

#include <span>

namespace sluice::algorithms {

/// log2 of the scale of a polynomial's variable at the level of rescaleLog2[0] from which its
/// powers, one squaring a level, come out at about what the last rescale takes away.
/// `rescaleLog2`: the bits that the rescales at its depth's levels take away, the first one first.
double variableLog2(std::span<const double> rescaleLog2);

/// Where EvalMod stands.
struct EvalModPlace {
  /// Bits that the rescale at each of its levels takes away, that of the variable's level first: as
  /// many as EvalMod::depth().
  std::vector<double> rescaleLog2;
  double targetLog2 = 0; ///< of the message's scale
  /// Root mean square in a slot of one rounding, before division by the scale.
  double rounding = 0;
  /// Standard deviations of I and of m.
  double integers = 1, message = 0;
  /// m is spread evenly over an interval around 0, and not a sum of many parts.
  bool isUniform = false;
};

/// Root mean squares, in units of the message m.
struct EvalModError {
  double slope = 1;         ///< of the message's derivative by I + m
  double rounding = 0;      ///< of what all roundings together add
  double approximation = 0; ///< of value - m: the series, and the sine where nothing inverts it
};

EvalModError evalModError(const EvalMod &plan, const EvalModPlace &place);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_EVALMODNOISE_H
