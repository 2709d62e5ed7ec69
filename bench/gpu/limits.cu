//===- limits.cu - what a device can do: the limits that kernels are measured against ---------===//
//
// Rates of integer and double products, bandwidths of memory and of the second-level cache, a
// transpose through distributed shared memory, and what replaying a graph of launches costs. Prints
// JSON. Build: nvcc -O3 -std=c++17 -arch=sm_90 limits.cu.
//
//===------------------------------------------------------------------------------------------===//
#include "bench/gpu/timing.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

constexpr int chains = 8, rounds = 1024, unroll = 16;

enum class Instruction { imadLow, imadWide, imadHigh, dfma, dfmaAndImad };

/// Independent chains of one instruction in each thread.
template <Instruction instruction> __global__ void rate(uint64_t *out, uint32_t a, double d) {
  uint32_t low[chains];
  uint64_t wide[chains];
  double real[chains];
  for (int c = 0; c < chains; ++c) {
    low[c] = threadIdx.x + c;
    wide[c] = threadIdx.x + c;
    real[c] = threadIdx.x + c;
  }
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
#pragma unroll
      for (int c = 0; c < chains; ++c) {
        if (instruction == Instruction::imadLow || instruction == Instruction::dfmaAndImad)
          asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(low[c]) : "r"(a));
        if (instruction == Instruction::imadWide)
          asm volatile("{.reg .u32 x, y; mov.b64 {x, y}, %0; mad.wide.u32 %0, x, %1, %0;}"
                       : "+l"(wide[c])
                       : "r"(a));
        if (instruction == Instruction::imadHigh)
          asm volatile("mad.hi.u32 %0, %0, %1, %1;" : "+r"(low[c]) : "r"(a));
        if (instruction == Instruction::dfma || instruction == Instruction::dfmaAndImad)
          asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(real[c]) : "d"(d));
      }
    }
  }
  uint64_t sum = 0;
  for (int c = 0; c < chains; ++c)
    sum += low[c] + wide[c] + static_cast<uint64_t>(real[c]);
  if (sum == 42)
    *out = sum;
}

/// Instructions a second, in units of 10^12, of one kind of each pair.
template <Instruction instruction> double measureRate(int multiprocessors, uint64_t *out) {
  const int blocks = multiprocessors * 8, threads = 256;
  const double ms = bestMs([&] { rate<instruction><<<blocks, threads>>>(out, 3, 0.5); });
  return double(blocks) * threads * chains * rounds * unroll / ms * 1e3 / 1e12;
}

__global__ void readWords(const ulonglong2 *words, size_t count, int repeats, uint64_t *out) {
  uint64_t sum = 0;
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (int r = 0; r < repeats; ++r)
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
      ulonglong2 v;
      asm volatile("ld.global.cg.v2.u64 {%0, %1}, [%2];" : "=l"(v.x), "=l"(v.y) : "l"(words + i));
      sum += v.x ^ v.y;
    }
  if (sum == 42)
    *out = sum;
}

__global__ void writeWords(ulonglong2 *words, size_t count, int repeats) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (int r = 0; r < repeats; ++r)
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
      words[i] = make_ulonglong2(i, r);
}

__global__ void copyWords(const ulonglong2 *from, ulonglong2 *to, size_t count) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] = from[i];
}

/// Two blocks, 128 KiB each, exchange halves through each other's shared memory: the step between
/// the two halves of a transform of 2^15 words in one launch.
__global__ void __cluster_dims__(2, 1, 1) exchangeInCluster(uint64_t *out, int repeats) {
  extern __shared__ uint64_t own[];
  constexpr int words = 16384;
  cg::cluster_group cluster = cg::this_cluster();
  uint64_t *other = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
  for (int i = threadIdx.x; i < words; i += blockDim.x)
    own[i] = i;
  uint64_t sum = 0;
  for (int r = 0; r < repeats; ++r) {
    cluster.sync();
    for (int i = threadIdx.x; i < words / 2; i += blockDim.x)
      sum += other[i];
    cluster.sync();
    for (int i = threadIdx.x; i < words / 2; i += blockDim.x)
      own[words / 2 + i] = sum + i;
  }
  if (sum == 42)
    *out = sum;
}

__global__ void nothing() {}

/// Microseconds that one replay of a chain of so many empty kernels takes.
double replayUs(int nodes) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t last = nullptr;
  for (int i = 0; i < nodes; ++i) {
    cudaKernelNodeParams parameters = {};
    parameters.func = reinterpret_cast<void *>(nothing);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(32);
    cudaGraphNode_t node;
    CHECK(cudaGraphAddKernelNode(&node, graph, last ? &last : nullptr, last ? 1 : 0, &parameters));
    last = node;
  }
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const double us = 1e3 * bestMs([&] { CHECK(cudaGraphLaunch(executable, stream)); }, 20, stream);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return us;
}

} // namespace

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  const int sms = device.multiProcessorCount;
  uint64_t *out;
  CHECK(cudaMalloc(&out, 64));
  printf("{\"device\": \"%s\", \"multiprocessors\": %d, \"l2_bytes\": %d,\n", device.name, sms,
         device.l2CacheSize);
  printf(" \"tera_instructions_per_s\": {\"imad_low\": %.2f, \"imad_wide\": %.2f, "
         "\"imad_high\": %.2f, \"dfma\": %.2f, \"dfma_beside_as_many_imad\": %.2f},\n",
         measureRate<Instruction::imadLow>(sms, out), measureRate<Instruction::imadWide>(sms, out),
         measureRate<Instruction::imadHigh>(sms, out), measureRate<Instruction::dfma>(sms, out),
         measureRate<Instruction::dfmaAndImad>(sms, out));

  const size_t large = size_t(4) << 30;
  ulonglong2 *from, *to;
  CHECK(cudaMalloc(&from, large));
  CHECK(cudaMalloc(&to, large));
  CHECK(cudaMemset(from, 1, large));
  printf(" \"gb_per_s\": {");
  for (size_t megabytes : {8, 24, 40}) {
    const size_t count = (megabytes << 20) / 16;
    const int repeats = 64;
    const double read = bestMs([&] { readWords<<<sms * 4, 512>>>(from, count, repeats, out); });
    const double write = bestMs([&] { writeWords<<<sms * 4, 512>>>(from, count, repeats); });
    printf("\"read_%zu_mib\": %.0f, \"write_%zu_mib\": %.0f, ", megabytes,
           count * 16.0 * repeats / read / 1e6, megabytes, count * 16.0 * repeats / write / 1e6);
  }
  const size_t count = large / 16;
  const double read = bestMs([&] { readWords<<<sms * 4, 512>>>(from, count, 1, out); });
  const double copy =
      bestMs([&] { copyWords<<<static_cast<unsigned>(count / 512), 512>>>(from, to, count); });
  printf("\"read_4_gib\": %.0f, \"copy_4_gib\": %.0f},\n", large / read / 1e6,
         2.0 * large / copy / 1e6);

  const int repeats = 256, bytes = 131072;
  CHECK(
      cudaFuncSetAttribute(exchangeInCluster, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const int blocks = sms / 2 * 2;
  const double exchange = bestMs([&] { exchangeInCluster<<<blocks, 1024, bytes>>>(out, repeats); });
  printf(" \"cluster_exchange\": {\"us_per_256_kib\": %.3f, \"gb_per_s\": %.0f},\n",
         1e3 * exchange / repeats, blocks * double(bytes) / 2 * repeats / exchange / 1e6);
  const double few = replayUs(500), many = replayUs(1600);
  printf(" \"graph_replay_us\": {\"500_nodes\": %.1f, \"1600_nodes\": %.1f}}\n", few, many);
}
