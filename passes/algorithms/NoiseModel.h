//===- NoiseModel.h - standard deviations of CKKS errors, from theory -------------------------===//
//
// Variances are per coefficient of the decrypted polynomial, before division by the scale. Where n
// slots are packed, decoding reads 2n coefficients, those of the powers of X^(N/2n): a slot is
// their sum times roots of unity. Of its error only the real part meets a real message: variance n
// times that of a coefficient. Sources: docs/mathematics.md sections 0 (encryption, packing), 2.2
// (rounding), 3 and 16.4 (key switching).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_NOISEMODEL_H
#define SLUICE_PASSES_ALGORITHMS_NOISEMODEL_H

#include "passes/algorithms/Chebyshev.h"
#include "runtime/abi/security_table.h"

#include <cstdint>
#include <vector>

namespace sluice::algorithms {

/// What the noise depends on.
struct NoiseParameters {
  unsigned logN = 12;
  double hammingWeight =
      0; ///< expected number of non-zero coefficients of the secret: 2N/3 uniform ternary
  double errorDeviation = 3.2;      ///< sigma
  double specialLog2 = 0;           ///< log2 P
  std::vector<double> digitsLog2{}; ///< log2 of the alive product of each digit
};

/// 2N/3, the expected weight of a uniform ternary secret.
double uniformTernaryWeight(unsigned logN);
/// The same of any distribution.
double expectedWeight(SecretDistribution distribution, unsigned logN);

/// Rounding both components, by rescale or by the division by P: (1 + h) / 12.
double roundingVariance(const NoiseParameters &parameters);
/// A fresh public-key encryption: sigma^2 (2N/3 + 1 + h) / P^2 of the errors, (1 + h) / 12 of the
/// division by P where there is one, and 1/12 of the encoding. Linear in h.
double encryptionVariance(const NoiseParameters &parameters);
/// Hybrid key switching: N sigma^2 / (12 P^2) sum_j D_j^2 + (1 + h) / 12.
double keySwitchVariance(const NoiseParameters &parameters);
/// Standard deviation of the real part of one of `slots` packed slots (N/2 where the packing is
/// full), before division by the scale: sqrt(slots * variance).
double slotDeviation(double variance, double slots);

/// How far the worst of `samples` slots lies out, in standard deviations. In a slot the rounding
/// error of c1 is multiplied by s(zeta), which differs from slot to slot: the real part of a
/// product of two complex Gaussians has the Laplace distribution, P(|X| > y std) = exp(-sqrt(2) y),
/// hence ln(samples) / sqrt(2).
double worstSlotFactor(double samples);

/// Standard deviation (at the worst variable in [-bound, bound]) of the error that roundings inside
/// an evaluation of p add to its value, in units of the deviation of one rounding: every power and
/// block of the plan (PolynomialPlan.h) adds one unit, carried to the end to first order.
/// Deterministic Monte Carlo over 33 points with 64 samples each. The variable is t, bound 1, in
/// the Chebyshev basis, x itself in the monomial basis.
double polynomialNoiseGain(const Polynomial &p, double bound = 1);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_NOISEMODEL_H
