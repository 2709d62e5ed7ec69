//===- field_test.cpp - arithmetic of kernels at the ends of its ranges -----------------------===//
//
// Residues of programs are rarely near the bounds that sums of products are made for; here they
// are there. Results are compared with integers of 128 bits.
//
//===------------------------------------------------------------------------------------------===//
#define SLUICE_CUDA_HOST_SHIM
#include "runtime/cuda/kernels/field_fp64.cuh"

#include <gtest/gtest.h>
#include <random>
#include <span>
#include <vector>

namespace sluice::cuda {
namespace {

using Int128 = __int128;

LimbConstants limbOf(uint64_t q) {
  LimbConstants limb = {};
  limb.q = q;
  limb.realQ = static_cast<double>(q);
  limb.inverseQ = 1 / limb.realQ;
  return limb;
}

uint64_t modulo(Int128 value, uint64_t q) {
  const Int128 rest = value % static_cast<Int128>(q);
  return static_cast<uint64_t>(rest < 0 ? rest + static_cast<Int128>(q) : rest);
}

/// Sums of `count` products of a word of `left` and one of `right`, after `acc`.
void expectSum(const Fp64Field &field, uint64_t q, double acc, std::span<const double> left,
               std::span<const double> right) {
  Fp64Field::Sum sum = field.beginSum(acc);
  Int128 exact = static_cast<Int128>(acc);
  for (size_t i = 0; i < left.size(); ++i) {
    field.addProduct(sum, left[i], right[i]);
    exact += static_cast<Int128>(left[i]) * static_cast<Int128>(right[i]);
  }
  EXPECT_EQ(field.toResidue(field.reduceSum(sum)), modulo(exact, q)) << "q = " << q;
}

constexpr uint64_t primes[] = {1125899903827969, 1125899831083009, 35278150696961, 33292289, 97};

TEST(CudaFp64Field, SumsProductsAtTheEndsOfTheirRange) {
  std::mt19937_64 random(1);
  for (uint64_t q : primes) {
    const LimbConstants limb = limbOf(q);
    const Fp64Field field(limb);
    const double most = static_cast<double>(q - 1), least = -std::floor(0.75 * most);
    for (double end : {most, least, 0.0})
      for (int round = 0; round < 1000; ++round) {
        // The low bits decide how products round.
        std::vector<double> left, right;
        for (int i = 0; i < 7; ++i) {
          const double away = static_cast<double>(random() % (q < 1000 ? 2 : 1000));
          left.push_back(end > 0 ? end - away : end + away);
          right.push_back(most - static_cast<double>(random() % (q < 1000 ? 2 : 1000)));
        }
        expectSum(field, q, left[0], left, right);
      }
  }
}

/// As base conversions sum: words of other primes, factors of at most half the prime, and low
/// settled after eight.
TEST(CudaFp64Field, SumsTwiceAsManyCentredProducts) {
  std::mt19937_64 random(2);
  for (uint64_t q : primes) {
    const LimbConstants limb = limbOf(q);
    const Fp64Field field(limb);
    for (int sign : {1, -1})
      for (int round = 0; round < 1000; ++round) {
        Fp64Field::Sum sum = field.beginSum();
        Int128 exact = 0;
        for (int i = 0; i < 15; ++i) {
          const double word = static_cast<double>((uint64_t{1} << 50) - 1 - random() % 1000);
          const double factor =
              sign * static_cast<double>((q - 1) / 2 - random() % (q < 1000 ? 2 : 1000));
          if (i == 8)
            sum = field.settledLow(sum);
          field.addProduct(sum, word, factor);
          exact += static_cast<Int128>(word) * static_cast<Int128>(factor);
        }
        EXPECT_EQ(field.toResidue(field.reduceSum(sum)), modulo(exact, q)) << "q = " << q;
      }
  }
}

} // namespace
} // namespace sluice::cuda
