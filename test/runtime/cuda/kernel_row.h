//===- kernel_row.h - kernels of a device as a row of the table of kernels --------------------===//
//
// So that the conformance suite of the rows tests CUDA kernels too, compiled for the host or on a
// GPU: each function of the row copies its operands to the device, launches and copies back.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_CUDA_KERNEL_ROW_H
#define SLUICE_TEST_RUNTIME_CUDA_KERNEL_ROW_H

#include "runtime/kernels/kernels.h"

#include <cstdint>
#include <string>

namespace sluice::test {

/// A machine with the kernels of conformance_kernels.cpp for every degree. Failures end the test
/// process.
class KernelDevice {
public:
  virtual ~KernelDevice() = default;
  /// Words on the device; they stay until release().
  virtual uint64_t *allocate(size_t words) = 0;
  virtual void release() = 0;
  virtual void copyIn(uint64_t *device, const void *words, size_t bytes) = 0;
  virtual void copyOut(void *words, const uint64_t *device, size_t bytes) = 0;
  /// Runs kernel `name` of the module for 2^logN, with so many bytes of shared memory besides its
  /// own, and waits for it.
  virtual void launch(unsigned logN, const std::string &name, uint32_t x, uint32_t y,
                      uint32_t threads, uint32_t sharedBytes, void **arguments) = 0;
};

/// The row. There is one device at a time: the row's functions have no place for another.
const kernels::KernelTable *makeKernelRow(const char *name, KernelDevice &device);

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_CUDA_KERNEL_ROW_H
