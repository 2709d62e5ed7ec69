//===- modulus.h - arithmetic modulo the prime of one limb ------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_MODULUS_H
#define SLUICE_RUNTIME_RING_MODULUS_H

#include "runtime/base/status.h"
#include "runtime/kernels/kernels.h"

#include <cstdint>

namespace sluice::ring {

/// An odd modulus q, 2^19 < q < 2^50, meant to be prime, with its reduction constants. Residues are
/// words in [0, q); arguments called residue must be in that range. For whole limbs use the
/// kernels.
class Modulus {
public:
  /// outOfRange unless q is odd and has 20 to 50 bits. Primality is not checked (primes.h).
  static Expected<Modulus> create(uint64_t q);

  uint64_t value() const { return prime.q; }
  unsigned bits() const { return prime.bits; }
  const kernels::PrimeConstants &constants() const { return prime; }

  /// Any word, any signed word, high * 2^64 + low: modulo q.
  uint64_t reduce(uint64_t word) const;
  uint64_t reduceSigned(int64_t word) const;
  uint64_t reduceWide(uint64_t high, uint64_t low) const;

  uint64_t add(uint64_t a, uint64_t b) const;
  uint64_t sub(uint64_t a, uint64_t b) const;
  uint64_t negate(uint64_t a) const;
  uint64_t mul(uint64_t a, uint64_t b) const;
  uint64_t pow(uint64_t base, uint64_t exponent) const;
  /// a^(q-2): the inverse for prime q and a != 0; 0 for a = 0.
  uint64_t inverse(uint64_t a) const;

  /// The residue with the quotient of Shoup's product.
  kernels::ShoupFactor shoupFactor(uint64_t residue) const;

private:
  kernels::PrimeConstants prime;
};

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_MODULUS_H
