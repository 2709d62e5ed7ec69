//===- inner_product_scalar.cpp - two sums of products that share factors ---------------------===//
#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::scalar {

namespace {

/// Positions that are summed together: a cache line of each operand. Limbs lie at powers of two, so
/// the lines of many operands compete for the same few places of the cache and must be used up at
/// once.
constexpr size_t strip = 8;

/// The two sums from `acc0` and `acc1` on, or from 0 if there are none.
void sumProducts(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                 const uint64_t *acc0, const uint64_t *acc1, size_t count,
                 const uint64_t *const *shared, const uint64_t *const *values0,
                 const uint64_t *const *values1) {
  const PrimeConstants constants = prime; // A copy, so that stores to dst cannot change it.
  for (size_t first = 0; first < n; first += strip) {
    Word128 sums0[strip] = {}, sums1[strip] = {};
    for (size_t i = 0; acc0 && i < strip; ++i) {
      sums0[i] = acc0[first + i];
      sums1[i] = acc1[first + i];
    }
    for (size_t j = 0; j < count; ++j) {
      const uint64_t *factor = shared[j] + first;
      const uint64_t *value0 = values0[j] + first, *value1 = values1[j] + first;
      for (size_t i = 0; i < strip; ++i) {
        sums0[i] += static_cast<Word128>(factor[i]) * value0[i];
        sums1[i] += static_cast<Word128>(factor[i]) * value1[i];
      }
    }
    for (size_t i = 0; i < strip; ++i) {
      dst0[first + i] = reduceSum(constants, sums0[i]);
      dst1[first + i] = reduceSum(constants, sums1[i]);
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

} // namespace sluice::kernels::scalar
