//===- Scale.h - exact scales -----------------------------------------------------------------===//
//
// A scale is a monomial in 2 and the limbs of the limb table with dyadic exponents, for example
// 2^90 * q3^-1 or 2^(45/2) * q3^(1/2). Two scales are equal when they are the same monomial:
// equality is symbolic, and no floating-point number appears in this file or in Scale.cpp.
//
// Functions that need a value take `primes`, the limb table: symbol q<i> stands for primes[i].
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_SCALE_H
#define SLUICE_DIALECTS_CKKS_SCALE_H

#include "dialects/CKKS/Natural.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sluice::ckks {

/// numerator / 2^log2Denominator in lowest terms. Overflow of 64 bits aborts: no circuit comes
/// near.
class Dyadic {
public:
  constexpr Dyadic(int64_t value = 0) : numerator(value) {}
  Dyadic(int64_t numerator, unsigned log2Denominator);

  int64_t getNumerator() const { return numerator; }
  unsigned getLog2Denominator() const { return log2Denominator; }
  bool isZero() const { return numerator == 0; }
  bool isInteger() const { return log2Denominator == 0; }
  Dyadic half() const { return {numerator, log2Denominator + 1}; }

  Dyadic operator-() const;
  friend Dyadic operator+(Dyadic a, Dyadic b);
  friend Dyadic operator*(Dyadic a, int64_t b);
  friend bool operator==(Dyadic a, Dyadic b) = default;

private:
  int64_t numerator;
  unsigned log2Denominator = 0;
};

/// A positive monomial in 2 and the limbs q0, q1, ... with dyadic exponents.
class Scale {
public:
  /// 1, written 2^0.
  Scale() = default;
  static Scale powerOfTwo(Dyadic exponent);
  static Scale limb(unsigned index, Dyadic exponent = 1);
  /// The product of the limbs with these indices.
  static Scale limbs(std::span<const int64_t> indices);

  /// Reads the text that str() writes: factors `2` or `q<i>`, each with an optional exponent `^e`,
  /// e an integer or `(n/d)` with d a power of two, joined by ` * `; factors may repeat and come in
  /// any order. On failure returns nothing and puts the reason into `error`, the position into
  /// `offset`.
  static std::optional<Scale> parse(std::string_view text, std::string *error = nullptr,
                                    size_t *offset = nullptr);
  /// Canonical text: the power of two first, then limbs by index; `2^0` for 1.
  std::string str() const;

  bool isOne() const { return two.isZero() && limbExponents.empty(); }
  Dyadic exponentOfTwo() const { return two; }
  Dyadic exponentOfLimb(unsigned index) const;
  /// The exponents of the limbs that occur, by index; none is zero.
  const std::map<unsigned, Dyadic> &exponentsOfLimbs() const { return limbExponents; }
  /// True when every exponent is an integer: the value is rational.
  bool isRational() const;
  /// One more than the largest limb index that occurs; 0 when none does.
  unsigned limbTableSize() const;

  Scale inverse() const { return pow(-1); }
  /// The exact square root.
  Scale root() const;
  Scale pow(int64_t exponent) const;
  Scale &operator*=(const Scale &other);
  Scale &operator/=(const Scale &other) { return *this *= other.inverse(); }
  friend Scale operator*(Scale a, const Scale &b) { return a *= b; }
  friend Scale operator/(Scale a, const Scale &b) { return a /= b; }
  friend bool operator==(const Scale &a, const Scale &b) = default;
  size_t hash() const;

  /// log2 of the value in units of 2^-20 bits, rounded to nearest. Needs limbTableSize() primes
  /// > 1.
  int64_t log2Fixed(std::span<const uint64_t> primes) const;

  /// The value modulo `modulus`, an odd prime: nothing when the scale is not rational or has
  /// `modulus` itself in its denominator. Needs limbTableSize() primes.
  std::optional<uint64_t> residue(uint64_t modulus, std::span<const uint64_t> primes) const;

private:
  Dyadic two;
  std::map<unsigned, Dyadic> limbExponents;
};

/// Whether the scale's value can be computed: roots of order up to 2^10, numerators of exponents up
/// to 2^20. The scale of a power has such exponents after ten squares under a root of four, as in
/// a bootstrap's series.
bool hasBoundedExponents(const Scale &scale);

/// round(ratio), nearest, ties up, exact for roots too. The factor of adjust_scale is
/// roundRatio(S / s, primes). Nothing when a limb is missing from `primes`, or when the numbers
/// leave the bounds of any circuit: a ratio of 2^4096 or more, a root beyond the 1024th, an
/// exponent numerator beyond 2^20.
std::optional<Natural> roundRatio(const Scale &ratio, std::span<const uint64_t> primes);

/// For hashing in MLIR's and LLVM's containers.
inline size_t hash_value(const Scale &scale) { return scale.hash(); }

} // namespace sluice::ckks

#endif // SLUICE_DIALECTS_CKKS_SCALE_H
