//===- modulus.cpp - arithmetic modulo the prime of one limb ----------------------------------===//
#include "runtime/ring/modulus.h"

#include "runtime/kernels/arithmetic.h"

#include <bit>

namespace sluice::ring {

using kernels::Word128;

Expected<Modulus> Modulus::create(uint64_t q) {
  unsigned bits = static_cast<unsigned>(std::bit_width(q));
  if (q % 2 == 0 || bits < kernels::minPrimeBits || bits > kernels::maxPrimeBits)
    return Status::error(
        StatusCode::outOfRange, "modulus %llu is refused: limbs are odd primes of %u to %u bits",
        static_cast<unsigned long long>(q), kernels::minPrimeBits, kernels::maxPrimeBits);
  Modulus modulus;
  kernels::PrimeConstants &prime = modulus.prime;
  prime.q = q;
  prime.bits = bits;
  prime.wideBarrett = static_cast<uint64_t>((Word128{1} << (bits + 62)) / q);
  prime.barrett = prime.wideBarrett >> 8;
  prime.wordBarrett = static_cast<uint64_t>((Word128{1} << 64) / q);
  // The value first: makeShoupFactor needs it for the quotients.
  prime.pow2To64.value = static_cast<uint64_t>((Word128{1} << 64) % q);
  prime.pow2To64 = kernels::makeShoupFactor(prime, prime.pow2To64.value);
  prime.pow2To52 = kernels::makeShoupFactor(prime, (uint64_t{1} << 52) % q);
  return modulus;
}

uint64_t Modulus::reduce(uint64_t word) const { return kernels::reduceWord(prime, word); }

uint64_t Modulus::reduceSigned(int64_t word) const {
  if (word >= 0)
    return reduce(static_cast<uint64_t>(word));
  return negate(reduce(uint64_t{0} - static_cast<uint64_t>(word)));
}

uint64_t Modulus::reduceWide(uint64_t high, uint64_t low) const {
  return kernels::reduceWide(prime, (static_cast<Word128>(high) << 64) | low);
}

uint64_t Modulus::add(uint64_t a, uint64_t b) const { return kernels::addModulo(a, b, prime.q); }

uint64_t Modulus::sub(uint64_t a, uint64_t b) const { return kernels::subModulo(a, b, prime.q); }

uint64_t Modulus::negate(uint64_t a) const { return a == 0 ? 0 : prime.q - a; }

uint64_t Modulus::mul(uint64_t a, uint64_t b) const { return kernels::mulModulo(prime, a, b); }

uint64_t Modulus::pow(uint64_t base, uint64_t exponent) const {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}

uint64_t Modulus::inverse(uint64_t a) const { return pow(a, prime.q - 2); }

kernels::ShoupFactor Modulus::shoupFactor(uint64_t residue) const {
  return kernels::makeShoupFactor(prime, residue);
}

} // namespace sluice::ring
