//===- quad.h - numbers of 113 bits, as oracles of double-double arithmetic -------------------===//
#ifndef SLUICE_TEST_RUNTIME_KERNELS_QUAD_H
#define SLUICE_TEST_RUNTIME_KERNELS_QUAD_H

#include <bit>
#include <cfloat>
#include <cstdint>
#include <vector>

namespace sluice::test {

#if LDBL_MANT_DIG >= 113
using Quad = long double;
#else
__extension__ using Quad = __float128;
#endif

struct QuadComplex {
  Quad re, im;
};

inline QuadComplex operator+(QuadComplex a, QuadComplex b) { return {a.re + b.re, a.im + b.im}; }
inline QuadComplex operator-(QuadComplex a, QuadComplex b) { return {a.re - b.re, a.im - b.im}; }
inline QuadComplex operator*(QuadComplex a, QuadComplex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline QuadComplex conjugate(QuadComplex a) { return {a.re, -a.im}; }
inline Quad squaredNorm(QuadComplex a) { return a.re * a.re + a.im * a.im; }

/// exp(i angle), 0 <= angle <= pi, by its series.
inline QuadComplex exponential(Quad angle) {
  QuadComplex sum{1, 0}, term{1, 0};
  for (int k = 1; k <= 48; ++k) {
    term = term * QuadComplex{0, angle / k};
    sum = sum + term;
  }
  return sum;
}

/// All `order` powers of exp(2 pi i / order), order a power of two: each the product of those whose
/// number has one bit.
inline std::vector<QuadComplex> rootsOfUnity(uint64_t order) {
  // Machin: pi = 16 arctan(1/5) - 4 arctan(1/239).
  auto arctan = [](Quad inverse) {
    Quad sum = 0, power = 1 / inverse;
    for (int k = 0; k < 60; ++k, power /= -inverse * inverse)
      sum += power / (2 * k + 1);
    return sum;
  };
  const Quad pi = 16 * arctan(5) - 4 * arctan(239);
  std::vector<QuadComplex> roots(order, {1, 0});
  for (uint64_t k = 1; k < order; ++k) {
    const uint64_t lowest = k & (~k + 1);
    roots[k] = k == lowest ? exponential(2 * pi * static_cast<Quad>(k) / static_cast<Quad>(order))
                           : roots[k - lowest] * roots[lowest];
  }
  return roots;
}

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_KERNELS_QUAD_H
