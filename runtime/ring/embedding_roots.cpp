//===- embedding_roots.cpp - roots of unity of the embedding ----------------------------------===//
#include "runtime/kernels/embedding/double_double.h"
#include "runtime/ring/embedding.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace sluice::ring {
namespace {

using Real = kernels::TwoParts<double>;
using Root = kernels::WideComplex<double>;

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

/// The powers of exp(2 pi i / order), order a power of two from 8 on, each within 2^-101.
class RootsOfUnity {
public:
  explicit RootsOfUnity(uint64_t order)
      : order(order), fineBits(static_cast<unsigned>(std::countr_zero(order)) / 2) {
    const uint64_t fineCount = uint64_t{1} << fineBits;
    for (uint64_t k = 0; k < fineCount; ++k)
      fine.push_back(series(k));
    for (uint64_t k = 0; k <= order / 8; k += fineCount)
      coarse.push_back(series(k));
  }

  /// Power k < order. Only angles up to pi/4 are computed, so that symmetric roots are exactly
  /// symmetric.
  Root power(uint64_t k) const {
    const uint64_t quarter = order / 4, rest = k % quarter;
    const bool isUpper = rest > quarter / 2;
    Root root = firstOctant(isUpper ? quarter - rest : rest);
    if (isUpper)
      std::swap(root.re, root.im);
    for (uint64_t turn = 0; turn < k / quarter; ++turn)
      root = {kernels::negate(root.im), root.re};
    return root;
  }

private:
  Root series(uint64_t k) const {
    const double part = static_cast<double>(k) / static_cast<double>(order); // exact
    return exponential(kernels::multiply(twoPi, Real{part, 0}));
  }
  Root firstOctant(uint64_t k) const {
    const uint64_t rest = k & ((uint64_t{1} << fineBits) - 1);
    return kernels::normalised(kernels::multiply(coarse[k >> fineBits], fine[rest]));
  }

  uint64_t order;
  unsigned fineBits;
  std::vector<Root> fine, coarse;
};

/// Calls store(index, root) for each root of the table: index h + j has the power 5^j of exp(2 pi i
/// / 8h).
template <typename Store> void forEachRoot(unsigned logSlots, Store store) {
  const uint64_t slots = uint64_t{1} << logSlots, order = std::max<uint64_t>(4 * slots, 8);
  const RootsOfUnity roots(order);
  for (uint64_t half = 1; half < slots; half *= 2) {
    const uint64_t step = order / (8 * half);
    uint64_t power = 1; // 5^j mod 8h
    for (uint64_t j = 0; j < half; ++j, power = power * 5 % (8 * half))
      store(half + j, roots.power(power * step));
  }
}

} // namespace

std::unique_ptr<double[]> makeEmbeddingRoots(unsigned logSlots) {
  auto table = std::make_unique<double[]>(size_t{2} << logSlots);
  table[0] = 1; // index 0 is unused
  forEachRoot(logSlots, [&](size_t index, const Root &root) {
    table[2 * index] = root.re.high;
    table[2 * index + 1] = root.im.high;
  });
  return table;
}

std::unique_ptr<double[]> makeWideEmbeddingRoots(unsigned logSlots) {
  const size_t slots = size_t{1} << logSlots;
  auto table = std::make_unique<double[]>(4 * slots);
  forEachRoot(logSlots, [&](size_t index, const Root &root) {
    const double parts[4] = {root.re.high, root.re.low, root.im.high, root.im.low};
    for (size_t plane = 0; plane < 4; ++plane)
      table[plane * slots + index] = parts[plane];
  });
  return table;
}

} // namespace sluice::ring
