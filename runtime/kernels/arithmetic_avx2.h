//===- arithmetic_avx2.h - four residues at a time, in doubles --------------------------------===//
//
// AVX2 multiplies no words of 64 bits, but doubles: with q < 2^50 a product of two residues is the
// exact sum of two doubles, high = a * b rounded and low = a * b - high (one FMA), and its residue
// is high - k q + low for the integer k next to a * b / q. All these values are integers below
// 2^53, so nothing is lost: results are those of the scalar row, bit for bit. The rounding mode
// must be to nearest, as it is in every thread unless somebody changes it.
//
// Bounds below are in multiples of q. The quotient is off by the roundings of high and of 1/q, each
// 2^-53 of a * b / q: for |a| <= A q and |b| <= q/2 by less than A q 2^-53 < A/8, and a residue
// from `multiply` is at most 1/2 + A/8; for |b| < q at most 1/2 + A/4.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_ARITHMETIC_AVX2_H
#define SLUICE_RUNTIME_KERNELS_ARITHMETIC_AVX2_H

#include "runtime/kernels/arithmetic.h"

#include <immintrin.h>

namespace sluice::kernels::avx2 {

using Words = __m256i; // four words of 64 bits
using Reals = __m256d; // four doubles

static inline Words broadcast(uint64_t word) {
  return _mm256_set1_epi64x(static_cast<long long>(word));
}

static inline Reals broadcast(double value) { return _mm256_set1_pd(value); }

static inline Words load(const uint64_t *words) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(words));
}

static inline Reals load(const double *values) { return _mm256_loadu_pd(values); }

static inline void store(uint64_t *words, Words a) {
  _mm256_storeu_si256(reinterpret_cast<__m256i *>(words), a);
}

static inline void store(double *values, Reals a) { _mm256_storeu_pd(values, a); }

/// Words below 2^52 as doubles: as the mantissa of a number from 2^52 on.
static inline Reals toReals(Words words) {
  const Reals offset = broadcast(0x1p52);
  return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(words, _mm256_castpd_si256(offset))),
                       offset);
}

/// A residue as a double in (-q/2, q/2).
static inline double centre(const PrimeConstants &prime, uint64_t residue) {
  const double real = static_cast<double>(residue);
  return residue > prime.q / 2 ? real - static_cast<double>(prime.q) : real;
}

/// negative where `sign` has its top bit set, else other.
static inline Words selectBySign(Words other, Words negative, Words sign) {
  return _mm256_castpd_si256(_mm256_blendv_pd(
      _mm256_castsi256_pd(other), _mm256_castsi256_pd(negative), _mm256_castsi256_pd(sign)));
}

/// x in (-2^63, q) to x, or to x + q where it is negative.
static inline Words addIfNegative(Words x, Words q) {
  return selectBySign(x, _mm256_add_epi64(x, q), x);
}

/// The constants of one prime, broadcast.
struct VectorPrime {
  Reals q, inverse; // inverse: 1/q, rounded
  Words wordQ;

  explicit VectorPrime(const PrimeConstants &prime)
      : q(broadcast(static_cast<double>(prime.q))),
        inverse(broadcast(1.0 / static_cast<double>(prime.q))), wordQ(broadcast(prime.q)) {}
};

/// x / q rounded to an integer, for |x| / q < 2^51: what is added has a last place of 1.
static inline Reals quotient(Reals x, const VectorPrime &prime) {
  const Reals offset = broadcast(0x1.8p52);
  return _mm256_sub_pd(_mm256_fmadd_pd(x, prime.inverse, offset), offset);
}

/// x modulo q for an integer |x| < 2^53: at most 1/2 + 2^-19.
static inline Reals reduce(Reals x, const VectorPrime &prime) {
  return _mm256_fnmadd_pd(quotient(x, prime), prime.q, x);
}

/// a * b modulo q for integers; the bounds are in the head of this file. |a * b| / q < 2^51.
static inline Reals multiply(Reals a, Reals b, const VectorPrime &prime) {
  const Reals high = _mm256_mul_pd(a, b);
  const Reals low = _mm256_fmsub_pd(a, b, high);
  const Reals rest = _mm256_fnmadd_pd(quotient(high, prime), prime.q, high);
  return _mm256_add_pd(rest, low);
}

/// The residue of an integer |x| < q.
static inline Words toResidues(Reals x, const VectorPrime &prime) {
  const Reals offset = broadcast(0x1.8p52);
  const Words shifted = _mm256_castpd_si256(_mm256_add_pd(x, offset));
  return addIfNegative(_mm256_sub_epi64(shifted, _mm256_castpd_si256(offset)), prime.wordQ);
}

/// A sum of up to 8 products of words below 2^50, exact, as high + low. high starts at 2^103 and
/// stays below 2^104, so it is a multiple of 2^51 and each product leaves at most 2^50 to low.
struct WideSum {
  static constexpr size_t maxProducts = 8;
  Reals high = broadcast(0x1p103), low = _mm256_setzero_pd();

  void addProduct(Reals a, Reals b) {
    const Reals next = _mm256_fmadd_pd(a, b, high);
    low = _mm256_add_pd(low, _mm256_fmsub_pd(a, b, _mm256_sub_pd(next, high)));
    high = next;
  }

  /// The sum plus an integer |x| <= q modulo q, at most 1/2 + 2^-19, when each product had a factor
  /// below q.
  Reals reduceWith(Reals x, const VectorPrime &prime) const {
    // At most 2^53 (1 + 2^-19) times q, so the quotient is off by at most 1/2 + 2 and a little.
    const Reals sum = _mm256_sub_pd(high, broadcast(0x1p103));
    const Reals multiple = _mm256_round_pd(_mm256_mul_pd(sum, prime.inverse),
                                           _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const Reals rest = _mm256_fnmadd_pd(multiple, prime.q, sum);
    return reduce(_mm256_add_pd(_mm256_add_pd(rest, reduce(low, prime)), x), prime);
  }
};

} // namespace sluice::kernels::avx2

#endif // SLUICE_RUNTIME_KERNELS_ARITHMETIC_AVX2_H
