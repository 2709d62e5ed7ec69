//===- kernels.cu - times of the kernels at N = 2^16 ------------------------------------------===//
//
// The kernels that programs are made of, on 48 limbs or as a bootstrap uses them, with bytes moved
// and share of the limit. Bytes are what each kernel has to read and write once; the limit is a
// copy of 2 GiB on the same device in the same run. Prints JSON. Values mean nothing; conformance
// is tested elsewhere. Build: nvcc -O3 -std=c++17 -arch=sm_90 -DSLUICE_LOG_N=16 -I. kernels.cu.
//
//===------------------------------------------------------------------------------------------===//
#include "bench/gpu/timing.cuh"
#include "test/runtime/cuda/conformance_kernels.cpp"

#include <vector>

namespace {

constexpr size_t words = size_t{1} << SLUICE_LOG_N;
constexpr uint32_t limbCount = 48;

double copyGbPerS = 0;
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

/// Conversions as a launch of a bootstrap has them, each tile of one in a block of its own.
void convert(const Setup &setup, uint32_t conversions, uint32_t sources, uint32_t destinations,
             uint32_t held) {
  const Geometry geometry = conversionGeometry(SLUICE_LOG_N);
  std::vector<ConversionPart> parts;
  for (uint32_t conversion = 0; conversion < conversions; ++conversion) {
    std::vector<SourceParameters> from;
    std::vector<DestinationParameters> to;
    for (uint32_t k = 0; k < sources; ++k)
      from.push_back({setup.limbs[k], setup.slots[k], setup.slots[limbCount + k], {5, 0}, {7, 0}});
    const ConversionFactor *factors =
        onDevice(std::vector<ConversionFactor>(sources, {12345, 12345}));
    for (uint32_t t = 0; t < destinations; ++t)
      to.push_back(
          {setup.limbs[t], setup.slots[(2 + conversion) * limbCount + t], factors, {77, 77}});
    const SourceParameters *fromPlace = onDevice(from);
    const DestinationParameters *toPlace = onDevice(to);
    for (uint32_t tile = 0; tile < geometry.blocksPerLimb; ++tile)
      parts.push_back({fromPlace, toPlace, sources, destinations, held, tile});
  }
  const ConversionPart *place = onDevice(parts);
  std::vector<ConversionShare> shares;
  for (size_t i = 0; i < parts.size(); ++i)
    shares.push_back({place + i, 1});
  const double ms =
      time(sluice_convert_columns, {static_cast<uint32_t>(shares.size()), geometry.threads}, 1,
           static_cast<const ConversionShare *>(onDevice(shares)),
           conversionBytes(SLUICE_LOG_N, held, sources));
  char name[64];
  snprintf(name, sizeof name, "%u times convert_columns %u (%u held) to %u", conversions, sources,
           held, destinations);
  report(name, ms, conversions * (sources + destinations));
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
  printf("{\"copy_gb_per_s\": %.0f, \"limbs\": %u, \"kernels\": [", copyGbPerS, limbCount);
  Setup setup;
  transforms(setup);
  convert(setup, 6, 6, 32, 6);
  convert(setup, 12, 6, 32, 6);
  convert(setup, 12, 6, 32, 5);
  convert(setup, 12, 8, 32, 8);
  convert(setup, 12, 8, 32, 6);
  convert(setup, 12, 2, 32, 2);
  elements("add", conformance_add, setup, 3, 0);
  elements("mul", conformance_mul, setup, 3, 0);
  elements("mac", conformance_mac, setup, 4, 0);
  elements("mul_scalar", conformance_mul_scalar, setup, 2, 1);
  elements("automorphism", conformance_automorphism, setup, 2, 1, 5 * 5 * 5 * 5 * 5);
  sums(setup, 4);
  sums(setup, 15);
  printf("\n]}\n");
}
