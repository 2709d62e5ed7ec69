//===- embedding_decode.cpp - coefficients to slots -------------------------------------------===//
#include "runtime/kernels/embedding/double_double.h"
#include "runtime/ring/embedding.h"
#include "runtime/ring/embedding_detail.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace sluice::ring {
namespace {

using Real = kernels::TwoParts<double>;

/// How much larger than the scale a coefficient may be before further limbs are needed.
constexpr double headroomBits = 32;

/// The fewest limbs whose product exceeds the coefficients of ordinary values.
size_t ordinaryLimbs(const Ring &ring, std::span<const uint16_t> limbs, Scale2 scale) {
  double bits = std::log2(scale.high) + headroomBits + 1; // and a sign
  size_t count = 0;
  while (count < limbs.size() && (count == 0 || bits > 0))
    bits -= std::log2(static_cast<double>(ring.modulus(limbs[count++]).value()));
  return count;
}

/// Lifts residues to the centred integer by mixed-radix digits in (-q/2, q/2) (Garner), from the
/// limb that comes first to the last: x = d_0 + q_0 (d_1 + q_1 (d_2 + ...)). A small integer has
/// zeros as its high digits, so that nothing cancels.
class CentredLift {
public:
  /// For coefficients 0, gap, 2 gap ... of the polynomial.
  CentredLift(const Ring &ring, std::span<const uint16_t> limbs, const LimbSource &poly, size_t gap)
      : ring(ring), limbs(limbs), poly(poly), gap(gap),
        words(std::max<size_t>(ring.degree() / gap, 8)), reduced(words) {}

  /// Digits limb by limb until a limb beyond the first `ordinary` has none.
  void findDigits(size_t ordinary);

  /// Coefficient k, rounded to double-double, divided by the scale.
  Real value(size_t k, Scale2 scale) const;

private:
  bool addDigits(const uint64_t *residues);

  const Ring &ring;
  std::span<const uint16_t> limbs;
  const LimbSource &poly;
  size_t gap, words;
  AlignedWords reduced;
  std::vector<std::vector<int64_t>> digits;
};

void CentredLift::findDigits(size_t ordinary) {
  size_t ready = std::min(ordinary + 1, limbs.size());
  ConstPolyView rows = poly(0, ready);
  for (size_t i = 0; i < limbs.size(); ++i) {
    if (i >= ready)
      rows = poly(i, 1);
    const bool isAgreed = addDigits(i < ready ? rows.limb(i) : rows.limb(0));
    if (i >= ordinary && isAgreed) {
      digits.pop_back();
      return;
    }
  }
}

/// Adds the digits of the next limb, from the limb's row; whether all are 0.
bool CentredLift::addDigits(const uint64_t *residues) {
  const kernels::KernelTable &kernels = ring.kernels();
  const size_t i = digits.size();
  const Modulus &q = ring.modulus(limbs[i]);
  AlignedWords row(words);
  for (size_t k = 0; k * gap < ring.degree(); ++k)
    row[k] = residues[k * gap];
  for (size_t j = 0; j < i; ++j) {
    kernels.reduceSigned(q.constants(), words, reduced.data(), digits[j].data());
    kernels.subMulScalar(q.constants(), words, row.data(), row.data(), reduced.data(),
                         q.inverse(q.reduce(ring.modulus(limbs[j]).value())));
  }
  std::vector<int64_t> digit(words);
  const int64_t half = static_cast<int64_t>(q.value() / 2), all = static_cast<int64_t>(q.value());
  int64_t found = 0;
  for (size_t k = 0; k < words; ++k) {
    const int64_t residue = static_cast<int64_t>(row[k]);
    digit[k] = residue - (all & ((half - residue) >> 63)); // q is taken away above q/2
    found |= residue;
  }
  digits.push_back(std::move(digit));
  return found == 0;
}

Real CentredLift::value(size_t k, Scale2 scale) const {
  // The scale's power of two is taken from every digit, so that only a result that is no double
  // overflows.
  const double power = std::exp2(-std::ilogb(scale.high));
  Real sum = {0, 0};
  for (size_t i = digits.size(); i-- > 0;) {
    const Real q = {static_cast<double>(ring.modulus(limbs[i]).value()), 0};
    sum = kernels::add(kernels::multiply(sum, q), {static_cast<double>(digits[i][k]) * power, 0});
  }
  return sum;
}

/// 1 / x, for x a sum of two parts.
Real reciprocal(Real x) {
  const double first = 1 / x.high;
  const double error = std::fma(-first, x.high, 1) - first * x.low;
  return kernels::quickTwoSum(first, first * error);
}

/// The coefficients of Y divided by the scale, as planes: real parts high and low, imaginary parts
/// high and low.
std::vector<double> coefficientPlanes(const CentredLift &lift, size_t slots, Scale2 scale) {
  const double power = std::exp2(-std::ilogb(scale.high));
  const Real inverse = reciprocal({scale.high * power, scale.low * power});
  std::vector<double> planes(4 * slots);
  for (size_t k = 0; k < 2 * slots; ++k) {
    const Real value = kernels::multiply(lift.value(k, scale), inverse);
    double *high = planes.data() + (k < slots ? k : k + slots);
    high[0] = value.high;
    high[slots] = value.low;
  }
  return planes;
}

Expected<std::vector<double>> liftPlanes(const Ring &ring, std::span<const uint16_t> limbs,
                                         const LimbSource &poly, Scale2 scale, size_t slots) {
  SLUICE_RETURN_IF_ERROR(detail::checkSlotCount(ring, slots));
  CentredLift lift(ring, limbs, poly, ring.degree() / (2 * slots));
  lift.findDigits(ordinaryLimbs(ring, limbs, scale));
  return coefficientPlanes(lift, slots, scale);
}

void embedWide(const Ring &ring, size_t slots, std::vector<double> &planes) {
  ring.kernels().embedWide(static_cast<unsigned>(std::countr_zero(slots)), planes.data(),
                           ring.degree() / 2, ring.wideEmbeddingRoots());
}

LimbSource allOf(ConstPolyView poly) {
  return [poly](size_t first, size_t count) { return poly.slice(first, count); };
}

} // namespace

Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, const LimbSource &poly,
                   Scale2 scale, std::span<std::complex<double>> values, double precisionBits) {
  const size_t slots = values.size();
  SLUICE_ASSIGN_OR_RETURN(std::vector<double> planes, liftPlanes(ring, limbs, poly, scale, slots));
  const bool isWide = needsWideEmbedding(scale, precisionBits);
  if (isWide)
    embedWide(ring, slots, planes);
  for (size_t k = 0; k < slots; ++k)
    values[k] = {planes[k], planes[2 * slots + k]};
  if (!isWide)
    ring.kernels().embed(static_cast<unsigned>(std::countr_zero(slots)),
                         reinterpret_cast<double *>(values.data()), ring.embeddingRoots());
  return Status();
}

Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, ConstPolyView poly,
                   Scale2 scale, std::span<std::complex<double>> values, double precisionBits) {
  assert(limbs.size() == poly.limbCount && poly.degree == ring.degree());
  return decodeSlots(ring, limbs, allOf(poly), scale, values, precisionBits);
}

Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, ConstPolyView poly,
                   Scale2 scale, std::span<WideSlot> values) {
  assert(limbs.size() == poly.limbCount && poly.degree == ring.degree());
  const size_t slots = values.size();
  SLUICE_ASSIGN_OR_RETURN(std::vector<double> planes,
                          liftPlanes(ring, limbs, allOf(poly), scale, slots));
  embedWide(ring, slots, planes);
  for (size_t k = 0; k < slots; ++k)
    values[k] = {{planes[k], planes[slots + k]}, {planes[2 * slots + k], planes[3 * slots + k]}};
  return Status();
}

} // namespace sluice::ring
