//===- FailureProbability.h - how often a bootstrap meets a multiple of q0 too large ----------===//
//
// ModRaise leaves q0 I beside the message, I an integer polynomial: a coefficient of c0 + c1 s
// modulo q0 is a sum of h + 1 centred residues, so that I is distributed like the rounded sum of
// h + 1 independent uniform variables of (-1/2, 1/2). EvalMod approximates on |I| <= K only, and a
// bootstrap fails when one coefficient is beyond. Source: docs/mathematics.md section 9 (Bossuat et
// al., section 5, equation 1).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_FAILUREPROBABILITY_H
#define SLUICE_PASSES_ALGORITHMS_FAILUREPROBABILITY_H

#include "runtime/abi/security_table.h"

#include <cstdint>
#include <optional>

namespace sluice::algorithms {

/// log2 P(S > bound), S the sum of `terms` >= 1 independent uniform variables of (-1/2, 1/2), bound
/// >= 0; minus infinity from terms / 2 on. By the finite sum (Irwin, Hall) where it does not
/// cancel, otherwise by the saddle point (Lugannani, Rice): within 0.001 of the exact logarithm.
double log2UniformSumTail(uint64_t terms, double bound);

/// log2 of the probability that one bootstrap of `slots` slots under a secret with `hammingWeight`
/// non-zero coefficients meets |I| > range.
double log2FailureProbability(uint64_t hammingWeight, double range, uint64_t slots);

/// The least integer K for which log2FailureProbability is at most log2Target (< 0).
uint64_t leastRange(uint64_t hammingWeight, uint64_t slots, double log2Target);

/// A weight that a uniform ternary secret of 2^logN coefficients exceeds with probability at most
/// 2^log2Target (< 0): 2N/3 + sqrt(-N log2Target ln 2 / 2) (Hoeffding).
uint64_t uniformTernaryWeightBound(unsigned logN, double log2Target);

/// What decides how often a bootstrap fails.
struct BootstrapRisk {
  SecretDistribution secret = SecretDistribution::uniformTernary; ///< under ModRaise
  unsigned logN = 16;
  double range = 0; ///< EvalMod's K
  uint64_t slots = 1;
  uint64_t rounds = 1;
  double log2Target = -128; ///< where the weight is not fixed, half of this is for heavier secrets
};

/// The weight that is taken: the distribution's, or one that all but a 2^log2Target / 2 of secrets
/// keep.
uint64_t weightUnderModRaise(const BootstrapRisk &risk);

/// log2 of the probability that it fails, heavier secrets included.
double log2BootstrapFailure(const BootstrapRisk &risk);

/// The same with the log2Target that gives least: each is a bound.
double leastLog2BootstrapFailure(BootstrapRisk risk);

/// log2(2^a + 2^b).
double log2Sum(double a, double b);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_FAILUREPROBABILITY_H
