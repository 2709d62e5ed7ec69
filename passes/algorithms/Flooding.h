//===- Flooding.h - how large errors can be that flooding must hide ---------------------------===//
//
// The noise model gives the deviation of an error; noise flooding (runtime/abi/flooding.h) needs a
// bound on the norm of all errors of a decryption. docs/mathematics.md section 17.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_FLOODING_H
#define SLUICE_PASSES_ALGORITHMS_FLOODING_H

#include <cstdint>
#include <functional>
#include <optional>

namespace sluice::algorithms {

/// Between the deviation that the model gives and the one that errors are taken to have: one bit,
/// since measurements lie within one bit of forecasts, and one for inputs that are worse than all
/// that the forecast tried.
inline constexpr double errorMargin = 4;

/// A bound on the l2 norm of `numbers` errors of this deviation, times errorMargin, which Gaussian
/// ones keep in all of `decryptions` decryptions but with probability 2^-statisticalBits: their sum
/// of squares is below k + 2 sqrt(k u) + 2 u but with probability exp(-u) (Laurent, Massart, Annals
/// of Statistics 28, 2000, lemma 1).
double errorNormBound(double deviation, uint64_t numbers, uint64_t decryptions,
                      double statisticalBits);

/// Bits by which flooding lies above the deviation of the errors that it hides.
double floodingBits(uint64_t numbers, uint64_t decryptions, double statisticalBits);

/// What searchPrecision found.
struct PrecisionSearch {
  std::optional<unsigned> bits; ///< that reach what is wanted; nothing when none do
  std::optional<double> best; ///< the most that was reached; nothing when nothing could be planned
};

/// Looks for few bits with which `reached` is at least `wanted`, beginning at `first`: a plan for
/// them, or nothing where there is none, which is so for all bits beyond.
PrecisionSearch searchPrecision(double wanted, unsigned first,
                                const std::function<std::optional<double>(unsigned)> &reached);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_FLOODING_H
