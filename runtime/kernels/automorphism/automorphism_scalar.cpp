//===- automorphism_scalar.cpp - a gather -----------------------------------------------------===//
#include "runtime/kernels/rows.h"

namespace sluice::kernels::scalar {

static void automorphism(size_t n, uint64_t *dst, const uint64_t *src,
                         const uint32_t *permutation) {
  for (size_t i = 0; i < n; ++i)
    dst[i] = src[permutation[i]];
}

void addAutomorphism(KernelTable &table) { table.automorphism = automorphism; }

} // namespace sluice::kernels::scalar
