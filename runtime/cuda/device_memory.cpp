//===- device_memory.cpp - memory of a device within a limit ----------------------------------===//
#include "runtime/cuda/device_memory.h"

#include <algorithm>
#include <cstdlib>

namespace sluice::cuda {
namespace {

constexpr uint64_t chunkBytes = uint64_t(16) << 20;
/// What the driver may take beside our allocations: graphs, code, and its rounding of sizes.
constexpr uint64_t driverBytes = uint64_t(1) << 30;

unsigned long long wide(uint64_t value) { return value; }

Expected<uint64_t> limitOf(const char *text) {
  char *end = nullptr;
  const unsigned long long bytes = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != 0)
    return Status::error(StatusCode::invalidArgument,
                         "SLUICE_CUDA_MEMORY is '%s', but must be a number of bytes", text);
  return uint64_t{bytes};
}

} // namespace

Expected<DeviceMemory> DeviceMemory::create(Device &device) {
  DeviceMemory memory(device);
  if (const char *text = std::getenv("SLUICE_CUDA_MEMORY")) {
    SLUICE_ASSIGN_OR_RETURN(memory.limit, limitOf(text));
    return memory;
  }
  SLUICE_ASSIGN_OR_RETURN(MemoryInfo info, device.memory());
  memory.limit = info.freeBytes - std::min(info.freeBytes, driverBytes);
  return memory;
}

Expected<Address> DeviceMemory::allocate(uint64_t bytes, const char *what) {
  if (bytes > bytesLeft())
    return Status::error(StatusCode::io,
                         "%s needs %llu bytes of the device's memory, but %llu are left of %llu",
                         what, wide(bytes), wide(bytesLeft()), wide(limit));
  SLUICE_ASSIGN_OR_RETURN(Address address, target->allocate(std::max<uint64_t>(bytes, 1)));
  allocated += bytes;
  return address;
}

void DeviceMemory::free(Address address, uint64_t bytes) {
  target->free(address);
  allocated -= bytes;
}

Expected<DeviceMemory::Place> DeviceMemory::reserve(uint64_t bytes) {
  constexpr uint64_t alignment = 16;
  used = (used + alignment - 1) / alignment * alignment;
  if (used > chunk.size() || bytes > chunk.size() - used) {
    SLUICE_RETURN_IF_ERROR(flush());
    const uint64_t size = std::max(bytes, chunkBytes);
    SLUICE_ASSIGN_OR_RETURN(chunkAddress, allocate(size, "a table"));
    chunk.assign(size, 0);
    used = flushed = 0;
  }
  Place place = {chunk.data() + used, chunkAddress + used};
  used += bytes;
  return place;
}

Status DeviceMemory::flush() {
  if (used > flushed)
    SLUICE_RETURN_IF_ERROR(
        target->copyToDevice(chunkAddress + flushed, chunk.data() + flushed, used - flushed));
  flushed = used;
  return Status();
}

} // namespace sluice::cuda
