//===- galois.cpp - automorphisms X -> X^g ----------------------------------------------------===//
#include "runtime/ring/galois.h"

#include "runtime/ring/ntt_tables.h"

#include <cassert>

namespace sluice::ring {

/// base^exponent mod 2N; unsigned arithmetic wraps at a multiple of 2N.
static uint32_t powModulo2N(unsigned logN, uint32_t base, uint64_t exponent) {
  uint32_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result *= base;
    base *= base;
  }
  return result & ((uint32_t{2} << logN) - 1);
}

uint32_t rotationElement(unsigned logN, int64_t steps) {
  // 5 has order N/2 modulo 2N, a power of two, so the low bits of a negative number are right too.
  uint64_t exponent = static_cast<uint64_t>(steps) & ((uint64_t{1} << (logN - 1)) - 1);
  return powModulo2N(logN, 5, exponent);
}

uint32_t conjugationElement(unsigned logN) { return (uint32_t{2} << logN) - 1; }

uint32_t inverseElement(unsigned logN, uint32_t g) {
  assert(g % 2 == 1 && "an automorphism has an odd exponent");
  return powModulo2N(logN, g, (uint64_t{1} << (logN - 1)) - 1); // g^(N/2) = 1 mod 2N for N >= 4
}

std::vector<uint32_t> evalPermutation(unsigned logN, uint32_t g) {
  assert(g % 2 == 1 && g < (uint64_t{2} << logN) && "an automorphism has an odd exponent");
  const uint64_t n = uint64_t{1} << logN;
  std::vector<uint32_t> permutation(n);
  for (uint64_t i = 0; i < n; ++i) {
    // Position i holds the value at psi^(2 r(i) + 1); that of the result is the operand's at psi^(g
    // (2 r(i) + 1)).
    uint64_t exponent = (g * (2 * reverseBits(i, logN) + 1)) & (2 * n - 1);
    permutation[i] = static_cast<uint32_t>(reverseBits(exponent >> 1, logN));
  }
  return permutation;
}

} // namespace sluice::ring
