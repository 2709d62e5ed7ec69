//===- secret_sampling.h - small random polynomials ------------------------------------------===//
//
// No branch and no memory address depends on a sampled value (docs/security.md, "Timing").
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_SECRET_SAMPLING_H
#define SLUICE_RUNTIME_CLIENT_SECRET_SAMPLING_H

#include "runtime/client/randomness.h"

#include <cstdint>
#include <span>

namespace sluice::client {

/// Coefficients of a small polynomial: secrets, errors, encryption randomness.
using SmallPoly = WipedVector<int8_t>;

/// Largest magnitude of an error.
inline constexpr int maxError = 29;
/// errorThresholds[k] = round(2^63 * P(|X| <= k)), X the discrete Gaussian with P(X = k)
/// proportional to exp(-k^2 / (2 * 3.2^2)); the next one would be 2^63.
extern const uint64_t errorThresholds[maxError];

/// `n` coefficients -1, 0, 1 with probability 1/3 each (within 2^-63).
SmallPoly sampleUniformTernary(const SecretRoot &root, uint64_t stream, size_t n);

/// `n` coefficients, exactly `weight` <= n of them -1 or 1, all choices equally likely (within
/// 2^-30: places come from sorting n random numbers of 61 bits by a network of comparisons, n a
/// power of two).
SmallPoly sampleSparseTernary(const SecretRoot &root, uint64_t stream, size_t n, size_t weight);

/// `n` coefficients of the discrete Gaussian of standard deviation 3.2, cut at maxError = 9
/// standard deviations (each probability within 2^-63).
SmallPoly sampleError(const SecretRoot &root, uint64_t stream, size_t n);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_SECRET_SAMPLING_H
