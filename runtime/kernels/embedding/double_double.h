//===- double_double.h - numbers as unevaluated sums of two doubles ---------------------------===//
//
// A number is high + low with |low| <= ulp(high) / 2, some 106 bits. The sums and products below
// are those of Dekker and Knuth: each rounding error is itself a double, and is kept. That holds
// only if a compiler changes no operation: runtime libraries are built with -ffp-contract=off, and
// the fused operations are written out.
//
// V is double or a vector of doubles with the operators of its elements and a fusedMultiplyAdd.
// Everything is `static inline`, so that a file compiled for one instruction set never lends its
// copy of a function to the rest of the program.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_KERNELS_EMBEDDING_DOUBLE_DOUBLE_H
#define SLUICE_RUNTIME_KERNELS_EMBEDDING_DOUBLE_DOUBLE_H

#include <cmath>

namespace sluice::kernels {

/// a * b + c, rounded once.
static inline double fusedMultiplyAdd(double a, double b, double c) { return std::fma(a, b, c); }

template <typename V> struct TwoParts {
  V high, low;
};

/// a + b for |a| >= |b|, or either 0. Exact.
template <typename V> static inline TwoParts<V> quickTwoSum(V a, V b) {
  const V sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b. Exact.
template <typename V> static inline TwoParts<V> twoSum(V a, V b) {
  const V sum = a + b, second = sum - a;
  return {sum, (a - (sum - second)) + (b - second)};
}

/// a * b. Exact.
template <typename V> static inline TwoParts<V> twoProduct(V a, V b) {
  const V product = a * b;
  return {product, fusedMultiplyAdd(a, b, -product)};
}

/// Off by at most 2^-103 of |a| + |b|: of the sum itself only where nothing cancels.
template <typename V> static inline TwoParts<V> add(TwoParts<V> a, TwoParts<V> b) {
  const TwoParts<V> sum = twoSum(a.high, b.high);
  return quickTwoSum(sum.high, sum.low + (a.low + b.low));
}

/// Off by at most 2^-103 of the product.
template <typename V> static inline TwoParts<V> multiply(TwoParts<V> a, TwoParts<V> b) {
  const TwoParts<V> product = twoProduct(a.high, b.high);
  const V low = fusedMultiplyAdd(a.high, b.low, fusedMultiplyAdd(a.low, b.high, product.low));
  return quickTwoSum(product.high, low);
}

/// a b - c d, off by at most 2^-102 of |a b| + |c d|. What is returned is summed, but low may be
/// more than half a last place of high.
template <typename V>
static inline TwoParts<V> differenceOfProducts(TwoParts<V> a, TwoParts<V> b, TwoParts<V> c,
                                               TwoParts<V> d) {
  const TwoParts<V> first = twoProduct(a.high, b.high), second = twoProduct(c.high, d.high);
  const TwoParts<V> sum = twoSum(first.high, -second.high);
  V low = sum.low + (first.low - second.low);
  low = fusedMultiplyAdd(a.high, b.low, fusedMultiplyAdd(a.low, b.high, low));
  low = fusedMultiplyAdd(-c.high, d.low, fusedMultiplyAdd(-c.low, d.high, low));
  return {sum.high, low};
}

template <typename V> static inline TwoParts<V> negate(TwoParts<V> a) { return {-a.high, -a.low}; }

/// A complex number of two such parts.
template <typename V> struct WideComplex {
  TwoParts<V> re, im;
};

template <typename V> static inline WideComplex<V> add(WideComplex<V> a, WideComplex<V> b) {
  return {add(a.re, b.re), add(a.im, b.im)};
}

template <typename V> static inline WideComplex<V> subtract(WideComplex<V> a, WideComplex<V> b) {
  return {add(a.re, negate(b.re)), add(a.im, negate(b.im))};
}

/// The parts may be left as differenceOfProducts leaves them.
template <typename V> static inline WideComplex<V> multiply(WideComplex<V> a, WideComplex<V> b) {
  return {differenceOfProducts(a.re, b.re, a.im, b.im),
          differenceOfProducts(a.re, b.im, negate(a.im), b.re)};
}

template <typename V> static inline WideComplex<V> conjugate(WideComplex<V> a) {
  return {a.re, negate(a.im)};
}

/// The parts with |low| <= ulp(high) / 2.
template <typename V> static inline WideComplex<V> normalised(WideComplex<V> a) {
  return {quickTwoSum(a.re.high, a.re.low), quickTwoSum(a.im.high, a.im.low)};
}

} // namespace sluice::kernels

#endif // SLUICE_RUNTIME_KERNELS_EMBEDDING_DOUBLE_DOUBLE_H
