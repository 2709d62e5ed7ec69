//===- device_memory.h - memory of a device within a limit ------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_DEVICE_MEMORY_H
#define SLUICE_RUNTIME_CUDA_DEVICE_MEMORY_H

#include "runtime/cuda/device.h"

#include <cstring>
#include <vector>

namespace sluice::cuda {

/// Allocates memory of a device and counts it; everything lives as long as the device. Small
/// tables are gathered, so that few copies carry many of them.
class DeviceMemory {
public:
  /// The limit is what SLUICE_CUDA_MEMORY says in bytes (invalidArgument: no number), or else the
  /// device's free memory but a part that its driver needs for itself.
  static Expected<DeviceMemory> create(Device &device);

  /// io: more than the limit leaves; `what` it is for stands in the message.
  Expected<Address> allocate(uint64_t bytes, const char *what);
  /// Gives back memory of allocate().
  void free(Address address, uint64_t bytes);

  /// Where a copy of `values` is after flush(), aligned to 16 bytes. Values may be addresses that
  /// earlier calls gave.
  template <typename Value> Expected<Address> put(std::span<const Value> values) {
    SLUICE_ASSIGN_OR_RETURN(Place place, reserve(values.size_bytes()));
    std::memcpy(place.host, values.data(), values.size_bytes());
    return place.device;
  }
  /// Copies what was put since the last call.
  Status flush();

  Device &device() const { return *target; }
  uint64_t bytes() const { return allocated; }
  uint64_t bytesLeft() const { return limit - allocated; }

private:
  struct Place {
    uint8_t *host;
    Address device;
  };
  explicit DeviceMemory(Device &device) : target(&device) {}
  Expected<Place> reserve(uint64_t bytes);

  Device *target;
  uint64_t limit = 0, allocated = 0;
  // The chunk that tables are put in.
  std::vector<uint8_t> chunk;
  Address chunkAddress = 0;
  uint64_t used = 0, flushed = 0;
};

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_DEVICE_MEMORY_H
