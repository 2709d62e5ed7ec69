//===- BootstrapPlan.h - everything that fixes a bootstrap ------------------------------------===//
//
// A plan says what a bootstrap is made of; planBootstrap derives what follows from it: the chain,
// how often it fails, what it leaves, and which row of the security table covers it. Source:
// docs/mathematics.md sections 7 to 9 and 16 (Bossuat et al., section 6).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_BOOTSTRAPPLAN_H
#define SLUICE_PASSES_ALGORITHMS_BOOTSTRAPPLAN_H

#include "passes/algorithms/ChainPlan.h"
#include "passes/algorithms/EvalMod.h"
#include "runtime/abi/security_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::algorithms {

/// What a bootstrap does first.
enum class BootstrapOrder : uint8_t { modRaiseFirst, slotsToCoefficientsFirst };

/// Bits of the levels, the lowest one first.
struct BootstrapLevels {
  std::vector<double> residual; ///< level 0, and those that programs compute on
  std::vector<double> slotsToCoefficients;
  std::vector<double> evalMod;
  std::vector<double> coefficientsToSlots;
};

struct BootstrapPlan {
  std::string name;
  unsigned logN = 16;
  unsigned logSlots = 15;
  /// Outside of the security table, or with a failure probability above 2^-128.
  bool isInsecure = false;

  SecretDistribution secret = SecretDistribution::uniformTernary;
  /// ModRaise is done under a second secret of weight 32.
  bool hasEphemeral = true;
  unsigned ephemeralBits = 50;     ///< of its key's special limb
  double log2FailureTarget = -128; ///< of one bootstrap, over secrets and randomness
  BootstrapLevels levels;
  unsigned specialLimbs = 6; ///< of P, 50 bits each
  double digitMargin = 0;    ///< bits by which digits stay below P
  bool isNested = false;     ///< levels share no limbs (ChainPlan.h); for comparisons

  unsigned logScale = 40; ///< of what programs compute on, and of the result
  /// log2 of Q_0 over the scale at which a round raises the modulus.
  unsigned logRatio = 8;
  /// The largest part of that scale which EvalMod sees of a message: a coefficient, or in the order
  /// slotsToCoefficientsFirst a part of a slot. Slots that are spread evenly over the square of
  /// side 2 have coefficients of standard deviation 1 / sqrt(3 slots).
  double coefficientBound = 1;

  unsigned range = 16; ///< EvalMod's K
  unsigned degree = 63;
  unsigned doubleAngles = 2;
  unsigned arcsineDegree = 1;
  SineNodes nodes = SineNodes::chebyshev;

  /// Radix-2 factors of each matrix, in the order of application.
  std::vector<int64_t> coefficientsToSlots, slotsToCoefficients;
  BootstrapOrder order = BootstrapOrder::modRaiseFirst;
  bool isReal = false;
  unsigned iterations = 1;
  unsigned logGain = 0; ///< bits that each round but the first adds

  /// Levels that SlotsToCoeffs uses before ModRaise.
  size_t depthBefore() const;
  /// Levels of CoeffsToSlots, EvalMod and SlotsToCoeffs.
  size_t depth() const;
  /// Non-zero coefficients of the secret that ModRaise is done under: a bound that all but a
  /// 2^log2FailureTarget / 2 of them keep, where the weight is not fixed.
  uint64_t weight() const;
  /// Sizes of all levels in the order of the chain.
  std::vector<double> chain() const;
};

/// The part of Q_0 that EvalMod allows a message, by the size of level 0.
double messageBound(const BootstrapPlan &plan);

/// The plan's EvalMod.
EvalMod makeEvalMod(const BootstrapPlan &plan);

/// What follows from a plan.
struct PlannedBootstrap {
  ChainPlan chain;
  double log2Failure = 0;  ///< of one bootstrap
  double messageBound = 0; ///< the part of Q_0 that EvalMod allows a message
  size_t inputLevel = 0, resultLevel = 0;
  unsigned inputLogScale = 0;
  /// Between two bootstraps: without the levels that the next SlotsToCoeffs needs.
  size_t levelsLeft = 0;
  /// log2 of the modulus with which they end, the same levels not counted.
  double logQLeft = 0;
  /// The rows of the main and of the ephemeral secret; nothing where the table has none.
  std::optional<SecurityRow> row, ephemeralRow;
  double ephemeralLogQP = 0; ///< log2 of the modulus of the key for the ephemeral secret
};

/// The least range for which the plan's failure probability is at most its target.
unsigned leastRange(const BootstrapPlan &plan);

/// What follows from `plan`, or why it cannot be: sections that do not fit their steps, a range too
/// small for the secret, or (unless isInsecure) a modulus beyond the security table.
Expected<PlannedBootstrap> planBootstrap(const BootstrapPlan &plan);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_BOOTSTRAPPLAN_H
