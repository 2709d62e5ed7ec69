//===- embedding_avx2.cpp - the special FFT of the canonical embedding ------------------------===//
//
// The stages of embedding_scalar.cpp, two complex numbers at a time, two stages at once where both
// have two numbers or more.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic_avx2.h"
#include "runtime/kernels/embedding/embedding_wide.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::avx2 {

namespace {

/// Four doubles with the operators that embedding_wide.h asks for.
struct FourReals {
  Reals lanes;
};

inline FourReals operator+(FourReals a, FourReals b) { return {_mm256_add_pd(a.lanes, b.lanes)}; }
inline FourReals operator-(FourReals a, FourReals b) { return {_mm256_sub_pd(a.lanes, b.lanes)}; }
inline FourReals operator*(FourReals a, FourReals b) { return {_mm256_mul_pd(a.lanes, b.lanes)}; }
inline FourReals operator-(FourReals a) { return {_mm256_xor_pd(a.lanes, broadcast(-0.0))}; }
inline FourReals fusedMultiplyAdd(FourReals a, FourReals b, FourReals c) {
  return {_mm256_fmadd_pd(a.lanes, b.lanes, c.lanes)};
}

/// Pairs (re, im) with re and im exchanged.
inline Reals exchangeParts(Reals x) { return _mm256_permute_pd(x, 0x5); }

inline Reals realParts(Reals x) { return _mm256_permute_pd(x, 0x0); }
inline Reals imaginaryParts(Reals x) { return _mm256_permute_pd(x, 0xf); }

inline Reals multiplyComplex(Reals x, Reals root) {
  const Reals crossed = _mm256_mul_pd(exchangeParts(x), imaginaryParts(root));
  return _mm256_fmaddsub_pd(x, realParts(root), crossed);
}

/// x times the conjugate of the root.
inline Reals multiplyConjugate(Reals x, Reals root) {
  const Reals crossed = _mm256_mul_pd(exchangeParts(x), imaginaryParts(root));
  return _mm256_fmsubadd_pd(x, realParts(root), crossed);
}

inline void butterfly(Reals &x, Reals &y, Reals root) {
  const Reals product = multiplyComplex(y, root);
  y = _mm256_sub_pd(x, product);
  x = _mm256_add_pd(x, product);
}

inline void inverseButterfly(Reals &x, Reals &y, Reals root) {
  const Reals difference = _mm256_sub_pd(x, y);
  x = _mm256_add_pd(x, y);
  y = multiplyConjugate(difference, root);
}

/// The stages of half-lengths h >= 2 and 2 h.
void embedTwoStages(size_t n, size_t h, double *values, const double *roots) {
  for (double *block = values; block < values + 2 * n; block += 8 * h)
    for (size_t j = 0; j < 2 * h; j += 4) {
      double *first = block + j;
      Reals x0 = load(first), x1 = load(first + 2 * h);
      Reals x2 = load(first + 4 * h), x3 = load(first + 6 * h);
      const Reals inner = load(roots + 2 * h + j);
      butterfly(x0, x1, inner);
      butterfly(x2, x3, inner);
      butterfly(x0, x2, load(roots + 4 * h + j));
      butterfly(x1, x3, load(roots + 6 * h + j));
      store(first, x0);
      store(first + 2 * h, x1);
      store(first + 4 * h, x2);
      store(first + 6 * h, x3);
    }
}

/// The inverse stages of half-lengths 2 h and h >= 2.
void unembedTwoStages(size_t n, size_t h, double *values, const double *roots) {
  for (double *block = values; block < values + 2 * n; block += 8 * h)
    for (size_t j = 0; j < 2 * h; j += 4) {
      double *first = block + j;
      Reals x0 = load(first), x1 = load(first + 2 * h);
      Reals x2 = load(first + 4 * h), x3 = load(first + 6 * h);
      inverseButterfly(x0, x2, load(roots + 4 * h + j));
      inverseButterfly(x1, x3, load(roots + 6 * h + j));
      const Reals inner = load(roots + 2 * h + j);
      inverseButterfly(x0, x1, inner);
      inverseButterfly(x2, x3, inner);
      store(first, x0);
      store(first + 2 * h, x1);
      store(first + 4 * h, x2);
      store(first + 6 * h, x3);
    }
}

/// The stage of half-length h >= 2.
void embedStage(size_t n, size_t h, double *values, const double *roots) {
  for (double *block = values; block < values + 2 * n; block += 4 * h)
    for (size_t j = 0; j < 2 * h; j += 4) {
      Reals x = load(block + j), y = load(block + 2 * h + j);
      butterfly(x, y, load(roots + 2 * h + j));
      store(block + j, x);
      store(block + 2 * h + j, y);
    }
}

void unembedStage(size_t n, size_t h, double *values, const double *roots) {
  for (double *block = values; block < values + 2 * n; block += 4 * h)
    for (size_t j = 0; j < 2 * h; j += 4) {
      Reals x = load(block + j), y = load(block + 2 * h + j);
      inverseButterfly(x, y, load(roots + 2 * h + j));
      store(block + j, x);
      store(block + 2 * h + j, y);
    }
}

/// The stage of neighbours, half-length 1, on two blocks at once.
template <bool inverse> void neighbourStage(size_t n, double *values, const double *roots) {
  const Reals root = _mm256_broadcast_pd(reinterpret_cast<const __m128d *>(roots + 2));
  for (double *block = values; block < values + 2 * n; block += 8) {
    const Reals first = load(block), second = load(block + 4);
    Reals x = _mm256_permute2f128_pd(first, second, 0x20);
    Reals y = _mm256_permute2f128_pd(first, second, 0x31);
    if constexpr (inverse)
      inverseButterfly(x, y, root);
    else
      butterfly(x, y, root);
    store(block, _mm256_permute2f128_pd(x, y, 0x20));
    store(block + 4, _mm256_permute2f128_pd(x, y, 0x31));
  }
}

void embed(unsigned logSlots, double *values, const double *roots) {
  if (logSlots < 2)
    return scalar::embed(logSlots, values, roots);
  const size_t n = size_t{1} << logSlots;
  scalar::permuteBitReversed(n, values);
  neighbourStage<false>(n, values, roots);
  size_t h = 2;
  for (; 4 * h <= n; h *= 4)
    embedTwoStages(n, h, values, roots);
  if (h < n)
    embedStage(n, h, values, roots);
}

void unembed(unsigned logSlots, double *values, const double *roots) {
  if (logSlots < 2)
    return scalar::unembed(logSlots, values, roots);
  const size_t n = size_t{1} << logSlots;
  size_t h = n / 4;
  for (; h >= 2; h /= 4)
    unembedTwoStages(n, h, values, roots);
  if (h == 1) // n / 4 is an even power of two: one stage of half-length 2 is left
    unembedStage(n, 2, values, roots);
  neighbourStage<true>(n, values, roots);
  scalar::permuteBitReversed(n, values);
  const Reals scale = broadcast(1.0 / static_cast<double>(n)); // exact: a power of two
  for (size_t i = 0; i < 2 * n; i += 4)
    store(values + i, _mm256_mul_pd(load(values + i), scale));
}

void embedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots) {
  if (logSlots < 4) // the square of the lanes
    return scalar::embedWide(logSlots, values, rootCount, roots);
  embedPlanes<FourReals>({values, size_t{1} << logSlots}, {roots, rootCount});
}

void unembedWide(unsigned logSlots, double *values, size_t rootCount, const double *roots) {
  if (logSlots < 4)
    return scalar::unembedWide(logSlots, values, rootCount, roots);
  unembedPlanes<FourReals>({values, size_t{1} << logSlots}, {roots, rootCount});
}

} // namespace

void addEmbedding(KernelTable &table) {
  table.embed = embed;
  table.unembed = unembed;
  table.embedWide = embedWide;
  table.unembedWide = unembedWide;
}

} // namespace sluice::kernels::avx2
