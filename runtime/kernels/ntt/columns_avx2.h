//===- columns_avx2.h - butterflies in doubles, and the stages of a transform across its rows -===//
//
// Two stages are joined to one over four words, a "quad". Stages across rows are done on strips of
// columns that fit the first-level cache.
//
// Bounds, in multiples of q (arithmetic_avx2.h; roots are centred, so a product of |x| <= A is at
// most 1/2 + A/8, and A <= 4 keeps quotients below 2^51):
//  - forward, a stage takes A to 1/2 + 9A/8, or to 1 + A/8 if it reduces its first operand. A quad
//  takes A <= 2.34 to 3.84 without reduction, and A <= 4 to 2.19 with reduction in its first stage;
//  residues start at A = 1, and quads with and without alternate so.
//  - backward, every quad and every stage takes and leaves A <= 2.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_NTT_COLUMNS_AVX2_H
#define SLUICE_RUNTIME_KERNELS_NTT_COLUMNS_AVX2_H

#include "runtime/kernels/arithmetic_avx2.h"
#include "runtime/kernels/kernels.h"

namespace sluice::kernels::avx2 {

/// Columns of a strip: two cache lines. A strip of 64 rows takes 8 KiB.
inline constexpr size_t stripWords = 16, maxStripRows = 64;

/// The rows of a limb: an even number of stages across, 10 or 11 within; up to 2048 words one row.
inline size_t rowCount(unsigned logN) { return logN < 12 ? 1 : size_t{1} << ((logN - 10) / 2 * 2); }

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

static inline Pair operator+(Pair x, Pair y) {
  return {_mm256_add_pd(x.a, y.a), _mm256_add_pd(x.b, y.b)};
}
static inline Pair operator-(Pair x, Pair y) {
  return {_mm256_sub_pd(x.a, y.a), _mm256_sub_pd(x.b, y.b)};
}

static inline Pair quotient(Pair x, const VectorPrime &prime) {
  return {avx2::quotient(x.a, prime), avx2::quotient(x.b, prime)};
}

static inline Pair subtractMultiple(Pair x, Pair k, const VectorPrime &prime) {
  return {_mm256_fnmadd_pd(k.a, prime.q, x.a), _mm256_fnmadd_pd(k.b, prime.q, x.b)};
}

static inline Pair reduce(Pair x, const VectorPrime &prime) {
  return subtractMultiple(x, quotient(x, prime), prime);
}

static inline Pair multiply(Pair x, Pair y, const VectorPrime &prime) {
  const Pair high = {_mm256_mul_pd(x.a, y.a), _mm256_mul_pd(x.b, y.b)};
  const Pair low = {_mm256_fmsub_pd(x.a, y.a, high.a), _mm256_fmsub_pd(x.b, y.b, high.b)};
  return subtractMultiple(high, quotient(high, prime), prime) + low;
}

static inline Pair loadPair(const double *values) { return {load(values), load(values + 4)}; }
static inline Pair loadPair(const uint64_t *residues) {
  return {toReals(load(residues)), toReals(load(residues + 4))};
}

static inline void storePair(double *values, Pair x) {
  store(values, x.a);
  store(values + 4, x.b);
}

static inline void storeResidues(uint64_t *residues, Pair x, const VectorPrime &prime) {
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
static inline void butterfly(Pair &x, Pair &y, Pair root, const VectorPrime &prime) {
  const Pair product = multiply(y, root, prime);
  y = x - product;
  x = x + product;
}

/// (x, y) to (x + y, (x - y) root), the sum reduced.
static inline void inverseButterfly(Pair &x, Pair &y, Pair root, const VectorPrime &prime) {
  const Pair difference = x - y;
  x = reduce(x + y, prime);
  y = multiply(difference, root, prime);
}

template <bool reducing>
static inline void forwardQuad(Pair &x0, Pair &x1, Pair &x2, Pair &x3, const QuadRoots &roots,
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
[[gnu::always_inline]] static inline void forwardQuads(Place<double> out, Place<Word> in,
                                                       size_t words, const QuadRoots &roots,
                                                       const VectorPrime &prime) {
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
static inline void inverseHalves(Pair &x0, Pair &x1, Pair &x2, Pair &x3, const QuadRoots &roots,
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
static inline void inverseQuad(Pair &x0, Pair &x1, Pair &x2, Pair &x3, const QuadRoots &roots,
                               const VectorPrime &prime) {
  inverseHalves(x0, x1, x2, x3, roots, prime);
  x2 = multiply(x2, roots.outer, prime);
  x3 = multiply(x3, roots.outer, prime);
}

[[gnu::always_inline]] static inline void inverseQuads(Place<double> out, Place<const double> in,
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

/// A factor, and it times the root of the last stage.
struct Finish {
  Pair sums, differences;

  Finish(const PrimeConstants &prime, const ShoupFactor &factor, const ShoupFactor &factorRoot)
      : sums(twice(prime, factor)), differences(twice(prime, factorRoot)) {}

private:
  static Pair twice(const PrimeConstants &prime, const ShoupFactor &factor) {
    const Reals centred = broadcast(centre(prime, factor.value));
    return {centred, centred};
  }
};

/// The last quad backward, its products joined with those by a factor.
[[gnu::always_inline]] static inline void finishQuads(Place<uint64_t> out, Place<const double> in,
                                                      size_t words, const QuadRoots &roots,
                                                      const Finish &factors,
                                                      const VectorPrime &prime) {
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

/// The stages of one limb and direction that go across rows.
struct ColumnStages {
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

  /// The stages across `rows` rows (4, 16 or 64) of one strip of columns, residues to doubles.
  void forwardStrip(Place<double> out, Place<const uint64_t> in, size_t rows) const {
    if (rows == 4)
      return forwardQuads<false>(out, in, stripWords, QuadRoots::ofBlock(roots, 1), prime);
    alignas(64) double strip[maxStripRows * stripWords];
    const size_t quarter = rows / 4;
    for (size_t row = 0; row < quarter; ++row)
      forwardQuads<false>(Place<double>{strip + row * stripWords, quarter * stripWords},
                          Place<const uint64_t>{in.first + row * in.step, quarter * in.step},
                          stripWords, QuadRoots::ofBlock(roots, 1), prime);
    if (rows == 64)
      forwardStages<true>(strip, 16 * stripWords, 4, 4);
    for (size_t block = 0; block < quarter; ++block) {
      const Place<double> to{out.first + 4 * block * out.step, out.step};
      const Place<const double> from{strip + 4 * block * stripWords, stripWords};
      const QuadRoots blockRoots = QuadRoots::ofBlock(roots, quarter + block);
      if (rows == 64)
        forwardQuads<false>(to, from, stripWords, blockRoots, prime);
      else
        forwardQuads<true>(to, from, stripWords, blockRoots, prime);
    }
  }

  /// The inverse stages across `rows` rows (4, 16 or 64) of one strip, doubles to residues.
  void inverseStrip(Place<uint64_t> out, Place<const double> in, size_t rows,
                    const Finish &factors) const {
    if (rows == 4)
      return finishQuads(out, in, stripWords, QuadRoots::ofBlock(roots, 1), factors, prime);
    alignas(64) double strip[maxStripRows * stripWords];
    const size_t quarter = rows / 4;
    for (size_t block = 0; block < quarter; ++block)
      inverseQuads({strip + 4 * block * stripWords, stripWords},
                   {in.first + 4 * block * in.step, in.step}, stripWords,
                   QuadRoots::ofBlock(roots, quarter + block), prime);
    if (rows == 64)
      inverseStages(strip, 16 * stripWords, 4, 4);
    for (size_t row = 0; row < quarter; ++row)
      finishQuads({out.first + row * out.step, quarter * out.step},
                  {strip + row * stripWords, quarter * stripWords}, stripWords,
                  QuadRoots::ofBlock(roots, 1), factors, prime);
  }
};

} // namespace sluice::kernels::avx2

#endif // SLUICE_RUNTIME_KERNELS_NTT_COLUMNS_AVX2_H
