//===- ntt_avx2.cpp - negacyclic NTT in doubles -----------------------------------------------===//
//
// The transforms of ntt_scalar.cpp, four words at a time; between passes the words of dst hold
// doubles. Long limbs are a matrix of rows of 1024 or 2048 words: all stages across rows are done
// on strips of columns that fit the first-level cache, then all stages within each row, so that
// memory is passed over twice. Two stages are joined to one over four words, a "quad".
//
// Bounds, in multiples of q (arithmetic_avx2.h; roots are centred, so a product of |x| <= A is at
// most 1/2 + A/8, and A <= 4 keeps quotients below 2^51):
//  - forward, a stage takes A to 1/2 + 9A/8, or to 1 + A/8 if it reduces its first operand. A quad
//  takes A <= 2.34 to 3.84 without reduction, and A <= 4 to 2.19 with reduction in its first stage;
//  residues start at A = 1, and quads with and without alternate so.
//  - backward, every quad and every stage takes and leaves A <= 2.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic_avx2.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::avx2 {

namespace {

/// Columns of a strip: two cache lines. A strip of 64 rows takes 8 KiB.
constexpr size_t stripWords = 16, maxRows = 64;

/// Where a quad finds or leaves its four words: `step` words apart.
template <typename Word> struct Place {
  Word *first;
  size_t step;
};

/// Eight words, whose operations alternate: each takes several cycles, and the processor looks
/// only so far ahead for independent work.
struct Pair {
  Reals a, b;
};

inline Pair operator+(Pair x, Pair y) { return {_mm256_add_pd(x.a, y.a), _mm256_add_pd(x.b, y.b)}; }
inline Pair operator-(Pair x, Pair y) { return {_mm256_sub_pd(x.a, y.a), _mm256_sub_pd(x.b, y.b)}; }

inline Pair quotient(Pair x, const VectorPrime &prime) {
  return {avx2::quotient(x.a, prime), avx2::quotient(x.b, prime)};
}

inline Pair subtractMultiple(Pair x, Pair k, const VectorPrime &prime) {
  return {_mm256_fnmadd_pd(k.a, prime.q, x.a), _mm256_fnmadd_pd(k.b, prime.q, x.b)};
}

inline Pair reduce(Pair x, const VectorPrime &prime) {
  return subtractMultiple(x, quotient(x, prime), prime);
}

inline Pair multiply(Pair x, Pair y, const VectorPrime &prime) {
  const Pair high = {_mm256_mul_pd(x.a, y.a), _mm256_mul_pd(x.b, y.b)};
  const Pair low = {_mm256_fmsub_pd(x.a, y.a, high.a), _mm256_fmsub_pd(x.b, y.b, high.b)};
  return subtractMultiple(high, quotient(high, prime), prime) + low;
}

inline Pair loadPair(const double *values) { return {load(values), load(values + 4)}; }
inline Pair loadPair(const uint64_t *residues) {
  return {toReals(load(residues)), toReals(load(residues + 4))};
}

inline void storePair(double *values, Pair x) {
  store(values, x.a);
  store(values + 4, x.b);
}

inline void storeResidues(uint64_t *residues, Pair x, const VectorPrime &prime) {
  store(residues, toResidues(x.a, prime));
  store(residues + 4, toResidues(x.b, prime));
}

/// The roots of the stage of a block and of its halves, the blocks of the next stage.
struct QuadRoots {
  Pair outer, left, right;

  /// Of one block; `index` is the number of its root: that of its stage's blocks plus its place.
  static QuadRoots ofBlock(const double *roots, size_t index) {
    return {twice(roots[index]), twice(roots[2 * index]), twice(roots[2 * index + 1])};
  }
  /// Of two neighbours, the block's for the first half of a pair.
  static QuadRoots ofBlocks(const double *roots, size_t index) {
    return {both(roots + index, 1), both(roots + 2 * index, 2), both(roots + 2 * index + 1, 2)};
  }

private:
  static Pair twice(double root) { return {broadcast(root), broadcast(root)}; }
  static Pair both(const double *root, size_t step) {
    return {broadcast(root[0]), broadcast(root[step])};
  }
};

/// (x, y) to (x + root y, x - root y).
inline void butterfly(Pair &x, Pair &y, Pair root, const VectorPrime &prime) {
  const Pair product = multiply(y, root, prime);
  y = x - product;
  x = x + product;
}

/// (x, y) to (x + y, (x - y) root), the sum reduced.
inline void inverseButterfly(Pair &x, Pair &y, Pair root, const VectorPrime &prime) {
  const Pair difference = x - y;
  x = reduce(x + y, prime);
  y = multiply(difference, root, prime);
}

template <bool reducing>
inline void forwardQuad(Pair &x0, Pair &x1, Pair &x2, Pair &x3, const QuadRoots &roots,
                        const VectorPrime &prime) {
  if constexpr (reducing) {
    x0 = reduce(x0, prime);
    x1 = reduce(x1, prime);
  }
  butterfly(x0, x2, roots.outer, prime);
  butterfly(x1, x3, roots.outer, prime);
  butterfly(x0, x1, roots.left, prime);
  butterfly(x2, x3, roots.right, prime);
}

/// The stages of four parts of `words` words.
template <bool reducing, typename Word>
[[gnu::always_inline]] inline void forwardQuads(Place<double> out, Place<Word> in, size_t words,
                                                const QuadRoots &roots, const VectorPrime &prime) {
  for (size_t i = 0; i < words; i += 8) {
    Pair x0 = loadPair(in.first + i), x1 = loadPair(in.first + in.step + i);
    Pair x2 = loadPair(in.first + 2 * in.step + i), x3 = loadPair(in.first + 3 * in.step + i);
    forwardQuad<reducing>(x0, x1, x2, x3, roots, prime);
    storePair(out.first + i, x0);
    storePair(out.first + out.step + i, x1);
    storePair(out.first + 2 * out.step + i, x2);
    storePair(out.first + 3 * out.step + i, x3);
  }
}

/// A quad backward up to its last additions: (x0, x2) and (x1, x3) to sums and differences, the
/// differences still without the outer root.
inline void inverseHalves(Pair &x0, Pair &x1, Pair &x2, Pair &x3, const QuadRoots &roots,
                          const VectorPrime &prime) {
  inverseButterfly(x0, x1, roots.left, prime);
  inverseButterfly(x2, x3, roots.right, prime);
  const Pair difference02 = x0 - x2, difference13 = x1 - x3;
  x0 = x0 + x2;
  x1 = x1 + x3;
  x2 = difference02;
  x3 = difference13;
}

/// A <= 2: halves are at most 1/2 and 1, so sums at most 2 and products at most 1/2 + 2/8.
inline void inverseQuad(Pair &x0, Pair &x1, Pair &x2, Pair &x3, const QuadRoots &roots,
                        const VectorPrime &prime) {
  inverseHalves(x0, x1, x2, x3, roots, prime);
  x2 = multiply(x2, roots.outer, prime);
  x3 = multiply(x3, roots.outer, prime);
}

[[gnu::always_inline]] inline void inverseQuads(Place<double> out, Place<const double> in,
                                                size_t words, const QuadRoots &roots,
                                                const VectorPrime &prime) {
  for (size_t i = 0; i < words; i += 8) {
    Pair x0 = loadPair(in.first + i), x1 = loadPair(in.first + in.step + i);
    Pair x2 = loadPair(in.first + 2 * in.step + i), x3 = loadPair(in.first + 3 * in.step + i);
    inverseQuad(x0, x1, x2, x3, roots, prime);
    storePair(out.first + i, x0);
    storePair(out.first + out.step + i, x1);
    storePair(out.first + 2 * out.step + i, x2);
    storePair(out.first + 3 * out.step + i, x3);
  }
}

/// N^-1, and N^-1 times the root of the last stage.
struct Finish {
  Pair sums, differences;
};

/// The last quad backward, its products joined with those by N^-1.
[[gnu::always_inline]] inline void finishQuads(Place<uint64_t> out, Place<const double> in,
                                               size_t words, const QuadRoots &roots,
                                               const Finish &factors, const VectorPrime &prime) {
  for (size_t i = 0; i < words; i += 8) {
    Pair x0 = loadPair(in.first + i), x1 = loadPair(in.first + in.step + i);
    Pair x2 = loadPair(in.first + 2 * in.step + i), x3 = loadPair(in.first + 3 * in.step + i);
    inverseHalves(x0, x1, x2, x3, roots, prime);
    storeResidues(out.first + i, multiply(x0, factors.sums, prime), prime);
    storeResidues(out.first + out.step + i, multiply(x1, factors.sums, prime), prime);
    storeResidues(out.first + 2 * out.step + i, multiply(x2, factors.differences, prime), prime);
    storeResidues(out.first + 3 * out.step + i, multiply(x3, factors.differences, prime), prime);
  }
}

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
struct Transform {
  const double *roots;
  VectorPrime prime;

  /// The stages of `blocks` blocks of `length` >= 64 words and of their halves; `index` is the
  /// first block's root number.
  template <bool reducing>
  void forwardStages(double *data, size_t length, size_t blocks, size_t index) const {
    for (size_t block = 0; block < blocks; ++block) {
      const Place<double> parts{data + block * length, length / 4};
      forwardQuads<reducing>(parts, parts, length / 4, QuadRoots::ofBlock(roots, index + block),
                             prime);
    }
  }

  /// The inverse stages of the halves of `blocks` blocks of `length` >= 64 words, then theirs.
  void inverseStages(double *data, size_t length, size_t blocks, size_t index) const {
    for (size_t block = 0; block < blocks; ++block) {
      double *parts = data + block * length;
      inverseQuads({parts, length / 4}, {parts, length / 4}, length / 4,
                   QuadRoots::ofBlock(roots, index + block), prime);
    }
  }

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

  /// The stages across `rows` rows (4, 16 or 64), residues to doubles.
  void forwardAcross(double *dst, const uint64_t *src, size_t rows, size_t columns) const {
    if (rows == 4)
      return forwardQuads<false>(Place<double>{dst, columns}, Place<const uint64_t>{src, columns},
                                 columns, QuadRoots::ofBlock(roots, 1), prime);
    alignas(64) double strip[maxRows * stripWords];
    for (size_t column = 0; column < columns; column += stripWords) {
      const size_t quarter = rows / 4;
      for (size_t row = 0; row < quarter; ++row)
        forwardQuads<false>(Place<double>{strip + row * stripWords, quarter * stripWords},
                            Place<const uint64_t>{src + row * columns + column, quarter * columns},
                            stripWords, QuadRoots::ofBlock(roots, 1), prime);
      if (rows == 64)
        forwardStages<true>(strip, 16 * stripWords, 4, 4);
      for (size_t block = 0; block < quarter; ++block) {
        const Place<double> out{dst + 4 * block * columns + column, columns};
        const Place<double> in{strip + 4 * block * stripWords, stripWords};
        if (rows == 64)
          forwardQuads<false>(out, in, stripWords, QuadRoots::ofBlock(roots, quarter + block),
                              prime);
        else
          forwardQuads<true>(out, in, stripWords, QuadRoots::ofBlock(roots, quarter + block),
                             prime);
      }
    }
  }

  /// The inverse stages across `rows` rows (4, 16 or 64), doubles to residues.
  void inverseAcross(uint64_t *dst, size_t rows, size_t columns, const Finish &factors) const {
    const double *src = reinterpret_cast<const double *>(dst);
    if (rows == 4)
      return finishQuads({dst, columns}, {src, columns}, columns, QuadRoots::ofBlock(roots, 1),
                         factors, prime);
    alignas(64) double strip[maxRows * stripWords];
    for (size_t column = 0; column < columns; column += stripWords) {
      const size_t quarter = rows / 4;
      for (size_t block = 0; block < quarter; ++block)
        inverseQuads({strip + 4 * block * stripWords, stripWords},
                     {src + 4 * block * columns + column, columns}, stripWords,
                     QuadRoots::ofBlock(roots, quarter + block), prime);
      if (rows == 64)
        inverseStages(strip, 16 * stripWords, 4, 4);
      for (size_t row = 0; row < quarter; ++row)
        finishQuads({dst + row * columns + column, quarter * columns},
                    {strip + row * stripWords, quarter * stripWords}, stripWords,
                    QuadRoots::ofBlock(roots, 1), factors, prime);
    }
  }
};

/// The rows of a limb: an even number of stages across, 10 or 11 within; up to 2048 words one row.
size_t rowCount(unsigned logN) { return logN < 12 ? 1 : size_t{1} << ((logN - 10) / 2 * 2); }

void ntt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  if (limb.logN < 5)
    return scalar::ntt(limb, dst, src);
  const Transform transform{limb.centredRoots, VectorPrime(limb.prime)};
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
  const Transform transform{limb.centredInverseRoots, VectorPrime(limb.prime)};
  const size_t n = size_t{1} << limb.logN, rows = rowCount(limb.logN), columns = n / rows;
  const Reals sums = broadcast(centre(limb.prime, limb.inverseN.value));
  const Reals differences = broadcast(centre(limb.prime, limb.inverseNRoot.value));
  const Finish factors{{sums, sums}, {differences, differences}};
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

} // namespace

void addNtt(KernelTable &table) {
  table.ntt = ntt;
  table.intt = intt;
}

} // namespace sluice::kernels::avx2
