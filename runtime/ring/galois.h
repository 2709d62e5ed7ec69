//===- galois.h - automorphisms X -> X^g ------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_GALOIS_H
#define SLUICE_RUNTIME_RING_GALOIS_H

#include <cstdint>
#include <vector>

namespace sluice::ring {

/// The element of the left rotation of N/2 slots by `steps` (any integer): 5^steps mod 2N.
uint32_t rotationElement(unsigned logN, int64_t steps);

/// The element of the conjugation of every slot: 2N - 1.
uint32_t conjugationElement(unsigned logN);

/// h with g * h = 1 mod 2N; g odd.
uint32_t inverseElement(unsigned logN, uint32_t g);

/// The gather of X -> X^g, g odd in [1, 2N), in evaluation form: position i of the result is
/// position permutation[i] of the operand (kernels.h `automorphism`).
std::vector<uint32_t> evalPermutation(unsigned logN, uint32_t g);

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_GALOIS_H
