//===- automorphism_avx512ifma.cpp - a permutation of groups and within them ------------------===//
//
// In evaluation form position i stands for the exponent 2 r(i) + 1. Eight positions from a multiple
// of eight on differ in the three highest bits of r alone, and an odd factor keeps the lower ones
// equal: so they come from eight such positions.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/arithmetic_avx512ifma.h"
#include "runtime/kernels/rows.h"

namespace sluice::kernels::SLUICE_AVX512_ROW {

static void automorphism(size_t n, uint64_t *dst, const uint64_t *src,
                         const uint32_t *permutation) {
  for (size_t i = 0; i < n; i += 8) {
    const auto *positions = reinterpret_cast<const __m256i *>(permutation + i);
    const Vector lanes = _mm512_cvtepu32_epi64(_mm256_loadu_si256(positions));
    const size_t group = permutation[i] & ~uint32_t{7}; // the lanes' numbers are modulo eight
    store(dst + i, _mm512_permutexvar_epi64(lanes, load(src + group)));
  }
}

void addAutomorphism(KernelTable &table) { table.automorphism = automorphism; }

} // namespace sluice::kernels::SLUICE_AVX512_ROW
