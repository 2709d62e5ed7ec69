//===- flooding.h - how much noise makes a decryption fit to be shared -----------------------===//
//
// Li, Micciancio, Schultz, Sorrell, "Securing Approximate Homomorphic Encryption Using Differential
// Privacy" (CRYPTO 2022, ePrint 2022/816): values that carry errors of norm at most t are shown q
// times with s bits of statistical security when each gets a Gaussian of deviation
// sqrt(12 q) 2^(s/2) t. Compiler and client both compute it from here; docs/security.md says what
// it promises.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_FLOODING_H
#define SLUICE_RUNTIME_ABI_FLOODING_H

#include <cmath>
#include <cstdint>

namespace sluice {

/// Statistical bits unless asked otherwise, and the fewest that secure parameters may have.
inline constexpr double defaultStatisticalBits = 30;
/// The most that may be asked for.
inline constexpr double maxStatisticalBits = 128;
inline constexpr uint64_t maxDecryptions = uint64_t(1) << 40;
/// log2 of the largest deviation of a coefficient's flooding.
inline constexpr double maxFloodingLog2 = 100;

/// The deviation of the flooding of each number that is given out (of each part of a complex one),
/// for `errorNorm` = t, the l2 norm of the errors of all that one decryption gives out. Both are in
/// units of values. In units of coefficients the formula is the same, since embedding is orthogonal
/// but for a factor.
inline double floodingDeviation(double errorNorm, uint64_t decryptions, double statisticalBits) {
  return std::sqrt(12 * static_cast<double>(decryptions)) * std::exp2(statisticalBits / 2) *
         errorNorm;
}

/// The deviation of each coefficient that gives either part of each of `slots` packed slots the
/// deviation `perNumber`, at this scale: a slot is a sum of 2 slots coefficients times roots of
/// unity.
inline double coefficientDeviation(double perNumber, double scale, uint64_t slots) {
  return perNumber * scale / std::sqrt(static_cast<double>(slots));
}

/// Bits of precision of numbers with errors of deviation `errors`, flooded.
inline double precisionAfterFlooding(double errors, double flooding) {
  return -std::log2(std::hypot(errors, flooding));
}

} // namespace sluice

#endif // SLUICE_RUNTIME_ABI_FLOODING_H
