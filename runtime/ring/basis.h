//===- basis.h - ordered sets of limbs --------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_BASIS_H
#define SLUICE_RUNTIME_RING_BASIS_H

#include "runtime/ring/ring.h"

#include <span>
#include <vector>

namespace sluice::ring {

/// Distinct limbs of a ring in a fixed order; D is the product of their primes. The ring must
/// outlive it.
class Basis {
public:
  /// invalidArgument if a limb is not in the ring's table or stands twice.
  static Expected<Basis> create(const Ring &ring, std::span<const uint16_t> limbs);

  size_t size() const { return indices.size(); }
  uint16_t operator[](size_t i) const { return indices[i]; }
  std::span<const uint16_t> limbs() const { return indices; }
  const Modulus &modulus(size_t i) const { return ring->modulus(indices[i]); }
  const kernels::LimbTables &tables(size_t i) const { return ring->tables(indices[i]); }
  bool contains(uint16_t limb) const;

  /// D mod t; 1 mod t for an empty basis.
  uint64_t productModulo(const Modulus &t) const;
  /// D / q_i mod t, q_i the prime of position i.
  uint64_t puncturedProductModulo(size_t i, const Modulus &t) const;
  /// log2 D, to about 1e-13 a limb.
  double productLog2() const;

private:
  Basis() = default;

  const Ring *ring = nullptr;
  std::vector<uint16_t> indices;
};

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_BASIS_H
