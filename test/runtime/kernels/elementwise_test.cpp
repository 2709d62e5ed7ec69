//===- elementwise_test.cpp - against the remainder of the processor's division ---------------===//
#include "runtime/kernels/kernels.h"
#include "test/runtime/kernels/residues.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

class Elementwise : public testing::TestWithParam<Fill> {
protected:
  static constexpr size_t n = 64;
  const kernels::KernelTable &table = *kernels::allKernelTables().front();

  /// Calls check(constants, a, b, c) for every prime.
  template <typename Check> void forAllPrimes(Check check) {
    for (uint64_t prime : primesOfAllWidths(4)) {
      SCOPED_TRACE(prime);
      check(modulusOf(prime).constants(), makeResidues(prime, n, GetParam(), 1),
            makeResidues(prime, n, GetParam(), 2), randomResidues(prime, n, 3));
    }
  }
};

TEST_P(Elementwise, AddSubNegate) {
  forAllPrimes([&](const kernels::PrimeConstants &prime, const Residues &a, const Residues &b,
                   const Residues &) {
    Residues sum(n), difference(n), negative(n);
    table.add(prime, n, sum.data(), a.data(), b.data());
    table.sub(prime, n, difference.data(), a.data(), b.data());
    table.negate(prime, n, negative.data(), a.data());
    for (size_t i = 0; i < n; ++i) {
      ASSERT_EQ(sum[i], (a[i] + b[i]) % prime.q);
      ASSERT_EQ(difference[i], (a[i] + prime.q - b[i]) % prime.q);
      ASSERT_EQ(negative[i], (prime.q - a[i]) % prime.q);
    }
  });
}

TEST_P(Elementwise, ReduceSmall) {
  forAllPrimes([&](const kernels::PrimeConstants &prime, const Residues &, const Residues &,
                   const Residues &) {
    int8_t bytes[256];
    for (int i = 0; i < 256; ++i)
      bytes[i] = static_cast<int8_t>(i - 128);
    Residues residues(256);
    table.reduceSmall(prime, 256, residues.data(), bytes);
    for (int i = 0; i < 256; ++i)
      ASSERT_EQ(residues[static_cast<size_t>(i)], i < 128 ? prime.q - static_cast<uint64_t>(128 - i)
                                                          : static_cast<uint64_t>(i - 128));
  });
}

TEST_P(Elementwise, ReduceSigned) {
  forAllPrimes([&](const kernels::PrimeConstants &prime, const Residues &a, const Residues &b,
                   const Residues &) {
    std::vector<int64_t> words(n);
    for (size_t i = 0; i < n; ++i) // multiples of q and their neighbours, and any word
      words[i] =
          static_cast<int64_t>(a[i] + (b[i] % 4096) * prime.q * (i % 2)) * (i % 4 < 2 ? 1 : -1);
    words[0] = INT64_MIN, words[1] = INT64_MAX, words[2] = -1, words[3] = 0;
    Residues residues(n);
    table.reduceSigned(prime, n, residues.data(), words.data());
    for (size_t i = 0; i < n; ++i) {
      const int64_t q = static_cast<int64_t>(prime.q), remainder = words[i] % q;
      ASSERT_EQ(residues[i], static_cast<uint64_t>(remainder < 0 ? remainder + q : remainder));
    }
  });
}

TEST_P(Elementwise, MulAndMac) {
  forAllPrimes([&](const kernels::PrimeConstants &prime, const Residues &a, const Residues &b,
                   const Residues &c) {
    Residues product(n), sum(n);
    table.mul(prime, n, product.data(), a.data(), b.data());
    table.mac(prime, n, sum.data(), c.data(), a.data(), b.data());
    for (size_t i = 0; i < n; ++i) {
      Word128 exact = static_cast<Word128>(a[i]) * b[i];
      ASSERT_EQ(product[i], static_cast<uint64_t>(exact % prime.q));
      ASSERT_EQ(sum[i], static_cast<uint64_t>((exact + c[i]) % prime.q));
    }
  });
}

TEST_P(Elementwise, Scalars) {
  forAllPrimes([&](const kernels::PrimeConstants &prime, const Residues &a, const Residues &b,
                   const Residues &c) {
    for (uint64_t scalar : {uint64_t{0}, uint64_t{1}, prime.q - 1, c[0]}) {
      Residues product(n), sum(n), scaled(n);
      table.mulScalar(prime, n, product.data(), a.data(), scalar);
      table.addScalar(prime, n, sum.data(), a.data(), scalar);
      table.subMulScalar(prime, n, scaled.data(), a.data(), b.data(), scalar);
      for (size_t i = 0; i < n; ++i) {
        ASSERT_EQ(product[i], static_cast<uint64_t>(static_cast<Word128>(a[i]) * scalar % prime.q));
        ASSERT_EQ(sum[i], (a[i] + scalar) % prime.q);
        Word128 difference = a[i] + prime.q - b[i];
        ASSERT_EQ(scaled[i], static_cast<uint64_t>(difference * scalar % prime.q));
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Fills, Elementwise, testing::ValuesIn(allFills));

} // namespace
