//===- embedding.h - slots to coefficients and back -------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_EMBEDDING_H
#define SLUICE_RUNTIME_RING_EMBEDDING_H

#include "runtime/base/status.h"
#include "runtime/ring/poly.h"
#include "runtime/ring/ring.h"

#include <complex>
#include <memory>
#include <span>

namespace sluice::ring {

/// A scale as an unevaluated sum of two doubles, |low| <= ulp(high) / 2.
struct Scale2 {
  double high = 1.0;
  double low = 0.0;
};

/// The roots that kernels.h `embed` takes, for up to 2^logSlots slots: each correctly rounded, or
/// within one ulp.
std::unique_ptr<double[]> makeEmbeddingRoots(unsigned logSlots);

/// Encodes n = values.size() slots, a power of two up to N/2, repeated N/(2n) times
/// (docs/mathematics.md section 1), in coefficient form: limb i of `out` gets round(scale *
/// coefficient) modulo limb limbs[i] of the ring, rounding ties up. Double precision: rms error
/// below 2^-50 of the rms of the values, before rounding. invalidArgument: n is no such power, or a
/// value is not finite. outOfRange: a coefficient reaches 2^120.
Status encodeSlots(const Ring &ring, std::span<const uint16_t> limbs,
                   std::span<const std::complex<double>> values, Scale2 scale, PolyView out);

/// The inverse: the centred integer polynomial modulo the product of `limbs`, coefficient form,
/// divided by the scale and evaluated at n = values.size() slots. If the N/2 slots are not n
/// repeated values, each result is the mean of its copies. invalidArgument: n is not a power of two
/// up to N/2.
Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, ConstPolyView poly,
                   Scale2 scale, std::span<std::complex<double>> values);

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_EMBEDDING_H
