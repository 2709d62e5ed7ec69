//===- elementwise_avx512ifma.cpp - kernels that work position by position --------------------===//
#include "runtime/kernels/arithmetic_avx512ifma.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

void add(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const Vector q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 8)
    store(dst + i, reduceOnce(_mm512_add_epi64(load(a + i), load(b + i)), q));
}

/// a - b in [0, q) for residues: where the difference wraps, adding q brings it back below.
inline Vector subtract(Vector a, Vector b, Vector q) {
  const Vector difference = _mm512_sub_epi64(a, b);
  return _mm512_min_epu64(difference, _mm512_add_epi64(difference, q));
}

void sub(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const Vector q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 8)
    store(dst + i, subtract(load(a + i), load(b + i), q));
}

void negate(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a) {
  const Vector q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 8)
    store(dst + i, subtract(_mm512_setzero_si512(), load(a + i), q));
}

void mul(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const VectorPrime constants(prime);
  for (size_t i = 0; i < n; i += 8)
    store(dst + i, reduceTwice(mulLazy(load(a + i), load(b + i), constants), constants));
}

void mac(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *acc,
         const uint64_t *a, const uint64_t *b) {
  const VectorPrime constants(prime);
  for (size_t i = 0; i < n; i += 8) {
    const Vector product = mulLazy(load(a + i), load(b + i), constants);
    store(dst + i, reduceTwice(_mm512_add_epi64(product, load(acc + i)), constants));
  }
}

void mulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  const VectorPrime constants(prime);
  const ShoupFactor factor = makeShoupFactor(prime, scalar);
  const Vector value = broadcast(factor.value), quotient = broadcast(factor.quotient >> 12);
  for (size_t i = 0; i < n; i += 8)
    store(dst + i, reduceOnce(mulShoupLazy(load(a + i), value, quotient, constants), constants.q));
}

void addScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  const Vector q = broadcast(prime.q), summand = broadcast(scalar);
  for (size_t i = 0; i < n; i += 8)
    store(dst + i, reduceOnce(_mm512_add_epi64(load(a + i), summand), q));
}

void subMulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
                  const uint64_t *b, uint64_t scalar) {
  const VectorPrime constants(prime);
  const ShoupFactor factor = makeShoupFactor(prime, scalar);
  const Vector value = broadcast(factor.value), quotient = broadcast(factor.quotient >> 12);
  for (size_t i = 0; i < n; i += 8) {
    const Vector difference =
        _mm512_sub_epi64(_mm512_add_epi64(load(a + i), constants.q), load(b + i));
    store(dst + i, reduceOnce(mulShoupLazy(difference, value, quotient, constants), constants.q));
  }
}

void reduceSmall(const PrimeConstants &prime, size_t n, uint64_t *dst, const int8_t *src) {
  const Vector q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 8) {
    const Vector value = _mm512_cvtepi8_epi64(_mm_loadu_si64(src + i));
    store(dst + i, _mm512_min_epu64(value, _mm512_add_epi64(value, q)));
  }
}

/// Words from 0 on after the addition of 2^63: their low 52 and high 12 bits apart.
void reduceSigned(const PrimeConstants &prime, size_t n, uint64_t *dst, const int64_t *src) {
  const VectorPrime constants(prime);
  const Vector offset = broadcast(uint64_t{1} << 63);
  const Vector offsetResidue = broadcast(reduceWord(prime, uint64_t{1} << 63));
  for (size_t i = 0; i < n; i += 8) {
    const Vector word = _mm512_add_epi64(load(reinterpret_cast<const uint64_t *>(src) + i), offset);
    WideSum sum;
    sum.low = _mm512_and_si512(word, constants.mask);
    sum.high = _mm512_srli_epi64(word, 52);
    store(dst + i, subtract(sum.reduce(constants), offsetResidue, constants.q));
  }
}

} // namespace

void addElementwise(KernelTable &table) {
  table.add = add;
  table.sub = sub;
  table.negate = negate;
  table.mul = mul;
  table.mac = mac;
  table.mulScalar = mulScalar;
  table.addScalar = addScalar;
  table.subMulScalar = subMulScalar;
  table.reduceSmall = reduceSmall;
  table.reduceSigned = reduceSigned;
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW
