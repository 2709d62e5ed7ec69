//===- embedding.cpp - slots to coefficients --------------------------------------------------===//
#include "runtime/ring/embedding.h"

#include "runtime/kernels/embedding/double_double.h"
#include "runtime/ring/embedding_detail.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace sluice::ring {

using Real = kernels::TwoParts<double>;

Status detail::checkSlotCount(const Ring &ring, size_t slots) {
  if (std::has_single_bit(slots) && slots <= ring.degree() / 2)
    return Status();
  return Status::error(StatusCode::invalidArgument,
                       "%zu slots: the number of slots is a power of two up to N/2 = %zu", slots,
                       ring.degree() / 2);
}

namespace {

/// Coefficients beyond this are refused: plaintexts at the scale of a product still fit.
constexpr double coefficientBound = 0x1p120;

/// Sets coefficient k to floor(x + 1/2), exactly, for |low| < 2 ulp(high).
Status setRounded(Real x, double scale, size_t k, RoundedSlots &out) {
  if (!(std::fabs(x.high) < coefficientBound))
    return Status::error(StatusCode::outOfRange,
                         "an encoded coefficient reaches 2^120: values are too large for the "
                         "scale 2^%.1f",
                         std::log2(scale));
  // Whole parts, and what is left of both: that of high is 0 where low is not small. Differences
  // are exact, or too far from the border to matter.
  const double whole = std::floor(x.high), lowWhole = std::trunc(x.low);
  const double aboveHalf = ((x.high - whole) - 0.5) + (x.low - lowWhole);
  const double rest = lowWhole + (std::floor(aboveHalf) + 1);
  if (std::fabs(whole) < 0x1p62) {
    out.low[k] = static_cast<int64_t>(whole) + static_cast<int64_t>(rest);
    return Status();
  }
  const double top = std::rint(whole * 0x1p-60), restTop = std::rint(rest * 0x1p-60);
  out.high.resize(out.low.size());
  out.high[k] = static_cast<int64_t>(top) + static_cast<int64_t>(restTop);
  out.low[k] =
      static_cast<int64_t>(whole - top * 0x1p60) + static_cast<int64_t>(rest - restTop * 0x1p60);
  return Status();
}

/// Rounds the encoding of slots whose parts in double-double are part(k, plane).
template <typename Part>
Expected<RoundedSlots> roundWide(const Ring &ring, size_t slots, Part part, Scale2 scale) {
  std::vector<double> planes(4 * slots);
  for (size_t plane = 0; plane < 4; ++plane)
    for (size_t k = 0; k < slots; ++k)
      planes[plane * slots + k] = part(k, plane);
  ring.kernels().unembedWide(static_cast<unsigned>(std::countr_zero(slots)), planes.data(),
                             ring.degree() / 2, ring.wideEmbeddingRoots());
  RoundedSlots coefficients(slots);
  for (size_t k = 0; k < 2 * slots; ++k) {
    const double *high = planes.data() + (k < slots ? k : k + slots);
    const Real scaled = kernels::multiply(Real{high[0], high[slots]}, Real{scale.high, scale.low});
    SLUICE_RETURN_IF_ERROR(setRounded(scaled, scale.high, k, coefficients));
  }
  return coefficients;
}

Expected<RoundedSlots> roundNarrow(const Ring &ring, std::span<const std::complex<double>> values,
                                   Scale2 scale) {
  const size_t slots = values.size();
  std::vector<std::complex<double>> scratch(values.begin(), values.end());
  double *parts = reinterpret_cast<double *>(scratch.data());
  ring.kernels().unembed(static_cast<unsigned>(std::countr_zero(slots)), parts,
                         ring.embeddingRoots());
  RoundedSlots coefficients(slots);
  for (size_t k = 0; k < 2 * slots; ++k) {
    const double part = k < slots ? parts[2 * k] : parts[2 * (k - slots) + 1];
    // The product's rounding error and the scale's low part are kept, so that large results are not
    // rounded twice.
    Real scaled = kernels::twoProduct(part, scale.high);
    scaled.low += part * scale.low;
    SLUICE_RETURN_IF_ERROR(setRounded(scaled, scale.high, k, coefficients));
  }
  return coefficients;
}

Status notFinite(size_t k) {
  return Status::error(StatusCode::invalidArgument, "the value of slot %zu is not finite", k);
}

} // namespace

void RoundedSlots::reduce(const Ring &ring, uint16_t limb, std::span<uint64_t> out) const {
  assert(out.size() == ring.degree());
  const kernels::KernelTable &kernels = ring.kernels();
  const Modulus &q = ring.modulus(limb);
  const size_t count = low.size(), gap = ring.degree() / (2 * slots);
  AlignedWords row, scratch;
  if (gap != 1)
    row = AlignedWords(count);
  uint64_t *residues = gap == 1 ? out.data() : row.data();
  kernels.reduceSigned(q.constants(), count, residues, low.data());
  if (!high.empty()) {
    scratch = AlignedWords(count);
    kernels.reduceSigned(q.constants(), count, scratch.data(), high.data());
    kernels.mulScalar(q.constants(), count, scratch.data(), scratch.data(),
                      q.reduce(uint64_t{1} << 60));
    kernels.add(q.constants(), count, residues, residues, scratch.data());
  }
  if (gap == 1)
    return;
  std::fill(out.begin(), out.end(), uint64_t{0});
  for (size_t k = 0; k < 2 * slots; ++k)
    out[k * gap] = residues[k];
}

Expected<RoundedSlots> roundSlots(const Ring &ring, std::span<const std::complex<double>> values,
                                  Scale2 scale, double precisionBits) {
  SLUICE_RETURN_IF_ERROR(detail::checkSlotCount(ring, values.size()));
  for (size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k].real()) || !std::isfinite(values[k].imag()))
      return notFinite(k);
  if (!needsWideEmbedding(scale, precisionBits))
    return roundNarrow(ring, values, scale);
  auto part = [&](size_t k, size_t plane) {
    return plane == 0 ? values[k].real() : plane == 2 ? values[k].imag() : 0.0;
  };
  return roundWide(ring, values.size(), part, scale);
}

Expected<RoundedSlots> roundSlots(const Ring &ring, std::span<const WideSlot> values,
                                  Scale2 scale) {
  SLUICE_RETURN_IF_ERROR(detail::checkSlotCount(ring, values.size()));
  for (size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k].re.high + values[k].re.low) ||
        !std::isfinite(values[k].im.high + values[k].im.low))
      return notFinite(k);
  auto part = [&](size_t k, size_t plane) {
    const WideSlot &slot = values[k];
    const double parts[4] = {slot.re.high, slot.re.low, slot.im.high, slot.im.low};
    return parts[plane];
  };
  return roundWide(ring, values.size(), part, scale);
}

static Status reduceAll(const Ring &ring, std::span<const uint16_t> limbs,
                        const Expected<RoundedSlots> &rounded, PolyView out) {
  assert(limbs.size() == out.limbCount && out.degree == ring.degree());
  if (!rounded)
    return rounded.status();
  for (size_t i = 0; i < limbs.size(); ++i)
    rounded->reduce(ring, limbs[i], out.limbSpan(i));
  return Status();
}

Status encodeSlots(const Ring &ring, std::span<const uint16_t> limbs,
                   std::span<const std::complex<double>> values, Scale2 scale, PolyView out,
                   double precisionBits) {
  return reduceAll(ring, limbs, roundSlots(ring, values, scale, precisionBits), out);
}

Status encodeSlots(const Ring &ring, std::span<const uint16_t> limbs,
                   std::span<const WideSlot> values, Scale2 scale, PolyView out) {
  return reduceAll(ring, limbs, roundSlots(ring, values, scale), out);
}

} // namespace sluice::ring
