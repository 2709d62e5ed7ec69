//===- limb_constants.h - what kernels know of one limb, on the device ------------------------===//
//
// Made by the backend from kernels::LimbTables and copied to the device once for each limb of the
// table. Pointers are addresses on the device. Plain data for both sides: no include of the
// runtime.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_LIMB_CONSTANTS_H
#define SLUICE_RUNTIME_CUDA_KERNELS_LIMB_CONSTANTS_H

#include <cstdint>

/// For functions that both sides compute constants with.
#ifdef __CUDACC__
#define SLUICE_CONSTANT __host__ __device__ constexpr
#else
#define SLUICE_CONSTANT constexpr
#endif

namespace sluice::cuda {

/// A constant c modulo q with floor(c * 2^64 / q), as kernels::ShoupFactor.
struct Factor {
  uint64_t value, quotient;
};

/// The fields of kernels::LimbTables that kernels use, in evaluation order: root i is psi^r(i).
struct LimbConstants {
  uint64_t q;
  uint64_t bits;          // 2^(bits-1) < q < 2^bits
  uint64_t barrett;       // floor(2^(bits+54) / q)
  uint64_t wideBarrett;   // floor(2^(bits+62) / q)
  uint64_t wordBarrett;   // floor(2^64 / q)
  double realQ, inverseQ; // q, and 1/q rounded to nearest
  Factor inverseN;        // N^-1
  Factor inverseNRoot;    // N^-1 * inverseRoots[1]
  Factor pow2To60;        // 2^60
  // N of each. Devices with fast doubles use the centred ones, in (-q/2, q/2); others the rest.
  const double *centredRoots, *centredInverseRoots;
  const uint64_t *roots, *rootQuotients, *inverseRoots, *inverseRootQuotients;
};

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_LIMB_CONSTANTS_H
