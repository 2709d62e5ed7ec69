//===- base_convert_test.cpp - against big integers and the stated rule -----------------------===//
#include "runtime/kernels/kernels.h"
#include "runtime/ring/base_conversion.h"
#include "runtime/ring/ring.h"
#include "test/runtime/kernels/big_integer.h"
#include "test/runtime/kernels/residues.h"

#include <bit>
#include <gtest/gtest.h>
#include <numeric>

using namespace sluice;
using namespace sluice::test;

namespace {

/// A ring of degree 8 with many limbs of many widths.
const ring::Ring &manyLimbs() {
  static const ring::Ring ring = [] {
    std::vector<uint64_t> primes = primesOfAllWidths(3);
    for (unsigned bits : {50u, 40u, 30u})
      for (uint64_t prime : *ring::nttPrimesBelow(3, bits, 45, primes))
        primes.push_back(prime);
    return *ring::Ring::create(3, primes);
  }();
  return ring;
}

std::vector<uint16_t> limbRange(size_t first, size_t count) {
  std::vector<uint16_t> limbs(count);
  std::iota(limbs.begin(), limbs.end(), static_cast<uint16_t>(first));
  return limbs;
}

/// Source residues of some integers, and where they go.
struct Conversion {
  ring::Basis source, destination;
  ring::BaseConversion conversion;
  std::vector<Residues> inputs, outputs;

  Conversion(std::vector<uint16_t> from, std::vector<uint16_t> to, size_t n)
      : source(*ring::Basis::create(manyLimbs(), from)),
        destination(*ring::Basis::create(manyLimbs(), to)), conversion(source, destination),
        inputs(from.size(), Residues(n)), outputs(to.size(), Residues(n)) {}

  void run(const kernels::KernelTable &table) {
    std::vector<const uint64_t *> src;
    std::vector<uint64_t *> dst;
    for (const Residues &input : inputs)
      src.push_back(input.data());
    for (Residues &output : outputs)
      dst.push_back(output.data());
    table.baseConvert(conversion.tables(), inputs[0].size(), dst.data(), src.data());
  }
};

BigInteger product(const ring::Basis &basis) {
  BigInteger result(1);
  for (size_t k = 0; k < basis.size(); ++k)
    result = result.timesPlus(basis.modulus(k).value(), 0);
  return result;
}

/// An integer uniform in [0, D): its mixed-radix digits are uniform.
BigInteger randomInteger(const ring::Basis &basis, std::mt19937_64 &generator) {
  BigInteger result;
  for (size_t k = basis.size(); k-- > 0;)
    result = result.timesPlus(basis.modulus(k).value(), generator() % basis.modulus(k).value());
  return result;
}

/// x - D if x > D/2, else x: modulo t.
uint64_t centredModulo(const BigInteger &x, const BigInteger &d, uint64_t t) {
  uint64_t residue = x.modulo(t);
  return d < x.plus(x) ? (residue + t - d.modulo(t)) % t : residue;
}

TEST(BaseConvert, GivesTheCentredInteger) {
  std::mt19937_64 generator(5);
  const size_t n = 16;
  for (size_t sourceCount : {1, 2, 3, 7, 20})
    for (size_t first : {0, 5, 16, 60, 120}) {
      Conversion test(limbRange(first, sourceCount), limbRange(first + sourceCount, 6), n);
      const BigInteger d = product(test.source);
      std::vector<BigInteger> integers;
      for (size_t i = 0; i < n; ++i) {
        BigInteger x = randomInteger(test.source, generator);
        if (i < 3)
          x = BigInteger(i); // small numbers, and small negative ones
        else if (i == 3)
          x = d.dividedBy(4);
        integers.push_back(x);
        for (size_t k = 0; k < sourceCount; ++k)
          test.inputs[k][i] = x.modulo(test.source.modulus(k).value());
      }
      // -1, whose residues are all q - 1.
      integers[4] = BigInteger(0);
      for (size_t k = 0; k < sourceCount; ++k)
        test.inputs[k][4] = test.source.modulus(k).value() - 1;
      test.run(*kernels::allKernelTables().front());
      for (size_t t = 0; t < test.outputs.size(); ++t) {
        const uint64_t modulus = test.destination.modulus(t).value();
        for (size_t i = 0; i < n; ++i)
          ASSERT_EQ(test.outputs[t][i],
                    i == 4 ? modulus - 1 : centredModulo(integers[i], d, modulus))
              << sourceCount << " sources from limb " << first << ", integer " << i;
      }
    }
}

/// The rule of kernels.h word for word, with divisions.
uint64_t convertByTheRule(const std::vector<uint64_t> &q, const std::vector<uint64_t> &x,
                          uint64_t t) {
  uint64_t z = uint64_t{1} << 50;
  Word128 sum = 0;
  uint64_t d = 1;
  for (size_t k = 0; k < q.size(); ++k) {
    uint64_t punctured = 1, puncturedModT = 1;
    for (size_t other = 0; other < q.size(); ++other)
      if (other != k) {
        punctured = static_cast<Word128>(punctured) * (q[other] % q[k]) % q[k];
        puncturedModT = static_cast<Word128>(puncturedModT) * (q[other] % t) % t;
      }
    uint64_t inverse = 1; // punctured^(q_k - 2), multiplied out bit by bit
    for (uint64_t base = punctured, e = q[k] - 2; e != 0; e >>= 1) {
      if (e & 1)
        inverse = static_cast<Word128>(inverse) * base % q[k];
      base = static_cast<Word128>(base) * base % q[k];
    }
    const uint64_t y = static_cast<Word128>(x[k]) * inverse % q[k];
    const unsigned b = static_cast<unsigned>(std::bit_width(q[k]));
    const uint64_t w = static_cast<uint64_t>((Word128{1} << (b + 51)) / q[k]);
    z += static_cast<uint64_t>((static_cast<Word128>(y << (52 - b)) * w) >> 52);
    sum = (sum + static_cast<Word128>(y) * puncturedModT) % t;
    d = static_cast<Word128>(d) * (q[k] % t) % t;
  }
  z >>= 51;
  return static_cast<uint64_t>((sum + static_cast<Word128>(t - d) * z) % t);
}

/// Beside D/2 the fixed-point sum may round either way: the result is x or x - D, whichever the
/// rule says. Steps of D / 2^51 are the sum's units; it loses up to two for each source, so the
/// border lies above D/2.
TEST(BaseConvert, FollowsTheRuleAtTheBorder) {
  const size_t n = 256;
  for (size_t sourceCount : {size_t{1}, size_t{2}, size_t{5}, kernels::maxConvertSources}) {
    Conversion test(limbRange(16, sourceCount), limbRange(16 + sourceCount, 3), n);
    const BigInteger d = product(test.source), lower = d.dividedBy(2);
    std::vector<uint64_t> q;
    for (size_t k = 0; k < sourceCount; ++k)
      q.push_back(test.source.modulus(k).value());
    std::vector<BigInteger> integers;
    for (uint64_t i = 0; i < n; ++i) {
      integers.push_back(lower.plus(d.dividedBy(uint64_t{1} << 51).timesPlus(i, i)));
      for (size_t k = 0; k < sourceCount; ++k)
        test.inputs[k][i] = integers[i].modulo(q[k]);
    }
    test.run(*kernels::allKernelTables().front());
    for (size_t t = 0; t < test.outputs.size(); ++t)
      for (size_t i = 0; i < n; ++i) {
        const uint64_t modulus = test.destination.modulus(t).value();
        const uint64_t x = integers[i].modulo(modulus);
        const uint64_t xMinusD = (x + modulus - d.modulo(modulus)) % modulus;
        ASSERT_TRUE(test.outputs[t][i] == x || test.outputs[t][i] == xMinusD);
        std::vector<uint64_t> residues;
        for (size_t k = 0; k < sourceCount; ++k)
          residues.push_back(test.inputs[k][i]);
        ASSERT_EQ(test.outputs[t][i], convertByTheRule(q, residues, modulus)) << i;
      }
  }
}

TEST(BaseConvert, FollowsTheRuleToTheBit) {
  const size_t n = 40;
  for (size_t sourceCount : {size_t{1}, size_t{2}, size_t{9}, kernels::maxConvertSources}) {
    Conversion test(limbRange(0, sourceCount), limbRange(sourceCount, 5), n);
    std::vector<uint64_t> q;
    for (size_t k = 0; k < sourceCount; ++k) {
      q.push_back(test.source.modulus(k).value());
      test.inputs[k] = makeResidues(q[k], n, allFills[k % 5], k);
    }
    test.run(*kernels::allKernelTables().front());
    for (size_t i = 0; i < n; ++i) {
      std::vector<uint64_t> x;
      for (size_t k = 0; k < sourceCount; ++k)
        x.push_back(test.inputs[k][i]);
      for (size_t t = 0; t < test.outputs.size(); ++t)
        ASSERT_EQ(test.outputs[t][i], convertByTheRule(q, x, test.destination.modulus(t).value()));
    }
  }
}

/// docs/mathematics.md 2.1: q = (17, 97), x = 1000, t = 113: centred 29. The primes are below a
/// limb's width, so the constants are made here; conversion works at any width.
TEST(BaseConvert, UnitNumbersOfTheMathSheet) {
  auto constants = [](uint64_t q) {
    kernels::PrimeConstants prime;
    prime.q = q;
    prime.bits = static_cast<unsigned>(std::bit_width(q));
    prime.barrett = static_cast<uint64_t>((Word128{1} << (prime.bits + 54)) / q);
    prime.wideBarrett = static_cast<uint64_t>((Word128{1} << (prime.bits + 62)) / q);
    prime.wordBarrett = static_cast<uint64_t>((Word128{1} << 64) / q);
    auto factor = [q](uint64_t value) {
      return kernels::ShoupFactor{value, static_cast<uint64_t>((Word128{value} << 64) / q)};
    };
    prime.pow2To52 = factor((uint64_t{1} << 52) % q);
    prime.pow2To64 = factor(static_cast<uint64_t>((Word128{1} << 64) % q));
    return prime;
  };
  auto factor = [](uint64_t value, uint64_t q) {
    return kernels::ShoupFactor{value, static_cast<uint64_t>((Word128{value} << 64) / q)};
  };
  // 97^-1 mod 17 = 10 (97 = 12 mod 17, 12 * 10 = 120 = 1), 17^-1 mod 97 = 40 (680 = 7 * 97 + 1).
  const kernels::ConvertSource sources[] = {{constants(17), factor(10, 17)},
                                            {constants(97), factor(40, 97)}};
  const uint64_t factors[] = {97, 17};
  const kernels::ConvertDestination destination = {constants(113), factors, 113 - 1649 % 113};
  const kernels::ConvertTables tables = {2, sources, 1, &destination};
  const Residues x0(8, 14), x1(8, 30);
  const uint64_t *src[] = {x0.data(), x1.data()};
  for (const kernels::KernelTable *table : kernels::allKernelTables()) {
    Residues result(8);
    uint64_t *dst[] = {result.data()};
    table->baseConvert(tables, 8, dst, src);
    EXPECT_EQ(result, Residues(8, 29)) << table->name;
  }
}

} // namespace
