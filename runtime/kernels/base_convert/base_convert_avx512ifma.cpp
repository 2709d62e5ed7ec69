//===- base_convert_avx512ifma.cpp - centred base conversion ----------------------------------===//
//
// The same strips as in base_convert_scalar.cpp, of one or four vectors. v_k is the high half of a
// 52-bit product: one instruction adds it to z, which is why the rule was chosen.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/ntt/columns_avx512ifma.h"
#include "runtime/kernels/rows.h"

#include <algorithm>
#include <utility>

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

/// Sources between two folds of the sums; z is one product more.
constexpr size_t foldPeriod = WideSum::maxProducts - 1;

/// z plus v_k of source k.
inline Vector addShare(Vector z, Vector y, const ConvertSource &source) {
  const Vector shifted = _mm512_slli_epi64(y, 52 - source.prime.bits);
  return _mm512_madd52hi_epu64(z, shifted, broadcast(source.prime.barrett >> 3)); // w_k
}

/// What the sum of all v_k starts from, and what comes of it.
inline Vector firstShare() { return broadcast(uint64_t{1} << 50); }
inline Vector roundShares(Vector z) { return _mm512_srli_epi64(z, 51); }

/// The constants of `count` destinations.
template <size_t count> struct Destinations {
  const ConvertDestination *first;
  VectorPrime primes[count];

  static Destinations of(const ConvertDestination *first) {
    return make(first, std::make_index_sequence<count>());
  }

private:
  template <size_t... i>
  static Destinations make(const ConvertDestination *first, std::index_sequence<i...>) {
    return {first, {VectorPrime(first[i].prime)...}};
  }
};

/// sum_k y_k factor_k + z (-D mod t), for several destinations, so that a y is loaded once for all
/// of them. Vector v of y_k is at y + k * stride + 8 * v; finish(t, v, sum) takes the sums.
template <size_t vectors, size_t count, typename Finish>
inline void sumInto(const Destinations<count> &destinations, size_t sourceCount, const uint64_t *y,
                    size_t stride, const uint64_t *z, Finish finish) {
  WideSum sums[count][vectors];
#pragma GCC unroll 4
  for (size_t t = 0; t < count; ++t)
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v)
      sums[t][v].addProduct(load(z + 8 * v), broadcast(destinations.first[t].minusProduct));
  for (size_t k = 0, end; k < sourceCount; k = end) {
    if (k > 0)
#pragma GCC unroll 4
      for (size_t t = 0; t < count; ++t)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v)
          sums[t][v].fold(destinations.primes[t]);
    end = std::min(k + foldPeriod, sourceCount);
    for (size_t i = k; i < end; ++i)
#pragma GCC unroll 4
      for (size_t t = 0; t < count; ++t) {
        const Vector factor = broadcast(destinations.first[t].factors[i]);
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v)
          sums[t][v].addProduct(load(y + i * stride + 8 * v), factor);
      }
  }
#pragma GCC unroll 4
  for (size_t t = 0; t < count; ++t)
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v)
      finish(t, v, sums[t][v]);
}

template <size_t vectors>
void convertStrip(const ConvertTables &tables, size_t first, uint64_t *const *destinations,
                  const uint64_t *const *sources) {
  constexpr size_t words = 8 * vectors;
  alignas(64) uint64_t y[maxConvertSources * words], z[words];
  Vector shares[vectors];
  for (Vector &share : shares)
    share = firstShare();
  for (size_t k = 0; k < tables.sourceCount; ++k) {
    const ConvertSource &source = tables.sources[k];
    const VectorPrime prime(source.prime);
    const VectorFactor factor(source.punctured);
    for (size_t v = 0; v < vectors; ++v) {
      const Vector product = mulLazy(load(sources[k] + first + 8 * v), factor, prime);
      const Vector residue = reduceOnce(product, prime.q);
      store(y + k * words + 8 * v, residue);
      shares[v] = addShare(shares[v], residue, source);
    }
  }
  for (size_t v = 0; v < vectors; ++v)
    store(z + 8 * v, roundShares(shares[v]));
  for (size_t t = 0; t < tables.destinationCount; ++t) {
    const auto destination = Destinations<1>::of(tables.destinations + t);
    sumInto<vectors>(destination, tables.sourceCount, y, words, z,
                     [&](size_t, size_t v, WideSum &sum) {
                       store(destinations[t] + first + 8 * v, sum.reduce(destination.primes[0]));
                     });
  }
}

/// Positions from `first` to `end`.
void convertRange(const ConvertTables &tables, size_t first, size_t end,
                  uint64_t *const *destinations, const uint64_t *const *sources) {
  for (; first + 32 <= end; first += 32)
    convertStrip<4>(tables, first, destinations, sources);
  for (; first < end; first += 8)
    convertStrip<1>(tables, first, destinations, sources);
}

void baseConvert(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                 const uint64_t *const *sources) {
  convertRange(tables, 0, n, destinations, sources);
}

/// The y_k of all sources and z for one tile of eight columns: they stay in the second-level cache
/// while every destination sums over them.
struct ConvertTile {
  const ConvertTables &tables;
  size_t column, words, stride;
  uint64_t *z, *y, *sums;

  ConvertTile(const ConvertTables &tables, size_t column, const uint64_t *const *sources,
              uint64_t *scratch)
      : tables(tables), column(column),
        words((size_t{1} << (tables.sources[0].limb->logN - logRowWords)) * tileWords),
        stride(words + convertTilePadding), z(scratch), y(scratch + stride),
        sums(y + tables.sourceCount * stride) {
    for (size_t k = 0; k < tables.sourceCount; ++k) {
      const ConvertSource &source = tables.sources[k];
      const TileOut own{y + k * stride, tileWords};
      inverseColumns(ColumnRoots::inverse(*source.limb), VectorPrime(source.prime),
                     VectorFactor(source.scaled), VectorFactor(source.scaledRoot),
                     TileIn{sources[k] + column, rowWords}, own, own);
    }
    for (size_t i = 0; i < words; i += 8) {
      for (size_t k = 0; k < tables.sourceCount; ++k)
        __builtin_prefetch(sources[k] + column + tileWords + i / 8 * rowWords, 0, 2);
      Vector share = firstShare();
      for (size_t k = 0; k < tables.sourceCount; ++k)
        share = addShare(share, load(y + k * stride + i), tables.sources[k]);
      store(z + i, roundShares(share));
    }
  }

  /// The sums of some vectors of the tile, up to multiples in [0, 4q).
  template <size_t vectors, size_t count>
  void sum(const Destinations<count> &constants, size_t i, uint64_t *const *out,
           const HalfTile<uint64_t> *target) const {
    for (size_t t = 0; t < count; ++t)
      for (size_t v = 0; v < vectors; ++v)
        __builtin_prefetch(target[t].words + i + 8 * v, 1);
    sumInto<vectors>(constants, tables.sourceCount, y + i, stride, z + i,
                     [&](size_t t, size_t v, WideSum &sum) {
                       store(out[t] + i + 8 * v, sum.reduceLazy(constants.primes[t]));
                     });
  }

  /// `count` destinations from number `first` on, with the stages across rows.
  template <size_t count> void convert(size_t first, uint64_t *const *destinations) const {
    const auto constants = Destinations<count>::of(tables.destinations + first);
    uint64_t *out[count];
    HalfTile<uint64_t> target[count];
    for (size_t t = 0; t < count; ++t) {
      out[t] = sums + t * stride;
      target[t] =
          HalfTile<uint64_t>::of(destinations[first + t], column / tileWords, words / tileWords);
    }
    size_t i = 0;
    for (; i + 32 <= words; i += 32)
      sum<4>(constants, i, out, target);
    for (; i < words; i += 16) // there are two rows or more
      sum<2>(constants, i, out, target);
    for (size_t t = 0; t < count; ++t) {
      const TileOut own{out[t], tileWords};
      forwardColumns(ColumnRoots::forward(*tables.destinations[first + t].limb),
                     constants.primes[t], TileIn{out[t], tileWords}, own, target[t]);
    }
  }
};

void baseConvertColumns(const ConvertTables &tables, size_t begin, size_t columns,
                        uint64_t *const *destinations, const uint64_t *const *sources,
                        uint64_t *scratch) {
  if (tables.sources[0].limb->logN <= logRowWords)
    return convertRange(tables, begin, begin + columns, destinations, sources);
  for (size_t column = begin; column < begin + columns; column += tileWords) {
    const ConvertTile tile(tables, column, sources, scratch);
    size_t t = 0;
    for (; t + convertTiles <= tables.destinationCount; t += convertTiles)
      tile.convert<convertTiles>(t, destinations);
    for (; t < tables.destinationCount; ++t)
      tile.convert<1>(t, destinations);
  }
}

} // namespace

void addBaseConvert(KernelTable &table) {
  table.baseConvert = baseConvert;
  table.baseConvertColumns = baseConvertColumns;
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW
