//===- butterflies_avx512ifma.h - butterflies on eight residues at a time ---------------------===//
//
// What the two halves of a transform share. Values stay in [0, 4q) forward and in [0, 2q) backward
// (Harvey, arXiv 1205.2926): 4q < 2^52 is what the instructions can multiply. They read no more
// than 52 bits of a factor, so a value that is multiplied next may be *open*: correct modulo 2^52.
// A step does up to four stages on up to 16 vectors without going to memory.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_NTT_BUTTERFLIES_AVX512IFMA_H
#define SLUICE_RUNTIME_KERNELS_NTT_BUTTERFLIES_AVX512IFMA_H

#include "runtime/kernels/arithmetic_avx512ifma.h"

#include <cstddef>
#include <type_traits>

namespace sluice::kernels::SLUICE_AVX512_ROW {

/// A factor in all lanes, or one a lane; the quotient has 52 bits.
struct VectorFactor {
  Vector value, quotient;

  VectorFactor(Vector value, Vector quotient) : value(value), quotient(quotient) {}
  explicit VectorFactor(const ShoupFactor &factor)
      : value(broadcast(factor.value)), quotient(broadcast(factor.quotient >> 12)) {}
};

static inline Vector mulLazy(Vector x, const VectorFactor &factor, const VectorPrime &prime) {
  return mulShoupLazy(x, factor.value, factor.quotient, prime);
}

/// Whether the results of a butterfly are open.
enum class Results { closed, open };

/// x in [0, 2q) and y, which may be open, to (x + root y, x - root y) in [0, 4q).
template <Results results = Results::closed>
static inline void reducedButterfly(Vector &x, Vector &y, const VectorFactor &root,
                                    const VectorPrime &prime) {
  Vector sum = addShoupOpen(x, y, root.value, root.quotient, prime);
  if constexpr (results == Results::closed)
    sum = _mm512_and_si512(sum, prime.mask);
  // x - root y = 2 x - (x + root y), and a product by two is one instruction with the 2q.
  y = _mm512_sub_epi64(_mm512_madd52lo_epu64(prime.twiceQ, x, prime.two), sum);
  x = sum;
}

/// The same for x in [0, 4q).
template <Results results = Results::closed>
static inline void butterfly(Vector &x, Vector &y, const VectorFactor &root,
                             const VectorPrime &prime) {
  x = reduceOnce(x, prime.twiceQ);
  reducedButterfly<results>(x, y, root, prime);
}

/// The same of (twist x, twist y), x and y both open; rootTwist is the product of root and twist.
template <Results results = Results::closed>
static inline void twistedButterfly(Vector &x, Vector &y, const VectorFactor &twist,
                                    const VectorFactor &rootTwist, const VectorPrime &prime) {
  x = mulLazy(x, twist, prime);
  reducedButterfly<results>(x, y, rootTwist, prime);
}

/// (x, y) in [0, 2q) to (x + y, (x - y) root) in [0, 2q).
static inline void inverseButterfly(Vector &x, Vector &y, const VectorFactor &root,
                                    const VectorPrime &prime) {
  const Vector difference = _mm512_sub_epi64(_mm512_add_epi64(x, prime.twiceQ), y);
  x = reduceOnce(_mm512_add_epi64(x, y), prime.twiceQ);
  y = mulLazy(difference, root, prime);
}

/// (x, y) in [0, 2q) to (twist (x + y), rootTwist (x - y)) in [0, 2q).
static inline void untwistingButterfly(Vector &x, Vector &y, const VectorFactor &twist,
                                       const VectorFactor &rootTwist, const VectorPrime &prime) {
  const Vector sum = _mm512_add_epi64(x, y);
  const Vector difference = _mm512_sub_epi64(_mm512_add_epi64(x, prime.twiceQ), y);
  x = mulLazy(sum, twist, prime);
  y = mulLazy(difference, rootTwist, prime);
}

/// The same to [0, q): an inverse stage joined with a product.
static inline void scalingButterfly(Vector &x, Vector &y, const VectorFactor &sumFactor,
                                    const VectorFactor &differenceFactor,
                                    const VectorPrime &prime) {
  untwistingButterfly(x, y, sumFactor, differenceFactor, prime);
  x = reduceOnce(x, prime.q);
  y = reduceOnce(y, prime.q);
}

/// Between two steps with the same roots: the compiler would keep these in vectors, for which there
/// are no registers, so that they went to the stack and back.
static inline void forgetLoads() { asm volatile("" ::: "memory"); }

/// Calls step with a number of stages, 1 to 4, that is a constant there.
template <typename Step> static inline void withStages(unsigned stages, Step step) {
  if (stages == 1)
    return step(std::integral_constant<unsigned, 1>());
  if (stages == 2)
    return step(std::integral_constant<unsigned, 2>());
  if (stages == 3)
    return step(std::integral_constant<unsigned, 3>());
  return step(std::integral_constant<unsigned, 4>());
}

/// `stages` forward stages on the 2^stages vectors of block `block` of `roots`: load(k) gives
/// vector k, store(k, x) takes it, open if `results` is. The first stage is the caller's:
/// first(how, x, y) is called for its pairs, how being an integral constant of the results.
template <unsigned stages, Results results, typename Roots, typename Load, typename First,
          typename Store>
static inline void forwardStep(const Roots &roots, size_t block, const VectorPrime &prime,
                               Load load, First first, Store store) {
  constexpr size_t count = size_t{1} << stages;
  using Closed = std::integral_constant<Results, Results::closed>;
  using Open = std::integral_constant<Results, Results::open>;
  Vector x[count];
#pragma GCC unroll 16
  for (size_t k = 0; k < count; ++k)
    x[k] = load(k);
#pragma GCC unroll 4
  for (unsigned stage = 0; stage < stages; ++stage) {
    const size_t half = count >> (stage + 1);
#pragma GCC unroll 8
    for (size_t pair = 0; pair < count / 2; ++pair) {
      const size_t part = pair / half, upper = 2 * half * part + pair % half;
      // Both results are multiplied next, or neither is.
      const bool isOpen = half == 1 ? results == Results::open : (upper & (half / 2)) != 0;
      Vector &a = x[upper], &b = x[upper + half];
      if (stage == 0 && isOpen)
        first(Open(), a, b);
      else if (stage == 0)
        first(Closed(), a, b);
      else if (isOpen)
        butterfly<Results::open>(a, b, roots.at((block << stage) + part), prime);
      else
        butterfly<Results::closed>(a, b, roots.at((block << stage) + part), prime);
    }
  }
#pragma GCC unroll 16
  for (size_t k = 0; k < count; ++k)
    store(k, x[k]);
}

/// The inverse of forwardStep, but that the last stage is the caller's: last(x, y) is called for
/// its pairs.
template <unsigned stages, typename Roots, typename Load, typename Last, typename Store>
static inline void inverseStep(const Roots &roots, size_t block, const VectorPrime &prime,
                               Load load, Last last, Store store) {
  constexpr size_t count = size_t{1} << stages;
  Vector x[count];
#pragma GCC unroll 16
  for (size_t k = 0; k < count; ++k)
    x[k] = load(k);
#pragma GCC unroll 4
  for (unsigned stage = stages; stage-- > 1;) {
    const size_t half = count >> (stage + 1);
#pragma GCC unroll 8
    for (size_t pair = 0; pair < count / 2; ++pair) {
      const size_t part = pair / half, first = 2 * half * part + pair % half;
      inverseButterfly(x[first], x[first + half], roots.at((block << stage) + part), prime);
    }
  }
#pragma GCC unroll 8
  for (size_t pair = 0; pair < count / 2; ++pair)
    last(x[pair], x[pair + count / 2]);
#pragma GCC unroll 16
  for (size_t k = 0; k < count; ++k)
    store(k, x[k]);
}

} // namespace sluice::kernels::SLUICE_AVX512_ROW

#endif // SLUICE_RUNTIME_KERNELS_NTT_BUTTERFLIES_AVX512IFMA_H
