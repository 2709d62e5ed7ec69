//===- inner_product_avx512ifma.cpp - two sums of products that share factors -----------------===//
#include "runtime/kernels/arithmetic_avx512ifma.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

/// How far ahead is fetched what comes from memory, into the first-level cache: in more streams
/// than the hardware foresees.
constexpr size_t prefetchedWords = 128;

void prefetch(const uint64_t *words) { __builtin_prefetch(words + prefetchedWords, 0, 3); }

/// The operands of a sum of products, shared[j] * (first[j], second[j]).
struct Factors {
  size_t count;
  const uint64_t *const *shared, *const *first, *const *second;
};

/// A start of the sums, for those that have one.
struct Start {
  const uint64_t *first = nullptr, *second = nullptr;
};

/// `vectors` times eight positions from `begin` on: several, so that additions of independent sums
/// overlap.
template <size_t vectors, bool isSharedFromMemory>
void sumPositions(const VectorPrime &prime, size_t begin, uint64_t *dst0, uint64_t *dst1,
                  const Start &start, const Factors &factors) {
  WideSum sums0[vectors], sums1[vectors];
  for (size_t v = 0; start.first && v < vectors; ++v) {
    sums0[v].low = load(start.first + begin + 8 * v);
    sums1[v].low = load(start.second + begin + 8 * v);
  }
  for (size_t j = 0; j < factors.count; ++j) {
    for (size_t v = 0; v < vectors; ++v) {
      const size_t i = begin + 8 * v;
      if constexpr (isSharedFromMemory) {
        prefetch(factors.shared[j] + i);
      } else {
        prefetch(factors.first[j] + i);
        prefetch(factors.second[j] + i);
      }
      const Vector shared = load(factors.shared[j] + i);
      sums0[v].addProduct(shared, load(factors.first[j] + i));
      sums1[v].addProduct(shared, load(factors.second[j] + i));
      if (j % WideSum::maxProducts == WideSum::maxProducts - 1) {
        sums0[v].fold(prime);
        sums1[v].fold(prime);
      }
    }
  }
  for (size_t v = 0; v < vectors; ++v) {
    store(dst0 + begin + 8 * v, sums0[v].reduce(prime));
    store(dst1 + begin + 8 * v, sums1[v].reduce(prime));
  }
}

template <bool isSharedFromMemory>
void sumProducts(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                 const Start &start, const Factors &factors) {
  const VectorPrime constants(prime);
  size_t begin = 0;
  for (; begin + 16 <= n; begin += 16)
    sumPositions<2, isSharedFromMemory>(constants, begin, dst0, dst1, start, factors);
  for (; begin < n; begin += 8)
    sumPositions<1, isSharedFromMemory>(constants, begin, dst0, dst1, start, factors);
}

/// Keys come from memory.
void innerProduct(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                  size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                  const uint64_t *const *a) {
  sumProducts<false>(prime, n, dst0, dst1, Start(), {digitCount, digits, b, a});
}

/// Weights do: values were computed just before.
void weightedSum(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                 const uint64_t *acc0, const uint64_t *acc1, size_t count,
                 const uint64_t *const *weights, const uint64_t *const *values0,
                 const uint64_t *const *values1) {
  sumProducts<true>(prime, n, dst0, dst1, {acc0, acc1}, {count, weights, values0, values1});
}

} // namespace

void addInnerProduct(KernelTable &table) {
  table.innerProduct = innerProduct;
  table.weightedSum = weightedSum;
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW
