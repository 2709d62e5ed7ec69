//===- limb_tables.h - a ring's limbs and base conversions on a device ------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_LIMB_TABLES_H
#define SLUICE_RUNTIME_CUDA_LIMB_TABLES_H

#include "runtime/cuda/device_memory.h"
#include "runtime/cuda/kernels/launch_parameters.h"
#include "runtime/ring/base_conversion.h"
#include "runtime/ring/ring.h"

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sluice::cuda {

inline Factor factorOf(kernels::ShoupFactor factor) { return {factor.value, factor.quotient}; }

/// A host's copy of an address, as structures of the kernels hold it.
template <typename Value> Value *pointerTo(Address address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): nobody follows it here
  return reinterpret_cast<Value *>(address);
}

/// What a limb's constants are without its degree: no roots, no N^-1.
LimbConstants constantsOf(const ring::Modulus &modulus);

/// `value` in [0, t) as a factor modulo t.
ConversionFactor conversionFactor(uint64_t value, uint64_t t);

/// Copies the LimbConstants of every limb of the ring; gives their addresses.
Expected<std::vector<Address>> putLimbs(const ring::Ring &ring, DeviceMemory &memory);

/// A base conversion on the device.
struct DeviceConversion {
  explicit DeviceConversion(ring::BaseConversion conversion) : host(std::move(conversion)) {}
  ring::BaseConversion host;
  std::vector<Address> factors; // of each destination: ConversionFactor for each source
  std::vector<ConversionFactor> minusProducts; // of each destination
};

/// The base conversions of a program, each once.
class Conversions {
public:
  /// `ring` must outlive this.
  explicit Conversions(const ring::Ring &ring) : ring(ring) {}
  /// Fails as ring::Basis::create.
  Expected<const DeviceConversion *> get(std::span<const uint16_t> source,
                                         std::span<const uint16_t> destination,
                                         DeviceMemory &memory);

private:
  using Limbs = std::vector<uint16_t>;
  const ring::Ring &ring;
  std::map<std::pair<Limbs, Limbs>, std::unique_ptr<DeviceConversion>> known;
};

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_LIMB_TABLES_H
