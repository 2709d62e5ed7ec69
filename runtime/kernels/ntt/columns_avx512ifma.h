//===- columns_avx512ifma.h - the stages of a transform across its rows -----------------------===//
//
// Eight columns of all rows at once: a tile. The stages of a tile go through a buffer that stays in
// the first-level cache, so that a limb is read once and written once for all of them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_NTT_COLUMNS_AVX512IFMA_H
#define SLUICE_RUNTIME_KERNELS_NTT_COLUMNS_AVX512IFMA_H

#include "runtime/kernels/kernels.h"
#include "runtime/kernels/ntt/butterflies_avx512ifma.h"

#include <bit>

namespace sluice::kernels::SLUICE_AVX512_ROW {

inline constexpr size_t rowWords = twistedRowWords, tileWords = 8;
inline constexpr unsigned logRowWords = std::countr_zero(rowWords);

/// The roots of the stages across rows, for one limb and direction.
struct ColumnRoots {
  const uint64_t *values, *quotients;
  unsigned stages; // log2 of the rows, at least 1

  static ColumnRoots forward(const LimbTables &limb) {
    return {limb.roots, limb.columnQuotients, limb.logN - logRowWords};
  }
  static ColumnRoots inverse(const LimbTables &limb) {
    return {limb.inverseRoots, limb.inverseColumnQuotients, limb.logN - logRowWords};
  }
  VectorFactor at(size_t i) const { return {broadcast(values[i]), broadcast(quotients[i])}; }
};

/// Words of a tile: row k starts at words + k * stride.
template <typename Word> struct Tile {
  Word *words;
  size_t stride;

  Word *row(size_t k) const { return words + k * stride; }
};
using TileIn = Tile<const uint64_t>;
using TileOut = Tile<uint64_t>;

/// The same of a limb that a conversion wrote: its tiles stand one after the other, so that memory
/// is written in order. The rows of tile i are turned by i, since the words of one row would
/// otherwise all go to the same few places of a cache.
template <typename Word> struct HalfTile {
  Word *words;
  size_t number, rows;

  static HalfTile of(Word *limb, size_t number, size_t rows) {
    return {limb + number * rows * tileWords, number, rows};
  }
  Word *row(size_t k) const { return words + ((k + number) & (rows - 1)) * tileWords; }
};

/// The forward stages `done` to done + stages - 1 of all blocks of a tile.
template <unsigned stages, Results results, typename Out>
static void forwardColumnStep(const ColumnRoots &roots, const VectorPrime &prime, unsigned done,
                              TileIn in, Out out) {
  const size_t blockRows = size_t{1} << (roots.stages - done), step = blockRows >> stages;
  for (size_t block = 0; block < size_t{1} << done; ++block)
    for (size_t j = 0; j < step; ++j) {
      const size_t first = block * blockRows + j, number = (size_t{1} << done) + block;
      forwardStep<stages, results>(
          roots, number, prime, [&](size_t k) { return load(in.row(first + k * step)); },
          [&](auto how, Vector &x, Vector &y) {
            butterfly<how.value>(x, y, roots.at(number), prime);
          },
          [&](size_t k, Vector x) { store(out.row(first + k * step), x); });
    }
}

/// All stages across rows, from words in [0, 4q) to open ones in [0, 4q), through the tile
/// `between`. Any two tiles may be the same words.
template <typename Out>
static inline void forwardColumns(const ColumnRoots &roots, const VectorPrime &prime, TileIn in,
                                  TileOut between, Out out) {
  unsigned done = 0;
  for (unsigned stages; (stages = roots.stages - done) > 4; done += stages) {
    stages = (stages - 1) % 4 + 1;
    withStages(stages, [&](auto count) {
      forwardColumnStep<count, Results::closed>(roots, prime, done, in, between);
    });
    in = {between.words, between.stride};
  }
  withStages(roots.stages - done, [&](auto count) {
    forwardColumnStep<count, Results::open>(roots, prime, done, in, out);
  });
}

/// The inverse stages `left` + stages - 1 down to `left` of all blocks of a tile; last(x, y) does
/// those numbered `left`, being given their root's number.
template <unsigned stages, typename Last>
static void inverseColumnStep(const ColumnRoots &roots, const VectorPrime &prime, unsigned left,
                              TileIn in, TileOut out, Last last) {
  const size_t blockRows = size_t{1} << (roots.stages - left), step = blockRows >> stages;
  for (size_t block = 0; block < size_t{1} << left; ++block)
    for (size_t j = 0; j < step; ++j) {
      const size_t first = block * blockRows + j, number = (size_t{1} << left) + block;
      inverseStep<stages>(
          roots, number, prime, [&](size_t k) { return load(in.row(first + k * step)); },
          [&](Vector &x, Vector &y) { last(x, y, number); },
          [&](size_t k, Vector x) { store(out.row(first + k * step), x); });
    }
}

/// All inverse stages across rows, from words in [0, 2q) to [0, q), times the factor that
/// `sumFactor` is; differenceFactor is that times the inverse of the first root. Tiles as for
/// forwardColumns.
static inline void inverseColumns(const ColumnRoots &roots, const VectorPrime &prime,
                                  const VectorFactor &sumFactor,
                                  const VectorFactor &differenceFactor, TileIn in, TileOut between,
                                  TileOut out) {
  const auto plain = [&](Vector &x, Vector &y, size_t number) {
    inverseButterfly(x, y, roots.at(number), prime);
  };
  const auto scaling = [&](Vector &x, Vector &y, size_t) {
    scalingButterfly(x, y, sumFactor, differenceFactor, prime);
  };
  unsigned left = roots.stages;
  for (; left > 4; left -= 4) {
    inverseColumnStep<4>(roots, prime, left - 4, in, between, plain);
    in = {between.words, between.stride};
  }
  withStages(left,
             [&](auto count) { inverseColumnStep<count>(roots, prime, 0, in, out, scaling); });
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW

#endif // SLUICE_RUNTIME_KERNELS_NTT_COLUMNS_AVX512IFMA_H
