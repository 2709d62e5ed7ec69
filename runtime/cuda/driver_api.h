//===- driver_api.h - the functions of NVIDIA's driver that the backend calls -----------------===//
//
// Types, constants and signatures of the CUDA driver interface, as its documentation gives them
// (CUDA Driver API, chapters "Data types used by CUDA driver" and 6.2 to 6.23,
// docs.nvidia.com/cuda/cuda-driver-api). They are declared here since no CUDA header need be
// installed; the library is opened at run time, so that nothing links it. Symbols are those of the
// version that the documentation of CUDA 12 has for each name (the _v2 of cuda.h).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_DRIVER_API_H
#define SLUICE_RUNTIME_CUDA_DRIVER_API_H

#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>

namespace sluice::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUgraph = struct CUgraph_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUgraphExec = struct CUgraphExec_st *;
using CUarray = struct CUarray_st *;

inline constexpr CUresult cudaSuccess = 0;            // CUDA_SUCCESS
inline constexpr CUresult cudaOutOfMemory = 2;        // CUDA_ERROR_OUT_OF_MEMORY
inline constexpr CUresult cudaNotFound = 500;         // CUDA_ERROR_NOT_FOUND
inline constexpr CUresult cudaAlreadyPinned = 712;    // ..._HOST_MEMORY_ALREADY_REGISTERED
inline constexpr int cudaMultiprocessorCount = 16;    // CU_DEVICE_ATTRIBUTE_...
inline constexpr int cudaMaxSharedMemoryOfBlock = 97; // ..._MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
inline constexpr int cudaKernelSharedBytes = 1;       // CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
inline constexpr int cudaKernelMaxLaunchedShared = 8; // ..._MAX_DYNAMIC_SHARED_SIZE_BYTES
inline constexpr int cudaMemoryHost = 1;              // CU_MEMORYTYPE_HOST
inline constexpr int cudaMemoryDevice = 2;            // CU_MEMORYTYPE_DEVICE
inline constexpr unsigned cudaStreamNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
inline constexpr unsigned cudaPortablePinned = 1;     // CU_MEMHOSTREGISTER_PORTABLE

/// CUDA_KERNEL_NODE_PARAMS, version 1: what cuGraphAddKernelNode without a suffix takes.
struct KernelNodeParameters {
  CUfunction func;
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void **kernelParams, **extra;
};

/// CUDA_MEMCPY3D, version 2.
struct Memcpy3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  int srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  int dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t widthInBytes, height, depth;
};

// SLUICE_DRIVER_FUNCTION(member, symbol, parameters), for each function that is used.
#define SLUICE_DRIVER_FUNCTIONS(SLUICE_DRIVER_FUNCTION)                                            \
  SLUICE_DRIVER_FUNCTION(init, cuInit, (unsigned))                                                 \
  SLUICE_DRIVER_FUNCTION(driverGetVersion, cuDriverGetVersion, (int *))                            \
  SLUICE_DRIVER_FUNCTION(getErrorName, cuGetErrorName, (CUresult, const char **))                  \
  SLUICE_DRIVER_FUNCTION(getErrorString, cuGetErrorString, (CUresult, const char **))              \
  SLUICE_DRIVER_FUNCTION(deviceGetCount, cuDeviceGetCount, (int *))                                \
  SLUICE_DRIVER_FUNCTION(deviceGet, cuDeviceGet, (CUdevice *, int))                                \
  SLUICE_DRIVER_FUNCTION(deviceGetName, cuDeviceGetName, (char *, int, CUdevice))                  \
  SLUICE_DRIVER_FUNCTION(deviceGetAttribute, cuDeviceGetAttribute, (int *, int, CUdevice))         \
  SLUICE_DRIVER_FUNCTION(primaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))      \
  SLUICE_DRIVER_FUNCTION(primaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice))              \
  SLUICE_DRIVER_FUNCTION(ctxSetCurrent, cuCtxSetCurrent, (CUcontext))                              \
  SLUICE_DRIVER_FUNCTION(memGetInfo, cuMemGetInfo_v2, (size_t *, size_t *))                        \
  SLUICE_DRIVER_FUNCTION(memAlloc, cuMemAlloc_v2, (CUdeviceptr *, size_t))                         \
  SLUICE_DRIVER_FUNCTION(memFree, cuMemFree_v2, (CUdeviceptr))                                     \
  SLUICE_DRIVER_FUNCTION(memAllocHost, cuMemAllocHost_v2, (void **, size_t))                       \
  SLUICE_DRIVER_FUNCTION(memFreeHost, cuMemFreeHost, (void *))                                     \
  SLUICE_DRIVER_FUNCTION(memHostRegister, cuMemHostRegister_v2, (void *, size_t, unsigned))        \
  SLUICE_DRIVER_FUNCTION(memHostUnregister, cuMemHostUnregister, (void *))                         \
  SLUICE_DRIVER_FUNCTION(copyToDevice, cuMemcpyHtoDAsync_v2,                                       \
                         (CUdeviceptr, const void *, size_t, CUstream))                            \
  SLUICE_DRIVER_FUNCTION(copyFromDevice, cuMemcpyDtoHAsync_v2,                                     \
                         (void *, CUdeviceptr, size_t, CUstream))                                  \
  SLUICE_DRIVER_FUNCTION(moduleLoadData, cuModuleLoadData, (CUmodule *, const void *))             \
  SLUICE_DRIVER_FUNCTION(moduleUnload, cuModuleUnload, (CUmodule))                                 \
  SLUICE_DRIVER_FUNCTION(moduleGetFunction, cuModuleGetFunction,                                   \
                         (CUfunction *, CUmodule, const char *))                                   \
  SLUICE_DRIVER_FUNCTION(funcGetAttribute, cuFuncGetAttribute, (int *, int, CUfunction))           \
  SLUICE_DRIVER_FUNCTION(funcSetAttribute, cuFuncSetAttribute, (CUfunction, int, int))             \
  SLUICE_DRIVER_FUNCTION(launchKernel, cuLaunchKernel,                                             \
                         (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,  \
                          unsigned, CUstream, void **, void **))                                   \
  SLUICE_DRIVER_FUNCTION(streamCreate, cuStreamCreate, (CUstream *, unsigned))                     \
  SLUICE_DRIVER_FUNCTION(streamDestroy, cuStreamDestroy_v2, (CUstream))                            \
  SLUICE_DRIVER_FUNCTION(streamSynchronize, cuStreamSynchronize, (CUstream))                       \
  SLUICE_DRIVER_FUNCTION(eventCreate, cuEventCreate, (CUevent *, unsigned))                        \
  SLUICE_DRIVER_FUNCTION(eventDestroy, cuEventDestroy_v2, (CUevent))                               \
  SLUICE_DRIVER_FUNCTION(eventRecord, cuEventRecord, (CUevent, CUstream))                          \
  SLUICE_DRIVER_FUNCTION(eventElapsedTime, cuEventElapsedTime, (float *, CUevent, CUevent))        \
  SLUICE_DRIVER_FUNCTION(graphCreate, cuGraphCreate, (CUgraph *, unsigned))                        \
  SLUICE_DRIVER_FUNCTION(graphDestroy, cuGraphDestroy, (CUgraph))                                  \
  SLUICE_DRIVER_FUNCTION(                                                                          \
      graphAddKernelNode, cuGraphAddKernelNode,                                                    \
      (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const KernelNodeParameters *))         \
  SLUICE_DRIVER_FUNCTION(                                                                          \
      graphAddMemcpyNode, cuGraphAddMemcpyNode,                                                    \
      (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const Memcpy3D *, CUcontext))          \
  SLUICE_DRIVER_FUNCTION(graphInstantiate, cuGraphInstantiateWithFlags,                            \
                         (CUgraphExec *, CUgraph, unsigned long long))                             \
  SLUICE_DRIVER_FUNCTION(graphExecDestroy, cuGraphExecDestroy, (CUgraphExec))                      \
  SLUICE_DRIVER_FUNCTION(graphLaunch, cuGraphLaunch, (CUgraphExec, CUstream))

/// The driver's functions, each by its name without `cu`.
struct DriverApi {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a member's name takes none, parameters have theirs
#define SLUICE_DRIVER_MEMBER(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  SLUICE_DRIVER_FUNCTIONS(SLUICE_DRIVER_MEMBER)
#undef SLUICE_DRIVER_MEMBER

  /// What a function returned, as a failure of `call` in the driver's own words. io: it has no
  /// memory; internal: anything else.
  Status statusOf(CUresult result, const char *call) const;
};

/// Opens `library` (it stays open) and finds every function. notFound: it is not installed, or
/// older than this source needs.
Expected<DriverApi> openDriverApi(const char *library = "libcuda.so.1");

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_DRIVER_API_H
