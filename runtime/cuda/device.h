//===- device.h - what the backend asks of a GPU ----------------------------------------------===//
//
// Memory, kernels, graphs and events of one device: NVIDIA's driver (driver_device.cpp), or memory
// and functions of this process in its place (emulated_device.cpp). All work is done in the order
// in which it was asked for, after what was asked for before, and nothing but `synchronise` and
// copies to the host wait for it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CUDA_DEVICE_H
#define SLUICE_RUNTIME_CUDA_DEVICE_H

#include "runtime/base/status.h"
#include "runtime/base/threads.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sluice::cuda {

/// Of a byte of the device's memory; 0 is no address.
using Address = uint64_t;

/// A kernel of a loaded module.
using Kernel = void *;

/// A kernel and how it is called, with one argument. blocksY is at most maxBlocksY; sharedBytes is
/// what a block has of shared memory besides what the kernel itself declares.
struct KernelLaunch {
  Kernel kernel = nullptr;
  uint32_t blocksX = 1, blocksY = 1, threads = 1;
  Address argument = 0;
  uint32_t sharedBytes = 0;
};
inline constexpr uint32_t maxBlocksY = 65535;

/// Launches and copies with what each waits for, handed over as one. A step is named by its
/// number, from 0 on, and waits only for earlier ones.
class Graph {
public:
  virtual ~Graph() = default;

  virtual Status addKernel(KernelLaunch launch, std::span<const uint32_t> dependencies) = 0;
  /// From `source`, pinned and in place as long as the graph is.
  virtual Status addCopy(Address destination, const void *source, uint64_t bytes,
                         std::span<const uint32_t> dependencies) = 0;
  /// After the last step, once.
  virtual Status instantiate() = 0;
  /// After instantiate(), any number of times.
  virtual Status launch() = 0;
};

/// A moment on the device.
class Event {
public:
  virtual ~Event() = default;
  /// The moment when what was asked for so far is done.
  virtual Status record() = 0;
  /// Milliseconds from `earlier` to this; both have passed (synchronise).
  virtual Expected<double> millisecondsSince(const Event &earlier) const = 0;
};

struct MemoryInfo {
  uint64_t freeBytes = 0, totalBytes = 0;
};

/// One device. Its graphs and events end before it does. For one thread at a time.
class Device {
public:
  virtual ~Device() = default;

  /// "NVIDIA H100 80GB HBM3"; of this process, "emulated".
  virtual const std::string &name() const = 0;
  /// "cuda, NVIDIA H100 80GB HBM3, driver 13.0".
  virtual const std::string &description() const = 0;
  virtual uint32_t multiprocessors() const = 0;
  /// Bytes of shared memory that one block can have, the kernel's own included.
  virtual uint32_t sharedMemoryOfBlock() const = 0;
  virtual Expected<MemoryInfo> memory() const = 0;

  /// Aligned to 256 bytes, of any content; freed with the device. io: there is no memory.
  virtual Expected<Address> allocate(uint64_t bytes) = 0;
  virtual void free(Address address) = 0;
  /// Host memory that copies to and from the device are fastest with; freed with the device.
  virtual Expected<void *> allocatePinned(uint64_t bytes) = 0;
  /// Pins memory of this process, until the device ends.
  virtual Status pin(const void *memory, uint64_t bytes) = 0;

  /// `source` may change when this returns, unless it is pinned: then after synchronise().
  virtual Status copyToDevice(Address destination, const void *source, uint64_t bytes) = 0;
  /// Into memory that is pinned it is done after synchronise(), else when this returns.
  virtual Status copyFromDevice(void *destination, Address source, uint64_t bytes) = 0;

  /// Loads code, once; kernels live as long as the device. corruptFile: the device refuses it.
  virtual Status loadModule(std::span<const uint8_t> code) = 0;
  /// A kernel of the loaded module (corruptFile: it has none of this name).
  virtual Expected<Kernel> findKernel(const std::string &name) = 0;
  /// Bytes of shared memory that a block of it has without what a launch adds.
  virtual Expected<uint32_t> sharedMemoryOf(Kernel kernel) = 0;

  virtual Status launch(KernelLaunch launch) = 0;
  virtual Expected<std::unique_ptr<Graph>> makeGraph() = 0;
  virtual Expected<std::unique_ptr<Event>> makeEvent() = 0;
  /// Waits until all is done; fails if any of it failed.
  virtual Status synchronise() = 0;
};

/// The GPU that SLUICE_CUDA_DEVICE names by its number, or the first one. notFound: there is no
/// driver or no such device; io: the driver refuses it.
Expected<std::unique_ptr<Device>> openDriverDevice();

/// A device that is this process: a module is the shared object at `path`, compiled from device
/// code with SLUICE_CUDA_HOST_SHIM, where a kernel is `void name(void **arguments, uint32_t blockX,
/// uint32_t blockY)`, called once for each block on the threads of `pool`. For tests.
Expected<std::unique_ptr<Device>> openEmulatedDevice(const std::string &path, ThreadPool &pool);

/// A device by its name: "cuda", or "emulated:PATH" (invalidArgument: neither).
Expected<std::unique_ptr<Device>> openDevice(const std::string &name, ThreadPool &pool);

} // namespace sluice::cuda

#endif // SLUICE_RUNTIME_CUDA_DEVICE_H
