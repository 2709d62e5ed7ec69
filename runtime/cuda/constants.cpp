//===- constants.cpp - constants encoded on a device ------------------------------------------===//
#include "runtime/cuda/constants.h"

#include "runtime/cuda/limb_tables.h"

namespace sluice::cuda {
namespace {

/// Coefficients that are on the device at once, unless one constant has more.
constexpr uint64_t batchBytes = uint64_t(128) << 20;

/// Encodes constants in batches.
class Encoder {
public:
  Encoder(const exec::BackendResources &resources, const std::vector<Address> &limbs,
          DeviceMemory &memory)
      : resources(resources), limbs(limbs), memory(memory), logN(resources.ring->logN()),
        rowBytes(resources.ring->degree() * sizeof(uint64_t)) {}

  Status findKernels() {
    Device &device = memory.device();
    SLUICE_ASSIGN_OR_RETURN(reduce, device.findKernel("sluice_reduce"));
    SLUICE_ASSIGN_OR_RETURN(forwardColumns, device.findKernel("sluice_forward_columns"));
    SLUICE_ASSIGN_OR_RETURN(nttRows, device.findKernel("sluice_ntt_rows"));
    return Status();
  }

  /// Constants first ... last - 1, whose rows begin at `rows`.
  Status encode(size_t first, size_t last, Address rows) {
    uint64_t bytes = 0;
    for (size_t c = first; c < last; ++c)
      bytes += bytesOf(*resources.coefficients[c]);
    SLUICE_ASSIGN_OR_RETURN(Address staging, memory.allocate(bytes, "a batch of coefficients"));
    std::vector<ReduceParameters> reductions;
    std::vector<TransformParameters> transforms;
    Address next = staging;
    for (size_t c = first; c < last; ++c) {
      const exec::ConstantCoefficients &constant = *resources.coefficients[c];
      SLUICE_ASSIGN_OR_RETURN(ReduceParameters parameters, upload(constant, next));
      for (uint16_t limb : constant.limbs) {
        parameters.limb = pointerTo<const LimbConstants>(limbs[limb]);
        parameters.destination = pointerTo<uint64_t>(rows);
        reductions.push_back(parameters);
        transforms.push_back({parameters.limb, parameters.destination, parameters.destination});
        rows += rowBytes;
      }
    }
    SLUICE_RETURN_IF_ERROR(launchAll(reductions, transforms));
    SLUICE_RETURN_IF_ERROR(memory.device().synchronise());
    memory.free(staging, bytes);
    return Status();
  }

  static uint64_t bytesOf(const exec::ConstantCoefficients &constant) {
    return (constant.coefficients.low.size() + constant.coefficients.high.size()) * sizeof(int64_t);
  }

private:
  /// Copies the coefficients to `next`, which moves behind them.
  Expected<ReduceParameters> upload(const exec::ConstantCoefficients &constant, Address &next) {
    const ring::RoundedSlots &coefficients = constant.coefficients;
    ReduceParameters parameters = {};
    parameters.stride = resources.ring->degree() / (2 * coefficients.slots);
    auto copy = [&](const std::vector<int64_t> &words) -> Expected<const int64_t *> {
      const uint64_t bytes = words.size() * sizeof(int64_t);
      SLUICE_RETURN_IF_ERROR(memory.device().copyToDevice(next, words.data(), bytes));
      const auto *place = pointerTo<const int64_t>(next);
      next += bytes;
      return place;
    };
    SLUICE_ASSIGN_OR_RETURN(parameters.low, copy(coefficients.low));
    if (!coefficients.high.empty()) {
      SLUICE_ASSIGN_OR_RETURN(parameters.high, copy(coefficients.high));
    }
    return parameters;
  }

  Status launchAll(std::span<const ReduceParameters> reductions,
                   std::span<const TransformParameters> transforms) {
    for (size_t begin = 0; begin < reductions.size(); begin += maxBlocksY) {
      const size_t count = std::min<size_t>(reductions.size() - begin, maxBlocksY);
      SLUICE_ASSIGN_OR_RETURN(Address reduction, memory.put(reductions.subspan(begin, count)));
      SLUICE_ASSIGN_OR_RETURN(Address transform, memory.put(transforms.subspan(begin, count)));
      SLUICE_RETURN_IF_ERROR(memory.flush());
      SLUICE_RETURN_IF_ERROR(launch(reduce, elementsGeometry(logN), count, reduction));
      SLUICE_RETURN_IF_ERROR(launch(forwardColumns, columnsGeometry(logN), count, transform));
      SLUICE_RETURN_IF_ERROR(launch(nttRows, rowsGeometry(logN), count, transform));
    }
    return Status();
  }
  Status launch(Kernel kernel, Geometry geometry, size_t count, Address parameters) {
    return memory.device().launch({kernel, geometry.blocksPerLimb, static_cast<uint32_t>(count),
                                   geometry.threads, parameters});
  }

  const exec::BackendResources &resources;
  const std::vector<Address> &limbs;
  DeviceMemory &memory;
  const unsigned logN;
  const uint64_t rowBytes;
  Kernel reduce = nullptr, forwardColumns = nullptr, nttRows = nullptr;
};

} // namespace

Expected<std::vector<Address>> encodeConstants(const exec::BackendResources &resources,
                                               const std::vector<Address> &limbs,
                                               DeviceMemory &memory) {
  std::vector<Address> places;
  const auto &constants = resources.coefficients;
  if (constants.empty())
    return places;
  const uint64_t rowBytes = resources.ring->degree() * sizeof(uint64_t);
  uint64_t rows = 0;
  for (const auto &constant : constants)
    rows += constant->limbs.size();
  SLUICE_ASSIGN_OR_RETURN(Address next, memory.allocate(rows * rowBytes, "the encoded constants"));
  Encoder encoder(resources, limbs, memory);
  SLUICE_RETURN_IF_ERROR(encoder.findKernels());
  for (size_t first = 0; first < constants.size();) {
    const Address begin = next;
    uint64_t bytes = 0;
    size_t last = first;
    do {
      places.push_back(next);
      next += constants[last]->limbs.size() * rowBytes;
      bytes += Encoder::bytesOf(*constants[last]);
      ++last;
    } while (last < constants.size() && bytes + Encoder::bytesOf(*constants[last]) <= batchBytes);
    SLUICE_RETURN_IF_ERROR(encoder.encode(first, last, begin));
    first = last;
  }
  return places;
}

} // namespace sluice::cuda
