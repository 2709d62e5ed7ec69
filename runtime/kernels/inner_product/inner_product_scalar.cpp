//===- inner_product_scalar.cpp - digits times both halves of a key ---------------------------===//
#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::scalar {

namespace {

/// Positions that are summed together: a cache line of each operand. Limbs lie at powers of two, so
/// the lines of many operands compete for the same few places of the cache and must be used up at
/// once.
constexpr size_t strip = 8;

void innerProduct(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                  size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                  const uint64_t *const *a) {
  const PrimeConstants constants = prime; // A copy, so that stores to dst cannot change it.
  for (size_t first = 0; first < n; first += strip) {
    Word128 sums0[strip] = {}, sums1[strip] = {};
    for (size_t j = 0; j < digitCount; ++j) {
      const uint64_t *digit = digits[j] + first, *keyB = b[j] + first, *keyA = a[j] + first;
      for (size_t i = 0; i < strip; ++i) {
        sums0[i] += static_cast<Word128>(digit[i]) * keyB[i];
        sums1[i] += static_cast<Word128>(digit[i]) * keyA[i];
      }
    }
    for (size_t i = 0; i < strip; ++i) {
      dst0[first + i] = reduceSum(constants, sums0[i]);
      dst1[first + i] = reduceSum(constants, sums1[i]);
    }
  }
}

} // namespace

void addInnerProduct(KernelTable &table) { table.innerProduct = innerProduct; }

} // namespace sluice::kernels::scalar
