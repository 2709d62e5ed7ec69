//===- kernel_row.cpp - kernels of a device as a row of the table of kernels ------------------===//
#include "test/runtime/cuda/kernel_row.h"

#include "runtime/cuda/limb_tables.h"
#include "runtime/ring/ntt_tables.h"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

namespace sluice::test {
namespace {

using namespace sluice::cuda;
using kernels::ConvertTables;
using kernels::LimbTables;
using kernels::PrimeConstants;
using Words = std::vector<uint64_t>;

KernelDevice *device = nullptr;

/// Memory on the device for one call.
class Call {
public:
  Call() = default;
  ~Call() { device->release(); }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  uint64_t *words(size_t count) { return device->allocate(count); }
  template <typename T> T *copy(const T *values, size_t count) {
    uint64_t *place = device->allocate((count * sizeof(T) + 7) / 8);
    device->copyIn(place, values, count * sizeof(T));
    return reinterpret_cast<T *>(place);
  }
  template <typename T> T *copy(const std::vector<T> &values) {
    return copy(values.data(), values.size());
  }
  static void read(uint64_t *dst, const uint64_t *place, size_t count) {
    device->copyOut(dst, place, count * sizeof(uint64_t));
  }

  LimbConstants *limb(const PrimeConstants &prime, const LimbTables *tables) {
    LimbConstants limb = constantsOf(ring::Modulus::create(prime.q).value());
    if (tables) {
      const size_t n = size_t{1} << tables->logN;
      limb.inverseN = factorOf(tables->inverseN);
      limb.inverseNRoot = factorOf(tables->inverseNRoot);
      limb.centredRoots = copy(tables->centredRoots, n);
      limb.centredInverseRoots = copy(tables->centredInverseRoots, n);
      limb.roots = copy(tables->roots, n);
      limb.rootQuotients = copy(tables->rootQuotients, n);
      limb.inverseRoots = copy(tables->inverseRoots, n);
      limb.inverseRootQuotients = copy(tables->inverseRootQuotients, n);
    }
    return copy(&limb, 1);
  }
};

template <typename T>
void launch(unsigned logN, const char *name, Geometry geometry, uint32_t limbs, T parameters,
            uint32_t sharedBytes = 0) {
  void *arguments[] = {&parameters};
  device->launch(logN, name, geometry.blocksPerLimb, limbs, geometry.threads, sharedBytes,
                 arguments);
}

//===- Transforms ===//

void transform(const LimbTables &limb, const char *name, Geometry geometry, uint64_t *destination,
               const uint64_t *source, Call &call) {
  TransformParameters parameters = {call.limb(limb.prime, &limb), source, destination};
  launch(limb.logN, name, geometry, 1,
         static_cast<const TransformParameters *>(call.copy(&parameters, 1)));
}

void ntt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  Call call;
  const size_t n = size_t{1} << limb.logN;
  uint64_t *half = call.words(n), *result = call.words(n);
  transform(limb, "sluice_forward_columns", columnsGeometry(limb.logN), half, call.copy(src, n),
            call);
  transform(limb, "sluice_ntt_rows", rowsGeometry(limb.logN), result, half, call);
  Call::read(dst, result, n);
}

void intt(const LimbTables &limb, uint64_t *dst, const uint64_t *src) {
  Call call;
  const size_t n = size_t{1} << limb.logN;
  uint64_t *half = call.words(n), *result = call.words(n);
  transform(limb, "sluice_intt_rows", rowsGeometry(limb.logN), half, call.copy(src, n), call);
  SourceParameters source = {call.limb(limb.prime, &limb), half, result, factorOf(limb.inverseN),
                             factorOf(limb.inverseNRoot)};
  if (logRowsOf(limb.logN) == 0)
    source.factor = {1, limb.prime.wordBarrett};
  launch(limb.logN, "sluice_inverse_columns", columnsGeometry(limb.logN), 1,
         static_cast<const SourceParameters *>(call.copy(&source, 1)));
  Call::read(dst, result, n);
}

size_t rowWords(unsigned logN) { return size_t{1} << logRowOf(logN); }

void nttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
             const uint64_t *src) {
  Call call;
  const size_t n = size_t{1} << limb.logN;
  uint64_t *result = call.words(n);
  transform(limb, "sluice_ntt_rows", rowsGeometry(limb.logN), result, call.copy(src, n), call);
  Call::read(dst, result + begin, words);
}

void inttRows(const LimbTables &limb, size_t begin, size_t words, uint64_t *dst,
              const uint64_t *src) {
  Call call;
  const size_t n = size_t{1} << limb.logN;
  Words whole(n);
  std::copy_n(src, words, whole.data() + begin);
  uint64_t *result = call.words(n);
  transform(limb, "sluice_intt_rows", rowsGeometry(limb.logN), result, call.copy(whole), call);
  Call::read(dst + begin, result + begin, words);
}

//===- Element by element: limbs of eight words ===//

constexpr unsigned logChunk = 3;
constexpr size_t chunk = size_t{1} << logChunk;

/// Launches a kernel of conformance_kernels.cpp on n words: `places` are operands on the device, of
/// which each limb gets its part, the first ones written; `scalars` follow.
void elements(const char *name, const PrimeConstants &prime, size_t n,
              const std::vector<uint64_t *> &places, const std::vector<uint64_t> &scalars,
              size_t stride, Call &call) {
  const uint64_t limb = reinterpret_cast<uint64_t>(call.limb(prime, nullptr));
  Words parameters(n / chunk * stride);
  for (size_t i = 0; i < n / chunk; ++i) {
    uint64_t *own = parameters.data() + i * stride;
    *own++ = limb;
    for (uint64_t *place : places)
      *own++ = reinterpret_cast<uint64_t>(place + i * chunk);
    for (uint64_t scalar : scalars)
      *own++ = scalar;
  }
  launch(logChunk, name, elementsGeometry(logChunk), static_cast<uint32_t>(n / chunk),
         static_cast<const uint64_t *>(call.copy(parameters)));
}

/// A kernel with one result.
void simple(const char *name, const PrimeConstants &prime, size_t n, uint64_t *dst,
            std::initializer_list<const uint64_t *> operands,
            const std::vector<uint64_t> &scalars = {}) {
  Call call;
  std::vector<uint64_t *> places = {call.words(n)};
  for (const uint64_t *operand : operands)
    places.push_back(call.copy(operand, n));
  elements(name, prime, n, places, scalars, 1 + places.size() + scalars.size(), call);
  Call::read(dst, places[0], n);
}

void add(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  simple("conformance_add", prime, n, dst, {a, b});
}
void sub(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  simple("conformance_sub", prime, n, dst, {a, b});
}
void negate(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a) {
  simple("conformance_negate", prime, n, dst, {a});
}
void mul(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
         const uint64_t *b) {
  simple("conformance_mul", prime, n, dst, {a, b});
}
void mac(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *acc,
         const uint64_t *a, const uint64_t *b) {
  simple("conformance_mac", prime, n, dst, {acc, a, b});
}
void mulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  simple("conformance_mul_scalar", prime, n, dst, {a}, {scalar});
}
void addScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
               uint64_t scalar) {
  simple("conformance_add_scalar", prime, n, dst, {a}, {scalar});
}
void subMulScalar(const PrimeConstants &prime, size_t n, uint64_t *dst, const uint64_t *a,
                  const uint64_t *b, uint64_t scalar) {
  simple("conformance_sub_mul_scalar", prime, n, dst, {a, b}, {scalar});
}

void reduce(const PrimeConstants &prime, size_t n, uint64_t *dst, const int64_t *src) {
  Call call;
  uint64_t *result = call.words(n);
  const int64_t *low = call.copy(src, n);
  std::vector<ReduceParameters> limbs;
  LimbConstants *limb = call.limb(prime, nullptr);
  for (size_t i = 0; i < n; i += chunk)
    limbs.push_back({limb, low + i, nullptr, result + i, 1});
  launch(logChunk, "sluice_reduce", elementsGeometry(logChunk), static_cast<uint32_t>(limbs.size()),
         static_cast<const ReduceParameters *>(call.copy(limbs)));
  Call::read(dst, result, n);
}
void reduceSmall(const PrimeConstants &prime, size_t n, uint64_t *dst, const int8_t *src) {
  const std::vector<int64_t> values(src, src + n);
  reduce(prime, n, dst, values.data());
}

/// The permutation is that of an element, which its first entry tells: position 0 reads where the
/// exponent is g.
void automorphism(size_t n, uint64_t *dst, const uint64_t *src, const uint32_t *permutation) {
  Call call;
  const unsigned logN = static_cast<unsigned>(std::countr_zero(n));
  const uint64_t g = 2 * ring::reverseBits(permutation[0], logN) + 1;
  uint64_t *result = call.words(n);
  const PrimeConstants prime = ring::Modulus::create((uint64_t{1} << 49) + 1).value().constants();
  const Words parameters = {reinterpret_cast<uint64_t>(call.limb(prime, nullptr)),
                            reinterpret_cast<uint64_t>(result),
                            reinterpret_cast<uint64_t>(call.copy(src, n)), g};
  launch(logN, "conformance_automorphism", elementsGeometry(logN), 1,
         static_cast<const uint64_t *>(call.copy(parameters)));
  Call::read(dst, result, n);
}

//===- Sums of products ===//

void weightedSum(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                 const uint64_t *acc0, const uint64_t *acc1, size_t count,
                 const uint64_t *const *shared, const uint64_t *const *values0,
                 const uint64_t *const *values1) {
  Call call;
  constexpr size_t stride = 6 + 3 * 256;
  const uint64_t limb = reinterpret_cast<uint64_t>(call.limb(prime, nullptr));
  std::vector<uint64_t *> places = {call.words(n), call.words(n), call.copy(acc0, n),
                                    call.copy(acc1, n)};
  for (size_t j = 0; j < count; ++j)
    for (const uint64_t *operand : {shared[j], values0[j], values1[j]})
      places.push_back(call.copy(operand, n));
  Words parameters(n / chunk * stride);
  for (size_t i = 0; i < n / chunk; ++i) {
    uint64_t *own = parameters.data() + i * stride;
    own[0] = limb;
    own[5] = count;
    for (size_t p = 0; p < places.size(); ++p)
      own[p < 4 ? 1 + p : 2 + p] = reinterpret_cast<uint64_t>(places[p] + i * chunk);
  }
  launch(logChunk, "conformance_sums", elementsGeometry(logChunk), static_cast<uint32_t>(n / chunk),
         static_cast<const uint64_t *>(call.copy(parameters)));
  Call::read(dst0, places[0], n);
  Call::read(dst1, places[1], n);
}

void innerProduct(const PrimeConstants &prime, size_t n, uint64_t *dst0, uint64_t *dst1,
                  size_t count, const uint64_t *const *digits, const uint64_t *const *b,
                  const uint64_t *const *a) {
  const Words zero(n);
  weightedSum(prime, n, dst0, dst1, zero.data(), zero.data(), count, digits, b, a);
}

//===- Base conversions ===//

/// The factors of all destinations, on the device.
std::vector<DestinationParameters> destinationsOf(const ConvertTables &tables, Call &call) {
  std::vector<DestinationParameters> destinations;
  for (size_t t = 0; t < tables.destinationCount; ++t) {
    const kernels::ConvertDestination &destination = tables.destinations[t];
    std::vector<ConversionFactor> factors;
    for (size_t k = 0; k < tables.sourceCount; ++k)
      factors.push_back(conversionFactor(destination.factors[k], destination.prime.q));
    destinations.push_back({call.limb(destination.prime, destination.limb), nullptr,
                            call.copy(factors),
                            conversionFactor(destination.minusProduct, destination.prime.q)});
  }
  return destinations;
}

void convert(unsigned logN, const char *name, const std::vector<SourceParameters> &sources,
             const std::vector<DestinationParameters> &destinations, Call &call) {
  const SourceParameters *sourcePlace = call.copy(sources);
  const DestinationParameters *destinationPlace = call.copy(destinations);
  // Each tile is shared by two blocks, which take some destinations, and a few of the next tile;
  // some parts hold all sources, as far as there is room on every device, some only the first ones.
  const uint32_t sourceCount = static_cast<uint32_t>(sources.size()),
                 destinationCount = static_cast<uint32_t>(destinations.size()),
                 room = std::min(sourceCount, (28u << 10) / heldBytes(logN));
  std::vector<ConversionPart> parts;
  std::vector<ConversionShare> shares;
  const Geometry geometry = conversionGeometry(logN);
  for (uint32_t tile = 0; tile < geometry.blocksPerLimb; ++tile) {
    const uint32_t split = tile % (destinationCount + 1);
    for (auto [first, count] : {std::pair(0u, split), std::pair(split, destinationCount - split)})
      if (count > 0)
        parts.push_back({sourcePlace, destinationPlace + first, sourceCount, count,
                         tile % 2 == 0 ? room : std::min(room, 1u), tile});
  }
  const ConversionPart *place = call.copy(parts);
  for (size_t first = 0; first < parts.size(); first += 3)
    shares.push_back({place + first, std::min<size_t>(3, parts.size() - first)});
  launch(logN, name, {static_cast<uint32_t>(shares.size()), geometry.threads}, 1,
         static_cast<const ConversionShare *>(call.copy(shares)),
         conversionBytes(logN, room, sourceCount));
}

void baseConvert(const ConvertTables &tables, size_t n, uint64_t *const *destinations,
                 const uint64_t *const *sources) {
  Call call;
  std::vector<SourceParameters> sourceLimbs;
  std::vector<DestinationParameters> destinationLimbs = destinationsOf(tables, call);
  std::vector<uint64_t *> operands, residues, results;
  for (size_t k = 0; k < tables.sourceCount; ++k) {
    operands.push_back(call.copy(sources[k], n));
    residues.push_back(call.words(n));
    sourceLimbs.push_back({call.limb(tables.sources[k].prime, nullptr),
                           nullptr,
                           nullptr,
                           factorOf(tables.sources[k].punctured),
                           {}});
  }
  for (size_t t = 0; t < tables.destinationCount; ++t)
    results.push_back(call.words(n));
  for (size_t i = 0; i < n; i += chunk) {
    for (size_t k = 0; k < tables.sourceCount; ++k) {
      sourceLimbs[k].source = operands[k] + i;
      sourceLimbs[k].destination = residues[k] + i;
    }
    for (size_t t = 0; t < tables.destinationCount; ++t)
      destinationLimbs[t].destination = results[t] + i;
    launch(logChunk, "sluice_scale", elementsGeometry(logChunk),
           static_cast<uint32_t>(sourceLimbs.size()),
           static_cast<const SourceParameters *>(call.copy(sourceLimbs)));
    convert(logChunk, "sluice_convert", sourceLimbs, destinationLimbs, call);
  }
  for (size_t t = 0; t < tables.destinationCount; ++t)
    Call::read(destinations[t], results[t], n);
}

/// All columns at once; those that were not asked for are computed too and dropped.
void baseConvertColumns(const ConvertTables &tables, size_t begin, size_t columns,
                        uint64_t *const *destinations, const uint64_t *const *sources, uint64_t *) {
  Call call;
  const unsigned logN = tables.sources[0].limb->logN;
  const size_t n = size_t{1} << logN, length = rowWords(logN);
  std::vector<SourceParameters> sourceLimbs;
  for (size_t k = 0; k < tables.sourceCount; ++k) {
    const kernels::ConvertSource &source = tables.sources[k];
    sourceLimbs.push_back({call.limb(source.prime, source.limb), call.copy(sources[k], n),
                           call.words(n), factorOf(source.scaled), factorOf(source.scaledRoot)});
    if (length == n)
      sourceLimbs.back().factor = factorOf(source.punctured);
  }
  launch(logN, "sluice_inverse_columns", columnsGeometry(logN),
         static_cast<uint32_t>(sourceLimbs.size()),
         static_cast<const SourceParameters *>(call.copy(sourceLimbs)));
  std::vector<DestinationParameters> destinationLimbs = destinationsOf(tables, call);
  for (DestinationParameters &destination : destinationLimbs)
    destination.destination = call.words(n);
  convert(logN, "sluice_convert_columns", sourceLimbs, destinationLimbs, call);
  Words whole(n);
  for (size_t t = 0; t < tables.destinationCount; ++t) {
    Call::read(whole.data(), destinationLimbs[t].destination, n);
    for (size_t row = 0; row < n; row += length)
      std::copy_n(whole.data() + row + begin, columns, destinations[t] + row + begin);
  }
}

} // namespace

const kernels::KernelTable *makeKernelRow(const char *name, KernelDevice &kernelDevice) {
  device = &kernelDevice;
  // Embeddings stay on the host.
  static kernels::KernelTable table = *kernels::allKernelTables().front();
  table.name = name;
  table.isEmulated = true;
  table.ntt = ntt;
  table.intt = intt;
  table.rowWords = rowWords;
  table.nttRows = nttRows;
  table.inttRows = inttRows;
  table.reduceSmall = reduceSmall;
  table.reduceSigned = reduce;
  table.add = add;
  table.sub = sub;
  table.negate = negate;
  table.mul = mul;
  table.mac = mac;
  table.mulScalar = mulScalar;
  table.addScalar = addScalar;
  table.subMulScalar = subMulScalar;
  table.automorphism = automorphism;
  table.baseConvert = baseConvert;
  table.baseConvertColumns = baseConvertColumns;
  table.innerProduct = innerProduct;
  table.weightedSum = weightedSum;
  return &table;
}

} // namespace sluice::test
