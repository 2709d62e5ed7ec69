//===- fake_driver.h - a libcuda.so.1 for tests without a GPU ---------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_CUDA_FAKE_DRIVER_H
#define SLUICE_TEST_RUNTIME_CUDA_FAKE_DRIVER_H

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace sluice::test {

/// While it lives, NVIDIA's driver is fake_driver.cpp: the loader knows a library that is there
/// already by its name. At its end no device may have left anything behind.
class FakeDriver {
public:
  FakeDriver() : handle(dlopen(SLUICE_CUDA_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_TRUE(handle) << dlerror();
  }
  FakeDriver(const FakeDriver &) = delete;
  FakeDriver &operator=(const FakeDriver &) = delete;
  ~FakeDriver() {
    const auto objects = reinterpret_cast<size_t (*)()>(dlsym(handle, "fakeDriverObjects"));
    EXPECT_EQ(objects(), 0u);
    dlclose(handle);
  }

private:
  void *handle;
};

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_CUDA_FAKE_DRIVER_H
