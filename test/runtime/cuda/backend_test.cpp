//===- backend_test.cpp - a program on an emulated device against the CPU's backend -----------===//
#include "runtime/cuda/backend.h"

#include "runtime/cpu/backend.h"
#include "runtime/ring/primes.h"
#include "test/runtime/cuda/fake_driver.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace sluice {
namespace {

using Limbs = std::vector<uint16_t>;
using Slots = std::vector<uint32_t>;
using Residues = std::vector<std::vector<uint64_t>>;

constexpr uint32_t arenaSlots = 40;
constexpr uint64_t scalars[] = {12345, 678, 99999};
// Where the program has its values: limbs 0 ... 2 of x, y and their product, limbs 2 ... 4 of z and
// what follows from it.
const Slots x = {0, 1, 2}, y = {3, 4, 5}, product = {6, 7, 8}, z = {30, 31, 32};
const Slots halfSources = {9, 10}, halfDestinations = {11, 12, 13};
const Slots sumB = {14, 15, 16}, sumA = {17, 18, 19}, coefficients = {20, 21, 22};
const Slots converted = {23, 24, 25}, result = {26, 27, 28};
// Limbs 1 and 3, from coefficients of limb 3 alone: the first one where those of limb 2 were.
const Slots convertedToo = {20, 36};
const Limbs low = {0, 1, 2}, high = {2, 3, 4}, others = {0, 1, 5};
constexpr uint32_t keyRows[] = {3, 0, 1}; // of limbs 2, 3, 4 in the key

uint64_t word(LaunchParameterKind kind, uint64_t number) { return launchParameter(kind, number); }
uint64_t slotWord(uint32_t slot) { return word(LaunchParameterKind::slot, slot); }

std::vector<LaunchLimb> limbsAt(const Limbs &limbs, const Slots &slots) {
  std::vector<LaunchLimb> result;
  for (size_t i = 0; i < slots.size(); ++i)
    result.push_back({limbs[i], slots[i]});
  return result;
}

Launch limbKernel(uint32_t number, uint32_t limbs, std::vector<uint64_t> parameters) {
  Launch launch;
  launch.number = number;
  launch.limbs = limbs;
  launch.parameters = std::move(parameters);
  return launch;
}

Launch other(LaunchKind kind, std::vector<LaunchLimb> destinations,
             std::vector<LaunchLimb> sources) {
  Launch launch;
  launch.kind = kind;
  launch.destinations = std::move(destinations);
  launch.sources = std::move(sources);
  return launch;
}

Launch conversions(LaunchKind kind, std::vector<LaunchLimb> destinations,
                   std::vector<LaunchLimb> sources, std::vector<ConversionSize> sizes) {
  Launch launch = other(kind, std::move(destinations), std::move(sources));
  launch.conversions = std::move(sizes);
  return launch;
}

std::vector<LaunchLimb> joined(std::vector<LaunchLimb> limbs, const std::vector<LaunchLimb> &more) {
  limbs.insert(limbs.end(), more.begin(), more.end());
  return limbs;
}

Launch stage(uint32_t number) {
  Launch launch;
  launch.kind = LaunchKind::beginStage;
  launch.number = number;
  return launch;
}

/// sums = half form and z with two digits of a key, the second of them `secondDigit`.
Launch sumLaunch(uint32_t secondDigit) {
  using enum LaunchParameterKind;
  std::vector<uint64_t> words;
  for (size_t i = 0; i < high.size(); ++i)
    for (uint64_t w :
         {word(limb, high[i]), slotWord(sumB[i]), slotWord(sumA[i]), slotWord(halfDestinations[i]),
          slotWord(z[i]), word(keyRowB, keyRows[i]),
          word(keyRowB, uint64_t{secondDigit} << 16 | keyRows[i]), word(keyRowA, keyRows[i]),
          word(keyRowA, uint64_t{secondDigit} << 16 | keyRows[i])})
      words.push_back(w);
  return limbKernel(2, 3, std::move(words));
}

/// The same steps as runOnCpu takes.
LaunchList sampleLaunches() {
  using enum LaunchParameterKind;
  std::vector<uint64_t> products, halves;
  for (uint32_t i = 0; i < 3; ++i)
    for (uint64_t w :
         {word(limb, i), slotWord(product[i]), slotWord(x[i]), word(constantRow, 2 - i),
          slotWord(y[i]), word(scalar, scalars[i]), word(constantRow, 1u << 16 | i)})
      products.push_back(w);
  for (uint32_t i = 0; i < 2; ++i)
    for (uint64_t w : {word(limb, i), slotWord(halfSources[i]), slotWord(product[i])})
      halves.push_back(w);
  LaunchList list;
  list.kernels = {
      {LimbKernelKind::elements, 7, 1}, {LimbKernelKind::rows, 3, 1}, {LimbKernelKind::rows, 9, 2}};
  list.launches = {
      stage(1),
      limbKernel(0, 3, products),
      limbKernel(1, 2, halves),
      conversions(LaunchKind::baseConvertColumns, limbsAt(high, halfDestinations),
                  limbsAt({0, 1}, halfSources), {{3, 2}}),
      sumLaunch(1),
      stage(0),
      other(LaunchKind::intt, limbsAt(high, coefficients), limbsAt(high, sumB)),
      conversions(LaunchKind::baseConvert,
                  joined(limbsAt(others, converted), limbsAt({1, 3}, convertedToo)),
                  joined(limbsAt(high, coefficients), {{3, coefficients[1]}}), {{3, 3}, {2, 1}}),
      other(LaunchKind::ntt, limbsAt(others, result), limbsAt(others, converted)),
      sumLaunch(2),
  };
  return list;
}

/// The degree, and the device: "emulated", or "driver" with the fake driver in NVIDIA's place.
using Case = std::pair<unsigned, std::string>;

class CudaBackendTest : public testing::TestWithParam<Case> {
protected:
  CudaBackendTest() {
    std::vector<uint64_t> primes;
    for (unsigned bits : {50u, 30u, 50u, 25u, 45u, 45u})
      primes.push_back(ring::nttPrimesBelow(logN(), bits, 1, primes).value().front());
    ring = std::make_shared<const ring::Ring>(ring::Ring::create(logN(), primes).value());
    resources.ring = ring;
    resources.arenaSlots = arenaSlots;
    resources.stages = 2;
    addConstant({2, 1, 0}, ring->degree() / 2, 0x1p40);
    addConstant({0, 1, 2, 3}, 4, 0x1p70); // with high words, and gaps
    addKey({3, 4, 0, 2}, 3);
    auto device = std::make_shared<exec::DeviceProgram>();
    device->launches = sampleLaunches();
    const std::string code = module();
    device->code.assign(code.c_str(), code.c_str() + code.size() + 1); // for the fake driver
    resources.device = device;
    for (const Slots &slots : {x, y})
      for (uint32_t i = 0; i < 3; ++i)
        inputs.push_back({slots[i], randomWords(low[i])});
    for (uint32_t i = 0; i < 3; ++i)
      inputs.push_back({z[i], randomWords(high[i])});
  }

  static unsigned logN() { return GetParam().first; }
  static bool hasDriver() { return GetParam().second == "driver"; }
  static const char *module() { return logN() == 6 ? SLUICE_CUDA_SAMPLE_6 : SLUICE_CUDA_SAMPLE_10; }

  std::vector<uint64_t> randomWords(uint16_t limb) {
    std::vector<uint64_t> words(ring->degree());
    for (uint64_t &w : words)
      w = random() % ring->modulus(limb).value();
    return words;
  }

  void addConstant(Limbs limbs, size_t slots, double scale) {
    std::vector<std::complex<double>> values(slots);
    for (auto &value : values)
      value = {static_cast<double>(random() % 1000) / 500 - 1, 0.25};
    auto rounded = std::make_shared<exec::ConstantCoefficients>(
        exec::ConstantCoefficients{limbs, ring::roundSlots(*ring, values, {scale, 0}).value()});
    auto encoded = std::make_shared<exec::EncodedConstant>();
    encoded->limbs = limbs;
    encoded->rows = ring::Poly(limbs.size(), ring->degree());
    for (size_t i = 0; i < limbs.size(); ++i)
      rounded->coefficients.reduce(*ring, limbs[i], encoded->rows.view().limbSpan(i));
    ring::toEvalInPlace(*ring, limbs, encoded->rows.view(), pool);
    resources.coefficients.push_back(rounded);
    resources.constants.push_back(encoded);
  }

  void addKey(Limbs limbs, size_t digits) {
    auto key = std::make_shared<exec::EvaluationKey>();
    key->limbs = limbs;
    key->digitCount = digits;
    key->degree = ring->degree();
    for (AlignedWords *half : {&key->b, &key->a}) {
      *half = AlignedWords(key->halfWords());
      for (size_t digit = 0; digit < digits; ++digit)
        for (size_t row = 0; row < limbs.size(); ++row)
          std::ranges::copy(randomWords(limbs[row]), half->data() + key->rowOffset(digit, row));
    }
    resources.keys.push_back(key);
  }

  Expected<std::unique_ptr<exec::Backend>> createOnDevice(cuda::BackendOptions options = {}) {
    auto device = hasDriver() ? cuda::openDriverDevice() : cuda::openEmulatedDevice(module(), pool);
    if (!device)
      return device.status();
    return cuda::createBackend(resources, std::move(*device), pool, options);
  }

  void writeInputs(exec::Backend &backend) {
    for (const auto &[slot, words] : inputs) {
      Status status = backend.write({&slot, 1}, {words.data(), 1, words.size()});
      ASSERT_TRUE(status.isOk()) << status.message();
    }
  }

  /// Of all slots that hold residues at the end.
  Residues readResults(exec::Backend &backend) {
    Residues residues;
    for (const Slots &slots :
         {product, sumB, sumA, coefficients, converted, convertedToo, result}) {
      ring::Poly poly(slots.size(), ring->degree());
      Status status = backend.read(slots, poly.view());
      EXPECT_TRUE(status.isOk()) << status.message();
      for (size_t i = 0; i < slots.size(); ++i)
        residues.emplace_back(poly.limb(i), poly.limb(i) + ring->degree());
    }
    return residues;
  }

  Residues runOnDevice(exec::Backend &backend) {
    writeInputs(backend);
    const Expected<int32_t> returned = backend.run(nullptr);
    EXPECT_TRUE(returned.isOk()) << returned.message();
    return readResults(backend);
  }

  Residues runOnCpu() {
    auto backend = cpu::createBackend(resources, pool).value();
    writeInputs(*backend);
    EXPECT_EQ(backend->run(&callSteps).value(), 0);
    return readResults(*backend);
  }

  static int32_t callSteps(sluice_context *context, const sluice_functions *call) {
    const uint16_t rows[] = {2, 1, 0}, sameRows[] = {0, 1, 2};
    const uint32_t *p = product.data();
    call->mul_constant(context, 3, low.data(), p, x.data(), 0, rows);
    call->add(context, 3, low.data(), p, p, y.data());
    call->mul_scalar(context, 3, low.data(), p, p, scalars);
    call->mul_constant(context, 3, low.data(), p, p, 1, sameRows);
    call->intt_rows(context, 2, low.data(), halfSources.data(), p);
    call->base_convert_columns(context, 3, high.data(), halfDestinations.data(), 2, low.data(),
                               halfSources.data());
    const Slots moved = {33, 34, 35};
    call->ntt_rows(context, 3, high.data(), moved.data(), halfDestinations.data());
    auto sums = [&](uint16_t secondDigit) {
      const uint32_t digits[] = {33, 34, 35, 30, 31, 32};
      const uint16_t keyDigits[] = {0, secondDigit}, keyRowsOfLimbs[] = {3, 0, 1};
      call->inner_product(context, 3, high.data(), sumB.data(), sumA.data(), 2, digits, 0,
                          keyDigits, keyRowsOfLimbs);
    };
    sums(1);
    call->intt(context, 3, high.data(), coefficients.data(), sumB.data());
    call->base_convert(context, 3, others.data(), converted.data(), 3, high.data(),
                       coefficients.data());
    const uint16_t from[] = {3}, to[] = {1, 3};
    call->base_convert(context, 2, to, convertedToo.data(), 1, from, &coefficients[1]);
    call->ntt(context, 3, others.data(), result.data(), converted.data());
    sums(2);
    return 0;
  }

  static const exec::FunctionUsage *usageOf(const exec::Backend &backend, const std::string &name) {
    for (const exec::FunctionUsage &usage : backend.usage())
      if (usage.name == name)
        return &usage;
    return nullptr;
  }

  test::FakeDriver driver;
  ThreadPool pool{2};
  std::mt19937_64 random{11};
  std::shared_ptr<const ring::Ring> ring;
  exec::BackendResources resources;
  std::vector<std::pair<uint32_t, std::vector<uint64_t>>> inputs;
};

TEST_P(CudaBackendTest, GivesTheResiduesOfTheCpu) {
  auto backend = createOnDevice();
  ASSERT_TRUE(backend.isOk()) << backend.message();
  EXPECT_EQ((*backend)->description(),
            hasDriver() ? "cuda, Fake 0, driver 13.1" : std::string("emulated, ") + module());
  EXPECT_EQ((*backend)->arenaBytes(), uint64_t{arenaSlots} * ring->degree() * 8);
  const Residues expected = runOnCpu();
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(runOnDevice(**backend), expected) << "run " << run;
}

TEST_P(CudaBackendTest, CountsKernelsAndTheTimeOfStages) {
  for (bool timesKernels : {false, true}) {
    auto backend = createOnDevice({timesKernels});
    ASSERT_TRUE(backend.isOk()) << backend.message();
    EXPECT_EQ(runOnDevice(**backend), runOnCpu());
    (*backend)->resetUsage();
    EXPECT_EQ((*backend)->stageUsage()[0], 0u);
    runOnDevice(**backend);
    const exec::FunctionUsage *sums = usageOf(**backend, "limb_kernel_2");
    ASSERT_TRUE(sums);
    EXPECT_EQ(sums->calls, 2u);
    EXPECT_EQ(sums->limbs, 12u);
    EXPECT_EQ(sums->bytes, 2u * 3 * 8 * ring->degree() * 8); // eight operands of each limb
    EXPECT_EQ(sums->nanoseconds > 0, timesKernels);
    const exec::FunctionUsage *convert = usageOf(**backend, "sluice_convert_columns");
    ASSERT_TRUE(convert);
    EXPECT_EQ(convert->limbs, 3u);
    EXPECT_EQ((*backend)->stageUsage().size(), 2u);
    for (uint64_t nanoseconds : (*backend)->stageUsage())
      EXPECT_GT(nanoseconds, 0u);
  }
}

/// With the least memory that is enough, rows of keys come during each run, and all is the same.
TEST_P(CudaBackendTest, StreamsKeysThatDoNotFit) {
  auto createWithin = [&](uint64_t bytes) {
    setenv("SLUICE_CUDA_MEMORY", std::to_string(bytes).c_str(), 1);
    auto backend = createOnDevice();
    unsetenv("SLUICE_CUDA_MEMORY");
    return backend;
  };
  uint64_t tooLittle = 0, enough = uint64_t{1} << 30;
  while (enough - tooLittle > ring->degree() * 8) {
    const uint64_t middle = (tooLittle + enough) / 2;
    (createWithin(middle).isOk() ? enough : tooLittle) = middle;
  }
  const auto refused = createWithin(tooLittle);
  EXPECT_EQ(refused.status().code(), StatusCode::io);
  EXPECT_NE(refused.message().find("keys do not fit in the device's memory: one launch reads 12"),
            std::string::npos)
      << refused.message();
  auto backend = createWithin(enough);
  ASSERT_TRUE(backend.isOk()) << backend.message();
  const Residues expected = runOnCpu();
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(runOnDevice(**backend), expected) << "run " << run;
  const exec::FunctionUsage *copies = usageOf(**backend, "copy of key rows");
  ASSERT_TRUE(copies);
  EXPECT_GE(copies->calls, 2u * 12); // at least the rows of one sum in each run
}

TEST_P(CudaBackendTest, NeedsTheKernelsOfItsLaunches) {
  auto device = std::make_shared<exec::DeviceProgram>(*resources.device);
  device->launches.kernels.resize(8, device->launches.kernels[1]);
  device->launches.launches[2].number = 7;
  resources.device = device;
  const auto backend = createOnDevice();
  ASSERT_FALSE(backend.isOk());
  EXPECT_EQ(backend.message(), "launch 2: " + std::string(hasDriver() ? "device code" : module()) +
                                   ": has no kernel 'limb_kernel_7'");
}

INSTANTIATE_TEST_SUITE_P(Devices, CudaBackendTest,
                         testing::Values(Case(6, "emulated"), Case(10, "emulated"),
                                         Case(6, "driver"), Case(10, "driver")));

} // namespace
} // namespace sluice
