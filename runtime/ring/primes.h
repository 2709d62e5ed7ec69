//===- primes.h - primes of limbs -------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_PRIMES_H
#define SLUICE_RUNTIME_RING_PRIMES_H

#include "runtime/base/status.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sluice::ring {

/// Whether `value` is prime; no error (Miller-Rabin with the first twelve primes as bases decides
/// all 64-bit numbers: Sorenson and Webster, 2015).
bool isPrime(uint64_t value);

/// Whether q is a limb for degree 2^logN: a prime of 20 to 50 bits with q = 1 mod 2N.
bool isNttPrime(unsigned logN, uint64_t q);

/// The `count` primes q = 1 mod 2^(logN+1) of at most 50 bits that are nearest to 2^bits and not in
/// `exclude`, nearest first; for bits = 50 they lie below. 20 <= bits <= 50. outOfRange if there
/// are not so many between 2^(bits-1) and 2^(bits+1).
Expected<std::vector<uint64_t>> nttPrimesNear(unsigned logN, unsigned bits, size_t count,
                                              std::span<const uint64_t> exclude = {});

/// The same below 2^bits only, largest first: all have at most `bits` bits. outOfRange if there are
/// not so many above 2^(bits-1).
Expected<std::vector<uint64_t>> nttPrimesBelow(unsigned logN, unsigned bits, size_t count,
                                               std::span<const uint64_t> exclude = {});

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_PRIMES_H
