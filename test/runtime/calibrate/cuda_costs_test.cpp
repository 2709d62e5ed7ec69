//===- cuda_costs_test.cpp - calibration of an emulated device --------------------------------===//
//
// That everything is timed, once and for as short as can be: the times mean nothing here.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/calibrate/cuda_costs.h"

#include "runtime/calibrate/device_machine.h"
#include "runtime/ring/primes.h"
#include "runtime/wire/cost_file.h"

#include <cmath>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace sluice::calibrate {
namespace {

constexpr Effort least = {.samples = 1, .sampleMs = 0};
const std::string prefix = SLUICE_CUDA_CALIBRATION;

std::unique_ptr<cuda::Device> openModule(unsigned logN, ThreadPool &pool) {
  return cuda::openEmulatedDevice(prefix + std::to_string(logN) + ".so", pool).value();
}

class CudaCosts : public testing::TestWithParam<unsigned> {};

TEST_P(CudaCosts, EveryFamilyIsTimed) {
  ThreadPool pool(2);
  const std::unique_ptr<cuda::Device> device = openModule(GetParam(), pool);
  const Expected<DegreeCosts> costs = measureDegree(*device, {}, GetParam(), least);
  ASSERT_TRUE(costs) << costs.message();
  EXPECT_EQ(costs->isReal, GetParam() == 13) << "the other module computes with integers";
  EXPECT_GT(costs->launchNs, 0);
  // Parts of sums may cost nothing by a fit.
  double conversion = 0, columns = 0, product = 0;
  for (size_t family = 0; family < kernelFamilyCount; ++family) {
    const KernelTime &time = costs->times[family];
    const std::string name = kernelFamilyNames[family];
    EXPECT_TRUE(0 <= time.cached && time.cached <= time.memory && time.memory <= limits::costNs)
        << name << ": " << time.cached << ", " << time.memory;
    if (name.starts_with("base_convert_columns"))
      columns += time.memory;
    else if (name.starts_with("base_convert"))
      conversion += time.memory;
    else if (name.starts_with("inner_product"))
      product += time.memory;
    else
      EXPECT_GT(time.memory, 0) << name;
  }
  EXPECT_GT(conversion, 0);
  EXPECT_GT(columns, 0);
  EXPECT_GT(product, 0);
}

INSTANTIATE_TEST_SUITE_P(Degrees, CudaCosts, testing::Values(12u, 13u));

TEST(DeviceCalibration, NeedsEveryDegree) {
  ThreadPool pool(2);
  Expected<DeviceCalibration> calibration = DeviceCalibration::create("emulated:" + prefix, pool);
  ASSERT_TRUE(calibration) << calibration.message();
  EXPECT_EQ(calibration->costs().message(), "degree 2^12 was not measured");
  ASSERT_TRUE(calibration->measure(12, {}, least).isOk());
  EXPECT_EQ(calibration->costs().status().code(), StatusCode::invalidArgument);
  EXPECT_EQ(calibration->costs().message(), "degree 2^13 was not measured");
}

TEST(DeviceCalibration, RefusesWhatItDoesNotKnow) {
  ThreadPool pool(1);
  EXPECT_EQ(DeviceCalibration::create("tpu", pool).message(),
            "there is no device 'tpu': it is 'cpu' or 'cuda'");
  Expected<DeviceCalibration> calibration = DeviceCalibration::create("emulated:" + prefix, pool);
  ASSERT_TRUE(calibration);
  EXPECT_EQ(calibration->measure(11, {}).message(), "degree 2^11 is not in 2^12 to 2^16");
  EXPECT_EQ(calibration->measure(17, {}).code(), StatusCode::outOfRange);
  EXPECT_EQ(calibration->measure(14, {}).code(), StatusCode::notFound) << "there is no such module";
}

//===- The kernels themselves ===//

using HostKernel = void (*)(void **arguments, uint32_t blockX, uint32_t blockY);
using cuda::CalibrationKernel;

/// What kernel `kernel` makes of operands that are all words of one value each, done `count` times.
class KernelCall {
public:
  KernelCall() : module(dlopen((prefix + "13.so").c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  ~KernelCall() {
    if (module)
      dlclose(module);
  }

  uint64_t run(CalibrationKernel kernel, uint32_t count, std::vector<uint64_t> operands,
               uint64_t scalar = 0) {
    const cuda::CalibrationShape shape = cuda::shapeOf(kernel);
    EXPECT_EQ(operands.size(), shape.operands);
    constexpr size_t degree = 8192;
    limb.q = q;
    limb.realQ = static_cast<double>(q);
    limb.inverseQ = 1 / limb.realQ;
    std::vector<std::vector<uint64_t>> rows(shape.outputs + shape.operands,
                                            std::vector<uint64_t>(degree));
    std::vector<uint64_t> parameters = {reinterpret_cast<uint64_t>(&limb)};
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i >= shape.outputs)
        std::fill(rows[i].begin(), rows[i].end(), operands[i - shape.outputs]);
      parameters.push_back(reinterpret_cast<uint64_t>(rows[i].data()));
    }
    parameters.insert(parameters.end(), {scalar, count});
    EXPECT_EQ(parameters.size(), shape.parameters());
    const std::string name = "limb_kernel_" + std::to_string(static_cast<uint32_t>(kernel));
    const auto call = reinterpret_cast<HostKernel>(dlsym(module, name.c_str()));
    const uint64_t *argument = parameters.data();
    void *arguments[] = {&argument};
    for (uint32_t block = 0; block < cuda::elementsGeometry(13).blocksPerLimb; ++block)
      call(arguments, block, 0);
    return rows[0][degree - 1];
  }

  const uint64_t q = ring::nttPrimesBelow(13, 50, 1).value()[0];

private:
  void *module;
  cuda::LimbConstants limb = {};
};

TEST(CalibrationKernels, DoWhatTheirNamesSayAsOftenAsTheyAreTold) {
  KernelCall call;
  const uint64_t q = call.q;
  EXPECT_EQ(call.run(CalibrationKernel::straight, 1, {7}), 7u);
  EXPECT_EQ(call.run(CalibrationKernel::zero, 1, {}), 0u);
  EXPECT_EQ(call.run(CalibrationKernel::add, 1, {5, 3}), 8u);
  EXPECT_EQ(call.run(CalibrationKernel::add, 100, {5, 3}), 305u);
  EXPECT_EQ(call.run(CalibrationKernel::sub, 3, {5, 3}), q - 4);
  EXPECT_EQ(call.run(CalibrationKernel::negate, 3, {5}), q - 5);
  EXPECT_EQ(call.run(CalibrationKernel::mul, 4, {5, 3}), 405u);
  EXPECT_EQ(call.run(CalibrationKernel::mac, 2, {5, 3, 2}), 3u + (3 + 5 * 2) * 2);
  EXPECT_EQ(call.run(CalibrationKernel::mulScalar, 4, {5}, 3), 405u);
  EXPECT_EQ(call.run(CalibrationKernel::addScalar, 4, {5}, 3), 17u);
  EXPECT_EQ(call.run(CalibrationKernel::subMulScalar, 2, {5, 3}, 10), (20u - 3) * 10);
  EXPECT_EQ(call.run(CalibrationKernel::automorphism, 1, {5}, 5), 5u);
  EXPECT_EQ(call.run(CalibrationKernel::product2, 1, {5, 3, 2, 7, 4, 1}), 5u * 3 + 7 * 4);
  EXPECT_EQ(call.run(CalibrationKernel::reductions, 5, {4, 9}), 4u);
  EXPECT_EQ(call.run(CalibrationKernel::digits, 2, {4, 9, 1, 2, 3, 4, 5, 6}), 4u * 22 * 22);
  EXPECT_EQ(call.run(CalibrationKernel::arithmetic, 1, {}), 1u);
}

} // namespace
} // namespace sluice::calibrate
