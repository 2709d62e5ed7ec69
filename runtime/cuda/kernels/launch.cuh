//===- launch.cuh - one way to write a kernel, for devices and for the host -------------------===//
//
// Kernels are written for a block of threads: what threads do between two barriers is the body of
// SLUICE_FOR_THREADS, and what a thread keeps from one body to the next is in Registers. nvcc makes
// the usual code of it, one thread each. As ordinary C++ (SLUICE_CUDA_HOST_SHIM) the body is a loop
// and Registers hold the values of all threads, so that kernels are tested where there is no GPU.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_CUH
#define SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_CUH

#include <cstdint>
#ifdef SLUICE_CUDA_HOST_SHIM
#include <vector>
#endif

namespace sluice::cuda {

/// The block's place in the grid: x along a limb, y the limb; of conversions x is the share.
struct BlockIndex {
  uint32_t x, y;
};

#ifdef SLUICE_CUDA_HOST_SHIM

#define SLUICE_DEVICE inline
#define SLUICE_SHARED(type, name, count) type name[count]
/// As many as the launch has room for: `count`, which need not be a constant.
#define SLUICE_LAUNCHED_SHARED(type, name, count)                                                  \
  std::vector<type> name##_place(count);                                                           \
  type *const name = name##_place.data()
#define SLUICE_FOR_THREADS(count) for (uint32_t thread = 0; thread < (count); ++thread)
#define SLUICE_UNROLL
#define SLUICE_UNROLL_BY(count)

inline void blockBarrier() {}
inline void warpBarrier() {}

/// `PerThread` values of each of the block's threads.
template <typename T, uint32_t Threads, uint32_t PerThread> struct Registers {
  T values[Threads][PerThread];
  T *of(uint32_t thread) { return values[thread]; }
  const T *of(uint32_t thread) const { return values[thread]; }
};

/// kernel(arguments, x, y): the block (x, y) of a launch; arguments as cuLaunchKernel takes them.
#define SLUICE_KERNEL(name, Block, A, a)                                                           \
  static void name##_block(A a, ::sluice::cuda::BlockIndex index);                                 \
  extern "C" __attribute__((visibility("default"))) void name(void **arguments, uint32_t x,        \
                                                              uint32_t y) {                        \
    name##_block(*static_cast<A *>(arguments[0]), {x, y});                                         \
  }                                                                                                \
  static void name##_block(A a, ::sluice::cuda::BlockIndex index)

#else

#define SLUICE_DEVICE __device__ __forceinline__
#define SLUICE_SHARED(type, name, count) __shared__ type name[count]
#define SLUICE_LAUNCHED_SHARED(type, name, count) extern __shared__ type name[]
#define SLUICE_FOR_THREADS(count) if (const uint32_t thread = threadIdx.x; true)
#define SLUICE_UNROLL _Pragma("unroll")
#define SLUICE_PRAGMA(text) _Pragma(#text)
#define SLUICE_UNROLL_BY(count) SLUICE_PRAGMA(unroll count)

__device__ __forceinline__ void blockBarrier() { __syncthreads(); }
__device__ __forceinline__ void warpBarrier() { __syncwarp(); }

template <typename T, uint32_t Threads, uint32_t PerThread> struct Registers {
  T values[PerThread];
  __device__ __forceinline__ T *of(uint32_t) { return values; }
  __device__ __forceinline__ const T *of(uint32_t) const { return values; }
};

#define SLUICE_KERNEL(name, Block, A, a)                                                           \
  __device__ __forceinline__ void name##_block(A a, ::sluice::cuda::BlockIndex index);             \
  extern "C" __global__ void __launch_bounds__(Block::threads) name(A a) {                         \
    name##_block(a, {blockIdx.x, blockIdx.y});                                                     \
  }                                                                                                \
  __device__ __forceinline__ void name##_block(A a, ::sluice::cuda::BlockIndex index)

#endif

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_KERNELS_LAUNCH_CUH
