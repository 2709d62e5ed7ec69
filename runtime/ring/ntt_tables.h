//===- ntt_tables.h - the constants of one limb -----------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_NTT_TABLES_H
#define SLUICE_RUNTIME_RING_NTT_TABLES_H

#include "runtime/base/arena.h"
#include "runtime/kernels/kernels.h"
#include "runtime/ring/modulus.h"

#include <memory>
#include <vector>

namespace sluice::ring {

/// The lowest `bits` bits of `value` in reversed order.
uint64_t reverseBits(uint64_t value, unsigned bits);

/// The primitive 2N-th root psi that docs/formats.md fixes for the prime q = 1 mod 2N: a^((q-1)/2N)
/// for the smallest a >= 2 that is not a square.
uint64_t primitiveRoot(const Modulus &q, unsigned logN);

/// Owner of a limb's kernels::LimbTables. Move-only; tables() keeps its pointers through moves.
class NttTables {
public:
  /// q must be an NTT prime for logN (isNttPrime).
  NttTables(const Modulus &q, unsigned logN);

  const kernels::LimbTables &tables() const { return limb; }

private:
  AlignedWords words; // roots, their quotients, inverse roots, their quotients: N words each
  std::unique_ptr<uint64_t[]> shortQuotients;   // of 52 bits, of the first roots and inverse roots
  std::vector<kernels::TwistedRow> twistedRows; // of the NTT, then of the inverse
  std::vector<kernels::TwistedBlock> twistedBlocks;
  std::unique_ptr<double[]> centred; // roots and inverse roots, N each
  kernels::LimbTables limb;
};

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_NTT_TABLES_H
