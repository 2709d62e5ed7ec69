//===- nested_chain.h - a modulus chain for tests of scales -----------------------------------===//
#ifndef SLUICE_TEST_PASSES_ALGORITHMS_NESTED_CHAIN_H
#define SLUICE_TEST_PASSES_ALGORITHMS_NESTED_CHAIN_H

#include "passes/algorithms/ScaleSystem.h"

#include <cstdint>
#include <vector>

namespace sluice::algorithms::test {

// Primes that are 1 modulo 2^15: one of 50 bits, then eleven above 2^45.
inline const std::vector<uint64_t> primes = {1125899904679937, 35184372121601, 35184372744193,
                                             35184373006337,   35184373989377, 35184374874113,
                                             35184376184833,   35184376545281, 35184376578049,
                                             35184377331713,   35184378019841, 35184378413057};

/// A chain whose level l holds the first l + 1 primes.
inline ScaleChain nestedChain(unsigned height) {
  ScaleChain chain{primes, {{0}}};
  for (unsigned level = 1; level <= height; ++level) {
    chain.levels.push_back(chain.levels.back());
    chain.levels.back().push_back(level);
  }
  return chain;
}

} // namespace sluice::algorithms::test

#endif // SLUICE_TEST_PASSES_ALGORITHMS_NESTED_CHAIN_H
