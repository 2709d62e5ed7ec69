//===- base_convert_avx2.cpp - centred base conversion ----------------------------------------===//
//
// y_k as in base_convert_scalar.cpp, but doubles; exact sums of products in two doubles.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic_avx2.h"
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

/// y_k of source k; adds v_k.
void scaleSource(const ConvertSource &source, const uint64_t *x, double *y, Tile &tile) {
  const VectorPrime prime(source.prime);
  const Reals factor = broadcast(centre(source.prime, source.punctured.value));
  // v_k = floor(y_k 2^(52-b) w_k / 2^52): the powers of two are exact in a double.
  const double inverse = static_cast<double>(source.prime.barrett >> 3); // w_k
  const Reals scaled = broadcast(inverse / static_cast<double>(uint64_t{1} << source.prime.bits));
  const Words offset = _mm256_castpd_si256(broadcast(0x1p52));
  for (size_t i = 0; i < tile.words; i += 4) {
    const Reals product = multiply(toReals(load(x + i)), factor, prime);
    const Reals residues = toReals(toResidues(product, prime));
    store(y + i, residues);
    const Words share = _mm256_sub_epi64(floorProduct(scaled, residues), offset);
    store(tile.fixedPoint + i, _mm256_add_epi64(load(tile.fixedPoint + i), share));
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

void sumInto(const ConvertDestination &destination, size_t sourceCount, const Tile &tile,
             uint64_t *out) {
  const Factors factors(destination, sourceCount);
  size_t i = 0;
  for (; i + 16 <= tile.words; i += 16)
    sumPositions<4>(factors, sourceCount, tile.values + i, tile.words, out + i);
  for (; i < tile.words; i += 8)
    sumPositions<2>(factors, sourceCount, tile.values + i, tile.words, out + i);
}

void baseConvert(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                 const uint64_t *const *sources) {
  Tile tile;
  const size_t wordsAtOnce = Tile::wordsFor(tables.sourceCount);
  for (size_t first = 0; first < n; first += wordsAtOnce) {
    tile.words = n - first < wordsAtOnce ? n - first : wordsAtOnce;
    for (size_t i = 0; i < tile.words; i += 4)
      store(tile.fixedPoint + i, broadcast(uint64_t{1} << 50));
    for (size_t k = 0; k < tables.sourceCount; ++k)
      scaleSource(tables.sources[k], sources[k] + first, tile.limb(k), tile);
    for (size_t i = 0; i < tile.words; i += 4)
      store(tile.limb(tables.sourceCount) + i,
            toReals(_mm256_srli_epi64(load(tile.fixedPoint + i), 51)));
    for (size_t t = 0; t < tables.destinationCount; ++t)
      sumInto(tables.destinations[t], tables.sourceCount, tile, destinations[t] + first);
  }
}

} // namespace

void addBaseConvert(KernelTable &table) { table.baseConvert = baseConvert; }

} // namespace sluice::kernels::avx2
