//===- inner_product_scalar.cpp - digits times both halves of a key
//-----------------------------===//
#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::scalar {

static void innerProduct(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                         size_t digitCount, const uint64_t *const *digits, const uint64_t *const *b,
                         const uint64_t *const *a) {
  const PrimeConstants constants = prime; // A copy, so that stores to dst cannot change it.
  for (size_t i = 0; i < n; ++i) {
    // maxDigits products below 2^100: no overflow of 128 bits.
    Word128 sum0 = 0, sum1 = 0;
    for (size_t j = 0; j < digitCount; ++j) {
      const uint64_t digit = digits[j][i];
      sum0 += static_cast<Word128>(digit) * b[j][i];
      sum1 += static_cast<Word128>(digit) * a[j][i];
    }
    dst0[i] = reduceWide(constants, sum0);
    dst1[i] = reduceWide(constants, sum1);
  }
}

void addInnerProduct(KernelTable &table) { table.innerProduct = innerProduct; }

} // namespace sluice::kernels::scalar
