//===- Scale.cpp - exact scales ---------------------------------------------------------------===//
//
// Monomials, their text form, and the integers that are derived from them. Integer arithmetic only.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/Scale.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstdlib>

namespace sluice::ckks {

//===------------------------------------------------------------------------------------------===//
// Dyadic
//===------------------------------------------------------------------------------------------===//

namespace {

/// Denominators stay below 2^62, numerators within 64 bits; a circuit that leaves these bounds
/// would have more levels than any ring.
int64_t checked(bool overflowed, int64_t value) {
  if (overflowed)
    std::abort();
  return value;
}

int64_t shiftLeft(int64_t value, unsigned bits) {
  int64_t result = 0;
  bool overflowed = bits > 62 || __builtin_mul_overflow(value, int64_t{1} << bits, &result);
  return checked(overflowed, result);
}

} // namespace

Dyadic::Dyadic(int64_t numerator, unsigned log2Denominator)
    : numerator(numerator), log2Denominator(log2Denominator) {
  while (this->log2Denominator && this->numerator % 2 == 0) {
    this->numerator /= 2;
    --this->log2Denominator;
  }
  checked(this->log2Denominator > 62, 0);
}

Dyadic Dyadic::operator-() const { return *this * -1; }

Dyadic operator+(Dyadic a, Dyadic b) {
  unsigned denominator = std::max(a.log2Denominator, b.log2Denominator);
  int64_t sum;
  bool overflowed =
      __builtin_add_overflow(shiftLeft(a.numerator, denominator - a.log2Denominator),
                             shiftLeft(b.numerator, denominator - b.log2Denominator), &sum);
  return {checked(overflowed, sum), denominator};
}

Dyadic operator*(Dyadic a, int64_t b) {
  int64_t product;
  bool overflowed = __builtin_mul_overflow(a.numerator, b, &product);
  return {checked(overflowed, product), a.log2Denominator};
}

//===------------------------------------------------------------------------------------------===//
// Scale: the group of monomials
//===------------------------------------------------------------------------------------------===//

Scale Scale::powerOfTwo(Dyadic exponent) {
  Scale scale;
  scale.two = exponent;
  return scale;
}

Scale Scale::limb(unsigned index, Dyadic exponent) {
  Scale scale;
  if (!exponent.isZero())
    scale.limbExponents.emplace(index, exponent);
  return scale;
}

Scale Scale::limbs(std::span<const int64_t> indices) {
  Scale scale;
  for (int64_t index : indices)
    scale *= limb(static_cast<unsigned>(index));
  return scale;
}

Dyadic Scale::exponentOfLimb(unsigned index) const {
  auto found = limbExponents.find(index);
  return found == limbExponents.end() ? Dyadic() : found->second;
}

bool Scale::isRational() const {
  return two.isInteger() && std::ranges::all_of(limbExponents, [](const auto &factor) {
           return factor.second.isInteger();
         });
}

unsigned Scale::limbTableSize() const {
  return limbExponents.empty() ? 0 : limbExponents.rbegin()->first + 1;
}

Scale Scale::root() const {
  Scale result;
  result.two = two.half();
  for (auto [index, exponent] : limbExponents)
    result.limbExponents.emplace(index, exponent.half());
  return result;
}

Scale Scale::pow(int64_t exponent) const {
  Scale result;
  if (exponent == 0)
    return result;
  result.two = two * exponent;
  for (auto [index, own] : limbExponents)
    result.limbExponents.emplace(index, own * exponent);
  return result;
}

Scale &Scale::operator*=(const Scale &other) {
  two = two + other.two;
  for (auto [index, exponent] : other.limbExponents) {
    auto [entry, isNew] = limbExponents.try_emplace(index, exponent);
    if (isNew)
      continue;
    entry->second = entry->second + exponent;
    if (entry->second.isZero())
      limbExponents.erase(entry);
  }
  return *this;
}

size_t Scale::hash() const {
  uint64_t state = 0x9e3779b97f4a7c15;
  auto mix = [&](uint64_t value) { state = std::rotl(state ^ value, 27) * 0x3c79ac492ba7b653; };
  auto mixExponent = [&](Dyadic exponent) {
    mix(static_cast<uint64_t>(exponent.getNumerator()));
    mix(exponent.getLog2Denominator());
  };
  mixExponent(two);
  for (auto [index, exponent] : limbExponents) {
    mix(index);
    mixExponent(exponent);
  }
  return static_cast<size_t>(state ^ state >> 31);
}

//===------------------------------------------------------------------------------------------===//
// Scale: text
//===------------------------------------------------------------------------------------------===//

namespace {

/// A cursor over the text of a scale. Failure is sticky: the first reason is kept.
class ScaleReader {
public:
  explicit ScaleReader(std::string_view text) : text(text) {}

  std::optional<Scale> read() {
    Scale scale;
    do
      scale *= readFactor();
    while (reason.empty() && consume('*'));
    if (reason.empty() && position < text.size())
      fail("expected '*' or the end of the scale");
    return reason.empty() ? std::optional(scale) : std::nullopt;
  }

  std::string reason;
  size_t position = 0;

private:
  Scale readFactor() {
    if (consume('q')) {
      int64_t index = readInteger("a limb index after 'q'");
      if (index < 0 || index > 65535)
        fail("limb index must be between 0 and 65535");
      Dyadic exponent = readExponent();
      return reason.empty() ? Scale::limb(static_cast<unsigned>(index), exponent) : Scale();
    }
    if (consume('2'))
      return Scale::powerOfTwo(readExponent());
    fail("expected '2' or 'q<limb index>'");
    return {};
  }

  Dyadic readExponent() {
    if (!reason.empty() || !consume('^'))
      return 1;
    if (!consume('('))
      return readInteger("an exponent");
    int64_t numerator = readInteger("a numerator");
    int64_t denominator = consume('/') ? readInteger("a denominator") : 1;
    if (!reason.empty())
      return 0;
    if (denominator <= 0 || !std::has_single_bit(static_cast<uint64_t>(denominator)))
      fail("denominator of an exponent must be a power of two");
    else if (!consume(')'))
      fail("expected ')'");
    return reason.empty()
               ? Dyadic(numerator,
                        static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(denominator))))
               : Dyadic();
  }

  /// A decimal integer of magnitude at most 2^31: more would only serve to overflow.
  int64_t readInteger(std::string_view what) {
    skipSpaces();
    int64_t value = 0;
    const char *first = text.data() + position, *last = text.data() + text.size();
    auto [end, code] = std::from_chars(first, last, value);
    if (code == std::errc::invalid_argument)
      fail("expected " + std::string(what));
    else if (code != std::errc() || value > INT32_MAX || value < -INT32_MAX)
      fail("number must be below 2^31 in magnitude");
    else
      position += static_cast<size_t>(end - first);
    return reason.empty() ? value : 0;
  }

  bool consume(char wanted) {
    skipSpaces();
    if (!reason.empty() || position == text.size() || text[position] != wanted)
      return false;
    ++position;
    return true;
  }

  void skipSpaces() {
    while (position < text.size() && text[position] == ' ')
      ++position;
  }

  void fail(std::string message) {
    if (reason.empty())
      reason = std::move(message);
  }

  std::string_view text;
};

std::string exponentText(Dyadic exponent) {
  std::string numerator = std::to_string(exponent.getNumerator());
  if (exponent.isInteger())
    return numerator;
  return "(" + numerator + "/" + std::to_string(int64_t{1} << exponent.getLog2Denominator()) + ")";
}

} // namespace

std::optional<Scale> Scale::parse(std::string_view text, std::string *error, size_t *offset) {
  ScaleReader reader(text);
  std::optional<Scale> scale = reader.read();
  if (error)
    *error = reader.reason;
  if (offset)
    *offset = reader.position;
  return scale;
}

std::string Scale::str() const {
  std::string text;
  if (!two.isZero() || limbExponents.empty())
    text = "2^" + exponentText(two);
  for (auto [index, exponent] : limbExponents) {
    text += (text.empty() ? "q" : " * q") + std::to_string(index);
    if (exponent != Dyadic(1))
      text += "^" + exponentText(exponent);
  }
  return text;
}

//===------------------------------------------------------------------------------------------===//
// Scale: values
//===------------------------------------------------------------------------------------------===//

namespace {

/// floor(2^62 * log2(value)) but for the last few bits, for value > 0: the integer part is the bit
/// length, each further bit is one squaring of the mantissa.
__int128 log2In62Bits(uint64_t value) {
  assert(value > 0 && "logarithm of zero");
  unsigned integerPart = static_cast<unsigned>(std::bit_width(value)) - 1;
  uint64_t mantissa = value << (63 - integerPart); // [1, 2) with 63 fractional bits
  __int128 result = integerPart;
  for (unsigned i = 0; i < 62; ++i) {
    unsigned __int128 square = static_cast<unsigned __int128>(mantissa) * mantissa;
    bool carries = square >> 127;
    mantissa = static_cast<uint64_t>(square >> (carries ? 64 : 63));
    result = result << 1 | carries;
  }
  return result;
}

/// log * exponent, in the same units, exact up to the last bit.
__int128 timesExponent(__int128 log, Dyadic exponent) {
  // Split so that the product fits: |numerator| < 2^63, log < 2^68.
  __int128 high = (log >> 32) * exponent.getNumerator();
  __int128 low = (log & 0xffffffff) * exponent.getNumerator();
  unsigned shift = exponent.getLog2Denominator();
  if (shift < 32)
    return (high << (32 - shift)) + (low >> shift);
  return (high >> (shift - 32)) + (low >> shift);
}

} // namespace

int64_t Scale::log2Fixed(std::span<const uint64_t> primes) const {
  assert(limbTableSize() <= primes.size() && "limb index outside the limb table");
  __int128 sum = timesExponent(__int128{1} << 62, two);
  for (auto [index, exponent] : limbExponents)
    sum += timesExponent(log2In62Bits(primes[index]), exponent);
  return static_cast<int64_t>((sum + (__int128{1} << 41)) >> 42);
}

std::optional<uint64_t> Scale::residue(uint64_t modulus, std::span<const uint64_t> primes) const {
  assert(limbTableSize() <= primes.size() && "limb index outside the limb table");
  if (!isRational())
    return std::nullopt;
  unsigned __int128 result = 1;
  auto multiply = [&](uint64_t base, Dyadic exponent) {
    if (exponent.getNumerator() < 0 && base % modulus == 0)
      return false;
    // Fermat: base^-e = base^(e * (modulus - 2)), as a power of the inverse.
    uint64_t factor = base;
    int64_t power = exponent.getNumerator();
    if (power < 0) {
      factor = powerModulo(base, modulus - 2, modulus);
      power = -power;
    }
    result = result * powerModulo(factor, static_cast<uint64_t>(power), modulus) % modulus;
    return true;
  };
  if (!multiply(2, two))
    return std::nullopt;
  for (auto [index, exponent] : limbExponents)
    if (!multiply(primes[index], exponent))
      return std::nullopt;
  return static_cast<uint64_t>(result);
}

//===------------------------------------------------------------------------------------------===//
// roundRatio
//===------------------------------------------------------------------------------------------===//

bool hasBoundedExponents(const Scale &scale) {
  constexpr int64_t largest = int64_t{1} << 20;
  auto isSmall = [](Dyadic exponent) {
    return exponent.getLog2Denominator() <= 10 && std::abs(exponent.getNumerator()) <= largest;
  };
  return isSmall(scale.exponentOfTwo()) &&
         std::ranges::all_of(scale.exponentsOfLimbs(),
                             [&](const auto &factor) { return isSmall(factor.second); });
}

namespace {

/// Largest ratio that is rounded, in bits.
constexpr unsigned maxRatioBits = 4096;

/// numerator / denominator = ratio^(2^rootBits), in natural numbers.
struct PoweredRatio {
  Natural numerator = 1, denominator = 1;
  unsigned rootBits = 0;
};

PoweredRatio poweredRatio(const Scale &ratio, std::span<const uint64_t> primes) {
  PoweredRatio result;
  result.rootBits = ratio.exponentOfTwo().getLog2Denominator();
  for (auto [index, exponent] : ratio.exponentsOfLimbs())
    result.rootBits = std::max(result.rootBits, exponent.getLog2Denominator());
  auto multiply = [&](uint64_t base, Dyadic exponent) {
    int64_t power =
        shiftLeft(exponent.getNumerator(), result.rootBits - exponent.getLog2Denominator());
    Natural &side = power < 0 ? result.denominator : result.numerator;
    side = side * Natural::power(base, static_cast<uint64_t>(power < 0 ? -power : power));
  };
  multiply(2, ratio.exponentOfTwo());
  for (auto [index, exponent] : ratio.exponentsOfLimbs())
    multiply(primes[index], exponent);
  return result;
}

} // namespace

std::optional<Natural> roundRatio(const Scale &ratio, std::span<const uint64_t> primes) {
  if (ratio.limbTableSize() > primes.size())
    return std::nullopt;
  if (!hasBoundedExponents(ratio))
    return std::nullopt;
  int64_t bits = ratio.log2Fixed(primes) >> 20;
  if (bits >= static_cast<int64_t>(maxRatioBits))
    return std::nullopt;
  if (bits < -2)
    return Natural();
  PoweredRatio powered = poweredRatio(ratio, primes);
  // The largest n with n - 1/2 <= ratio, that is (2n - 1)^(2^r) * denominator <= 2^(2^r) *
  // numerator.
  uint64_t power = uint64_t{1} << powered.rootBits;
  Natural right = Natural::powerOfTwo(static_cast<unsigned>(power)) * powered.numerator;
  auto isAtMost = [&](const Natural &n) {
    return n.isZero() || Natural::power(n + n - 1, power) * powered.denominator <= right;
  };
  if (powered.rootBits == 0)
    return (powered.numerator + powered.numerator + powered.denominator)
        .divide(powered.denominator + powered.denominator)
        .first;
  Natural rounded;
  for (unsigned bit = static_cast<unsigned>(std::max<int64_t>(bits, 0)) + 3; bit-- > 0;) {
    Natural candidate = rounded + Natural::powerOfTwo(bit);
    if (isAtMost(candidate))
      rounded = candidate;
  }
  return rounded;
}

} // namespace sluice::ckks
