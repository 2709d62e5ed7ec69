//===- Residues.h - integers given by their residues ------------------------------------------===//
//
// Moduli are distinct primes below 2^62, as values.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_RESIDUES_H
#define SLUICE_PASSES_ALGORITHMS_RESIDUES_H

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::algorithms {

/// a * b mod q.
uint64_t mulMod(uint64_t a, uint64_t b, uint64_t q);
/// a^-1 modulo the prime q; a is not a multiple of q.
uint64_t invertMod(uint64_t a, uint64_t q);
/// The product of `factors` modulo q.
uint64_t productMod(std::span<const uint64_t> factors, uint64_t q);

/// The integer of least absolute value that has `residues` modulo `moduli`, modulo `target`. Exact
/// (mixed radix).
uint64_t centredResidue(std::span<const uint64_t> residues, std::span<const uint64_t> moduli,
                        uint64_t target);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_RESIDUES_H
