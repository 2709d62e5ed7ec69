//===- arithmetic.h - scalar arithmetic modulo a prime of a limb ------------------------------===//
//
// Everything here is `static inline`, so that a file compiled for one instruction set never lends
// its copy of a function to the rest of the program.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_ARITHMETIC_H
#define SLUICE_RUNTIME_KERNELS_ARITHMETIC_H

#include "runtime/kernels/kernels.h"

namespace sluice::kernels {

__extension__ using Word128 = unsigned __int128;

static inline uint64_t mulHigh(uint64_t a, uint64_t b) {
  return static_cast<uint64_t>((static_cast<Word128>(a) * b) >> 64);
}

/// x - bound if x >= bound, else x: takes [0, 2 bound) to [0, bound).
static inline uint64_t reduceOnce(uint64_t x, uint64_t bound) { return x >= bound ? x - bound : x; }

static inline uint64_t addModulo(uint64_t a, uint64_t b, uint64_t q) {
  return reduceOnce(a + b, q);
}

/// With a mask, since compilers make a branch of a selection here: slow and data-dependent.
static inline uint64_t subModulo(uint64_t a, uint64_t b, uint64_t q) {
  const uint64_t isNegative = a < b ? 1 : 0;
  return a - b + (q & (uint64_t{0} - isNegative));
}

/// x mod q up to one q: in [0, 2q), for any word x.
static inline uint64_t reduceWordLazy(const PrimeConstants &prime, uint64_t x) {
  return x - mulHigh(x, prime.wordBarrett) * prime.q;
}

/// x mod q for any word x.
static inline uint64_t reduceWord(const PrimeConstants &prime, uint64_t x) {
  return reduceOnce(reduceWordLazy(prime, x), prime.q);
}

/// x * c mod q up to one q: in [0, 2q), for any word x (Shoup's product). Below q + x * q / 2^64.
static inline uint64_t mulShoupLazy(uint64_t x, uint64_t value, uint64_t quotient, uint64_t q) {
  return x * value - mulHigh(x, quotient) * q;
}

/// x * c mod q for any word x.
static inline uint64_t mulShoup(uint64_t x, ShoupFactor factor, uint64_t q) {
  return reduceOnce(mulShoupLazy(x, factor.value, factor.quotient, q), q);
}

/// x mod q for x < 4 q^2 (Barrett; the error of the quotient is below 1 + 2^-3).
static inline uint64_t reduceProduct(const PrimeConstants &prime, Word128 x) {
  uint64_t top = static_cast<uint64_t>(x >> (prime.bits - 10));
  uint64_t remainder = static_cast<uint64_t>(x) - mulHigh(top, prime.barrett) * prime.q;
  return reduceOnce(remainder, prime.q);
}

/// x mod q for x < 2^(bits+60): a sum of maxConvertSources products of words below 2^50 and
/// residues, or of maxDigits products of residues. The error of the quotient is below 1 + 1/2 +
/// 1/4.
static inline uint64_t reduceSum(const PrimeConstants &prime, Word128 x) {
  uint64_t top = static_cast<uint64_t>(x >> (prime.bits - 2));
  uint64_t remainder = static_cast<uint64_t>(x) - mulHigh(top, prime.wideBarrett) * prime.q;
  return reduceOnce(remainder, prime.q);
}

/// x mod q for any x of 128 bits.
static inline uint64_t reduceWide(const PrimeConstants &prime, Word128 x) {
  uint64_t high = mulShoupLazy(static_cast<uint64_t>(x >> 64), prime.pow2To64.value,
                               prime.pow2To64.quotient, prime.q);
  uint64_t low = reduceWordLazy(prime, static_cast<uint64_t>(x));
  return reduceOnce(reduceOnce(high + low, 2 * prime.q), prime.q);
}

static inline uint64_t mulModulo(const PrimeConstants &prime, uint64_t a, uint64_t b) {
  return reduceProduct(prime, static_cast<Word128>(a) * b);
}

/// `value` in [0, q) with its Shoup quotient, without a division: 2^64 / q is wordBarrett +
/// pow2To64 / q.
static inline ShoupFactor makeShoupFactor(const PrimeConstants &prime, uint64_t value) {
  // value * 2^64 = value * wordBarrett * q + value * (2^64 mod q); the second part's quotient is at
  // most q.
  Word128 rest = static_cast<Word128>(value) * prime.pow2To64.value;
  uint64_t top = static_cast<uint64_t>(rest >> (prime.bits - 10));
  uint64_t quotient = mulHigh(top, prime.barrett);
  uint64_t remainder = static_cast<uint64_t>(rest) - quotient * prime.q;
  quotient += remainder >= prime.q ? 1 : 0;
  return {value, value * prime.wordBarrett + quotient};
}

} // namespace sluice::kernels

#endif // SLUICE_RUNTIME_KERNELS_ARITHMETIC_H
