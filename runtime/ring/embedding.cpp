//===- embedding.cpp - slots to coefficients and back -----------------------------------------===//
#include "runtime/ring/embedding.h"

#include "runtime/ring/basis.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

namespace sluice::ring {

/// exp(2 pi i * numerator / denominator), denominator a multiple of 8, numerator below it. Only
/// angles up to pi/4 are given to the library, so that symmetric roots are exactly symmetric.
static std::complex<double> rootOfUnity(uint64_t numerator, uint64_t denominator) {
  const uint64_t quarter = denominator / 4;
  const uint64_t quadrant = numerator / quarter, rest = numerator % quarter;
  const bool isUpper = rest > quarter / 2;
  const long double angle = 2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(isUpper ? quarter - rest : rest) /
                            static_cast<long double>(denominator);
  double re = static_cast<double>(std::cos(angle)), im = static_cast<double>(std::sin(angle));
  if (isUpper)
    std::swap(re, im);
  switch (quadrant) {
  case 0:
    return {re, im};
  case 1:
    return {-im, re};
  case 2:
    return {-re, -im};
  default:
    return {im, -re};
  }
}

std::unique_ptr<double[]> makeEmbeddingRoots(unsigned logSlots) {
  const size_t slots = size_t{1} << logSlots;
  auto roots = std::make_unique<double[]>(2 * slots);
  roots[0] = 1; // Index 0 is unused.
  for (size_t half = 1; half < slots; half *= 2) {
    const uint64_t order = 8 * half;
    uint64_t power = 1; // 5^j mod 8h
    for (size_t j = 0; j < half; ++j, power = power * 5 % order) {
      std::complex<double> root = rootOfUnity(power, order);
      roots[2 * (half + j)] = root.real();
      roots[2 * (half + j) + 1] = root.imag();
    }
  }
  return roots;
}

static Status checkSlotCount(const Ring &ring, size_t slots) {
  if (std::has_single_bit(slots) && slots <= ring.degree() / 2)
    return Status();
  return Status::error(StatusCode::invalidArgument,
                       "%zu slots: the number of slots is a power of two up to N/2 = %zu", slots,
                       ring.degree() / 2);
}

/// Coefficients beyond this are refused: plaintexts at the scale of a product still fit.
static constexpr double coefficientBound = 0x1p120;

/// floor(value * scale + 1/2) as far as doubles tell, or nothing if that reaches coefficientBound
/// (or is not a number). The product's rounding error and the scale's low part are kept, so that
/// large results are not rounded twice.
static bool tryScaleAndRound(double value, Scale2 scale, __int128 &result) {
  const double product = value * scale.high;
  if (!(std::fabs(product) < coefficientBound))
    return false;
  const double correction = std::fma(value, scale.high, -product) + value * scale.low;
  const double whole = std::floor(product);
  // Both differences are exact, or too far from the border to matter.
  const double aboveHalf = ((product - whole) - 0.5) + correction;
  result = static_cast<__int128>(whole) + static_cast<__int128>(std::floor(aboveHalf)) + 1;
  return true;
}

/// The coefficient modulo q, canonical.
static uint64_t reduceCoefficient(const Modulus &q, __int128 coefficient) {
  if (coefficient == static_cast<int64_t>(coefficient))
    return q.reduceSigned(static_cast<int64_t>(coefficient));
  // Rare: only plaintexts that are added to unrescaled products are this large.
  return q.reduceSigned(static_cast<int64_t>(coefficient % static_cast<int64_t>(q.value())));
}

Status encodeSlots(const Ring &ring, std::span<const uint16_t> limbs,
                   std::span<const std::complex<double>> values, Scale2 scale, PolyView out) {
  assert(limbs.size() == out.limbCount && out.degree == ring.degree());
  const size_t slots = values.size();
  SLUICE_RETURN_IF_ERROR(checkSlotCount(ring, slots));
  std::vector<std::complex<double>> scratch(values.begin(), values.end());
  for (size_t k = 0; k < slots; ++k)
    if (!std::isfinite(scratch[k].real()) || !std::isfinite(scratch[k].imag()))
      return Status::error(StatusCode::invalidArgument, "the value of slot %zu is not finite", k);
  double *parts = reinterpret_cast<double *>(scratch.data());
  ring.kernels().unembed(static_cast<unsigned>(std::countr_zero(slots)), parts,
                         ring.embeddingRoots());

  std::fill(out.span().begin(), out.span().end(), uint64_t{0});
  const size_t gap = ring.degree() / (2 * slots);
  for (size_t k = 0; k < 2 * slots; ++k) {
    // Coefficient k of Y: real parts first, then imaginary parts.
    const double part = k < slots ? parts[2 * k] : parts[2 * (k - slots) + 1];
    __int128 coefficient;
    if (!tryScaleAndRound(part, scale, coefficient))
      return Status::error(StatusCode::outOfRange,
                           "an encoded coefficient reaches 2^120: values are too large for the "
                           "scale 2^%.1f",
                           std::log2(scale.high));
    for (size_t i = 0; i < limbs.size(); ++i)
      out.limb(i)[k * gap] = reduceCoefficient(ring.modulus(limbs[i]), coefficient);
  }
  return Status();
}

namespace {
/// Lifts residues to the centred integer by mixed-radix digits in (-q/2, q/2) (Garner), from the
/// limb that comes first to the last. A small integer has zeros as its high digits, so that nothing
/// cancels.
class CentredLift {
public:
  explicit CentredLift(const Ring &ring, std::span<const uint16_t> limbs) : digits(limbs.size()) {
    for (uint16_t limb : limbs)
      moduli.push_back(ring.modulus(limb));
    for (size_t i = 0; i < moduli.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        inverses.push_back(moduli[i].inverse(moduli[i].reduce(moduli[j].value())));
  }

  /// The integer whose residue modulo limb i is poly.limb(i)[n], to the precision of a long double.
  long double lift(ConstPolyView poly, size_t n) {
    size_t pair = 0;
    for (size_t i = 0; i < moduli.size(); ++i) {
      const Modulus &q = moduli[i];
      uint64_t residue = poly.limb(i)[n];
      for (size_t j = 0; j < i; ++j)
        residue = q.mul(q.sub(residue, q.reduceSigned(digits[j])), inverses[pair++]);
      digits[i] = static_cast<int64_t>(residue);
      if (residue > q.value() / 2)
        digits[i] -= static_cast<int64_t>(q.value());
    }
    long double value = 0;
    for (size_t i = moduli.size(); i-- > 0;)
      value =
          value * static_cast<long double>(moduli[i].value()) + static_cast<long double>(digits[i]);
    return value;
  }

private:
  std::vector<Modulus> moduli;
  std::vector<uint64_t> inverses; // of q_j modulo q_i, j < i, row by row
  std::vector<int64_t> digits;
};
} // namespace

Status decodeSlots(const Ring &ring, std::span<const uint16_t> limbs, ConstPolyView poly,
                   Scale2 scale, std::span<std::complex<double>> values) {
  assert(limbs.size() == poly.limbCount && poly.degree == ring.degree());
  const size_t slots = values.size();
  SLUICE_RETURN_IF_ERROR(checkSlotCount(ring, slots));
  CentredLift lift(ring, limbs);
  const long double divisor =
      static_cast<long double>(scale.high) + static_cast<long double>(scale.low);
  const size_t gap = ring.degree() / (2 * slots);
  for (size_t k = 0; k < slots; ++k)
    values[k] = {static_cast<double>(lift.lift(poly, k * gap) / divisor),
                 static_cast<double>(lift.lift(poly, (slots + k) * gap) / divisor)};
  ring.kernels().embed(static_cast<unsigned>(std::countr_zero(slots)),
                       reinterpret_cast<double *>(values.data()), ring.embeddingRoots());
  return Status();
}

} // namespace sluice::ring
