//===- launch.cuh - what a kernel file needs, on a device and under the host shim -------------===//
//
// Kernel files are compiled twice: by nvcc for devices, and as ordinary C++ (SLUICE_CUDA_HOST_SHIM) for the conformance
// tests, so that the code of a kernel is tested where there is no GPU. Under the shim a launch is a loop over the global index.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_CUH

#include <cstdint>

#ifdef SLUICE_CUDA_HOST_SHIM
#define SLUICE_DEVICE static inline
#define SLUICE_KERNEL static void
namespace sluice::cuda {
/// The index that `globalIndex` gives under the shim; the test's launch loop sets it.
inline thread_local uint64_t shimIndex = 0;
} // namespace sluice::cuda
SLUICE_DEVICE uint64_t globalIndex() { return sluice::cuda::shimIndex; }
SLUICE_DEVICE uint64_t mulHigh(uint64_t a, uint64_t b) {
  __extension__ using Word128 = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Word128>(a) * b) >> 64);
}
#else
#define SLUICE_DEVICE __device__ __forceinline__
#define SLUICE_KERNEL extern "C" __global__ void
SLUICE_DEVICE uint64_t globalIndex() {
  return static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
SLUICE_DEVICE uint64_t mulHigh(uint64_t a, uint64_t b) { return __umul64hi(a, b); }
#endif

#endif // SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_CUH
