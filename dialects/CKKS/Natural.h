//===- Natural.h - natural numbers of any size ------------------------------------------------===//
//
// Just enough exact arithmetic for scales and limb products: products, comparison, division,
// residues. Schoolbook algorithms; the numbers have a few thousand bits at most.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_NATURAL_H
#define SLUICE_DIALECTS_CKKS_NATURAL_H

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::ckks {

/// A natural number. Little-endian words of 32 bits, no leading zero word; zero has no word.
class Natural {
public:
  Natural() = default;
  Natural(uint64_t value);

  static Natural powerOfTwo(unsigned exponent);
  /// base^exponent; 0^0 = 1.
  static Natural power(const Natural &base, uint64_t exponent);
  /// The product of `factors`; 1 when there are none.
  static Natural product(std::span<const uint64_t> factors);

  bool isZero() const { return words.empty(); }
  bool isEven() const { return words.empty() || words.front() % 2 == 0; }
  /// Number of bits: 0 for 0, otherwise floor(log2) + 1.
  unsigned bitLength() const;
  /// Bit i, counted from the least significant one.
  bool bit(unsigned i) const;
  /// The remainder modulo `modulus` > 0.
  uint64_t residue(uint64_t modulus) const;
  /// The value, which must be below 2^64.
  uint64_t toWord() const;
  std::string toDecimal() const;

  /// (quotient, remainder) of this by `divisor` > 0.
  std::pair<Natural, Natural> divide(const Natural &divisor) const;

  friend Natural operator+(const Natural &a, const Natural &b);
  /// a - b for a >= b.
  friend Natural operator-(const Natural &a, const Natural &b);
  friend Natural operator*(const Natural &a, const Natural &b);
  friend bool operator==(const Natural &a, const Natural &b) = default;
  friend std::strong_ordering operator<=>(const Natural &a, const Natural &b);

private:
  void trim();
  /// this = 2 * this + bit.
  void shiftIn(bool bit);

  std::vector<uint32_t> words;
};

/// Whether `value` is a prime (deterministic Miller-Rabin, right for every 64-bit number).
bool isPrime(uint64_t value);

/// base^exponent modulo `modulus` > 0.
uint64_t powerModulo(uint64_t base, uint64_t exponent, uint64_t modulus);

} // namespace sluice::ckks

#endif // SLUICE_DIALECTS_CKKS_NATURAL_H
