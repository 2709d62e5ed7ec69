//===- poly.cpp - views of residue polynomials ------------------------------------------------===//
#include "runtime/ring/poly.h"

namespace sluice::ring {

void toEvalInPlace(const Ring &ring, std::span<const uint16_t> limbs, PolyView poly,
                   ThreadPool &pool) {
  assert(limbs.size() == poly.limbCount && poly.degree == ring.degree());
  parallelFor(pool, limbs.size(), [&](size_t i) {
    ring.kernels().ntt(ring.tables(limbs[i]), poly.limb(i), poly.limb(i));
  });
}

void toCoeffInPlace(const Ring &ring, std::span<const uint16_t> limbs, PolyView poly,
                    ThreadPool &pool) {
  assert(limbs.size() == poly.limbCount && poly.degree == ring.degree());
  parallelFor(pool, limbs.size(), [&](size_t i) {
    ring.kernels().intt(ring.tables(limbs[i]), poly.limb(i), poly.limb(i));
  });
}

} // namespace sluice::ring
