//===- ntt_tables.cpp - the constants of one limb ---------------------------------------------===//
#include "runtime/ring/ntt_tables.h"

#include <algorithm>

namespace sluice::ring {

/// Swaps neighbouring groups of `width` bits; `mask` covers the lower group of each pair.
static uint64_t swapGroups(uint64_t value, unsigned width, uint64_t mask) {
  return ((value >> width) & mask) | ((value & mask) << width);
}

uint64_t reverseBits(uint64_t value, unsigned bits) {
  value = swapGroups(value, 1, 0x5555555555555555);
  value = swapGroups(value, 2, 0x3333333333333333);
  value = swapGroups(value, 4, 0x0f0f0f0f0f0f0f0f);
  value = __builtin_bswap64(value);
  return bits == 0 ? 0 : value >> (64 - bits);
}

uint64_t primitiveRoot(const Modulus &q, unsigned logN) {
  uint64_t nonSquare = 2;
  while (q.pow(nonSquare, (q.value() - 1) / 2) != q.value() - 1)
    ++nonSquare;
  return q.pow(nonSquare, (q.value() - 1) >> (logN + 1));
}

/// Fills roots[i] = root^r(i) and their Shoup quotients.
static void fillRoots(const Modulus &q, unsigned logN, uint64_t root, uint64_t *roots,
                      uint64_t *quotients) {
  const size_t n = size_t{1} << logN;
  roots[0] = 1;
  // Index block + i, i < block, has one more bit than i, which stands for a power of root^(N / 2
  // block).
  for (size_t block = 1; block < n; block *= 2) {
    const uint64_t factor = q.pow(root, n / (2 * block));
    for (size_t i = 0; i < block; ++i)
      roots[block + i] = q.mul(roots[i], factor);
  }
  for (size_t i = 0; i < n; ++i)
    quotients[i] = q.shoupFactor(roots[i]).quotient;
}

static void centreRoots(uint64_t q, size_t n, const uint64_t *roots, double *centred) {
  for (size_t i = 0; i < n; ++i)
    centred[i] =
        static_cast<double>(static_cast<int64_t>(roots[i] > q / 2 ? roots[i] - q : roots[i]));
}

/// How many roots have 52-bit quotients too.
static size_t columnRoots(unsigned logN) { return std::min(size_t{1} << logN, kernels::maxRows); }

NttTables::NttTables(const Modulus &q, unsigned logN)
    : words(size_t{4} << logN),
      shortQuotients(std::make_unique_for_overwrite<uint64_t[]>(2 * columnRoots(logN))),
      centred(std::make_unique_for_overwrite<double[]>(size_t{2} << logN)) {
  const size_t n = size_t{1} << logN;
  const uint64_t psi = primitiveRoot(q, logN);
  uint64_t *roots = words.data();
  fillRoots(q, logN, psi, roots, roots + n);
  fillRoots(q, logN, q.inverse(psi), roots + 2 * n, roots + 3 * n);

  uint64_t *columnQuotients = shortQuotients.get(),
           *inverseColumnQuotients = columnQuotients + columnRoots(logN);
  for (size_t i = 0; i < columnRoots(logN); ++i) {
    columnQuotients[i] = roots[n + i] >> 12;
    inverseColumnQuotients[i] = roots[3 * n + i] >> 12;
  }

  centreRoots(q.value(), n, roots, centred.get());
  centreRoots(q.value(), n, roots + 2 * n, centred.get() + n);

  limb.prime = q.constants();
  limb.logN = logN;
  limb.roots = roots;
  limb.rootQuotients = roots + n;
  limb.inverseRoots = roots + 2 * n;
  limb.inverseRootQuotients = roots + 3 * n;
  limb.columnQuotients = columnQuotients;
  limb.inverseColumnQuotients = inverseColumnQuotients;
  limb.centredRoots = centred.get();
  limb.centredInverseRoots = centred.get() + n;
  const uint64_t inverseN = q.inverse(n);
  limb.inverseN = q.shoupFactor(inverseN);
  limb.inverseNRoot = q.shoupFactor(q.mul(inverseN, limb.inverseRoots[1]));
}

} // namespace sluice::ring
