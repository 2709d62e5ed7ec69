//===- timing.cuh - checks and times of the GPU benchmarks ------------------------------------===//
#ifndef SLUICE_BENCH_GPU_TIMING_CUH
#define SLUICE_BENCH_GPU_TIMING_CUH

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t error = (call);                                                              \
    if (error != cudaSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

/// Milliseconds on the device of one call of `launch`: the best of some, after one to warm up.
template <typename Launch>
double bestMs(const Launch &launch, int runs = 5, cudaStream_t stream = nullptr) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  launch();
  double best = 1e30;
  for (int run = 0; run < runs; ++run) {
    CHECK(cudaEventRecord(begin, stream));
    launch();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    best = std::min(best, static_cast<double>(ms));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return best;
}

#endif // SLUICE_BENCH_GPU_TIMING_CUH
