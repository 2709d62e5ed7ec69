//===- embedding_scalar.cpp - the special FFT of the canonical embedding ----------------------===//
//
// SF_n evaluates at psi^(5^j): a decimation in time whose stage of half-length h has the roots
// exp(2 pi i 5^j / 8h), since 5^j mod 8h depends on j mod 2h only, and 5^(j + h) = 5^j + 4h mod 8h
// turns the sign.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/embedding/embedding_wide.h"
#include "runtime/kernels/rows.h"

#include <utility>

namespace sluice::kernels::scalar {

void permuteBitReversed(size_t n, double *values) {
  for (size_t i = 1, reversed = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; reversed & bit; bit >>= 1)
      reversed ^= bit;
    reversed |= bit;
    if (i < reversed) {
      std::swap(values[2 * i], values[2 * reversed]);
      std::swap(values[2 * i + 1], values[2 * reversed + 1]);
    }
  }
}

void embed(unsigned logSlots, double *values, const double *roots) {
  const size_t n = size_t{1} << logSlots;
  permuteBitReversed(n, values);
  for (size_t half = 1; half < n; half *= 2)
    for (double *block = values; block < values + 2 * n; block += 4 * half)
      for (size_t j = 0; j < half; ++j) {
        double *x = block + 2 * j, *y = block + 2 * (half + j);
        const double re = roots[2 * (half + j)], im = roots[2 * (half + j) + 1];
        const double productRe = y[0] * re - y[1] * im, productIm = y[0] * im + y[1] * re;
        y[0] = x[0] - productRe;
        y[1] = x[1] - productIm;
        x[0] += productRe;
        x[1] += productIm;
      }
}

void unembed(unsigned logSlots, double *values, const double *roots) {
  const size_t n = size_t{1} << logSlots;
  for (size_t half = n / 2; half >= 1; half /= 2)
    for (double *block = values; block < values + 2 * n; block += 4 * half)
      for (size_t j = 0; j < half; ++j) {
        double *x = block + 2 * j, *y = block + 2 * (half + j);
        const double re = roots[2 * (half + j)], im = roots[2 * (half + j) + 1];
        const double differenceRe = x[0] - y[0], differenceIm = x[1] - y[1];
        x[0] += y[0];
        x[1] += y[1];
        // times the conjugate of the root
        y[0] = differenceRe * re + differenceIm * im;
        y[1] = differenceIm * re - differenceRe * im;
      }
  permuteBitReversed(n, values);
  const double scale = 1.0 / static_cast<double>(n); // exact: a power of two
  for (size_t i = 0; i < 2 * n; ++i)
    values[i] *= scale;
}

void embedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots) {
  embedPlanes<double>({values, size_t{1} << logSlots}, {roots, rootCount});
}

void unembedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots) {
  unembedPlanes<double>({values, size_t{1} << logSlots}, {roots, rootCount});
}

void addEmbedding(KernelTable &table) {
  table.embed = embed;
  table.unembed = unembed;
  table.embedWide = embedWide;
  table.unembedWide = unembedWide;
}

} // namespace sluice::kernels::scalar
