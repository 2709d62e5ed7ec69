//===- dense_products.h - products of ciphertexts in a dense polynomial -----------------------===//
//
// The closed form of docs/mathematics.md section 6, with which plans and their expansions are
// compared.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_TEST_PASSES_ALGORITHMS_DENSE_PRODUCTS_H
#define SLUICE_TEST_PASSES_ALGORITHMS_DENSE_PRODUCTS_H

#include <algorithm>
#include <map>
#include <utility>

namespace sluice::test {

inline unsigned ceilLog2(unsigned n) {
  unsigned bits = 0;
  while ((1u << bits) < n)
    ++bits;
  return bits;
}

/// Products of two ciphertexts for degree d in 1 ... 511 without zero coefficients.
inline unsigned denseProducts(unsigned d) {
  unsigned m = ceilLog2(d + 1), l = std::max(1u, m / 2), leaf = 1u << l;
  unsigned extra = 0;
  if (l > 1 && d > (1u << m) - leaf / 2) {
    static const std::map<std::pair<unsigned, unsigned>, unsigned> table = {
        {{2, 3}, 1},  {{3, 5}, 1},  {{3, 6}, 1},  {{3, 7}, 2},  {{4, 9}, 1}, {{4, 10}, 1},
        {{4, 11}, 1}, {{4, 12}, 1}, {{4, 13}, 2}, {{4, 14}, 2}, {{4, 15}, 3}};
    extra = table.at({l, d - ((1u << m) - leaf)});
  }
  return leaf + m - l - 3 + (d + 1 + leaf - 1) / leaf - (d % leaf == 0) + extra;
}

} // namespace sluice::test

#endif // SLUICE_TEST_PASSES_ALGORITHMS_DENSE_PRODUCTS_H
