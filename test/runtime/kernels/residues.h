//===- residues.h - inputs for tests of kernels -----------------------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_KERNELS_RESIDUES_H
#define SLUICE_TEST_RUNTIME_KERNELS_RESIDUES_H

#include "runtime/ring/modulus.h"
#include "runtime/ring/ntt_tables.h"
#include "runtime/ring/primes.h"

#include <random>
#include <vector>

namespace sluice::test {

__extension__ using Word128 = unsigned __int128;
using Residues = std::vector<uint64_t>;

/// How to fill a limb: at random, or with what carries and comparisons find hardest.
enum class Fill { random, zeros, largest, alternating, middle };
inline constexpr Fill allFills[] = {Fill::random, Fill::zeros, Fill::largest, Fill::alternating,
                                    Fill::middle};

inline Residues makeResidues(uint64_t q, size_t n, Fill fill, uint64_t seed) {
  std::mt19937_64 generator(seed);
  Residues residues(n);
  for (size_t i = 0; i < n; ++i) {
    switch (fill) {
    case Fill::random:
      residues[i] = generator() % q;
      break;
    case Fill::zeros:
      residues[i] = 0;
      break;
    case Fill::largest:
      residues[i] = q - 1;
      break;
    case Fill::alternating:
      residues[i] = generator() & 1 ? q - 1 : 0;
      break;
    case Fill::middle:
      residues[i] = q / 2 + (generator() & 1);
      break;
    }
  }
  return residues;
}

inline Residues randomResidues(uint64_t q, size_t n, uint64_t seed) {
  return makeResidues(q, n, Fill::random, seed);
}

/// The modulus of a prime that is known to be good.
inline ring::Modulus modulusOf(uint64_t q) { return *ring::Modulus::create(q); }

/// Up to two primes of each width for degree 2^logN: the smallest and the largest of that width,
/// since constants round worst there. Narrow primes do not exist for large degrees.
inline std::vector<uint64_t> primesOfAllWidths(unsigned logN) {
  std::vector<uint64_t> primes;
  const uint64_t step = uint64_t{2} << logN;
  for (unsigned bits = kernels::minPrimeBits; bits <= kernels::maxPrimeBits; ++bits) {
    const uint64_t from = uint64_t{1} << (bits - 1), to = uint64_t{1} << bits;
    uint64_t smallest = (from / step) * step + 1, largest = (to / step) * step + 1 - step;
    while (smallest < from || (smallest < to && !ring::isNttPrime(logN, smallest)))
      smallest += step;
    while (largest >= from && !ring::isNttPrime(logN, largest))
      largest -= step;
    if (smallest < to)
      primes.push_back(smallest);
    if (largest > smallest)
      primes.push_back(largest);
  }
  return primes;
}

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_KERNELS_RESIDUES_H
