//===- inner_product_test.cpp - against one division per sum ----------------------------------===//
#include "runtime/kernels/kernels.h"
#include "test/runtime/kernels/residues.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

TEST(InnerProduct, SumsAllDigitsTimesBothHalves) {
  const kernels::KernelTable &table = *kernels::allKernelTables().front();
  const size_t n = 16;
  for (uint64_t prime : primesOfAllWidths(4))
    for (size_t digitCount : {size_t{1}, size_t{3}, size_t{17}, kernels::maxDigits})
      for (Fill fill : {Fill::random, Fill::largest}) {
        std::vector<Residues> words;
        std::vector<const uint64_t *> digits, b, a;
        for (size_t j = 0; j < 3 * digitCount; ++j)
          words.push_back(makeResidues(prime, n, fill, j));
        for (size_t j = 0; j < digitCount; ++j) {
          digits.push_back(words[3 * j].data());
          b.push_back(words[3 * j + 1].data());
          a.push_back(words[3 * j + 2].data());
        }
        Residues dst0(n), dst1(n);
        table.innerProduct(modulusOf(prime).constants(), n, dst0.data(), dst1.data(), digitCount,
                           digits.data(), b.data(), a.data());
        for (size_t i = 0; i < n; ++i) {
          Word128 sum0 = 0, sum1 = 0;
          for (size_t j = 0; j < digitCount; ++j) {
            sum0 += static_cast<Word128>(digits[j][i]) * b[j][i];
            sum1 += static_cast<Word128>(digits[j][i]) * a[j][i];
          }
          ASSERT_EQ(dst0[i], static_cast<uint64_t>(sum0 % prime)) << digitCount << " digits";
          ASSERT_EQ(dst1[i], static_cast<uint64_t>(sum1 % prime)) << digitCount << " digits";
        }
        // Weighted sums start from something.
        Residues acc0 = makeResidues(prime, n, fill, 1), acc1 = makeResidues(prime, n, fill, 2);
        Residues sum0(n), sum1(n);
        table.weightedSum(modulusOf(prime).constants(), n, sum0.data(), sum1.data(), acc0.data(),
                          acc1.data(), digitCount, digits.data(), b.data(), a.data());
        for (size_t i = 0; i < n; ++i) {
          ASSERT_EQ(sum0[i], (dst0[i] + acc0[i]) % prime) << digitCount << " terms";
          ASSERT_EQ(sum1[i], (dst1[i] + acc1[i]) % prime) << digitCount << " terms";
        }
      }
}

} // namespace
