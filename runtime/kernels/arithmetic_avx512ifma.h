//===- arithmetic_avx512ifma.h - eight residues at a time -------------------------------------===//
//
// The instructions multiply the low 52 bits of two words and add the low or the high 52 bits of the
// product. With q < 2^50, 4q fits: lazy values up to 4q may be multiplied.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_ARITHMETIC_AVX512IFMA_H
#define SLUICE_RUNTIME_KERNELS_ARITHMETIC_AVX512IFMA_H

#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/avx512.h"

namespace sluice::kernels::SLUICE_AVX512_ROW {

static inline Vector broadcast(uint64_t word) {
  return _mm512_set1_epi64(static_cast<long long>(word));
}

static inline Vector load(const uint64_t *words) { return _mm512_loadu_si512(words); }

static inline void store(uint64_t *words, Vector a) { _mm512_storeu_si512(words, a); }

/// Takes [0, 2 bound) to [0, bound): the difference wraps to a huge number where it is negative.
static inline Vector reduceOnce(Vector x, Vector bound) {
  return _mm512_min_epu64(x, _mm512_sub_epi64(x, bound));
}

/// The constants of one prime, broadcast.
struct VectorPrime {
  Vector q, twiceQ;
  Vector minusQ; // 2^52 - q: adds -q x to a sum modulo 2^52
  Vector mask;   // 2^52 - 1
  Vector shift;  // 52 - bits
  Vector two;
  Vector barrett;     // floor(2^(bits+50) / q)
  Vector wordBarrett; // floor(2^52 / q)
  Vector pow2To52, pow2To52Quotient;

  explicit VectorPrime(const PrimeConstants &prime)
      : q(broadcast(prime.q)), twiceQ(broadcast(2 * prime.q)),
        minusQ(broadcast((uint64_t{1} << 52) - prime.q)), mask(broadcast((uint64_t{1} << 52) - 1)),
        shift(broadcast(52 - prime.bits)), two(broadcast(2)),
        barrett(broadcast(prime.barrett >> 4)), wordBarrett(broadcast(prime.wordBarrett >> 12)),
        pow2To52(broadcast(prime.pow2To52.value)),
        pow2To52Quotient(broadcast(prime.pow2To52.quotient >> 12)) {}
};

/// x * value mod q up to one q: in [0, 2q), for x < 2^52; quotient = floor(value * 2^52 / q).
static inline Vector mulShoupLazy(Vector x, Vector value, Vector quotient,
                                  const VectorPrime &prime) {
  const Vector zero = _mm512_setzero_si512();
  const Vector multiple = _mm512_madd52hi_epu64(zero, x, quotient);
  const Vector low = _mm512_madd52lo_epu64(zero, x, value);
  return _mm512_and_si512(_mm512_madd52lo_epu64(low, multiple, prime.minusQ), prime.mask);
}

/// sum + x * value modulo 2^52, the product being in [0, 2q) as mulShoupLazy makes it: the bits
/// from 52 on are left over. That is all that another product needs of a word.
static inline Vector addShoupOpen(Vector sum, Vector x, Vector value, Vector quotient,
                                  const VectorPrime &prime) {
  const Vector multiple = _mm512_madd52hi_epu64(_mm512_setzero_si512(), x, quotient);
  return _mm512_madd52lo_epu64(_mm512_madd52lo_epu64(sum, x, value), multiple, prime.minusQ);
}

/// a * b mod q up to multiples: below 2.5 q, for residues a, b (Barrett).
static inline Vector mulLazy(Vector a, Vector b, const VectorPrime &prime) {
  const Vector zero = _mm512_setzero_si512();
  // floor(ab / 2^(bits-2)) < 2^52: the operands are shifted so that the product's high half is just
  // that.
  const Vector top =
      _mm512_madd52hi_epu64(zero, _mm512_sllv_epi64(a, prime.shift), _mm512_slli_epi64(b, 2));
  const Vector multiple = _mm512_madd52hi_epu64(zero, top, prime.barrett);
  const Vector low = _mm512_madd52lo_epu64(zero, a, b);
  return _mm512_and_si512(_mm512_madd52lo_epu64(low, multiple, prime.minusQ), prime.mask);
}

/// Takes [0, 4q) to [0, q).
static inline Vector reduceTwice(Vector x, const VectorPrime &prime) {
  return reduceOnce(reduceOnce(x, prime.twiceQ), prime.q);
}

/// A sum of products, low + 2^52 high.
struct WideSum {
  /// Products of residues that may be added between two folds: each adds less than 2^48 to high,
  /// and high with its carry has to stay below 2^52.
  static constexpr size_t maxProducts = 15;

  Vector low = _mm512_setzero_si512(), high = _mm512_setzero_si512();

  void addProduct(Vector a, Vector b) {
    low = _mm512_madd52lo_epu64(low, a, b);
    high = _mm512_madd52hi_epu64(high, a, b);
  }

  /// Makes room for more products; the sum stays the same modulo q.
  void fold(const VectorPrime &prime) {
    low = _mm512_add_epi64(
        _mm512_and_si512(low, prime.mask),
        mulShoupLazy(carriedHigh(), prime.pow2To52, prime.pow2To52Quotient, prime));
    high = _mm512_setzero_si512();
  }

  /// The sum modulo q, in [0, q).
  Vector reduce(const VectorPrime &prime) const { return reduceTwice(reduceLazy(prime), prime); }

  /// The sum up to multiples of q, in [0, 4q).
  Vector reduceLazy(const VectorPrime &prime) const {
    const Vector multiple = _mm512_madd52hi_epu64(_mm512_setzero_si512(), low, prime.wordBarrett);
    const Vector rest = _mm512_madd52lo_epu64(low, multiple, prime.minusQ); // in [0, 2q), open
    return _mm512_and_si512(
        addShoupOpen(rest, carriedHigh(), prime.pow2To52, prime.pow2To52Quotient, prime),
        prime.mask);
  }

private:
  Vector carriedHigh() const { return _mm512_add_epi64(high, _mm512_srli_epi64(low, 52)); }
};

} // namespace sluice::kernels::SLUICE_AVX512_ROW

#endif // SLUICE_RUNTIME_KERNELS_ARITHMETIC_AVX512IFMA_H
