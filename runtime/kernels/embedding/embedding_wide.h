//===- embedding_wide.h - the special FFT in double-double ------------------------------------===//
//-----------===//
//
// The stages of embedding_scalar.cpp on planes, so that vectors hold neighbours and nothing is
// moved across their lanes. In the order of the bits reversed, a stage of half-length h has
// partners h apart and a root for each; before the reversal they are n / 2h apart and share a root
// with their n / 2h neighbours. Stages shorter than a vector are done before, the others after.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_EMBEDDING_EMBEDDING_WIDE_H
#define SLUICE_RUNTIME_KERNELS_EMBEDDING_EMBEDDING_WIDE_H

#include "runtime/kernels/embedding/double_double.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <utility>

namespace sluice::kernels {

/// n complex numbers as four planes: real parts high and low, imaginary parts high and low.
template <typename Number> struct WidePlanes {
  Number *first;
  size_t n;

  template <typename V> V loadPart(size_t plane, size_t i) const {
    V value;
    std::memcpy(&value, first + plane * n + i, sizeof(V));
    return value;
  }
  template <typename V> WideComplex<V> load(size_t i) const {
    return {{loadPart<V>(0, i), loadPart<V>(1, i)}, {loadPart<V>(2, i), loadPart<V>(3, i)}};
  }
  template <typename V> void store(size_t i, const WideComplex<V> &value) const {
    const V parts[4] = {value.re.high, value.re.low, value.im.high, value.im.low};
    for (size_t plane = 0; plane < 4; ++plane)
      std::memcpy(first + plane * n + i, &parts[plane], sizeof(V));
  }
};

/// Doubles of 8 bytes in a vector.
template <typename V> static constexpr size_t lanesOf = sizeof(V) / 8;

using Values = WidePlanes<double>;
using Roots = WidePlanes<const double>;

template <typename V> static inline V broadcastReal(double value) {
  double lanes[lanesOf<V>];
  std::fill(std::begin(lanes), std::end(lanes), value);
  V result;
  std::memcpy(&result, lanes, sizeof(V));
  return result;
}

/// Number i in every lane.
template <typename V> static inline WideComplex<V> broadcastRoot(const Roots &roots, size_t i) {
  const WideComplex<double> root = roots.load<double>(i);
  return {{broadcastReal<V>(root.re.high), broadcastReal<V>(root.re.low)},
          {broadcastReal<V>(root.im.high), broadcastReal<V>(root.im.low)}};
}

template <bool isInverse, typename V>
static inline void wideButterfly(const Values &values, size_t i, size_t j,
                                 const WideComplex<V> &root) {
  const WideComplex<V> x = values.load<V>(i), y = values.load<V>(j);
  if constexpr (isInverse) {
    values.store(i, add(x, y));
    values.store(j, normalised(multiply(subtract(x, y), conjugate(root))));
  } else {
    const WideComplex<V> product = multiply(y, root);
    values.store(i, add(x, product));
    values.store(j, subtract(x, product));
  }
}

/// The stage of half-length h >= lanes, after the reversal of bits.
template <bool isInverse, typename V>
static void longStage(const Values &values, const Roots &roots, size_t h) {
  constexpr size_t lanes = lanesOf<V>;
  for (size_t block = 0; block < values.n; block += 2 * h)
    for (size_t j = 0; j < h; j += lanes)
      wideButterfly<isInverse>(values, block + j, block + h + j, roots.load<V>(h + j));
}

/// The number of `bits` bits with these reversed.
static inline size_t reversedBits(size_t number, unsigned bits) {
  size_t reversed = 0;
  for (unsigned bit = 0; bit < bits; ++bit)
    reversed |= (number >> bit & 1) << (bits - 1 - bit);
  return reversed;
}

/// The stage of half-length h <= n / (2 lanes), before the reversal of bits.
template <bool isInverse, typename V>
static void shortStage(const Values &values, const Roots &roots, size_t h) {
  constexpr size_t lanes = lanesOf<V>;
  const size_t run = values.n / (2 * h);
  const unsigned bits = static_cast<unsigned>(std::countr_zero(h));
  for (size_t r = 0; r < h; ++r) {
    const WideComplex<V> root = broadcastRoot<V>(roots, h + reversedBits(r, bits));
    for (size_t i = 2 * run * r; i < run * (2 * r + 1); i += lanes)
      wideButterfly<isInverse>(values, i, i + run, root);
  }
}

static inline void permutePlanes(const Values &values) {
  const size_t n = values.n;
  for (size_t i = 1, reversed = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; reversed & bit; bit >>= 1)
      reversed ^= bit;
    reversed |= bit;
    if (i < reversed)
      for (size_t plane = 0; plane < 4; ++plane)
        std::swap(values.first[plane * n + i], values.first[plane * n + reversed]);
  }
}

/// The slot embedWide with vectors V, for n at least the square of their lanes.
template <typename V> static void embedPlanes(const Values &values, const Roots &roots) {
  constexpr size_t lanes = lanesOf<V>;
  for (size_t h = 1; h < lanes; h *= 2)
    shortStage<false, V>(values, roots, h);
  permutePlanes(values);
  for (size_t h = lanes; h < values.n; h *= 2)
    longStage<false, V>(values, roots, h);
}

/// The slot unembedWide.
template <typename V> static void unembedPlanes(const Values &values, const Roots &roots) {
  constexpr size_t lanes = lanesOf<V>;
  for (size_t h = values.n / 2; h >= lanes; h /= 2)
    longStage<true, V>(values, roots, h);
  permutePlanes(values);
  for (size_t h = lanes / 2; h >= 1; h /= 2)
    shortStage<true, V>(values, roots, h);
  const double scale = 1.0 / static_cast<double>(values.n); // exact: a power of two
  for (size_t i = 0; i < 4 * values.n; ++i)
    values.first[i] *= scale;
}

} // namespace sluice::kernels

#endif // SLUICE_RUNTIME_KERNELS_EMBEDDING_EMBEDDING_WIDE_H
