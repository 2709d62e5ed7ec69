//===- ScaleValue.cpp - numbers out of exact scales -------------------------------------------===//

#include "passes/algorithms/ScaleValue.h"

#include <algorithm>
#include <cassert>
#include <cmath>

using sluice::ckks::Natural;
using sluice::ckks::Scale;

namespace sluice::algorithms {

namespace {

constexpr int doubleBits = 53;

/// scale = mantissa * 2^exponent up to rounding, the mantissa of about 192 bits: room for a product
/// with a double and for two doubles of result.
struct BigFloat {
  Natural mantissa;
  int exponent = 0;
};

BigFloat approximate(const Scale &scale, std::span<const uint64_t> primes) {
  constexpr int mantissaBits = 192;
  int log2Floor = static_cast<int>(scale.log2Fixed(primes) >> 20);
  int shift = mantissaBits - log2Floor;
  std::optional<Natural> mantissa = roundRatio(scale * Scale::powerOfTwo(shift), primes);
  assert(mantissa && "the scale names a limb that is not in the table");
  return {*mantissa, -shift};
}

/// n / 2^bits rounded to nearest, ties to even.
Natural shiftDown(const Natural &n, unsigned bits) {
  if (bits == 0)
    return n;
  auto [quotient, rest] = n.divide(Natural::powerOfTwo(bits));
  auto order = rest + rest <=> Natural::powerOfTwo(bits);
  bool isUp = order > 0 || (order == 0 && !quotient.isEven());
  return isUp ? quotient + Natural(1) : quotient;
}

/// The double nearest to n * 2^exponent.
double toDouble(const Natural &n, int exponent) {
  unsigned shift = std::max<int>(0, static_cast<int>(n.bitLength()) - doubleBits);
  return std::ldexp(static_cast<double>(shiftDown(n, shift).toWord()),
                    exponent + static_cast<int>(shift));
}

/// a - b * 2^exponent as a double, where b * 2^exponent >= 0 is an integer-valued double close to
/// a.
double difference(const Natural &a, double b) {
  int exponent = 0;
  double fraction = std::frexp(b, &exponent);
  Natural integer(static_cast<uint64_t>(std::ldexp(fraction, doubleBits)));
  int shift = exponent - doubleBits;
  integer = shift >= 0 ? integer * Natural::powerOfTwo(shift) : shiftDown(integer, -shift);
  return a >= integer ? toDouble(a - integer, 0) : -toDouble(integer - a, 0);
}

} // namespace

double scaleLog2(const Scale &scale, std::span<const uint64_t> primes) {
  return std::ldexp(double(scale.log2Fixed(primes)), -20);
}

DoubleDouble scaleValue(const Scale &scale, std::span<const uint64_t> primes) {
  BigFloat value = approximate(scale, primes);
  double high = toDouble(value.mantissa, 0);
  double low = difference(value.mantissa, high);
  return {std::ldexp(high, value.exponent), std::ldexp(low, value.exponent)};
}

EncodedScalar encodeScalar(double value, const Scale &scale, std::span<const uint64_t> primes,
                           std::span<const int64_t> limbs) {
  assert(std::isfinite(value) && "verified on the operation");
  int valueExponent = 0;
  double fraction = std::frexp(std::fabs(value), &valueExponent);
  Natural integer(static_cast<uint64_t>(std::ldexp(fraction, doubleBits)));
  valueExponent -= doubleBits;

  // |value| * scale = product * 2^exponent.
  BigFloat factor = approximate(scale, primes);
  Natural product = integer * factor.mantissa;
  int exponent = factor.exponent + valueExponent;
  Natural rounded = exponent >= 0 ? product * Natural::powerOfTwo(exponent)
                                  : shiftDown(product, static_cast<unsigned>(-exponent));

  EncodedScalar encoded;
  encoded.bits = rounded.bitLength();
  for (int64_t limb : limbs) {
    uint64_t residue = rounded.residue(primes[limb]);
    encoded.residues.push_back(value < 0 && residue != 0 ? primes[limb] - residue : residue);
  }
  if (exponent < 0) {
    Natural restored = rounded * Natural::powerOfTwo(static_cast<unsigned>(-exponent));
    Natural rest = restored >= product ? restored - product : product - restored;
    encoded.error =
        std::ldexp(toDouble(rest, exponent) / toDouble(factor.mantissa, 0), -factor.exponent);
  }
  return encoded;
}

} // namespace sluice::algorithms
