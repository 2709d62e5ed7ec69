//===- base_convert_avx2.cpp - centred base conversion ----------------------------------------===//
//
// y_k as in base_convert_scalar.cpp, but doubles; exact sums of products in two doubles.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/ntt/columns_avx2.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::avx2 {

namespace {

/// floor(a b) for a double a and integers b with a b < 2^52, as words with the bits of 2^52 added.
inline Words floorProduct(Reals a, Reals b) {
  const Reals high = _mm256_mul_pd(a, b);
  const Reals low = _mm256_fmsub_pd(a, b, high);
  const Reals floor = _mm256_round_pd(high, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  // high has the nearest integer below unless it is one itself and the product is below it.
  const Reals fraction = _mm256_add_pd(_mm256_sub_pd(high, floor), low);
  const Reals isNegative = _mm256_cmp_pd(fraction, _mm256_setzero_pd(), _CMP_LT_OQ);
  const Words word = _mm256_castpd_si256(_mm256_add_pd(floor, broadcast(0x1p52)));
  return _mm256_add_epi64(word, _mm256_castpd_si256(isNegative)); // all ones: -1
}

/// A tile of positions: the y_k of all sources and z, as doubles that stay in the first-level cache
/// while every destination sums over them. Tiles are long, since the lines of many limbs, at powers
/// of two, compete for the same few places of the cache: each limb is read or written in one run.
struct Tile {
  static constexpr size_t minWords = 16, maxWords = 512;
  alignas(32) double values[(maxConvertSources + 1) * minWords]; // y_0, y_1, ..., z
  alignas(32) uint64_t fixedPoint[maxWords];                     // sum v_k + 2^50
  size_t words;                                                  // of this tile, for each limb

  double *limb(size_t k) { return values + k * words; }

  static size_t wordsFor(size_t sourceCount) {
    const size_t words = sizeof(values) / sizeof(double) / (sourceCount + 1) / minWords * minWords;
    return words < maxWords ? words : maxWords;
  }
};

/// Adds v_k of source k to the fixed-point sum.
struct Share {
  Reals scaled;
  Words offset = _mm256_castpd_si256(broadcast(0x1p52));

  // v_k = floor(y_k 2^(52-b) w_k / 2^52), w_k = barrett >> 3: the powers of two are exact in a
  // double.
  explicit Share(const PrimeConstants &prime)
      : scaled(broadcast(static_cast<double>(prime.barrett >> 3) /
                         static_cast<double>(uint64_t{1} << prime.bits))) {}

  void addTo(uint64_t *fixedPoint, Reals residues) const {
    const Words share = _mm256_sub_epi64(floorProduct(scaled, residues), offset);
    store(fixedPoint, _mm256_add_epi64(load(fixedPoint), share));
  }
};

void beginShares(uint64_t *fixedPoint, size_t words) {
  for (size_t i = 0; i < words; i += 4)
    store(fixedPoint + i, broadcast(uint64_t{1} << 50));
}

void roundShares(double *z, const uint64_t *fixedPoint, size_t words) {
  for (size_t i = 0; i < words; i += 4)
    store(z + i, toReals(_mm256_srli_epi64(load(fixedPoint + i), 51)));
}

/// y_k of source k; adds v_k.
void scaleSource(const ConvertSource &source, const uint64_t *x, double *y, Tile &tile) {
  const VectorPrime prime(source.prime);
  const Reals factor = broadcast(centre(source.prime, source.punctured.value));
  const Share share(source.prime);
  for (size_t i = 0; i < tile.words; i += 4) {
    const Reals product = multiply(toReals(load(x + i)), factor, prime);
    const Reals residues = toReals(toResidues(product, prime));
    store(y + i, residues);
    share.addTo(tile.fixedPoint + i, residues);
  }
}

/// A destination's constants as doubles.
struct Factors {
  VectorPrime prime;
  Reals minusProduct;
  double sources[maxConvertSources];

  Factors(const ConvertDestination &destination, size_t sourceCount)
      : prime(destination.prime),
        minusProduct(broadcast(centre(destination.prime, destination.minusProduct))) {
    for (size_t k = 0; k < sourceCount; ++k)
      sources[k] = static_cast<double>(static_cast<int64_t>(destination.factors[k]));
  }
};

/// `vectors` times four positions of one destination: sum_k y_k factor_k + z (-D mod t), reduced.
/// `values` are y_0, y_1, ..., z, `step` apart.
template <size_t vectors>
inline void sumPositions(const Factors &factors, size_t sourceCount, const double *values,
                         size_t step, uint64_t *out) {
  const VectorPrime prime = factors.prime;
  Reals total[vectors];
  for (size_t v = 0; v < vectors; ++v)
    total[v] = multiply(load(values + sourceCount * step + 4 * v), factors.minusProduct, prime);
  for (size_t begin = 0; begin < sourceCount; begin += WideSum::maxProducts) {
    const size_t left = sourceCount - begin;
    const size_t end = begin + (left < WideSum::maxProducts ? left : WideSum::maxProducts);
    WideSum sums[vectors];
    for (size_t k = begin; k < end; ++k) {
      const Reals factor = broadcast(factors.sources[k]);
      for (size_t v = 0; v < vectors; ++v)
        sums[v].addProduct(load(values + k * step + 4 * v), factor);
    }
    for (size_t v = 0; v < vectors; ++v)
      total[v] = sums[v].reduceWith(total[v], prime);
  }
  for (size_t v = 0; v < vectors; ++v)
    store(out + 4 * v, toResidues(total[v], prime));
}

/// `values` are y_0, y_1, ..., z of `words` words each.
void sumInto(const ConvertDestination &destination, size_t sourceCount, const double *values,
             size_t words, uint64_t *out) {
  const Factors factors(destination, sourceCount);
  size_t i = 0;
  for (; i + 16 <= words; i += 16)
    sumPositions<4>(factors, sourceCount, values + i, words, out + i);
  for (; i < words; i += 8)
    sumPositions<2>(factors, sourceCount, values + i, words, out + i);
}

/// Positions from `first` to `end`.
void convertRange(const ConvertTables &tables, size_t first, size_t end,
                  uint64_t *const *destinations, const uint64_t *const *sources) {
  Tile tile;
  const size_t wordsAtOnce = Tile::wordsFor(tables.sourceCount);
  for (; first < end; first += wordsAtOnce) {
    tile.words = end - first < wordsAtOnce ? end - first : wordsAtOnce;
    beginShares(tile.fixedPoint, tile.words);
    for (size_t k = 0; k < tables.sourceCount; ++k)
      scaleSource(tables.sources[k], sources[k] + first, tile.limb(k), tile);
    roundShares(tile.limb(tables.sourceCount), tile.fixedPoint, tile.words);
    for (size_t t = 0; t < tables.destinationCount; ++t)
      sumInto(tables.destinations[t], tables.sourceCount, tile.values, tile.words,
              destinations[t] + first);
  }
}

void baseConvert(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                 const uint64_t *const *sources) {
  convertRange(tables, 0, n, destinations, sources);
}

/// The strip of columns at `column`: what convertRange does, between transforms.
void convertStrip(const ConvertTables &tables, size_t column, uint64_t *const *destinations,
                  const uint64_t *const *sources, uint64_t *scratch) {
  const unsigned logN = tables.sources[0].limb->logN;
  const size_t rows = rowCount(logN), columns = (size_t{1} << logN) / rows;
  const size_t words = rows * stripWords;
  // Sums follow the fixed-point sum, which is no longer needed then.
  uint64_t *sums = scratch, *fixedPoint = scratch;
  double *values = reinterpret_cast<double *>(scratch + words);
  beginShares(fixedPoint, words);
  for (size_t k = 0; k < tables.sourceCount; ++k) {
    const ConvertSource &source = tables.sources[k];
    const ColumnStages stages{source.limb->centredInverseRoots, VectorPrime(source.prime)};
    double *y = values + k * words;
    uint64_t *residues = reinterpret_cast<uint64_t *>(y);
    stages.inverseStrip({residues, stripWords},
                        {reinterpret_cast<const double *>(sources[k] + column), columns}, rows,
                        Finish(source.prime, source.scaled, source.scaledRoot));
    const Share share(source.prime);
    for (size_t i = 0; i < words; i += 4) {
      const Reals real = toReals(load(residues + i));
      store(y + i, real);
      share.addTo(fixedPoint + i, real);
    }
  }
  roundShares(values + tables.sourceCount * words, fixedPoint, words);
  for (size_t t = 0; t < tables.destinationCount; ++t) {
    const ConvertDestination &destination = tables.destinations[t];
    sumInto(destination, tables.sourceCount, values, words, sums);
    const ColumnStages stages{destination.limb->centredRoots, VectorPrime(destination.prime)};
    stages.forwardStrip({reinterpret_cast<double *>(destinations[t] + column), columns},
                        {sums, stripWords}, rows);
  }
}

void baseConvertColumns(const ConvertTables &tables, size_t begin, size_t columns,
                        uint64_t *const *destinations, const uint64_t *const *sources,
                        uint64_t *scratch) {
  if (rowCount(tables.sources[0].limb->logN) == 1)
    return convertRange(tables, begin, begin + columns, destinations, sources);
  for (size_t column = begin; column < begin + columns; column += stripWords)
    convertStrip(tables, column, destinations, sources, scratch);
}

} // namespace

void addBaseConvert(KernelTable &table) {
  table.baseConvert = baseConvert;
  table.baseConvertColumns = baseConvertColumns;
}

} // namespace sluice::kernels::avx2
