//===- embedding.h - slots to coefficients and back -------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_EMBEDDING_H
#define SLUICE_RUNTIME_RING_EMBEDDING_H

#include "runtime/base/status.h"
#include "runtime/ring/poly.h"
#include "runtime/ring/ring.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace sluice::ring {

/// A scale as an unevaluated sum of two doubles, |low| <= ulp(high) / 2.
struct Scale2 {
  double high = 1.0;
  double low = 0.0;
};

/// A real number as such a sum.
struct Real2 {
  double high = 0.0;
  double low = 0.0;
};

/// The value of a slot to some 100 bits.
struct WideSlot {
  Real2 re, im;
};

/// Whether slots are embedded in double-double: the roundings of doubles, 2^-50 of the values,
/// would be seen beyond a scale of 2^48, or where 40 bits of precision or more are wanted.
inline bool needsWideEmbedding(Scale2 scale, double precisionBits) {
  return scale.high > 0x1p48 || precisionBits >= 40;
}

/// The roots that kernels.h `embed` takes, for up to 2^logSlots slots: each correctly rounded, or
/// within one ulp.
std::unique_ptr<double[]> makeEmbeddingRoots(unsigned logSlots);
/// Those that `embedWide` takes, in planes of 2^logSlots: each within 2^-101.
std::unique_ptr<double[]> makeWideEmbeddingRoots(unsigned logSlots);

/// The integer coefficients of an encoding of `slots` slots, not yet modulo a limb: coefficient k
/// of Y is high[k] * 2^60 + low[k], or low[k] where `high` is empty; real parts first. Padded with
/// zeros to the shortest row of a kernel.
struct RoundedSlots {
  explicit RoundedSlots(size_t slots) : slots(slots), low(std::max<size_t>(2 * slots, 8)) {}
  size_t slots;
  std::vector<int64_t> low, high;

  /// The polynomial modulo limb `limb` of the ring, coefficient form, N words.
  void reduce(const Ring &ring, uint16_t limb, std::span<uint64_t> out) const;
};

/// Encodes n = values.size() slots, a power of two up to N/2, repeated N/(2n) times
/// (docs/mathematics.md section 1): round(scale * coefficient), ties up. Before rounding, the rms
/// error is below 2^-50 of the rms of the values, or 2^-95 where needsWideEmbedding says so for the
/// scale and `precisionBits`, the bits of precision that are wanted of the result. invalidArgument:
/// n is no such power, or a value is not finite. outOfRange: a coefficient reaches 2^120.
Expected<RoundedSlots> roundSlots(const Ring &ring, std::span<const std::complex<double>> values,
                                  Scale2 scale, double precisionBits = 0);
/// The same for values beyond doubles, always in double-double.
Expected<RoundedSlots> roundSlots(const Ring &ring, std::span<const WideSlot> values, Scale2 scale);

/// The same, and reduced: limb i of `out` is the polynomial modulo limb limbs[i] of the ring, in
/// coefficient form.
Status encodeSlots(const Ring &ring, std::span<const uint16_t> limbs,
                   std::span<const std::complex<double>> values, Scale2 scale, PolyView out,
                   double precisionBits = 0);
Status encodeSlots(const Ring &ring, std::span<const uint16_t> limbs,
                   std::span<const WideSlot> values, Scale2 scale, PolyView out);

/// The inverse: the centred integer polynomial modulo the product of `limbs`, coefficient form,
/// divided by the scale and evaluated at n = values.size() slots, as precisely as encodeSlots does.
/// If the N/2 slots are not n repeated values, each result is the mean of its copies.
/// invalidArgument: n is not a power of two up to N/2.
Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, ConstPolyView poly,
                   Scale2 scale, std::span<std::complex<double>> values, double precisionBits = 0);
/// The same to values beyond doubles, always in double-double.
Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, ConstPolyView poly,
                   Scale2 scale, std::span<WideSlot> values);

/// Gives limbs first ... first + count - 1 of a polynomial in coefficient form, valid as long as it
/// lives. Called with ascending limbs, each once.
using LimbSource = std::function<ConstPolyView(size_t first, size_t count)>;

/// decodeSlots with no more limbs than it takes: as many as hold coefficients of 2^32 times the
/// scale, and one more that must agree with them in all coefficients. Only where that one does not,
/// which takes coefficients beyond, are further limbs asked for, until one agrees or all have been
/// used. The result is that of all limbs unless every coefficient differs from what the first limbs
/// tell by a multiple of all those asked for.
Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, const LimbSource &poly,
                   Scale2 scale, std::span<std::complex<double>> values, double precisionBits = 0);

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_EMBEDDING_H
