//===- sample_parameters.h - the ring of the sample program ---------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_EXEC_SAMPLE_SAMPLE_PARAMETERS_H
#define SLUICE_TEST_RUNTIME_EXEC_SAMPLE_SAMPLE_PARAMETERS_H

#include <stdint.h>

namespace sluice::sample {

// Insecure and small: for tests.
constexpr uint32_t logN = 6;
constexpr uint64_t slots = 32, lanes = 4, batch = slots / lanes;

/// The limb table: levels 0 to 2 are limbs {0}, {0, 1}, {0, 1, 2}; P is limbs {3, 4}. All are 1
/// modulo 2^12.
constexpr uint64_t primes[] = {1125899906629633, 35184372060161, 35184371986433, 1125899906826241,
                               1125899906732033};

/// 5^8 mod 2N: the rotation by slots / lanes, one element of every item.
constexpr uint32_t rotationByOneElement = 97;

constexpr uint32_t arenaSlots = 60;

} // namespace sluice::sample

#endif // SLUICE_TEST_RUNTIME_EXEC_SAMPLE_SAMPLE_PARAMETERS_H
