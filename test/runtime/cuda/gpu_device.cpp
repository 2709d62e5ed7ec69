//===- gpu_device.cpp - the conformance suite on a GPU ----------------------------------------===//
//
// Modules are $SLUICE_CUDA_MODULES<logN>.fatbin, made by nvcc of conformance_kernels.cpp
// (bench/gpu/run.sh).
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/cuda/device.h"
#include "test/runtime/conformance/rows_under_test.h"
#include "test/runtime/cuda/kernel_row.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

namespace sluice::test {
namespace {

[[noreturn]] void fail(const Status &status) {
  std::fprintf(stderr, "GPU: %s\n", status.message().c_str());
  std::exit(1);
}
void require(const Status &status) {
  if (!status.isOk())
    fail(status);
}
template <typename T> T require(Expected<T> value) {
  if (!value)
    fail(value.status());
  return std::move(*value);
}

/// A device for each degree, since each has one module; all have the same memory.
class GpuDevice final : public KernelDevice {
public:
  uint64_t *allocate(size_t words) override {
    if (!buffer)
      buffer = require(deviceOf(3).allocate(bufferBytes));
    const uint64_t place = buffer + used;
    used += (words * sizeof(uint64_t) + 255) / 256 * 256;
    if (used > bufferBytes)
      fail(Status::error(StatusCode::io, "a test needs more than %zu bytes", bufferBytes));
    return reinterpret_cast<uint64_t *>(place);
  }
  void release() override { used = 0; }
  void copyIn(uint64_t *device, const void *words, size_t bytes) override {
    require(deviceOf(3).copyToDevice(reinterpret_cast<uint64_t>(device), words, bytes));
    require(deviceOf(3).synchronise());
  }
  void copyOut(void *words, const uint64_t *device, size_t bytes) override {
    require(deviceOf(3).copyFromDevice(words, reinterpret_cast<uint64_t>(device), bytes));
    require(deviceOf(3).synchronise());
  }
  void launch(unsigned logN, const std::string &name, uint32_t x, uint32_t y, uint32_t threads,
              uint32_t sharedBytes, void **arguments) override {
    require(deviceOf(logN).launch({require(deviceOf(logN).findKernel(name)), x, y, threads,
                                   *static_cast<cuda::Address *>(arguments[0]), sharedBytes}));
    require(deviceOf(logN).synchronise());
  }

private:
  static constexpr size_t bufferBytes = size_t{4} << 30;

  cuda::Device &deviceOf(unsigned logN) {
    std::unique_ptr<cuda::Device> &device = devices[logN];
    if (device)
      return *device;
    device = require(cuda::openDriverDevice());
    const char *modules = std::getenv("SLUICE_CUDA_MODULES");
    const std::string path = (modules ? modules : "") + std::to_string(logN) + ".fatbin";
    std::ifstream file(path, std::ios::binary);
    const std::vector<uint8_t> code((std::istreambuf_iterator<char>(file)), {});
    if (code.empty())
      fail(Status::error(StatusCode::notFound, "no module %s; set SLUICE_CUDA_MODULES",
                         path.c_str()));
    require(device->loadModule(code));
    return *device;
  }

  std::map<unsigned, std::unique_ptr<cuda::Device>> devices;
  uint64_t buffer = 0;
  size_t used = 0;
};

} // namespace

std::vector<const kernels::KernelTable *> rowsUnderTest() {
  static GpuDevice device;
  return {makeKernelRow("cuda_device", device)};
}

} // namespace sluice::test
