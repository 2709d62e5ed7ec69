//===- ntt_avx2.cpp - negacyclic NTT in doubles -----------------------------------------------===//
//
// The transforms of ntt_scalar.cpp, four words at a time; between passes the words of dst hold
// doubles. Long limbs are a matrix of rows of 1024 or 2048 words: all stages across rows are done
// on strips of columns that fit the first-level cache, then all stages within each row, so that
// memory is passed over twice. Bounds are in columns_avx2.h.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/ntt/columns_avx2.h"
#include "runtime/kernels/rows.h"

#include <cstring>

namespace sluice::kernels::avx2 {

namespace {

/// Lanes 0, 1 of both to x, lanes 2, 3 of both to y; is its own inverse.
inline void exchangePairs(Pair &x, Pair &y) {
  const Pair lower = {_mm256_permute2f128_pd(x.a, y.a, 0x20),
                      _mm256_permute2f128_pd(x.b, y.b, 0x20)};
  y = {_mm256_permute2f128_pd(x.a, y.a, 0x31), _mm256_permute2f128_pd(x.b, y.b, 0x31)};
  x = lower;
}

/// Even lanes of both to x, odd lanes of both to y, in turn; is its own inverse.
inline void exchangeNeighbours(Pair &x, Pair &y) {
  const Pair even = {_mm256_unpacklo_pd(x.a, y.a), _mm256_unpacklo_pd(x.b, y.b)};
  y = {_mm256_unpackhi_pd(x.a, y.a), _mm256_unpackhi_pd(x.b, y.b)};
  x = even;
}

/// Two roots, each for two lanes.
inline Reals spreadTwo(const double *roots) {
  return _mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(roots)), 0x50);
}

/// The roots of four blocks of 4 words from number `index` on, as 16 words lie in two pairs after
/// exchangePairs.
inline Pair rootsOfFours(const double *roots, size_t index) {
  return {spreadTwo(roots + index), spreadTwo(roots + index + 2)};
}

/// The stage of 16 words on two blocks at once, and that of their halves: forward, A <= 2.34.
inline void forwardSixteens(double *data, const double *roots, size_t index,
                            const VectorPrime &prime) {
  Pair x0 = {load(data), load(data + 16)}, x1 = {load(data + 4), load(data + 20)};
  Pair x2 = {load(data + 8), load(data + 24)}, x3 = {load(data + 12), load(data + 28)};
  forwardQuad<false>(x0, x1, x2, x3, QuadRoots::ofBlocks(roots, index), prime);
  storePair(data, {x0.a, x1.a});
  storePair(data + 8, {x2.a, x3.a});
  storePair(data + 16, {x0.b, x1.b});
  storePair(data + 24, {x2.b, x3.b});
}

/// The last two forward stages on four blocks of 4 words, A <= 4. Leaves the words
/// as the exchanges did, for finishFours.
inline void forwardFours(double *data, const double *roots, size_t index,
                         const VectorPrime &prime) {
  Pair x = {load(data), load(data + 8)}, y = {load(data + 4), load(data + 12)};
  exchangePairs(x, y);
  x = reduce(x, prime);
  butterfly(x, y, rootsOfFours(roots, index), prime);
  exchangeNeighbours(x, y);
  butterfly(x, y, loadPair(roots + 2 * index), prime);
  storePair(data, {x.a, y.a});
  storePair(data + 8, {x.b, y.b});
}

/// What forwardFours left, put in order, to residues. A loop apart: the processor overlaps more
/// turns of two short loops than of one long one.
inline void finishFours(uint64_t *out, const double *in, const VectorPrime &prime) {
  Pair x = {load(in), load(in + 8)}, y = {load(in + 4), load(in + 12)};
  x = reduce(x, prime);
  y = reduce(y, prime);
  exchangeNeighbours(x, y);
  exchangePairs(x, y);
  storeResidues(out, {x.a, y.a}, prime);
  storeResidues(out + 8, {x.b, y.b}, prime);
}

/// The first two inverse stages on four blocks of 4 words; leaves A <= 3/4.
inline void inverseFours(double *out, const uint64_t *in, const double *roots, size_t index,
                         const VectorPrime &prime) {
  const Pair first = loadPair(in), second = loadPair(in + 8);
  Pair x = {first.a, second.a}, y = {first.b, second.b};
  exchangePairs(x, y);
  exchangeNeighbours(x, y);
  const Pair difference = x - y;
  x = x + y;
  y = multiply(difference, loadPair(roots + 2 * index), prime);
  exchangeNeighbours(x, y);
  inverseButterfly(x, y, rootsOfFours(roots, index), prime);
  exchangePairs(x, y);
  storePair(out, {x.a, y.a});
  storePair(out + 8, {x.b, y.b});
}

/// The inverse stages of 8 and 16 words on two blocks of 16.
inline void inverseSixteens(double *data, const double *roots, size_t index,
                            const VectorPrime &prime) {
  Pair x0 = {load(data), load(data + 16)}, x1 = {load(data + 4), load(data + 20)};
  Pair x2 = {load(data + 8), load(data + 24)}, x3 = {load(data + 12), load(data + 28)};
  inverseQuad(x0, x1, x2, x3, QuadRoots::ofBlocks(roots, index), prime);
  storePair(data, {x0.a, x1.a});
  storePair(data + 8, {x2.a, x3.a});
  storePair(data + 16, {x0.b, x1.b});
  storePair(data + 24, {x2.b, x3.b});
}

/// One limb's transform under way.
struct Transform : ColumnStages {
  /// All stages of a block of 32 words or more with root number `index`; A <= 4 for the lengths
  /// that reduce first, A <= 1 for all. The doubles of `data` become residues.
  void forwardBlock(double *data, size_t words, size_t index) const {
    size_t blocks = 1;
    if (__builtin_ctzll(words) % 2 != 0) { // 16 = 2^4: an odd number of stages
      const Pair root = {broadcast(roots[index]), broadcast(roots[index])};
      for (double *value = data; value < data + words / 2; value += 8) {
        Pair x = reduce(loadPair(value), prime), y = loadPair(value + words / 2);
        butterfly(x, y, root, prime);
        storePair(value, x);
        storePair(value + words / 2, y);
      }
      blocks = 2;
    }
    for (; words / blocks > 16; blocks *= 4) {
      const size_t length = words / blocks;
      // The last quad before the blocks of 16 reduces, and every other one above it.
      if (__builtin_ctzll(length) % 4 == 2)
        forwardStages<true>(data, length, blocks, index * blocks);
      else
        forwardStages<false>(data, length, blocks, index * blocks);
    }
    for (size_t i = 0; i < words; i += 32)
      forwardSixteens(data + i, roots, index * blocks + i / 16, prime);
    for (size_t i = 0; i < words; i += 16)
      forwardFours(data + i, roots, 4 * index * blocks + i / 4, prime);
    for (size_t i = 0; i < words; i += 16)
      finishFours(reinterpret_cast<uint64_t *>(data) + i, data + i, prime);
  }

  /// All inverse stages of a block of 32 words or more; dst may be src.
  void inverseBlock(double *dst, const uint64_t *src, size_t words, size_t index) const {
    size_t blocks = words / 16;
    for (size_t i = 0; i < words; i += 16)
      inverseFours(dst + i, src + i, roots, 4 * index * blocks + i / 4, prime);
    for (size_t i = 0; i < words; i += 32)
      inverseSixteens(dst + i, roots, index * blocks + i / 16, prime);
    for (; blocks >= 4; blocks /= 4)
      inverseStages(dst, 4 * (words / blocks), blocks / 4, index * (blocks / 4));
    if (blocks == 2) {
      const Pair root = {broadcast(roots[index]), broadcast(roots[index])};
      for (double *value = dst; value < dst + words / 2; value += 8) {
        Pair x = loadPair(value), y = loadPair(value + words / 2);
        inverseButterfly(x, y, root, prime);
        storePair(value, x);
        storePair(value + words / 2, y);
      }
    }
  }

  void forwardAcross(double *dst, const uint64_t *src, size_t rows, size_t columns) const {
    for (size_t column = 0; column < columns; column += stripWords)
      forwardStrip({dst + column, columns}, {src + column, columns}, rows);
  }
  void inverseAcross(uint64_t *dst, size_t rows, size_t columns, const Finish &factors) const {
    const double *src = reinterpret_cast<const double *>(dst);
    for (size_t column = 0; column < columns; column += stripWords)
      inverseStrip({dst + column, columns}, {src + column, columns}, rows, factors);
  }
};

void ntt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  if (limb.logN < 5)
    return scalar::ntt(limb, dst, src);
  const Transform transform{{limb.centredRoots, VectorPrime(limb.prime)}};
  const size_t n = size_t{1} << limb.logN, rows = rowCount(limb.logN), columns = n / rows;
  double *values = reinterpret_cast<double *>(dst);
  if (rows > 1)
    transform.forwardAcross(values, src, rows, columns);
  else
    for (size_t i = 0; i < n; i += 8)
      storePair(values + i, loadPair(src + i));
  for (size_t row = 0; row < rows; ++row)
    transform.forwardBlock(values + row * columns, columns, rows + row);
}

void intt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  if (limb.logN < 5)
    return scalar::intt(limb, dst, src);
  const Transform transform{{limb.centredInverseRoots, VectorPrime(limb.prime)}};
  const size_t n = size_t{1} << limb.logN, rows = rowCount(limb.logN), columns = n / rows;
  const Finish factors(limb.prime, limb.inverseN, limb.inverseNRoot);
  double *values = reinterpret_cast<double *>(dst);
  for (size_t row = 0; row < rows; ++row)
    transform.inverseBlock(values + row * columns, src + row * columns, columns, rows + row);
  if (rows > 1)
    transform.inverseAcross(dst, rows, columns, factors);
  else
    for (size_t i = 0; i < n; i += 8)
      storeResidues(dst + i, multiply(loadPair(values + i), factors.sums, transform.prime),
                    transform.prime);
}

size_t rowWords(unsigned logN) { return (size_t{1} << logN) / rowCount(logN); }

/// Words in half form are doubles.
void nttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
             const uint64_t *src) {
  const size_t columns = rowWords(limb.logN), rows = rowCount(limb.logN);
  if (rows == 1)
    return ntt(limb, dst, src);
  const Transform transform{{limb.centredRoots, VectorPrime(limb.prime)}};
  for (size_t i = 0; i < words; i += columns) {
    std::memcpy(dst + i, src + begin + i, columns * sizeof(uint64_t));
    transform.forwardBlock(reinterpret_cast<double *>(dst + i), columns,
                           rows + (begin + i) / columns);
  }
}

void inttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
              const uint64_t *src) {
  const size_t columns = rowWords(limb.logN), rows = rowCount(limb.logN);
  if (rows == 1)
    return intt(limb, dst, src);
  const Transform transform{{limb.centredInverseRoots, VectorPrime(limb.prime)}};
  for (size_t i = 0; i < words; i += columns)
    transform.inverseBlock(reinterpret_cast<double *>(dst + begin + i), src + i, columns,
                           rows + (begin + i) / columns);
}

} // namespace

void addNtt(KernelTable &table) {
  table.ntt = ntt;
  table.intt = intt;
  table.rowWords = rowWords;
  table.nttRows = nttRows;
  table.inttRows = inttRows;
}

} // namespace sluice::kernels::avx2
