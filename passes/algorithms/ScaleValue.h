//===- ScaleValue.h - numbers out of exact scales ---------------------------------------------===//
//
// Where exact scales meet values: what a client's encoder needs of a scale (two doubles), and the
// integers that stand for a scalar at a scale. All rounding errors here are errors of values, never
// of scales.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_SCALEVALUE_H
#define SLUICE_PASSES_ALGORITHMS_SCALEVALUE_H

#include "dialects/CKKS/Scale.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::algorithms {

/// An unevaluated sum: high is the double nearest to the number, low the double nearest to the
/// rest.
struct DoubleDouble {
  double high = 0, low = 0;
};

/// The value of `scale`, relative error below 2^-105. `primes` is the limb table; the scale must
/// lie in 2^-1000 .. 2^1000.
DoubleDouble scaleValue(const ckks::Scale &scale, std::span<const uint64_t> primes);

/// log2 of `scale`, to 2^-20. `primes` is the limb table.
double scaleLog2(const ckks::Scale &scale, std::span<const uint64_t> primes);

/// A scalar as residues: the integer n = round(value * scale), nearest.
struct EncodedScalar {
  /// n modulo each of the limbs asked for.
  std::vector<uint64_t> residues;
  /// |n / scale - value|, the value error made.
  double error = 0;
  /// Bits of |n|; 0 when the scalar vanished.
  unsigned bits = 0;
};

/// Encodes `value` (finite) at `scale` modulo the limbs with indices `limbs` of the table `primes`.
/// value * scale is computed to more than 120 bits before it is rounded.
EncodedScalar encodeScalar(double value, const ckks::Scale &scale, std::span<const uint64_t> primes,
                           std::span<const int64_t> limbs);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_SCALEVALUE_H
