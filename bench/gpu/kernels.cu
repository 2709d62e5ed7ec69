//===- kernels.cu - times of the kernels at N = 2^16 ------------------------------------------===//
//
// The kernels that programs are made of, on 48 limbs or as a bootstrap uses them, with bytes moved
// and share of the limit. Bytes are what each kernel has to read and write once; the limit is a
// copy of 2 GiB on the same device in the same run. Prints JSON. Values mean nothing; conformance
// is tested elsewhere. Build: nvcc -O3 -std=c++17 -arch=sm_90 -DSLUICE_LOG_N=16 -I. kernels.cu.
//
//===------------------------------------------------------------------------------------------===//
#include "bench/gpu/timing.cuh"
#include "runtime/cuda/conversion_shares.h"
#include "test/runtime/cuda/conformance_kernels.cpp"

#include <vector>

using sluice::ConversionSize;

namespace {

constexpr size_t words = size_t{1} << SLUICE_LOG_N;
constexpr uint32_t limbCount = 48;

double copyGbPerS = 0;
ConversionMachine machine;
bool isFirst = true;

void report(const char *name, double ms, double limbsMoved) {
  const double gbPerS = limbsMoved * words * 8 / ms / 1e6;
  printf("%s\n  {\"kernel\": \"%s\", \"us\": %.2f, \"mb\": %.1f, \"gb_per_s\": %.0f, "
         "\"of_copy\": %.2f}",
         isFirst ? "" : ",", name, ms * 1e3, limbsMoved * words * 8 / 1e6, gbPerS,
         gbPerS / copyGbPerS);
  isFirst = false;
}

template <typename T> T *onDevice(const std::vector<T> &values) {
  T *place;
  CHECK(cudaMalloc(&place, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(place, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return place;
}

__global__ void copyWords(const ulonglong2 *from, ulonglong2 *to, size_t count) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    to[i] = from[i];
}

struct Setup {
  std::vector<LimbConstants *> limbs;
  std::vector<uint64_t *> slots;

  Setup() {
    std::vector<uint64_t> residues(words);
    std::vector<double> roots(words);
    for (size_t i = 0; i < words; ++i) {
      residues[i] = (i * 0x9e3779b97f4a7c15) >> 15;
      roots[i] = static_cast<double>(static_cast<int64_t>(residues[i]) - (int64_t{1} << 48));
    }
    for (uint32_t i = 0; i < limbCount; ++i) {
      LimbConstants limb = {};
      limb.q = (uint64_t{1} << 50) - 27 - 2 * i;
      limb.bits = 50;
      limb.realQ = static_cast<double>(limb.q);
      limb.inverseQ = 1 / limb.realQ;
      limb.barrett = ~uint64_t{0} / 1025;
      limb.wideBarrett = limb.wordBarrett = limb.barrett;
      limb.centredRoots = onDevice(roots);
      limb.centredInverseRoots = onDevice(roots);
      limbs.push_back(onDevice(std::vector<LimbConstants>{limb}));
    }
    for (uint32_t i = 0; i < 16 * limbCount; ++i)
      slots.push_back(onDevice(residues));
  }
};

template <typename Kernel, typename T>
double time(Kernel kernel, Geometry geometry, uint32_t limbs, T *parameters,
            uint32_t sharedBytes = 0) {
  const dim3 blocks(geometry.blocksPerLimb, limbs);
  if (sharedBytes > 0)
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(sharedBytes)));
  return bestMs([&] { kernel<<<blocks, geometry.threads, sharedBytes>>>(parameters); }, 20);
}

/// A limb kernel of conformance_kernels.cpp with `operands` slots and a scalar.
template <typename Kernel>
void elements(const char *name, Kernel kernel, const Setup &setup, uint32_t operands,
              uint32_t scalars, uint64_t scalar = 5) {
  std::vector<uint64_t> parameters;
  for (uint32_t i = 0; i < limbCount; ++i) {
    parameters.push_back(reinterpret_cast<uint64_t>(setup.limbs[i]));
    for (uint32_t o = 0; o < operands; ++o)
      parameters.push_back(reinterpret_cast<uint64_t>(setup.slots[o * limbCount + i]));
    for (uint32_t s = 0; s < scalars; ++s)
      parameters.push_back(scalar);
  }
  report(name,
         time(kernel, elementsGeometry(SLUICE_LOG_N), limbCount,
              static_cast<const uint64_t *>(onDevice(parameters))),
         operands * limbCount);
}

/// Sums of `products` products, as in key switches.
void sums(const Setup &setup, uint32_t products) {
  constexpr uint32_t stride = 6 + 3 * 256;
  std::vector<uint64_t> parameters(limbCount * stride);
  for (uint32_t i = 0; i < limbCount; ++i) {
    uint64_t *own = parameters.data() + i * stride;
    own[0] = reinterpret_cast<uint64_t>(setup.limbs[i]);
    for (uint32_t o = 0; o < 4; ++o)
      own[1 + o] = reinterpret_cast<uint64_t>(setup.slots[o * limbCount + i]);
    own[5] = products;
    for (uint32_t o = 0; o < 3 * products; ++o)
      own[6 + o] = reinterpret_cast<uint64_t>(setup.slots[(1 + o) % 16 * limbCount + i]);
  }
  char name[64];
  snprintf(name, sizeof name, "sums of %u products", products);
  report(name,
         time(conformance_sums, elementsGeometry(SLUICE_LOG_N), limbCount,
              static_cast<const uint64_t *>(onDevice(parameters))),
         (4 + 3 * products) * limbCount);
}

void transforms(const Setup &setup) {
  std::vector<TransformParameters> parameters;
  std::vector<SourceParameters> sources;
  for (uint32_t i = 0; i < limbCount; ++i) {
    parameters.push_back({setup.limbs[i], setup.slots[i], setup.slots[limbCount + i]});
    sources.push_back({setup.limbs[i], setup.slots[i], setup.slots[limbCount + i], {5, 0}, {7, 0}});
  }
  const TransformParameters *place = onDevice(parameters);
  const double limbs = 2 * limbCount;
  report("forward_columns",
         time(sluice_forward_columns, columnsGeometry(SLUICE_LOG_N), limbCount, place), limbs);
  report("ntt_rows", time(sluice_ntt_rows, rowsGeometry(SLUICE_LOG_N), limbCount, place), limbs);
  report("intt_rows", time(sluice_intt_rows, rowsGeometry(SLUICE_LOG_N), limbCount, place), limbs);
  report("inverse_columns",
         time(sluice_inverse_columns, columnsGeometry(SLUICE_LOG_N), limbCount,
              static_cast<const SourceParameters *>(onDevice(sources))),
         limbs);
}

/// A launch of conversions of these sizes, shared out as the backend does.
void convert(const Setup &setup, const char *what, const std::vector<ConversionSize> &sizes) {
  std::vector<SourceParameters> from;
  std::vector<DestinationParameters> to;
  for (ConversionSize size : sizes) {
    for (uint32_t k = 0; k < size.sources; ++k)
      from.push_back({setup.limbs[k], setup.slots[k], setup.slots[limbCount + k], {5, 0}, {7, 0}});
    const ConversionFactor *factors =
        onDevice(std::vector<ConversionFactor>(size.sources, {12345, 12345}));
    for (uint32_t t = 0; t < size.destinations; ++t)
      to.push_back({setup.limbs[t], setup.slots[2 * limbCount + to.size()], factors, {77, 77}});
  }
  const ConversionShares shares = shareConversions(sizes, SLUICE_LOG_N, machine);
  const ConversionPart *parts = onDevice(partsOf(shares, sizes, onDevice(from), onDevice(to)));
  const ConversionShare *blocks = onDevice(sharesOf(shares, parts));
  const Geometry geometry = {static_cast<uint32_t>(shares.blocks.size()),
                             conversionGeometry(SLUICE_LOG_N).threads};
  report(what, time(sluice_convert_columns, geometry, 1, blocks, shares.sharedBytes),
         static_cast<double>(from.size() + to.size()));
}

} // namespace

int main() {
  const size_t large = size_t(2) << 30, count = large / 16;
  ulonglong2 *from, *to;
  CHECK(cudaMalloc(&from, large));
  CHECK(cudaMalloc(&to, large));
  const double ms =
      bestMs([&] { copyWords<<<static_cast<unsigned>(count / 512), 512>>>(from, to, count); });
  copyGbPerS = 2.0 * large / ms / 1e6;
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  machine.multiprocessors = static_cast<uint32_t>(device.multiProcessorCount);
  machine.sharedMemoryOfBlock = static_cast<uint32_t>(device.sharedMemPerBlockOptin);
  cudaFuncAttributes kernel;
  CHECK(cudaFuncGetAttributes(&kernel, sluice_convert_columns));
  machine.sharedMemoryOfKernel = static_cast<uint32_t>(kernel.sharedSizeBytes);
  printf("{\"copy_gb_per_s\": %.0f, \"limbs\": %u, \"kernels\": [", copyGbPerS, limbCount);
  Setup setup;
  transforms(setup);
  // The launches of a bootstrap are such ones.
  convert(setup, "convert_columns, ModUp of 5 digits",
          {{30, 6}, {30, 6}, {30, 6}, {30, 6}, {30, 6}});
  convert(setup, "convert_columns, ModDown of 2", {{25, 8}, {25, 8}});
  convert(setup, "convert_columns, 1 of 6 limbs", {{28, 6}});
  convert(setup, "convert_columns, rescale of 12", std::vector<ConversionSize>(12, {20, 2}));
  convert(setup, "convert_columns, ModDown of 8", std::vector<ConversionSize>(8, {20, 8}));
  elements("add", conformance_add, setup, 3, 0);
  elements("mul", conformance_mul, setup, 3, 0);
  elements("mac", conformance_mac, setup, 4, 0);
  elements("mul_scalar", conformance_mul_scalar, setup, 2, 1);
  elements("automorphism", conformance_automorphism, setup, 2, 1, 5 * 5 * 5 * 5 * 5);
  sums(setup, 4);
  sums(setup, 15);
  printf("\n]}\n");
}
