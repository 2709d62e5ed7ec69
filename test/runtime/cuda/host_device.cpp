//===- host_device.cpp - the conformance suite on CUDA kernels that were compiled for the host ===//
#include "test/runtime/conformance/rows_under_test.h"
#include "test/runtime/cuda/kernel_row.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <vector>

namespace sluice::test {
namespace {

/// Runs the blocks of a launch one after the other. Modules are SLUICE_CUDA_MODULES<logN>.so.
class HostDevice final : public KernelDevice {
public:
  uint64_t *allocate(size_t words) override {
    // What nobody wrote must not matter.
    memory.push_back(std::make_unique<Block[]>((words + 1) / 2));
    std::memset(memory.back().get(), 0xa5, (words + 1) / 2 * sizeof(Block));
    return memory.back()[0].words;
  }
  void release() override { memory.clear(); }
  void copyIn(uint64_t *device, const void *words, size_t bytes) override {
    std::memcpy(device, words, bytes);
  }
  void copyOut(void *words, const uint64_t *device, size_t bytes) override {
    std::memcpy(words, device, bytes);
  }
  void launch(unsigned logN, const std::string &name, uint32_t x, uint32_t y, uint32_t, uint32_t,
              void **arguments) override {
    auto *kernel = reinterpret_cast<void (*)(void **, uint32_t, uint32_t)>(
        dlsym(moduleOf(logN), name.c_str()));
    if (!kernel)
      fail(name.c_str());
    for (uint32_t row = 0; row < y; ++row)
      for (uint32_t column = 0; column < x; ++column)
        kernel(arguments, column, row);
  }

private:
  struct alignas(16) Block {
    uint64_t words[2];
  };

  void *moduleOf(unsigned logN) {
    void *&module = modules[logN];
    const std::string path = SLUICE_CUDA_MODULES + std::to_string(logN) + ".so";
    if (!module && !(module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)))
      fail(dlerror());
    return module;
  }
  [[noreturn]] static void fail(const char *what) {
    std::fprintf(stderr, "no kernel: %s\n", what);
    std::abort();
  }

  std::vector<std::unique_ptr<Block[]>> memory;
  std::map<unsigned, void *> modules;
};

} // namespace

std::vector<const kernels::KernelTable *> rowsUnderTest() {
  static HostDevice device;
  return {makeKernelRow("cuda_" SLUICE_CUDA_ARITHMETIC, device)};
}

} // namespace sluice::test
