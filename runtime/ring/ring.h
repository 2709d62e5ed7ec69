//===- ring.h - a power-of-two cyclotomic ring with its table of limbs ------------------------===//
#ifndef SLUICE_RUNTIME_RING_RING_H
#define SLUICE_RUNTIME_RING_RING_H

#include "runtime/base/status.h"
#include "runtime/kernels/kernels.h"
#include "runtime/ring/modulus.h"
#include "runtime/ring/ntt_tables.h"

#include <memory>
#include <span>
#include <vector>

namespace sluice::ring {

/// Z[X]/(X^N + 1) modulo each prime of a limb table, with all precomputed constants and the kernels
/// to compute with. Immutable, so threads may share it. Move-only; moving keeps pointers to its
/// tables valid.
class Ring {
public:
  /// 3 <= logN <= 17; primes distinct, of 20 to 50 bits, 1 mod 2N. outOfRange or invalidArgument
  /// otherwise; also fails as kernels::selectKernels does.
  static Expected<Ring> create(unsigned logN, std::span<const uint64_t> primes);

  unsigned logN() const { return degreeLog2; }
  /// N.
  size_t degree() const { return size_t{1} << degreeLog2; }
  size_t limbCount() const { return moduli.size(); }

  /// Limb `limb` of the table.
  const Modulus &modulus(size_t limb) const {
    assert(limb < moduli.size());
    return moduli[limb];
  }
  const kernels::LimbTables &tables(size_t limb) const {
    assert(limb < limbs.size());
    return limbs[limb].tables();
  }

  /// The row of kernels chosen for the widest limb.
  const kernels::KernelTable &kernels() const { return *kernelTable; }

  /// Roots of the embedding for up to N/2 slots, as kernels.h `embed` takes them.
  const double *embeddingRoots() const { return embedding.get(); }
  /// The same in double-double, planes of N/2, as `embedWide` takes them.
  const double *wideEmbeddingRoots() const { return wideEmbedding.get(); }

private:
  Ring() = default;

  unsigned degreeLog2 = 0;
  std::vector<Modulus> moduli;
  std::vector<NttTables> limbs;
  std::unique_ptr<double[]> embedding, wideEmbedding;
  const kernels::KernelTable *kernelTable = nullptr;
};

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_RING_H
