//===- base_convert_avx512ifma.cpp - centred base conversion ----------------------------------===//
//
// The same strips as in base_convert_scalar.cpp, of one or four vectors. v_k is the high half of a
// 52-bit product: one instruction adds it to z, which is why the rule was chosen.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/ntt/columns_avx512ifma.h"
#include "runtime/kernels/rows.h"

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

/// One destination: sum_k y_k factor_k + z (-D mod t), reduced. Vector v of y_k is at y + k *
/// stride + 8 * v.
template <size_t vectors>
inline void sumInto(const ConvertDestination &destination, const VectorPrime &prime,
                    size_t sourceCount, const uint64_t *y, size_t stride, const uint64_t *z,
                    uint64_t *out) {
  WideSum sums[vectors];
  for (size_t v = 0; v < vectors; ++v)
    sums[v].addProduct(load(z + 8 * v), broadcast(destination.minusProduct));
  for (size_t k = 0; k < sourceCount; ++k) {
    const Vector factor = broadcast(destination.factors[k]);
    for (size_t v = 0; v < vectors; ++v) {
      sums[v].addProduct(load(y + k * stride + 8 * v), factor);
      if (k % foldPeriod == foldPeriod - 1)
        sums[v].fold(prime);
    }
  }
  for (size_t v = 0; v < vectors; ++v)
    store(out + 8 * v, sums[v].reduce(prime));
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
    sumInto<vectors>(tables.destinations[t], VectorPrime(tables.destinations[t].prime),
                     tables.sourceCount, y, words, z, destinations[t] + first);
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

/// One tile of eight columns: the y_k of all sources and z stay in the second-level cache while
/// every destination sums over them and transforms its sums.
void convertTile(const ConvertTables &tables, size_t column, uint64_t *const *destinations,
                 const uint64_t *const *sources, uint64_t *scratch) {
  const size_t words = (size_t{1} << (tables.sources[0].limb->logN - logRowWords)) * tileWords;
  uint64_t *z = scratch, *sums = scratch + words, *y = scratch + 2 * words;
  for (size_t k = 0; k < tables.sourceCount; ++k) {
    const ConvertSource &source = tables.sources[k];
    inverseColumns(ColumnRoots::inverse(*source.limb), VectorPrime(source.prime),
                   VectorFactor(source.scaled), VectorFactor(source.scaledRoot),
                   TileIn{sources[k] + column, rowWords}, TileOut{y + k * words, tileWords},
                   TileOut{y + k * words, tileWords});
  }
  for (size_t i = 0; i < words; i += 8) {
    Vector share = firstShare();
    for (size_t k = 0; k < tables.sourceCount; ++k)
      share = addShare(share, load(y + k * words + i), tables.sources[k]);
    store(z + i, roundShares(share));
  }
  for (size_t t = 0; t < tables.destinationCount; ++t) {
    const ConvertDestination &destination = tables.destinations[t];
    const VectorPrime prime(destination.prime);
    size_t i = 0;
    for (; i + 32 <= words; i += 32) {
      for (size_t row = i / 8; row < i / 8 + 4; ++row)
        __builtin_prefetch(destinations[t] + column + row * rowWords, 1);
      sumInto<4>(destination, prime, tables.sourceCount, y + i, words, z + i, sums + i);
    }
    for (; i < words; i += 16) // there are two rows or more
      sumInto<2>(destination, prime, tables.sourceCount, y + i, words, z + i, sums + i);
    forwardColumns(ColumnRoots::forward(*destination.limb), prime, TileIn{sums, tileWords},
                   TileOut{sums, tileWords}, TileOut{destinations[t] + column, rowWords});
  }
}

void baseConvertColumns(const ConvertTables &tables, size_t begin, size_t columns,
                        uint64_t *const *destinations, const uint64_t *const *sources,
                        uint64_t *scratch) {
  if (tables.sources[0].limb->logN <= logRowWords)
    return convertRange(tables, begin, begin + columns, destinations, sources);
  for (size_t column = begin; column < begin + columns; column += tileWords)
    convertTile(tables, column, destinations, sources, scratch);
}

} // namespace

void addBaseConvert(KernelTable &table) {
  table.baseConvert = baseConvert;
  table.baseConvertColumns = baseConvertColumns;
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW
