//===- uniform.h - the public uniform polynomial of a seed ------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_UNIFORM_H
#define SLUICE_RUNTIME_RING_UNIFORM_H

#include "runtime/base/threads.h"
#include "runtime/ring/modulus.h"
#include "runtime/ring/poly.h"
#include "runtime/ring/ring.h"

#include <span>

namespace sluice::ring {

inline constexpr size_t seedBytes = 32;
using SeedView = std::span<const uint8_t, seedBytes>;

/// docs/formats.md, "Uniform expansion": one limb, `limb` its index in the ring's table, evaluation
/// form. The seed is public.
void expandUniformLimb(SeedView seed, uint32_t digit, uint32_t limb, const Modulus &q,
                       std::span<uint64_t> out);

/// The same for every limb of a polynomial; limb i of `out` is limb limbs[i] of the ring. The same
/// at any thread count.
void expandUniform(const Ring &ring, std::span<const uint16_t> limbs, SeedView seed, uint32_t digit,
                   PolyView out, ThreadPool &pool);

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_UNIFORM_H
