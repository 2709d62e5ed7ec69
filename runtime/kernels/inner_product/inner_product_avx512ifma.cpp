//===- inner_product_avx512ifma.cpp - digits times both halves of a key -----------------------===//
#include "runtime/kernels/arithmetic_avx512ifma.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

/// Digits between two folds of the sums.
constexpr size_t foldPeriod = 8;

/// How far ahead keys are fetched: they come from memory, in more streams than the hardware
/// foresees.
constexpr size_t prefetchedWords = 1024;

/// `vectors` times eight positions from `first` on: several, so that additions of independent sums
/// overlap.
template <size_t vectors>
void sumPositions(const VectorPrime &prime, size_t first, uint64_t *dst0, uint64_t *dst1,
                  size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                  const uint64_t *const *a) {
  WideSum sums0[vectors], sums1[vectors];
  for (size_t j = 0; j < digitCount; ++j) {
    for (size_t v = 0; v < vectors; ++v) {
      __builtin_prefetch(b[j] + first + prefetchedWords + 8 * v, 0, 2);
      __builtin_prefetch(a[j] + first + prefetchedWords + 8 * v, 0, 2);
      const Vector digit = load(digits[j] + first + 8 * v);
      sums0[v].addProduct(digit, load(b[j] + first + 8 * v));
      sums1[v].addProduct(digit, load(a[j] + first + 8 * v));
      if (j % foldPeriod == foldPeriod - 1) {
        sums0[v].fold(prime);
        sums1[v].fold(prime);
      }
    }
  }
  for (size_t v = 0; v < vectors; ++v) {
    store(dst0 + first + 8 * v, sums0[v].reduce(prime));
    store(dst1 + first + 8 * v, sums1[v].reduce(prime));
  }
}

void innerProduct(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                  size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                  const uint64_t *const *a) {
  const VectorPrime constants(prime);
  size_t first = 0;
  for (; first + 16 <= n; first += 16)
    sumPositions<2>(constants, first, dst0, dst1, digitCount, digits, b, a);
  for (; first < n; first += 8)
    sumPositions<1>(constants, first, dst0, dst1, digitCount, digits, b, a);
}

} // namespace

void addInnerProduct(KernelTable &table) { table.innerProduct = innerProduct; }

} // namespace sluice::kernels::SLUICE_AVX512_ROW
