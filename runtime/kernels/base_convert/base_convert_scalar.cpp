//===- base_convert_scalar.cpp - centred base conversion --------------------------------------===//
//
// Works on strips of a few coefficients: the y_k of a strip for all sources stay in the first-level
// cache while every destination sums over them in 128 bits and reduces once.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::scalar {

namespace {

constexpr size_t strip = 8;

/// y[k] for one strip, and z.
struct Strip {
  uint64_t y[maxConvertSources][strip];
  uint64_t z[strip];
};

/// y_k of source k; adds v_k, about 2^51 y_k / q_k, to z.
void scaleSource(const ConvertSource &source, const uint64_t *x, uint64_t *y, uint64_t *z) {
  const PrimeConstants &prime = source.prime;
  const uint64_t inverse = prime.barrett >> 3; // w_k
  const unsigned shift = 52 - prime.bits;
  for (size_t i = 0; i < strip; ++i) {
    y[i] = mulShoup(x[i], source.punctured, prime.q);
    z[i] += static_cast<uint64_t>((static_cast<Word128>(y[i] << shift) * inverse) >> 52);
  }
}

/// One destination: sum_k y_k factor_k + z (-D mod t), reduced.
void sumInto(const ConvertDestination &destination, size_t sourceCount, const Strip &values,
             uint64_t *out) {
  const PrimeConstants prime = destination.prime; // A copy, so that stores to out cannot change it.
  Word128 sums[strip];
  for (size_t i = 0; i < strip; ++i)
    sums[i] = static_cast<Word128>(values.z[i]) * destination.minusProduct;
  for (size_t k = 0; k < sourceCount; ++k) {
    const uint64_t factor = destination.factors[k];
    for (size_t i = 0; i < strip; ++i)
      sums[i] += static_cast<Word128>(values.y[k][i]) * factor;
  }
  for (size_t i = 0; i < strip; ++i)
    out[i] = reduceSum(prime, sums[i]);
}

void baseConvert(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                 const uint64_t *const *sources) {
  Strip values;
  for (size_t first = 0; first < n; first += strip) {
    for (size_t i = 0; i < strip; ++i)
      values.z[i] = uint64_t{1} << 50;
    for (size_t k = 0; k < tables.sourceCount; ++k)
      scaleSource(tables.sources[k], sources[k] + first, values.y[k], values.z);
    for (size_t i = 0; i < strip; ++i)
      values.z[i] >>= 51;
    for (size_t t = 0; t < tables.destinationCount; ++t)
      sumInto(tables.destinations[t], tables.sourceCount, values, destinations[t] + first);
  }
}

} // namespace

void addBaseConvert(KernelTable &table) { table.baseConvert = baseConvert; }

} // namespace sluice::kernels::scalar
