//===- ntt_avx512ifma.cpp - negacyclic NTT with 52-bit products -------------------------------===//
//
// The transforms of ntt_scalar.cpp, eight words at a time, as the stages across rows
// (columns_avx512ifma.h) and those within rows, which follow here. In a row the last four stages
// work on 16 words at once; blocks of 8, 4 and 2 words work inside registers. These stages are
// twisted (kernels.h): as many roots as words would be twice what a limb is.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/ntt/columns_avx512ifma.h"
#include "runtime/kernels/rows.h"

#include <algorithm>

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

/// Exchanges the lanes of x and y: the lower group of each pair of groups of `width` lanes goes to
/// x, the upper one to y.
template <int width> inline void exchange(Vector &x, Vector &y) {
  static_assert(width == 1 || width == 2 || width == 4);
  Vector lower, upper;
  if constexpr (width == 4) {
    lower = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11), y);
    upper = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(4, 5, 6, 7, 12, 13, 14, 15), y);
  } else if constexpr (width == 2) {
    lower = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), y);
    upper = _mm512_permutex2var_epi64(x, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), y);
  } else {
    lower = _mm512_unpacklo_epi64(x, y);
    upper = _mm512_unpackhi_epi64(x, y);
  }
  x = lower;
  y = upper;
}

/// A vector of factors, whose quotients have 52 bits.
inline VectorFactor factors(const uint64_t *values, const uint64_t *quotients) {
  return {load(values), load(quotients)};
}

/// The roots of the three last cyclic stages, one a lane.
struct CyclicRoots {
  VectorFactor eights, fours, twos;

  CyclicRoots(const uint64_t *roots, const uint64_t *quotients)
      : eights(spread(roots, quotients, _mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1))),
        fours(spread(roots, quotients, _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3))),
        twos(factors(roots, quotients)) {}

private:
  static VectorFactor spread(const uint64_t *roots, const uint64_t *quotients, Vector lanes) {
    return {_mm512_permutexvar_epi64(lanes, load(roots)),
            _mm512_permutexvar_epi64(lanes, load(quotients))};
  }
};

/// The last four forward stages on `count` blocks of 16 words, from open ones to [0, q). Several at
/// once, since each is one long chain of dependent products.
template <size_t count>
inline void forwardLastStages(const uint64_t *in, uint64_t *out, const TwistedBlock *blocks,
                              const CyclicRoots &roots, const VectorPrime &prime) {
  Vector x[count], y[count];
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    const TwistedBlock &block = blocks[i];
    x[i] = load(in + 16 * i), y[i] = load(in + 16 * i + 8);
    // The root of the first cyclic stage is one.
    twistedButterfly(x[i], y[i], factors(block.twists, block.twistQuotients),
                     factors(block.twists + 8, block.twistQuotients + 8), prime);
    exchange<4>(x[i], y[i]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    butterfly(x[i], y[i], roots.eights, prime);
    exchange<2>(x[i], y[i]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    butterfly(x[i], y[i], roots.fours, prime);
    exchange<1>(x[i], y[i]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    butterfly(x[i], y[i], roots.twos, prime);
    const Vector even = reduceTwice(x[i], prime), odd = reduceTwice(y[i], prime);
    store(out + 16 * i,
          _mm512_permutex2var_epi64(even, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), odd));
    store(out + 16 * i + 8,
          _mm512_permutex2var_epi64(even, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), odd));
  }
}

/// The first four inverse stages on `count` blocks of 16 words, from [0, 2q) to [0, 2q).
template <size_t count>
inline void inverseFirstStages(const uint64_t *in, uint64_t *out, const TwistedBlock *blocks,
                               const CyclicRoots &roots, const VectorPrime &prime) {
  Vector x[count], y[count];
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    const Vector first = load(in + 16 * i), second = load(in + 16 * i + 8);
    x[i] = _mm512_permutex2var_epi64(first, _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), second);
    y[i] = _mm512_permutex2var_epi64(first, _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15), second);
    inverseButterfly(x[i], y[i], roots.twos, prime);
    exchange<1>(x[i], y[i]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    inverseButterfly(x[i], y[i], roots.fours, prime);
    exchange<2>(x[i], y[i]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    inverseButterfly(x[i], y[i], roots.eights, prime);
    exchange<4>(x[i], y[i]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < count; ++i) {
    const TwistedBlock &block = blocks[i];
    untwistingButterfly(x[i], y[i], factors(block.twists, block.twistQuotients),
                        factors(block.twists + 8, block.twistQuotients + 8), prime);
    store(out + 16 * i, x[i]);
    store(out + 16 * i + 8, y[i]);
  }
}

/// How many rows ahead words in half form are fetched.
constexpr size_t prefetchedRows = 2;

/// The words of one row, by vectors of eight.
template <typename Word> struct PlainRow {
  Word *words;

  Word *vector(size_t i) const { return words + 8 * i; }
};

/// The same of a limb in half form, where every tile of columns has one of them.
template <typename Word> struct HalfRow {
  Word *limb;
  size_t row, rows;

  Word *vector(size_t i) const { return HalfTile<Word>::of(limb, i, rows).row(row); }
};

/// The stages of a row that are not cyclic, but for the first: their roots.
struct RowRoots {
  const TwistedRow &row;

  VectorFactor at(size_t i) const {
    return {broadcast(row.roots[i]), broadcast(row.rootQuotients[i])};
  }
};

/// The stages within rows of one limb. Rows have 2^logWords words, 16 or more.
class RowStages {
public:
  static RowStages forward(const LimbTables &limb) {
    return {limb, limb.twists, {limb.roots, limb.columnQuotients}};
  }
  static RowStages inverse(const LimbTables &limb) {
    return {limb, limb.inverseTwists, {limb.inverseRoots, limb.inverseColumnQuotients}};
  }

  size_t words() const { return size_t{1} << logWords; }
  size_t count() const { return rowCount; }

  /// Row `row` from words in [0, 4q), which may be open, to [0, q).
  template <typename In> void forward(size_t row, In in, uint64_t *out) const {
    alignas(64) uint64_t between[rowWords];
    if (logWords == 4)
      return forwardLast(in.vector(0), out);
    forwardFirst(tables.rows[row], in, between);
    forwardLast(between, out);
  }

  /// Row `row`, without the division by its length, from words in [0, 2q) to [0, 2q).
  template <typename Out> void inverse(size_t row, const uint64_t *in, Out out) const {
    alignas(64) uint64_t between[rowWords];
    if (logWords == 4)
      return inverseFirst(in, out.vector(0));
    inverseFirst(in, between);
    inverseLast(tables.rows[row], between, out);
  }

private:
  RowStages(const LimbTables &limb, const TwistTables &tables, const CyclicRoots &cyclic)
      : logWords(std::min(limb.logN, logRowWords)), rowCount(size_t{1} << (limb.logN - logWords)),
        tables(tables), cyclic(cyclic), prime(limb.prime) {}

  /// The stages that go before the last four, so many as rows have, and the row's twist.
  template <typename In> void forwardFirst(const TwistedRow &row, In in, uint64_t *out) const {
    withStages(logWords - 4, [&](auto stages) {
      for (size_t half = 0; half < 2; ++half) {
        const size_t k = 8 * half;
        const VectorFactor twist = factors(row.twists + k, row.twistQuotients + k);
        const VectorFactor rootTwist = factors(row.rootTwists + k, row.rootTwistQuotients + k);
        forwardStep<stages, Results::open>(
            RowRoots{row}, 1, prime, [&](size_t i) { return load(in.vector(2 * i + half)); },
            [&](auto how, Vector &x, Vector &y) {
              twistedButterfly<how.value>(x, y, twist, rootTwist, prime);
            },
            [&](size_t i, Vector x) { store(out + 16 * i + k, x); });
        forgetLoads();
      }
    });
  }

  void forwardLast(const uint64_t *in, uint64_t *out) const {
    forEachSixteen([&](auto count, size_t i) {
      forwardLastStages<count>(in + 16 * i, out + 16 * i, tables.blocks + i, cyclic, prime);
    });
  }

  void inverseFirst(const uint64_t *in, uint64_t *out) const {
    forEachSixteen([&](auto count, size_t i) {
      inverseFirstStages<count>(in + 16 * i, out + 16 * i, tables.blocks + i, cyclic, prime);
    });
  }

  /// The stages that go after the first four, and the row's twist.
  template <typename Out>
  void inverseLast(const TwistedRow &row, const uint64_t *in, Out out) const {
    withStages(logWords - 4, [&](auto stages) {
      for (size_t half = 0; half < 2; ++half) {
        const size_t k = 8 * half;
        const VectorFactor twist = factors(row.twists + k, row.twistQuotients + k);
        const VectorFactor rootTwist = factors(row.rootTwists + k, row.rootTwistQuotients + k);
        inverseStep<stages>(
            RowRoots{row}, 1, prime, [&](size_t i) { return load(in + 16 * i + k); },
            [&](Vector &x, Vector &y) { untwistingButterfly(x, y, twist, rootTwist, prime); },
            [&](size_t i, Vector x) { store(out.vector(2 * i + half), x); });
        forgetLoads();
      }
    });
  }

  /// body(count, i) for block i of 16 words of a row and those after it: four are under way at once
  /// where there are so many.
  template <typename Body> void forEachSixteen(Body body) const {
    const size_t blocks = words() / 16;
    size_t i = 0;
    for (; i + 4 <= blocks; i += 4)
      body(std::integral_constant<size_t, 4>(), i);
    for (; i < blocks; ++i)
      body(std::integral_constant<size_t, 1>(), i);
  }

  unsigned logWords;
  size_t rowCount; // of the whole limb
  TwistTables tables;
  CyclicRoots cyclic;
  VectorPrime prime;
};

/// dst = NTT(src): across rows, then within them.
void ntt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  if (limb.logN < 4)
    return scalar::ntt(limb, dst, src);
  const RowStages rows = RowStages::forward(limb);
  if (limb.logN > logRowWords) {
    const VectorPrime prime(limb.prime);
    alignas(64) uint64_t buffer[maxRows * tileWords];
    for (size_t i = 0; i < rowWords; i += tileWords) {
      for (size_t row = 0; row < rows.count(); ++row)
        __builtin_prefetch(src + row * rowWords + i + tileWords);
      forwardColumns(ColumnRoots::forward(limb), prime, TileIn{src + i, rowWords},
                     TileOut{buffer, tileWords}, TileOut{dst + i, rowWords});
    }
    src = dst;
  }
  for (size_t row = 0; row < rows.count(); ++row)
    rows.forward(row, PlainRow<const uint64_t>{src + row * rows.words()}, dst + row * rows.words());
}

void intt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  if (limb.logN < 4)
    return scalar::intt(limb, dst, src);
  const RowStages rows = RowStages::inverse(limb);
  for (size_t row = 0; row < rows.count(); ++row)
    rows.inverse(row, src + row * rows.words(), PlainRow<uint64_t>{dst + row * rows.words()});
  const VectorPrime prime(limb.prime);
  const VectorFactor sumFactor(limb.inverseN), differenceFactor(limb.inverseNRoot);
  if (limb.logN > logRowWords) {
    alignas(64) uint64_t buffer[maxRows * tileWords];
    for (size_t i = 0; i < rowWords; i += tileWords) {
      for (size_t row = 0; row < rows.count(); ++row)
        __builtin_prefetch(dst + row * rowWords + i + tileWords);
      inverseColumns(ColumnRoots::inverse(limb), prime, sumFactor, differenceFactor,
                     TileIn{dst + i, rowWords}, TileOut{buffer, tileWords},
                     TileOut{dst + i, rowWords});
    }
    return;
  }
  for (size_t i = 0; i < rows.words(); i += 8)
    store(dst + i, reduceOnce(mulLazy(load(dst + i), sumFactor, prime), prime.q));
}

size_t wordsOfRow(unsigned logN) { return size_t{1} << std::min(logN, logRowWords); }

/// Words in half form are open, in [0, 4q).
void nttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
             const uint64_t *src) {
  if (limb.logN <= logRowWords)
    return ntt(limb, dst, src);
  const RowStages rows = RowStages::forward(limb);
  for (size_t i = 0; i < words; i += rowWords) {
    const HalfRow<const uint64_t> in{src, (begin + i) / rowWords, rows.count()};
    // Tiles are so far apart that no hardware sees the order in which rows are read.
    const HalfRow<const uint64_t> next{src, in.row + prefetchedRows, rows.count()};
    for (size_t tile = 0; tile < rowWords / tileWords; ++tile)
      __builtin_prefetch(next.vector(tile), 0, 2);
    rows.forward(in.row, in, dst + i);
  }
}

/// Words in half form are in [0, 2q), in their natural order.
void inttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
              const uint64_t *src) {
  if (limb.logN <= logRowWords)
    return intt(limb, dst, src);
  const RowStages rows = RowStages::inverse(limb);
  for (size_t i = 0; i < words; i += rowWords) {
    const size_t row = (begin + i) / rowWords;
    rows.inverse(row, src + i, PlainRow<uint64_t>{dst + begin + i});
  }
}

} // namespace

void addNtt(KernelTable &table) {
  table.ntt = ntt;
  table.intt = intt;
  table.rowWords = wordsOfRow;
  table.nttRows = nttRows;
  table.inttRows = inttRows;
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW
