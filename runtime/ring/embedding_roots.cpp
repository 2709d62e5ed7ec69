//===- embedding_roots.cpp - roots of unity of the embedding ----------------------------------===//
#include "runtime/ring/embedding.h"
#include "runtime/ring/roots_of_unity.h"

#include <algorithm>

namespace sluice::ring {
namespace {

using Root = kernels::WideComplex<double>;

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
