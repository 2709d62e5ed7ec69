//===- base_convert_avx512ifma.cpp - centred base conversion ----------------------------------===//
//
// The same strips as in base_convert_scalar.cpp, of one or four vectors. v_k is the high half of a
// 52-bit product: one instruction adds it to z, which is why the rule was chosen.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic_avx512ifma.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::SLUICE_AVX512_ROW {

namespace {

/// Sources between two folds of the sums.
constexpr size_t foldPeriod = 8;

/// y_k of source k; adds v_k to z.
template <size_t vectors>
void scaleSource(const ConvertSource &source, const uint64_t *x, Vector *y, Vector *z) {
  const VectorPrime prime(source.prime);
  const Vector value = broadcast(source.punctured.value);
  const Vector quotient = broadcast(source.punctured.quotient >> 12);
  const Vector inverse = broadcast(source.prime.barrett >> 3); // w_k
  for (size_t v = 0; v < vectors; ++v) {
    y[v] = reduceOnce(mulShoupLazy(load(x + 8 * v), value, quotient, prime), prime.q);
    z[v] = _mm512_madd52hi_epu64(z[v], _mm512_sllv_epi64(y[v], prime.shift), inverse);
  }
}

/// One destination: sum_k y_k factor_k + z (-D mod t), reduced. y is source-major.
template <size_t vectors>
void sumInto(const ConvertDestination &destination, size_t sourceCount, const Vector *y,
             const Vector *z, uint64_t *out) {
  const VectorPrime prime(destination.prime);
  WideSum sums[vectors];
  for (size_t v = 0; v < vectors; ++v)
    sums[v].addProduct(z[v], broadcast(destination.minusProduct));
  for (size_t k = 0; k < sourceCount; ++k) {
    const Vector factor = broadcast(destination.factors[k]);
    for (size_t v = 0; v < vectors; ++v) {
      sums[v].addProduct(y[k * vectors + v], factor);
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
  Vector y[maxConvertSources * vectors], z[vectors];
  for (size_t v = 0; v < vectors; ++v)
    z[v] = broadcast(uint64_t{1} << 50);
  for (size_t k = 0; k < tables.sourceCount; ++k)
    scaleSource<vectors>(tables.sources[k], sources[k] + first, y + k * vectors, z);
  for (size_t v = 0; v < vectors; ++v)
    z[v] = _mm512_srli_epi64(z[v], 51);
  for (size_t t = 0; t < tables.destinationCount; ++t)
    sumInto<vectors>(tables.destinations[t], tables.sourceCount, y, z, destinations[t] + first);
}

void baseConvert(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                 const uint64_t *const *sources) {
  size_t first = 0;
  for (; first + 32 <= n; first += 32)
    convertStrip<4>(tables, first, destinations, sources);
  for (; first < n; first += 8)
    convertStrip<1>(tables, first, destinations, sources);
}

} // namespace

void addBaseConvert(KernelTable &table) { table.baseConvert = baseConvert; }

} // namespace sluice::kernels::SLUICE_AVX512_ROW
