//===- ntt_scalar.cpp - negacyclic NTT in 64-bit integers -------------------------------------===//
//
// Forward: Cooley-Tukey butterflies, natural order in, bit-reversed order out. Inverse:
// Gentleman-Sande, the other way (Longa and Naehrig, eprint 2016/504). Products by roots are
// Shoup's and lazy (Harvey, arXiv 1205.2926).
//
// A word has 14 bits more than a residue, so the forward transform never reduces before its last
// pass: each stage adds at most 2q, values stay below q + 17 * 2q < 2^56. The inverse doubles sums,
// so it reduces them at each stage.
//
// Stages are joined by two, so that a value is loaded and stored once for two butterflies, and once
// a block fits the first-level cache all its remaining stages are done before the next block is
// touched.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/rows.h"

#include <algorithm>

namespace sluice::kernels::scalar {

namespace {

/// Blocks of this many words (16 KiB) stay in the first-level cache with their roots.
constexpr size_t cachedWords = 2048;

struct Root {
  uint64_t value, quotient;
};

/// The roots of one limb, forward or inverse. Block number b of the stage with B blocks has root
/// number B + b; its halves, the blocks of the next stage, have roots 2 (B + b) and 2 (B + b) + 1.
struct Roots {
  const uint64_t *values, *quotients;
  Root operator[](size_t i) const { return {values[i], quotients[i]}; }
};

/// (x, y) to (x + root y, x - root y) plus a multiple of q; both grow by at most 2q.
inline void butterfly(uint64_t &x, uint64_t &y, Root root, uint64_t q) {
  const uint64_t product = mulShoupLazy(y, root.value, root.quotient, q);
  y = x + 2 * q - product;
  x = x + product;
}

/// The stage of a block of `length` >= 4 words with root number `index`, then that of its halves.
void forwardTwoStages(uint64_t *data, size_t length, size_t index, Roots roots, uint64_t q) {
  const size_t quarter = length / 4;
  const Root outer = roots[index], left = roots[2 * index], right = roots[2 * index + 1];
  uint64_t *d0 = data, *d1 = data + quarter, *d2 = data + 2 * quarter, *d3 = data + 3 * quarter;
  for (size_t n = 0; n < quarter; ++n) {
    uint64_t x0 = d0[n], x1 = d1[n], x2 = d2[n], x3 = d3[n];
    butterfly(x0, x2, outer, q);
    butterfly(x1, x3, outer, q);
    butterfly(x0, x1, left, q);
    butterfly(x2, x3, right, q);
    d0[n] = x0;
    d1[n] = x1;
    d2[n] = x2;
    d3[n] = x3;
  }
}

/// All stages of one block.
void forwardBlock(uint64_t *data, size_t length, size_t index, Roots roots, uint64_t q) {
  size_t parts = 1, part = length;
  for (; part >= 4; parts *= 4, part /= 4)
    for (size_t i = 0; i < parts; ++i)
      forwardTwoStages(data + i * part, part, index * parts + i, roots, q);
  if (part == 2)
    for (size_t i = 0; i < parts; ++i)
      butterfly(data[2 * i], data[2 * i + 1], roots[index * parts + i], q);
}

/// The stage of the halves of a block of `length` >= 4 words, then the block's own, root number
/// `index`. Takes and leaves [0, 4q).
void inverseTwoStages(uint64_t *data, size_t length, size_t index, Roots roots, uint64_t q) {
  const size_t quarter = length / 4;
  const Root outer = roots[index], left = roots[2 * index], right = roots[2 * index + 1];
  uint64_t *d0 = data, *d1 = data + quarter, *d2 = data + 2 * quarter, *d3 = data + 3 * quarter;
  for (size_t n = 0; n < quarter; ++n) {
    const uint64_t x0 = d0[n], x1 = d1[n], x2 = d2[n], x3 = d3[n];
    // Sums are below 8q, products below 2q.
    const uint64_t sum01 = x0 + x1, sum23 = x2 + x3;
    const uint64_t product01 = mulShoupLazy(x0 + 4 * q - x1, left.value, left.quotient, q);
    const uint64_t product23 = mulShoupLazy(x2 + 4 * q - x3, right.value, right.quotient, q);
    d0[n] = reduceOnce(reduceOnce(sum01 + sum23, 8 * q), 4 * q);
    d1[n] = product01 + product23;
    d2[n] = mulShoupLazy(sum01 + 8 * q - sum23, outer.value, outer.quotient, q);
    d3[n] = mulShoupLazy(product01 + 2 * q - product23, outer.value, outer.quotient, q);
  }
}

/// The stage of a block of two words, both in [0, q).
inline void inversePair(uint64_t *data, Root root, uint64_t q) {
  const uint64_t x = data[0], y = data[1];
  data[0] = x + y;
  data[1] = mulShoupLazy(x + q - y, root.value, root.quotient, q);
}

/// All stages inside one block, its own last.
void inverseBlock(uint64_t *data, size_t length, size_t index, Roots roots, uint64_t q) {
  size_t part = 4;
  if (__builtin_ctzll(length) % 2 != 0) { // An odd number of stages: the first one alone.
    const size_t parts = length / 2;
    for (size_t i = 0; i < parts; ++i)
      inversePair(data + 2 * i, roots[index * parts + i], q);
    part = 8;
  }
  for (; part <= length; part *= 4) {
    const size_t parts = length / part;
    for (size_t i = 0; i < parts; ++i)
      inverseTwoStages(data + i * part, part, index * parts + i, roots, q);
  }
}

/// The last stage, joined with the product by N^-1 and the reduction to [0, q).
void inverseLastStage(const LimbTables &limb, uint64_t *data) {
  const size_t half = size_t{1} << (limb.logN - 1);
  const uint64_t q = limb.prime.q;
  const ShoupFactor sumFactor = limb.inverseN, differenceFactor = limb.inverseNRoot;
  for (size_t n = 0; n < half; ++n) {
    const uint64_t x = data[n], y = data[n + half];
    data[n] = mulShoup(x + y, sumFactor, q);
    data[n + half] = mulShoup(x + 4 * q - y, differenceFactor, q);
  }
}

} // namespace

void ntt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  const size_t n = size_t{1} << limb.logN;
  const Roots roots{limb.roots, limb.rootQuotients};
  const PrimeConstants prime = limb.prime;
  if (dst != src)
    std::copy_n(src, n, dst);
  size_t blocks = 1;
  for (; n / blocks > cachedWords; blocks *= 4)
    for (size_t block = 0; block < blocks; ++block)
      forwardTwoStages(dst + block * (n / blocks), n / blocks, blocks + block, roots, prime.q);
  const size_t length = n / blocks;
  for (size_t block = 0; block < blocks; ++block) {
    uint64_t *data = dst + block * length;
    forwardBlock(data, length, blocks + block, roots, prime.q);
    for (size_t i = 0; i < length; ++i)
      data[i] = reduceWord(prime, data[i]);
  }
}

void intt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  const size_t n = size_t{1} << limb.logN;
  const Roots roots{limb.inverseRoots, limb.inverseRootQuotients};
  const uint64_t q = limb.prime.q;
  if (dst != src)
    std::copy_n(src, n, dst);
  // The last stage is apart, so the others work on two blocks, cut further until they fit the
  // cache.
  size_t blocks = 2;
  while (n / blocks > cachedWords)
    blocks *= 4;
  for (size_t block = 0; block < blocks; ++block)
    inverseBlock(dst + block * (n / blocks), n / blocks, blocks + block, roots, q);
  for (blocks /= 4; blocks >= 2; blocks /= 4)
    for (size_t block = 0; block < blocks; ++block)
      inverseTwoStages(dst + block * (n / blocks), n / blocks, blocks + block, roots, q);
  inverseLastStage(limb, dst);
}

//===- The half form ===//

size_t rowWords(unsigned logN) {
  size_t words = size_t{1} << logN;
  while (words > cachedWords)
    words /= 4;
  return words;
}

void nttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
             const uint64_t *src) {
  const size_t length = rowWords(limb.logN), rows = (size_t{1} << limb.logN) / length;
  if (rows == 1)
    return ntt(limb, dst, src);
  const PrimeConstants prime = limb.prime;
  std::copy_n(src + begin, words, dst);
  for (size_t i = 0; i < words; i += length)
    forwardBlock(dst + i, length, rows + (begin + i) / length, {limb.roots, limb.rootQuotients},
                 prime.q);
  for (size_t i = 0; i < words; ++i)
    dst[i] = reduceWord(prime, dst[i]);
}

void inttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
              const uint64_t *src) {
  const size_t length = rowWords(limb.logN), rows = (size_t{1} << limb.logN) / length;
  if (rows == 1)
    return intt(limb, dst, src);
  std::copy_n(src, words, dst + begin);
  for (size_t i = begin; i < begin + words; i += length)
    inverseBlock(dst + i, length, rows + i / length, {limb.inverseRoots, limb.inverseRootQuotients},
                 limb.prime.q);
}

void forwardColumns(const LimbTables &limb, size_t rows, size_t columns, uint64_t *tile) {
  const Roots roots{limb.roots, limb.rootQuotients};
  for (size_t blocks = 1; blocks < rows; blocks *= 4)
    for (size_t block = 0; block < blocks; ++block)
      forwardTwoStages(tile + block * (rows / blocks) * columns, rows / blocks * columns,
                       blocks + block, roots, limb.prime.q);
}

void inverseColumns(const LimbTables &limb, size_t rows, size_t columns, uint64_t *tile) {
  const Roots roots{limb.inverseRoots, limb.inverseRootQuotients};
  for (size_t blocks = rows / 4; blocks >= 1; blocks /= 4)
    for (size_t block = 0; block < blocks; ++block)
      inverseTwoStages(tile + block * (rows / blocks) * columns, rows / blocks * columns,
                       blocks + block, roots, limb.prime.q);
}

void addNtt(KernelTable &table) {
  table.ntt = ntt;
  table.intt = intt;
  table.rowWords = rowWords;
  table.nttRows = nttRows;
  table.inttRows = inttRows;
}

} // namespace sluice::kernels::scalar
