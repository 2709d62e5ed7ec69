//===- elementwise_test.cpp - the CUDA element-wise kernels against the scalar row ------------===//
//
// The kernel file itself, compiled for the host under the shim of launch.cuh.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/kernels.h"
#include "runtime/ring/modulus.h"
#include "runtime/ring/primes.h"

#define SLUICE_CUDA_HOST_SHIM
#include "runtime/cuda/kernels/elementwise.cu"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

using namespace sluice;
using Words = std::vector<uint64_t>;
constexpr uint64_t n = 64;

/// Runs a kernel once for every position, as a launch of enough threads would (a few too many, to
/// test the bound).
template <typename Kernel, typename... Arguments>
Words launch(Kernel kernel, Arguments... arguments) {
  Words dst(n, ~uint64_t(0));
  for (cuda::shimIndex = 0; cuda::shimIndex < n + 32; ++cuda::shimIndex)
    kernel(n, dst.data(), arguments...);
  return dst;
}

/// Random residues with the extremes 0, 1 and q - 1 in every pairing of the first nine positions.
Words residues(uint64_t q, unsigned period, std::mt19937_64 &random) {
  const uint64_t extremes[] = {0, 1, q - 1};
  Words values(n);
  for (uint64_t i = 0; i < n; ++i)
    values[i] = i < 9 ? extremes[(i / period) % 3] : random() % q;
  return values;
}

class CudaElementwise : public testing::TestWithParam<unsigned> {};

TEST_P(CudaElementwise, EqualsScalarRow) {
  const kernels::KernelTable &scalar = *kernels::allKernelTables().front();
  std::mt19937_64 random(GetParam());
  uint64_t q = ring::nttPrimesBelow(10, GetParam(), 1).value().front();
  ring::Modulus modulus = ring::Modulus::create(q).value();
  const kernels::PrimeConstants &prime = modulus.constants();
  Words a = residues(q, 1, random), b = residues(q, 3, random), acc = residues(q, 1, random);
  uint64_t scalars[] = {0, 1, q - 1, random() % q};
  unsigned bits = prime.bits;
  uint64_t barrett = prime.barrett;

  Words expected(n);
  scalar.add(prime, n, expected.data(), a.data(), b.data());
  EXPECT_EQ(launch(sluice_add, a.data(), b.data(), q), expected);
  scalar.sub(prime, n, expected.data(), a.data(), b.data());
  EXPECT_EQ(launch(sluice_sub, a.data(), b.data(), q), expected);
  scalar.negate(prime, n, expected.data(), a.data());
  EXPECT_EQ(launch(sluice_negate, a.data(), q), expected);
  scalar.mul(prime, n, expected.data(), a.data(), b.data());
  EXPECT_EQ(launch(sluice_mul, a.data(), b.data(), q, bits, barrett), expected);
  scalar.mac(prime, n, expected.data(), acc.data(), a.data(), b.data());
  EXPECT_EQ(launch(sluice_mac, acc.data(), a.data(), b.data(), q, bits, barrett), expected);
  for (uint64_t s : scalars) {
    scalar.mulScalar(prime, n, expected.data(), a.data(), s);
    EXPECT_EQ(launch(sluice_mul_scalar, a.data(), s, q, bits, barrett), expected);
    scalar.addScalar(prime, n, expected.data(), a.data(), s);
    EXPECT_EQ(launch(sluice_add_scalar, a.data(), s, q), expected);
    scalar.subMulScalar(prime, n, expected.data(), a.data(), b.data(), s);
    EXPECT_EQ(launch(sluice_sub_mul_scalar, a.data(), b.data(), s, q, bits, barrett), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, CudaElementwise, testing::Range(20u, 51u));

} // namespace
