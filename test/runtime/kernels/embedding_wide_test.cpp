//===- embedding_wide_test.cpp - the embedding in double-double against 113 bits --------------===//
#include "runtime/kernels/kernels.h"
#include "runtime/ring/embedding.h"
#include "test/runtime/kernels/quad.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;
using namespace sluice::test;

namespace {

/// n complex numbers as the kernels take them.
struct Planes {
  explicit Planes(size_t n) : n(n), parts(4 * n) {}
  QuadComplex at(size_t i) const {
    return {Quad(parts[i]) + parts[n + i], Quad(parts[2 * n + i]) + parts[3 * n + i]};
  }
  size_t n;
  std::vector<double> parts;
};

/// Parts of about `size`, with all bits of the low parts.
Planes randomPlanes(size_t n, double size) {
  std::mt19937_64 generator(n);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Planes planes(n);
  for (size_t i = 0; i < n; ++i)
    for (size_t plane : {0, 2}) {
      double &high = planes.parts[plane * n + i], &low = planes.parts[(plane + 1) * n + i];
      high = uniform(generator) * size;
      low = std::ldexp(uniform(generator), std::ilogb(high) - 53);
    }
  return planes;
}

/// Rows of the embedding's matrix psi^(k 5^j), psi = exp(i pi / 2n), applied one at a time.
class Matrix {
public:
  explicit Matrix(size_t n) : n(n), roots(rootsOfUnity(4 * n)) {}
  /// z[j] = sum_k w[k] psi^(k 5^j) (docs/mathematics.md section 1).
  QuadComplex embedded(const Planes &w, size_t j) const {
    uint64_t power = 1;
    for (size_t i = 0; i < j; ++i)
      power = power * 5 % (4 * n);
    QuadComplex sum{0, 0};
    for (size_t k = 0; k < n; ++k)
      sum = sum + w.at(k) * roots[k * power % (4 * n)];
    return sum;
  }
  /// w[k] = 1/n sum_j z[j] psi^(-k 5^j).
  QuadComplex unembedded(const Planes &z, size_t k) const {
    uint64_t power = 1;
    QuadComplex sum{0, 0};
    for (size_t j = 0; j < n; ++j, power = power * 5 % (4 * n))
      sum = sum + z.at(j) * conjugate(roots[k * power % (4 * n)]);
    return sum * QuadComplex{1 / static_cast<Quad>(n), 0};
  }

private:
  size_t n;
  std::vector<QuadComplex> roots;
};

/// Positions to look at: all of a short vector, some of a long one.
std::vector<size_t> sampled(size_t n) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < n; i += n <= 64 ? 1 : n / 7)
    positions.push_back(i);
  return positions;
}

/// The rms error at the sampled positions relative to the rms of what is expected there.
template <typename Expected> double relativeError(const Planes &have, Expected expected) {
  Quad error = 0, size = 0;
  for (size_t i : sampled(have.n)) {
    const QuadComplex want = expected(i);
    error += squaredNorm(have.at(i) - want);
    size += squaredNorm(want);
  }
  return std::sqrt(static_cast<double>(error / size));
}

bool isNormalised(const Planes &planes) {
  for (size_t i = 0; i < planes.n; ++i)
    for (size_t plane : {0, 2}) {
      const double high = planes.parts[plane * planes.n + i];
      if (high + planes.parts[(plane + 1) * planes.n + i] != high)
        return false;
    }
  return true;
}

void expectBothWays(unsigned logSlots, double size) {
  const size_t n = size_t{1} << logSlots;
  auto roots = ring::makeWideEmbeddingRoots(logSlots);
  const Matrix matrix(n);
  const Planes input = randomPlanes(n, size);
  const Planes *source = &input;
  for (const kernels::KernelTable *table : kernels::allKernelTables()) {
    SCOPED_TRACE(std::string(table->name) + ", log n " + std::to_string(logSlots));
    Planes z = *source, w = *source;
    table->embedWide(logSlots, z.parts.data(), n, roots.get());
    EXPECT_LT(relativeError(z, [&](size_t j) { return matrix.embedded(input, j); }), 0x1p-97);
    EXPECT_TRUE(isNormalised(z));
    table->unembedWide(logSlots, w.parts.data(), n, roots.get());
    EXPECT_LT(relativeError(w, [&](size_t k) { return matrix.unembedded(input, k); }), 0x1p-97);
    EXPECT_TRUE(isNormalised(w));
  }
}

TEST(WideEmbedding, EvaluatesAtPowersOfFive) {
  for (unsigned logSlots = 0; logSlots <= 12; ++logSlots)
    expectBothWays(logSlots, 1);
}

TEST(WideEmbedding, StaysAccurateAtFullLength) { expectBothWays(16, 1); }

TEST(WideEmbedding, TakesLargeAndSmallValues) {
  for (double size : {0x1p-800, 0x1p800})
    expectBothWays(7, size);
}

/// One root table serves all lengths.
TEST(WideEmbedding, TakesLongerTablesOfRoots) {
  auto roots = ring::makeWideEmbeddingRoots(9), own = ring::makeWideEmbeddingRoots(6);
  const Planes input = randomPlanes(64, 1);
  for (const kernels::KernelTable *table : kernels::allKernelTables()) {
    Planes z = input, expected = input;
    table->embedWide(6, z.parts.data(), 512, roots.get());
    table->embedWide(6, expected.parts.data(), 64, own.get());
    EXPECT_LT(relativeError(z, [&](size_t j) { return expected.at(j); }), 0x1p-97);
  }
}

TEST(WideEmbedding, RootsAreAccurate) {
  const size_t slots = 1024;
  auto roots = ring::makeWideEmbeddingRoots(10);
  const std::vector<QuadComplex> exact = rootsOfUnity(4 * slots);
  Planes table(slots);
  table.parts.assign(roots.get(), roots.get() + 4 * slots);
  for (size_t half = 1; half < slots; half *= 2) {
    uint64_t power = 1;
    for (size_t j = 0; j < half; ++j, power = power * 5 % (8 * half)) {
      const QuadComplex error = table.at(half + j) - exact[power * (slots / 2 / half)];
      ASSERT_LT(std::sqrt(static_cast<double>(squaredNorm(error))), 0x1p-101) << half + j;
    }
  }
}

/// cos and sin of 6 pi / 1024, from 60 decimal digits.
TEST(WideEmbedding, OracleIsAccurate) {
  const QuadComplex root = rootsOfUnity(1024)[3];
  const QuadComplex expected{Quad(0x1.ffe9cb44b51a1p-1) + 0x1.5b43366df6670p-56,
                             Quad(0x1.2d936bbe30efdp-6) + 0x1.b5f91ee371d64p-61};
  EXPECT_LT(std::sqrt(static_cast<double>(squaredNorm(root - expected))), 0x1p-105);
}

} // namespace
