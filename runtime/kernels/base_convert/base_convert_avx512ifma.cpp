//===- base_convert_avx512ifma.cpp - centred base conversion ----------------------------------===//
//
// The same strips as in base_convert_scalar.cpp, of one or four vectors. v_k is the high half of a
// 52-bit product: one instruction adds it to z, which is why the rule was chosen.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/ntt/columns_avx512ifma.h"
#include "runtime/kernels/rows.h"

#include <utility>

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

/// Sources between two folds of the sums.
constexpr size_t foldPeriod = 8;

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

/// sum_k y_k factor_k + z (-D mod t), reduced, for several destinations, so that a y is loaded once
/// for all of them. Vector v of y_k is at y + k * stride + 8 * v; of destination t at out[t] + 8 *
/// v.
template <size_t vectors, size_t count>
inline void sumInto(const Destinations<count> &destinations, size_t sourceCount, const uint64_t *y,
                    size_t stride, const uint64_t *z, uint64_t *const *out, size_t offset) {
  WideSum sums[count][vectors];
#pragma GCC unroll 4
  for (size_t t = 0; t < count; ++t)
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v)
      sums[t][v].addProduct(load(z + 8 * v), broadcast(destinations.first[t].minusProduct));
  for (size_t k = 0; k < sourceCount; ++k) {
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v) {
      const Vector source = load(y + k * stride + 8 * v);
#pragma GCC unroll 4
      for (size_t t = 0; t < count; ++t)
        sums[t][v].addProduct(source, broadcast(destinations.first[t].factors[k]));
    }
    if (k % foldPeriod == foldPeriod - 1)
#pragma GCC unroll 4
      for (size_t t = 0; t < count; ++t)
#pragma GCC unroll 4
        for (size_t v = 0; v < vectors; ++v)
          sums[t][v].fold(destinations.primes[t]);
  }
#pragma GCC unroll 4
  for (size_t t = 0; t < count; ++t)
#pragma GCC unroll 4
    for (size_t v = 0; v < vectors; ++v)
      store(out[t] + offset + 8 * v, sums[t][v].reduce(destinations.primes[t]));
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
  for (size_t t = 0; t < tables.destinationCount; ++t)
    sumInto<vectors>(Destinations<1>::of(tables.destinations + t), tables.sourceCount, y, words, z,
                     destinations + t, first);
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
  size_t column, words;
  uint64_t *z, *y, *sums;

  ConvertTile(const ConvertTables &tables, size_t column, const uint64_t *const *sources,
              uint64_t *scratch)
      : tables(tables), column(column),
        words((size_t{1} << (tables.sources[0].limb->logN - logRowWords)) * tileWords), z(scratch),
        y(scratch + words), sums(y + tables.sourceCount * words) {
    for (size_t k = 0; k < tables.sourceCount; ++k) {
      const ConvertSource &source = tables.sources[k];
      const TileOut own{y + k * words, tileWords};
      inverseColumns(ColumnRoots::inverse(*source.limb), VectorPrime(source.prime),
                     VectorFactor(source.scaled), VectorFactor(source.scaledRoot),
                     TileIn{sources[k] + column, rowWords}, own, own);
    }
    for (size_t i = 0; i < words; i += 8) {
      for (size_t k = 0; k < tables.sourceCount; ++k)
        __builtin_prefetch(sources[k] + column + tileWords + i / 8 * rowWords, 0, 2);
      Vector share = firstShare();
      for (size_t k = 0; k < tables.sourceCount; ++k)
        share = addShare(share, load(y + k * words + i), tables.sources[k]);
      store(z + i, roundShares(share));
    }
  }

  /// `count` destinations from number `first` on, with the stages across rows.
  template <size_t count> void convert(size_t first, uint64_t *const *destinations) const {
    const auto constants = Destinations<count>::of(tables.destinations + first);
    uint64_t *out[count];
    HalfTile<uint64_t> target[count];
    for (size_t t = 0; t < count; ++t) {
      out[t] = sums + t * words;
      target[t] =
          HalfTile<uint64_t>::of(destinations[first + t], column / tileWords, words / tileWords);
    }
    for (size_t i = 0; i < words; i += 16) { // there are two rows or more
      for (size_t t = 0; t < count; ++t) {
        __builtin_prefetch(target[t].words + i, 1);
        __builtin_prefetch(target[t].words + i + 8, 1);
      }
      sumInto<2>(constants, tables.sourceCount, y + i, words, z + i, out, i);
    }
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
