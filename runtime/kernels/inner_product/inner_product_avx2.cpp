//===- inner_product_avx2.cpp - two sums of products that share factors -----------------------===//
#include "runtime/kernels/arithmetic_avx2.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::avx2 {

namespace {

/// Vectors that are summed together: a cache line of each operand, as in
/// inner_product_scalar.cpp.
constexpr size_t vectors = 2;

/// The sums of up to WideSum::maxProducts products plus `total`, which they replace.
void addProducts(const VectorPrime &prime, size_t first, size_t count, const uint64_t *const *a,
                 const uint64_t *const *b, Reals *total) {
  WideSum sums[vectors];
  for (size_t j = 0; j < count; ++j)
    for (size_t v = 0; v < vectors; ++v)
      sums[v].addProduct(toReals(load(a[j] + first + 4 * v)), toReals(load(b[j] + first + 4 * v)));
  for (size_t v = 0; v < vectors; ++v)
    total[v] = sums[v].reduceWith(total[v], prime);
}

/// The two sums from `acc0` and `acc1` on, or from 0 if there are none.
void sumProducts(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                 const uint64_t *acc0, const uint64_t *acc1, size_t count,
                 const uint64_t *const *shared, const uint64_t *const *values0,
                 const uint64_t *const *values1) {
  const VectorPrime constants(prime);
  for (size_t first = 0; first < n; first += 4 * vectors) {
    Reals total0[vectors] = {}, total1[vectors] = {};
    for (size_t v = 0; acc0 && v < vectors; ++v) {
      total0[v] = toReals(load(acc0 + first + 4 * v));
      total1[v] = toReals(load(acc1 + first + 4 * v));
    }
    for (size_t j = 0; j < count; j += WideSum::maxProducts) {
      const size_t left = count - j;
      const size_t some = left < WideSum::maxProducts ? left : WideSum::maxProducts;
      addProducts(constants, first, some, shared + j, values0 + j, total0);
      addProducts(constants, first, some, shared + j, values1 + j, total1);
    }
    for (size_t v = 0; v < vectors; ++v) {
      store(dst0 + first + 4 * v, toResidues(total0[v], constants));
      store(dst1 + first + 4 * v, toResidues(total1[v], constants));
    }
  }
}

void innerProduct(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                  size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                  const uint64_t *const *a) {
  sumProducts(prime, n, dst0, dst1, nullptr, nullptr, digitCount, digits, b, a);
}

} // namespace

void addInnerProduct(KernelTable &table) {
  table.innerProduct = innerProduct;
  table.weightedSum = sumProducts;
}

} // namespace sluice::kernels::avx2
