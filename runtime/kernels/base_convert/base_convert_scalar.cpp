//===- base_convert_scalar.cpp - centred base conversion --------------------------------------===//
//
// Works on strips of a few coefficients: the y_k of a strip for all sources stay in the first-level
// cache while every destination sums over them in 128 bits and reduces once.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/rows.h"

#include <algorithm>

namespace sluice::kernels::scalar {

namespace {

constexpr size_t strip = 8;

/// y[k] for one strip, and z.
struct Strip {
  uint64_t y[maxConvertSources][strip];
  uint64_t z[strip];
};

/// y = x * factor for one strip of source k; adds v_k, about 2^51 y_k / q_k, to z.
void scaleSource(const PrimeConstants &prime, ShoupFactor factor, const uint64_t *x, uint64_t *y,
                 uint64_t *z) {
  const uint64_t inverse = prime.barrett >> 3; // w_k
  const unsigned shift = 52 - prime.bits;
  for (size_t i = 0; i < strip; ++i) {
    y[i] = mulShoup(x[i], factor, prime.q);
    z[i] += static_cast<uint64_t>((static_cast<Word128>(y[i] << shift) * inverse) >> 52);
  }
}

/// What the sum of all v_k starts from, and what comes of it.
void beginShares(uint64_t *z) { std::fill_n(z, strip, uint64_t{1} << 50); }
void roundShares(uint64_t *z) {
  for (size_t i = 0; i < strip; ++i)
    z[i] >>= 51;
}

/// One strip of one destination: sum_k y_k factor_k + z (-D mod t), reduced. y_k is at y + k *
/// stride.
void sumInto(const ConvertDestination &destination, size_t sourceCount, const uint64_t *y,
             size_t stride, const uint64_t *z, uint64_t *out) {
  const PrimeConstants prime = destination.prime; // A copy, so that stores to out cannot change it.
  Word128 sums[strip];
  for (size_t i = 0; i < strip; ++i)
    sums[i] = static_cast<Word128>(z[i]) * destination.minusProduct;
  for (size_t k = 0; k < sourceCount; ++k) {
    const uint64_t factor = destination.factors[k];
    for (size_t i = 0; i < strip; ++i)
      sums[i] += static_cast<Word128>(y[k * stride + i]) * factor;
  }
  for (size_t i = 0; i < strip; ++i)
    out[i] = reduceSum(prime, sums[i]);
}

/// Positions from `first` to `end`.
void convertRange(const ConvertTables &tables, size_t first, size_t end,
                  uint64_t *const *destinations, const uint64_t *const *sources) {
  Strip values;
  for (; first < end; first += strip) {
    beginShares(values.z);
    for (size_t k = 0; k < tables.sourceCount; ++k)
      scaleSource(tables.sources[k].prime, tables.sources[k].punctured, sources[k] + first,
                  values.y[k], values.z);
    roundShares(values.z);
    for (size_t t = 0; t < tables.destinationCount; ++t)
      sumInto(tables.destinations[t], tables.sourceCount, values.y[0], strip, values.z,
              destinations[t] + first);
  }
}

void baseConvert(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                 const uint64_t *const *sources) {
  convertRange(tables, 0, n, destinations, sources);
}

/// Copies a tile of `strip` columns and all rows.
void copyTile(size_t rows, uint64_t *dst, size_t dstStep, const uint64_t *src, size_t srcStep) {
  for (size_t row = 0; row < rows; ++row)
    std::copy_n(src + row * srcStep, strip, dst + row * dstStep);
}

/// The tile of `strip` columns at `column`.
void convertTile(const ConvertTables &tables, size_t column, uint64_t *const *destinations,
                 const uint64_t *const *sources, uint64_t *scratch) {
  const unsigned logN = tables.sources[0].limb->logN;
  const size_t rowLength = rowWords(logN), rows = (size_t{1} << logN) / rowLength;
  const size_t words = rows * strip;
  uint64_t *z = scratch, *sums = scratch + words, *y = scratch + 2 * words;
  for (size_t row = 0; row < rows; ++row)
    beginShares(z + row * strip);
  for (size_t k = 0; k < tables.sourceCount; ++k) {
    const ConvertSource &source = tables.sources[k];
    uint64_t *tile = y + k * words;
    copyTile(rows, tile, strip, sources[k] + column, rowLength);
    inverseColumns(*source.limb, rows, strip, tile);
    for (size_t i = 0; i < words; i += strip)
      scaleSource(source.prime, source.scaled, tile + i, tile + i, z + i);
  }
  for (size_t row = 0; row < rows; ++row)
    roundShares(z + row * strip);
  for (size_t t = 0; t < tables.destinationCount; ++t) {
    for (size_t i = 0; i < words; i += strip)
      sumInto(tables.destinations[t], tables.sourceCount, y + i, words, z + i, sums + i);
    forwardColumns(*tables.destinations[t].limb, rows, strip, sums);
    copyTile(rows, destinations[t] + column, rowLength, sums, strip);
  }
}

void baseConvertColumns(const ConvertTables &tables, size_t begin, size_t columns,
                        uint64_t *const *destinations, const uint64_t *const *sources,
                        uint64_t *scratch) {
  const unsigned logN = tables.sources[0].limb->logN;
  if (rowWords(logN) >> logN)
    return convertRange(tables, begin, begin + columns, destinations, sources);
  for (size_t column = begin; column < begin + columns; column += strip)
    convertTile(tables, column, destinations, sources, scratch);
}

} // namespace

void addBaseConvert(KernelTable &table) {
  table.baseConvert = baseConvert;
  table.baseConvertColumns = baseConvertColumns;
}

} // namespace sluice::kernels::scalar
