//===- embedding_test.cpp - the special FFT against its matrix --------------------------------===//
#include "runtime/kernels/kernels.h"
#include "runtime/ring/embedding.h"

#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <numbers>
#include <random>
#include <vector>

using namespace sluice;

namespace {

using Vector = std::vector<std::complex<double>>;
using Wide = std::complex<long double>;

Vector randomVector(size_t n, uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vector result(n);
  for (std::complex<double> &value : result)
    value = {uniform(generator), uniform(generator)};
  return result;
}

/// z[j] = sum_k w[k] psi^(k 5^j), psi = exp(i pi / 2n), in long double
/// (docs/mathematics.md section 1).
std::vector<Wide> embedDirectly(const Vector &w) {
  const size_t n = w.size();
  std::vector<Wide> z(n);
  uint64_t power = 1;
  for (size_t j = 0; j < n; ++j, power = power * 5 % (4 * n))
    for (size_t k = 0; k < n; ++k) {
      long double angle = std::numbers::pi_v<long double> *
                          static_cast<long double>(k * power % (4 * n)) /
                          static_cast<long double>(2 * n);
      z[j] += Wide(w[k].real(), w[k].imag()) * Wide(std::cos(angle), std::sin(angle));
    }
  return z;
}

template <typename A, typename B> double relativeRms(const A &values, const B &expected) {
  long double error = 0, size = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    Wide difference =
        Wide(values[i].real(), values[i].imag()) - Wide(expected[i].real(), expected[i].imag());
    error += std::norm(difference);
    size += std::norm(Wide(expected[i].real(), expected[i].imag()));
  }
  return static_cast<double>(std::sqrt(error / size));
}

double *parts(Vector &values) { return reinterpret_cast<double *>(values.data()); }

TEST(Embedding, EvaluatesAtPowersOfFive) {
  auto roots = ring::makeEmbeddingRoots(10);
  for (const kernels::KernelTable *table : kernels::allKernelTables())
    for (unsigned logSlots = 0; logSlots <= 10; ++logSlots) {
      Vector w = randomVector(size_t{1} << logSlots, logSlots), z = w;
      std::vector<Wide> expected = embedDirectly(w);
      table->embed(logSlots, parts(z), roots.get());
      EXPECT_LT(relativeRms(z, expected), 0x1p-51) << table->name << ", log n " << logSlots;
      table->unembed(logSlots, parts(z), roots.get());
      EXPECT_LT(relativeRms(z, w), 0x1p-51) << table->name << ", log n " << logSlots;
    }
}

TEST(Embedding, StaysAccurateAtFullLength) {
  auto roots = ring::makeEmbeddingRoots(16);
  for (unsigned logSlots : {15u, 16u}) {
    const kernels::KernelTable &table = *kernels::allKernelTables().front();
    Vector w = randomVector(size_t{1} << logSlots, 7), z = w;
    table.embed(logSlots, parts(z), roots.get());
    // Parseval: SF SF^H = n I.
    long double before = 0, after = 0;
    for (size_t i = 0; i < w.size(); ++i) {
      before += std::norm(w[i]);
      after += std::norm(z[i]);
    }
    EXPECT_NEAR(static_cast<double>(after / before / static_cast<long double>(w.size())), 1, 1e-12);
    table.unembed(logSlots, parts(z), roots.get());
    EXPECT_LT(relativeRms(z, w), 0x1p-50);
  }
}

TEST(Embedding, RootsAreCorrectlyRounded) {
  auto roots = ring::makeEmbeddingRoots(8);
  for (size_t half = 1; half < 256; half *= 2) {
    uint64_t power = 1;
    for (size_t j = 0; j < half; ++j, power = power * 5 % (8 * half)) {
      long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(power) /
                          static_cast<long double>(8 * half);
      EXPECT_NEAR(roots[2 * (half + j)], static_cast<double>(std::cos(angle)), 0x1p-53);
      EXPECT_NEAR(roots[2 * (half + j) + 1], static_cast<double>(std::sin(angle)), 0x1p-53);
    }
  }
}

} // namespace
