//===- elementwise_avx2.cpp - kernels that work position by position --------------------------===//
#include "runtime/kernels/arithmetic_avx2.h"
#include "runtime/kernels/rows.h"

#include <cstring>

namespace sluice::kernels::avx2 {

namespace {

void add(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const Words q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 4) {
    const Words minusQ = _mm256_sub_epi64(load(a + i), q);
    store(dst + i, addIfNegative(_mm256_add_epi64(minusQ, load(b + i)), q));
  }
}

void sub(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const Words q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 4)
    store(dst + i, addIfNegative(_mm256_sub_epi64(load(a + i), load(b + i)), q));
}

void negate(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a) {
  const Words q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 4)
    store(dst + i, addIfNegative(_mm256_sub_epi64(_mm256_setzero_si256(), load(a + i)), q));
}

void mul(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  const VectorPrime constants(prime);
  for (size_t i = 0; i < n; i += 4) {
    const Reals product = multiply(toReals(load(a + i)), toReals(load(b + i)), constants);
    store(dst + i, toResidues(product, constants));
  }
}

/// acc + a b modulo q, at most 1/2 + 3/8: the quotient is that of the whole sum.
inline Reals multiplyAdd(Reals acc, Reals a, Reals b, const VectorPrime &prime) {
  const Reals high = _mm256_mul_pd(a, b);
  const Reals low = _mm256_add_pd(_mm256_fmsub_pd(a, b, high), acc);
  const Reals multiple = quotient(_mm256_add_pd(high, acc), prime);
  return _mm256_add_pd(_mm256_fnmadd_pd(multiple, prime.q, high), low);
}

void mac(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *acc,
         const uint64_t *a, const uint64_t *b) {
  const VectorPrime constants(prime);
  for (size_t i = 0; i < n; i += 4) {
    const Reals sum =
        multiplyAdd(toReals(load(acc + i)), toReals(load(a + i)), toReals(load(b + i)), constants);
    store(dst + i, toResidues(sum, constants));
  }
}

void mulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  const VectorPrime constants(prime);
  const Reals factor = broadcast(centre(prime, scalar));
  for (size_t i = 0; i < n; i += 4)
    store(dst + i, toResidues(multiply(toReals(load(a + i)), factor, constants), constants));
}

void addScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  const Words q = broadcast(prime.q), summandMinusQ = broadcast(scalar - prime.q);
  for (size_t i = 0; i < n; i += 4)
    store(dst + i, addIfNegative(_mm256_add_epi64(load(a + i), summandMinusQ), q));
}

void subMulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
                  const uint64_t *b, uint64_t scalar) {
  const VectorPrime constants(prime);
  const Reals factor = broadcast(centre(prime, scalar));
  for (size_t i = 0; i < n; i += 4) {
    const Reals difference = _mm256_sub_pd(toReals(load(a + i)), toReals(load(b + i)));
    store(dst + i, toResidues(multiply(difference, factor, constants), constants));
  }
}

void reduceSmall(const PrimeConstants &prime, size_t n, uint64_t *dst, const int8_t *src) {
  const Words q = broadcast(prime.q);
  for (size_t i = 0; i < n; i += 4) {
    int four;
    std::memcpy(&four, src + i, sizeof four);
    store(dst + i, addIfNegative(_mm256_cvtepi8_epi64(_mm_cvtsi32_si128(four)), q));
  }
}

/// Words from 0 on after the addition of 2^63: their low 52 and high 12 bits apart.
void reduceSigned(const PrimeConstants &prime, size_t n, uint64_t *dst, const int64_t *src) {
  const VectorPrime constants(prime);
  const Words offset = broadcast(uint64_t{1} << 63), mask = broadcast((uint64_t{1} << 52) - 1);
  const Reals minusOffset = broadcast(-centre(prime, reduceWord(prime, uint64_t{1} << 63)));
  const Reals pow2To52 = broadcast(centre(prime, prime.pow2To52.value));
  for (size_t i = 0; i < n; i += 4) {
    const Words word = _mm256_add_epi64(load(reinterpret_cast<const uint64_t *>(src) + i), offset);
    const Reals low = reduce(toReals(_mm256_and_si256(word, mask)), constants);
    const Reals high = multiply(toReals(_mm256_srli_epi64(word, 52)), pow2To52, constants);
    const Reals sum = _mm256_add_pd(_mm256_add_pd(low, minusOffset), high);
    store(dst + i, toResidues(reduce(sum, constants), constants));
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

} // namespace sluice::kernels::avx2
