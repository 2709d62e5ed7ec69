//===- roots_of_unity.cpp - powers of a root of unity in double-double ------------------------===//
#include "runtime/ring/roots_of_unity.h"

#include <bit>
#include <utility>

namespace sluice::ring {
namespace {

using Real = kernels::TwoParts<double>;
using Root = RootsOfUnity::Root;

constexpr Real twoPi = {0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};

/// x / k for a whole number k.
Real divide(Real x, double k) {
  const double quotient = x.high / k;
  return kernels::quickTwoSum(quotient, (std::fma(-quotient, k, x.high) + x.low) / k);
}

/// exp(i angle) by its series, 0 <= angle <= pi/4: what is left out is below 2^-110.
Root exponential(Real angle) {
  Real re = {1, 0}, im = {0, 0}, term = {1, 0};
  for (int k = 1; k <= 28; ++k) {
    term = divide(kernels::multiply(term, angle), k);
    Real &part = k % 2 == 0 ? re : im;
    part = kernels::add(part, k % 4 < 2 ? term : kernels::negate(term));
  }
  return {re, im};
}

/// Power k of exp(2 pi i / order).
Root series(uint64_t k, uint64_t order) {
  const double part = static_cast<double>(k) / static_cast<double>(order); // exact
  return exponential(kernels::multiply(twoPi, Real{part, 0}));
}

} // namespace

RootsOfUnity::RootsOfUnity(uint64_t order)
    : order(order), fineBits(static_cast<unsigned>(std::countr_zero(order)) / 2) {
  const uint64_t fineCount = uint64_t{1} << fineBits;
  for (uint64_t k = 0; k < fineCount; ++k)
    fine.push_back(series(k, order));
  for (uint64_t k = 0; k <= order / 8; k += fineCount)
    coarse.push_back(series(k, order));
}

RootsOfUnity::Root RootsOfUnity::power(uint64_t k) const {
  const uint64_t quarter = order / 4, rest = k % quarter;
  const bool isUpper = rest > quarter / 2;
  Root root = firstOctant(isUpper ? quarter - rest : rest);
  if (isUpper)
    std::swap(root.re, root.im);
  for (uint64_t turn = 0; turn < k / quarter; ++turn)
    root = {kernels::negate(root.im), root.re};
  return root;
}

RootsOfUnity::Root RootsOfUnity::firstOctant(uint64_t k) const {
  const uint64_t rest = k & ((uint64_t{1} << fineBits) - 1);
  return kernels::normalised(kernels::multiply(coarse[k >> fineBits], fine[rest]));
}

} // namespace sluice::ring
