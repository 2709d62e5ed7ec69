//===- inner_product_avx2.cpp - digits times both halves of a key -----------------------------===//
#include "runtime/kernels/arithmetic_avx2.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::avx2 {

namespace {

/// Vectors that are summed together: a cache line of each operand, as in
/// inner_product_scalar.cpp.
constexpr size_t vectors = 2;

/// The sums of up to WideSum::maxProducts digits plus `total`, which they replace.
void addDigits(const VectorPrime &prime, size_t first, size_t digitCount,
               const uint64_t *const *digits, const uint64_t *const *key, Reals *total) {
  WideSum sums[vectors];
  for (size_t j = 0; j < digitCount; ++j)
    for (size_t v = 0; v < vectors; ++v)
      sums[v].addProduct(toReals(load(digits[j] + first + 4 * v)),
                         toReals(load(key[j] + first + 4 * v)));
  for (size_t v = 0; v < vectors; ++v)
    total[v] = sums[v].reduceWith(total[v], prime);
}

void innerProduct(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                  size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                  const uint64_t *const *a) {
  const VectorPrime constants(prime);
  for (size_t first = 0; first < n; first += 4 * vectors) {
    Reals total0[vectors] = {}, total1[vectors] = {};
    for (size_t j = 0; j < digitCount; j += WideSum::maxProducts) {
      const size_t left = digitCount - j;
      const size_t count = left < WideSum::maxProducts ? left : WideSum::maxProducts;
      addDigits(constants, first, count, digits + j, b + j, total0);
      addDigits(constants, first, count, digits + j, a + j, total1);
    }
    for (size_t v = 0; v < vectors; ++v) {
      store(dst0 + first + 4 * v, toResidues(total0[v], constants));
      store(dst1 + first + 4 * v, toResidues(total1[v], constants));
    }
  }
}

} // namespace

void addInnerProduct(KernelTable &table) { table.innerProduct = innerProduct; }

} // namespace sluice::kernels::avx2
