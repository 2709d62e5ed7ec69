//===- Natural.cpp - natural numbers of any size ----------------------------------------------===//
//
// Schoolbook arithmetic on words of 32 bits.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/Natural.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace sluice::ckks {

Natural::Natural(uint64_t value) {
  for (; value; value >>= 32)
    words.push_back(static_cast<uint32_t>(value));
}

Natural Natural::powerOfTwo(unsigned exponent) {
  Natural result;
  result.words.assign(exponent / 32 + 1, 0);
  result.words.back() = uint32_t{1} << exponent % 32;
  return result;
}

Natural Natural::power(const Natural &base, uint64_t exponent) {
  Natural result = 1, square = base;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result * square;
    if (exponent > 1)
      square = square * square;
  }
  return result;
}

Natural Natural::product(std::span<const uint64_t> factors) {
  Natural result = 1;
  for (uint64_t factor : factors)
    result = result * factor;
  return result;
}

unsigned Natural::bitLength() const {
  return words.empty() ? 0 : 32 * (words.size() - 1) + std::bit_width(words.back());
}

bool Natural::bit(unsigned i) const {
  return i / 32 < words.size() && (words[i / 32] >> i % 32 & 1);
}

uint64_t Natural::residue(uint64_t modulus) const {
  assert(modulus > 0 && "residue modulo zero");
  unsigned __int128 rest = 0;
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    rest = (rest << 32 | *word) % modulus;
  return static_cast<uint64_t>(rest);
}

uint64_t Natural::toWord() const {
  assert(bitLength() <= 64 && "value has more than 64 bits");
  uint64_t low = words.empty() ? 0 : words[0];
  return words.size() < 2 ? low : low | uint64_t{words[1]} << 32;
}

std::string Natural::toDecimal() const {
  std::string digits;
  Natural rest = *this;
  do {
    auto [quotient, digit] = rest.divide(10);
    digits.push_back(static_cast<char>('0' + digit.toWord()));
    rest = std::move(quotient);
  } while (!rest.isZero());
  std::ranges::reverse(digits);
  return digits;
}

// One bit of the quotient at a time: the divisors here are few and short.
std::pair<Natural, Natural> Natural::divide(const Natural &divisor) const {
  assert(!divisor.isZero() && "division by zero");
  Natural quotient, rest;
  for (unsigned i = bitLength(); i-- > 0;) {
    rest.shiftIn(bit(i));
    bool fits = rest >= divisor;
    if (fits)
      rest = rest - divisor;
    quotient.shiftIn(fits);
  }
  return {std::move(quotient), std::move(rest)};
}

Natural operator+(const Natural &a, const Natural &b) {
  Natural sum;
  uint64_t carry = 0;
  for (size_t i = 0; i < std::max(a.words.size(), b.words.size()) || carry; ++i) {
    carry += (i < a.words.size() ? a.words[i] : 0);
    carry += (i < b.words.size() ? b.words[i] : 0);
    sum.words.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  sum.trim();
  return sum;
}

Natural operator-(const Natural &a, const Natural &b) {
  assert(a >= b && "difference would be negative");
  Natural difference;
  int64_t borrow = 0;
  for (size_t i = 0; i < a.words.size(); ++i) {
    borrow += int64_t{a.words[i]} - (i < b.words.size() ? int64_t{b.words[i]} : 0);
    difference.words.push_back(static_cast<uint32_t>(borrow));
    borrow >>= 32;
  }
  difference.trim();
  return difference;
}

Natural operator*(const Natural &a, const Natural &b) {
  Natural product;
  product.words.assign(a.words.size() + b.words.size(), 0);
  for (size_t i = 0; i < a.words.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < b.words.size(); ++j) {
      carry += product.words[i + j] + uint64_t{a.words[i]} * b.words[j];
      product.words[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    product.words[i + b.words.size()] = static_cast<uint32_t>(carry);
  }
  product.trim();
  return product;
}

std::strong_ordering operator<=>(const Natural &a, const Natural &b) {
  if (a.words.size() != b.words.size())
    return a.words.size() <=> b.words.size();
  return std::lexicographical_compare_three_way(a.words.rbegin(), a.words.rend(), b.words.rbegin(),
                                                b.words.rend());
}

void Natural::trim() {
  while (!words.empty() && words.back() == 0)
    words.pop_back();
}

void Natural::shiftIn(bool bit) {
  uint32_t carry = bit;
  for (uint32_t &word : words) {
    uint32_t next = word >> 31;
    word = word << 1 | carry;
    carry = next;
  }
  if (carry)
    words.push_back(carry);
}

uint64_t powerModulo(uint64_t base, uint64_t exponent, uint64_t modulus) {
  unsigned __int128 result = 1 % modulus, square = base % modulus;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = result * square % modulus;
    square = square * square % modulus;
  }
  return static_cast<uint64_t>(result);
}

bool isPrime(uint64_t value) {
  // The first twelve primes are witnesses enough below 3.3e24 (Sorenson, Webster 2015).
  constexpr uint64_t witnesses[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  if (value < 2)
    return false;
  for (uint64_t witness : witnesses)
    if (value % witness == 0)
      return value == witness;
  const int twos = std::countr_zero(value - 1);
  auto isWitnessOfComposite = [&](uint64_t witness) {
    uint64_t power = powerModulo(witness, (value - 1) >> twos, value);
    if (power == 1)
      return false;
    for (int i = 0; i < twos; ++i) {
      if (power == value - 1)
        return false;
      power = powerModulo(power, 2, value);
    }
    return true;
  };
  return std::ranges::none_of(witnesses, isWitnessOfComposite);
}

} // namespace sluice::ckks
