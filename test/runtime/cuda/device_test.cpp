//===- device_test.cpp - devices by name, and what they refuse --------------------------------===//
#include "runtime/cuda/device.h"
#include "runtime/cuda/device_memory.h"
#include "runtime/cuda/driver_api.h"
#include "test/runtime/cuda/fake_driver.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace sluice::cuda {
namespace {

/// Sets an environment variable until it ends.
class Setting {
public:
  Setting(const char *name, const char *value) : name(name) { setenv(name, value, 1); }
  ~Setting() { unsetenv(name); }

private:
  const char *name;
};

TEST(CudaDevice, SaysThatThereIsNoDriver) {
  const Expected<DriverApi> api = openDriverApi("libcuda-that-nobody-has.so.1");
  ASSERT_FALSE(api.isOk());
  EXPECT_EQ(api.status().code(), StatusCode::notFound);
  EXPECT_EQ(api.message(), "no CUDA device: libcuda-that-nobody-has.so.1 is not installed (install "
                           "NVIDIA's driver, or run with --device cpu)");
}

TEST(CudaDevice, SaysWhichFunctionADriverLacks) {
  const Expected<DriverApi> api = openDriverApi("libc.so.6");
  ASSERT_FALSE(api.isOk());
  EXPECT_EQ(api.message(),
            "no CUDA device: libc.so.6 has no function cuInit (update NVIDIA's driver to that of "
            "CUDA 12 or later, or run with --device cpu)");
}

TEST(CudaDevice, KnowsItsNames) {
  ThreadPool pool(1);
  const auto device = openDevice("tpu", pool);
  ASSERT_FALSE(device.isOk());
  EXPECT_EQ(device.status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(device.message(), "there is no device 'tpu': it is 'cpu' or 'cuda'");
  const Setting number("SLUICE_CUDA_DEVICE", "first");
  const test::FakeDriver driver;
  EXPECT_EQ(openDevice("cuda", pool).message(),
            "SLUICE_CUDA_DEVICE is 'first', but must be the number of a device from 0 on");
}

TEST(CudaDriverDevice, IsTheOneThatWasAskedFor) {
  const test::FakeDriver driver;
  EXPECT_EQ(openDriverDevice().value()->description(), "cuda, Fake 0, driver 13.1");
  EXPECT_EQ(openDriverDevice().value()->name(), "Fake 0");
  {
    const Setting number("SLUICE_CUDA_DEVICE", "1");
    EXPECT_EQ(openDriverDevice().value()->description(), "cuda, Fake 1, driver 13.1");
  }
  const Setting number("SLUICE_CUDA_DEVICE", "2");
  EXPECT_EQ(openDriverDevice().message(), "no CUDA device 2: this machine has 2 "
                                          "(SLUICE_CUDA_DEVICE picks one from 0 on)");
}

TEST(CudaDriverDevice, SaysWhatTheDriverSays) {
  const test::FakeDriver driver;
  const std::unique_ptr<Device> device = openDriverDevice().value();
  EXPECT_EQ(device->multiprocessors(), 2u);
  EXPECT_EQ(device->memory().value().totalBytes, uint64_t{4} << 30);
  const Expected<Address> address = device->allocate(uint64_t{8} << 30);
  EXPECT_EQ(address.message(), "CUDA: memAlloc: out of memory (CUDA_ERROR_OUT_OF_MEMORY)");
  EXPECT_EQ(address.status().code(), StatusCode::io);
  const uint8_t code[] = "/nowhere.so";
  const Status status = device->loadModule(code);
  EXPECT_EQ(status.message(), "device code: CUDA: moduleLoadData: a fake error (CUDA_ERROR_FAKE)");
  EXPECT_EQ(status.code(), StatusCode::corruptFile);
}

class EmulatedDeviceTest : public testing::Test {
protected:
  EmulatedDeviceTest() : device(openEmulatedDevice(SLUICE_CUDA_SAMPLE_10, pool).value()) {}

  ThreadPool pool{2};
  std::unique_ptr<Device> device;
};

TEST_F(EmulatedDeviceTest, RefusesModulesAndKernelsThatAreNotThere) {
  EXPECT_EQ(device->description(), std::string("emulated, ") + SLUICE_CUDA_SAMPLE_10);
  ASSERT_TRUE(device->loadModule({}).isOk());
  EXPECT_TRUE(device->findKernel("sluice_ntt_rows").isOk());
  const Expected<Kernel> kernel = device->findKernel("limb_kernel_99");
  ASSERT_FALSE(kernel.isOk());
  EXPECT_EQ(kernel.message(),
            std::string(SLUICE_CUDA_SAMPLE_10) + ": has no kernel 'limb_kernel_99'");
  const auto other = openEmulatedDevice("/nowhere.so", pool).value();
  EXPECT_EQ(other->loadModule({}).code(), StatusCode::notFound);
}

TEST_F(EmulatedDeviceTest, CopiesWords) {
  const Address address = device->allocate(32).value();
  const uint64_t words[4] = {1, 2, 3, 4};
  ASSERT_TRUE(device->copyToDevice(address, words, 32).isOk());
  uint64_t result[2];
  ASSERT_TRUE(device->copyFromDevice(result, address + 8, 16).isOk());
  EXPECT_EQ(result[0], 2u);
  EXPECT_EQ(result[1], 3u);
}

TEST_F(EmulatedDeviceTest, MemoryKeepsToItsLimit) {
  {
    const Setting limit("SLUICE_CUDA_MEMORY", "1000");
    DeviceMemory memory = DeviceMemory::create(*device).value();
    const Address address = memory.allocate(600, "a test").value();
    const Expected<Address> more = memory.allocate(401, "a test");
    ASSERT_FALSE(more.isOk());
    EXPECT_EQ(more.status().code(), StatusCode::io);
    EXPECT_EQ(more.message(),
              "a test needs 401 bytes of the device's memory, but 400 are left of 1000");
    memory.free(address, 600);
    EXPECT_TRUE(memory.allocate(1000, "a test").isOk());
  }
  for (const char *text : {"much", "", "-1", "5GB"}) {
    const Setting limit("SLUICE_CUDA_MEMORY", text);
    EXPECT_EQ(DeviceMemory::create(*device).message(),
              std::string("SLUICE_CUDA_MEMORY is '") + text + "', but must be a number of bytes");
  }
}

TEST_F(EmulatedDeviceTest, TablesComeToTheDeviceWhenFlushed) {
  DeviceMemory memory = DeviceMemory::create(*device).value();
  std::vector<Address> places;
  std::vector<std::vector<uint64_t>> tables;
  for (size_t size : {3, 1, 3000000, 7}) { // one is longer than a chunk
    std::vector<uint64_t> &table = tables.emplace_back(size);
    for (size_t i = 0; i < size; ++i)
      table[i] = 1000 * size + i;
    places.push_back(memory.put(std::span<const uint64_t>(table)).value());
    EXPECT_EQ(places.back() % 16, 0u);
  }
  ASSERT_TRUE(memory.flush().isOk());
  for (size_t t = 0; t < tables.size(); ++t) {
    std::vector<uint64_t> found(tables[t].size());
    ASSERT_TRUE(device->copyFromDevice(found.data(), places[t], 8 * found.size()).isOk());
    EXPECT_EQ(found, tables[t]) << t;
  }
}

} // namespace
} // namespace sluice::cuda
