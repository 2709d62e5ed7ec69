//===- kernels_conformance_test.cpp - every row against the scalar one, bit for bit -----------===//
//
// Enumerates the table: a new row, or a new kernel of a row, is tested with no further edit. The
// scalar row has its own oracles in test/runtime/kernels.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/kernels/kernels.h"
#include "runtime/ring/base_conversion.h"
#include "runtime/ring/embedding.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/ring.h"
#include "test/runtime/conformance/rows_under_test.h"
#include "test/runtime/kernels/residues.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace sluice;
using namespace sluice::test;
using kernels::KernelTable;
using kernels::PrimeConstants;

namespace {

const KernelTable &scalar() { return *kernels::allKernelTables().front(); }

class Conformance : public testing::TestWithParam<const KernelTable *> {
protected:
  const KernelTable &table = *GetParam();
};

TEST_P(Conformance, Transforms) {
  for (unsigned logN = kernels::minLogN; logN <= kernels::maxLogN; ++logN) {
    std::vector<uint64_t> primes = primesOfAllWidths(logN);
    if (logN > 12 && table.isEmulated) // Slow; a few widths tell as much.
      primes = {primes.front(), primes[primes.size() / 2], primes.back()};
    for (uint64_t prime : primes) {
      ring::NttTables limb(modulusOf(prime), logN);
      for (Fill fill : allFills) {
        const size_t n = size_t{1} << logN;
        Residues a = makeResidues(prime, n, fill, logN), expected(n), result(n);
        scalar().ntt(limb.tables(), expected.data(), a.data());
        table.ntt(limb.tables(), result.data(), a.data());
        ASSERT_EQ(result, expected) << "ntt, log N " << logN << ", q " << prime;
        scalar().intt(limb.tables(), expected.data(), a.data());
        table.intt(limb.tables(), result.data(), a.data());
        ASSERT_EQ(result, expected) << "intt, log N " << logN << ", q " << prime;
      }
    }
  }
}

TEST_P(Conformance, LargestTransformsInPlace) {
  const unsigned logN = kernels::maxLogN;
  const uint64_t prime = primesOfAllWidths(logN).back();
  ring::NttTables limb(modulusOf(prime), logN);
  Residues expected = makeResidues(prime, size_t{1} << logN, Fill::largest, 1), result = expected;
  scalar().ntt(limb.tables(), expected.data(), expected.data());
  table.ntt(limb.tables(), result.data(), result.data());
  ASSERT_EQ(result, expected);
  scalar().intt(limb.tables(), expected.data(), expected.data());
  table.intt(limb.tables(), result.data(), result.data());
  ASSERT_EQ(result, expected);
}

/// Calls compare(name, call) for every kernel that works position by position; call(table, dst)
/// runs it.
template <typename Compare>
void forAllElementwise(const PrimeConstants &prime, const Residues &a, const Residues &b,
                       const Residues &c, Compare compare) {
  const size_t n = a.size();
  using Table = const KernelTable &;
  compare("add", [&](Table t, uint64_t *dst) { t.add(prime, n, dst, a.data(), b.data()); });
  compare("sub", [&](Table t, uint64_t *dst) { t.sub(prime, n, dst, a.data(), b.data()); });
  compare("negate", [&](Table t, uint64_t *dst) { t.negate(prime, n, dst, a.data()); });
  compare("mul", [&](Table t, uint64_t *dst) { t.mul(prime, n, dst, a.data(), b.data()); });
  compare("mac",
          [&](Table t, uint64_t *dst) { t.mac(prime, n, dst, c.data(), a.data(), b.data()); });
  for (uint64_t scalar : {uint64_t{0}, uint64_t{1}, prime.q - 1, c[0]}) {
    compare("mulScalar",
            [&](Table t, uint64_t *dst) { t.mulScalar(prime, n, dst, a.data(), scalar); });
    compare("addScalar",
            [&](Table t, uint64_t *dst) { t.addScalar(prime, n, dst, a.data(), scalar); });
    compare("subMulScalar", [&](Table t, uint64_t *dst) {
      t.subMulScalar(prime, n, dst, a.data(), b.data(), scalar);
    });
  }
}

TEST_P(Conformance, Elementwise) {
  for (uint64_t prime : primesOfAllWidths(3))
    for (size_t n : {8, 16, 24, 40, 1024})
      for (Fill left : allFills)
        for (Fill right : allFills) {
          Residues a = makeResidues(prime, n, left, 1), b = makeResidues(prime, n, right, 2);
          Residues c = makeResidues(prime, n, left, 3);
          forAllElementwise(modulusOf(prime).constants(), a, b, c,
                            [&](const char *name, auto call) {
                              Residues expected(n), result(n);
                              call(scalar(), expected.data());
                              call(table, result.data());
                              ASSERT_EQ(result, expected) << name << ", q " << prime << ", n " << n;
                            });
        }
}

TEST_P(Conformance, ReduceSmallAndSigned) {
  for (uint64_t prime : primesOfAllWidths(3))
    for (size_t n : {8, 16, 24, 40, 1024}) {
      std::vector<int8_t> bytes(n);
      for (size_t i = 0; i < n; ++i)
        bytes[i] = static_cast<int8_t>(37 * i + 128);
      std::vector<int64_t> words(n);
      std::mt19937_64 generator(n);
      for (int64_t &word : words) // all magnitudes
        word = static_cast<int64_t>(generator()) >> (generator() % 64);
      words[0] = INT64_MIN, words[1] = INT64_MAX, words[2] = -static_cast<int64_t>(prime);
      const PrimeConstants constants = modulusOf(prime).constants();
      Residues expected(n), result(n);
      scalar().reduceSigned(constants, n, expected.data(), words.data());
      table.reduceSigned(constants, n, result.data(), words.data());
      ASSERT_EQ(result, expected) << "q " << prime << ", n " << n;
      scalar().reduceSmall(constants, n, expected.data(), bytes.data());
      table.reduceSmall(constants, n, result.data(), bytes.data());
      ASSERT_EQ(result, expected) << "q " << prime << ", n " << n;
    }
}

TEST_P(Conformance, ElementwiseInPlace) {
  const uint64_t q = primesOfAllWidths(3).back();
  const PrimeConstants prime = modulusOf(q).constants();
  const size_t n = 64;
  const Residues a = randomResidues(q, n, 1), b = randomResidues(q, n, 2);
  const Residues acc = randomResidues(q, n, 3);
  Residues expected(n), overA = a, overB = b, overAcc = acc;
  scalar().mac(prime, n, expected.data(), acc.data(), a.data(), b.data());
  table.mac(prime, n, overA.data(), acc.data(), overA.data(), b.data());
  table.mac(prime, n, overB.data(), acc.data(), a.data(), overB.data());
  table.mac(prime, n, overAcc.data(), overAcc.data(), a.data(), b.data());
  EXPECT_EQ(overA, expected);
  EXPECT_EQ(overB, expected);
  EXPECT_EQ(overAcc, expected);

  overA = a;
  overB = b;
  scalar().subMulScalar(prime, n, expected.data(), a.data(), b.data(), q - 2);
  table.subMulScalar(prime, n, overA.data(), overA.data(), b.data(), q - 2);
  table.subMulScalar(prime, n, overB.data(), a.data(), overB.data(), q - 2);
  EXPECT_EQ(overA, expected);
  EXPECT_EQ(overB, expected);
}

TEST_P(Conformance, Automorphism) {
  for (unsigned logN : {3u, 4u, 9u, 12u}) {
    const size_t n = size_t{1} << logN;
    const Residues a = randomResidues(uint64_t{1} << 50, n, 1);
    for (uint32_t g : {uint32_t{3}, uint32_t{5}, uint32_t(n - 1), uint32_t(2 * n - 1)}) {
      std::vector<uint32_t> permutation = ring::evalPermutation(logN, g);
      Residues expected(n), result(n);
      scalar().automorphism(n, expected.data(), a.data(), permutation.data());
      table.automorphism(n, result.data(), a.data(), permutation.data());
      ASSERT_EQ(result, expected);
    }
  }
}

/// NTT of the base conversion of inverse transforms, the way through the coefficient form.
std::vector<Residues> convertThroughCoefficients(const kernels::ConvertTables &tables,
                                                 std::vector<Residues> sources, size_t n) {
  std::vector<Residues> results(tables.destinationCount, Residues(n));
  std::vector<const uint64_t *> from;
  std::vector<uint64_t *> to;
  for (size_t k = 0; k < sources.size(); ++k) {
    scalar().intt(*tables.sources[k].limb, sources[k].data(), sources[k].data());
    from.push_back(sources[k].data());
  }
  for (Residues &result : results)
    to.push_back(result.data());
  scalar().baseConvert(tables, n, to.data(), from.data());
  for (size_t t = 0; t < results.size(); ++t)
    scalar().ntt(*tables.destinations[t].limb, to[t], to[t]);
  return results;
}

/// The same through the half form, cut into parts.
std::vector<Residues> convertThroughColumns(const KernelTable &table,
                                            const kernels::ConvertTables &tables,
                                            const std::vector<Residues> &sources, size_t n) {
  const unsigned logN = tables.sources[0].limb->logN;
  const size_t rowWords = table.rowWords(logN), part = std::max(rowWords, n / 4);
  std::vector<Residues> mixed(sources.size(), Residues(n));
  std::vector<Residues> converted(tables.destinationCount, Residues(n)), results = converted;
  std::vector<const uint64_t *> from;
  std::vector<uint64_t *> to;
  for (size_t k = 0; k < sources.size(); ++k) {
    for (size_t begin = 0; begin < n; begin += part)
      table.inttRows(*tables.sources[k].limb, begin, part, mixed[k].data(),
                     sources[k].data() + begin);
    from.push_back(mixed[k].data());
  }
  for (Residues &result : converted)
    to.push_back(result.data());
  Residues scratch(tables.scratchWords());
  const size_t columns = rowWords < 32 ? rowWords : rowWords / 2;
  for (size_t begin = 0; begin < rowWords; begin += columns)
    table.baseConvertColumns(tables, begin, columns, to.data(), from.data(), scratch.data());
  for (size_t t = 0; t < results.size(); ++t)
    for (size_t begin = 0; begin < n; begin += part)
      table.nttRows(*tables.destinations[t].limb, begin, part, results[t].data() + begin,
                    converted[t].data());
  return results;
}

TEST_P(Conformance, BaseConvertColumns) {
  for (unsigned logN = kernels::minLogN; logN <= kernels::maxLogN; ++logN) {
    std::vector<uint64_t> primes = primesOfAllWidths(logN);
    if (logN > 11) // slow; a few widths tell as much
      primes = {primes.front(), primes[primes.size() / 2], primes.back()};
    for (uint64_t prime : *ring::nttPrimesBelow(logN, 50, 2, primes))
      primes.push_back(prime);
    const ring::Ring ring = *ring::Ring::create(logN, primes);
    const size_t n = size_t{1} << logN, limbs = primes.size();
    std::vector<uint16_t> all(limbs);
    std::iota(all.begin(), all.end(), uint16_t{0});
    // The widest limbs are sources once and destinations once.
    const size_t sourceCounts[] = {1, limbs / 2, limbs - 1};
    for (size_t sourceCount : sourceCounts)
      for (bool isReversed : {false, true}) {
        std::vector<uint16_t> order = all;
        if (isReversed)
          std::reverse(order.begin(), order.end());
        const std::span<const uint16_t> list(order);
        const ring::BaseConversion conversion(
            *ring::Basis::create(ring, list.first(sourceCount)),
            *ring::Basis::create(ring, list.subspan(sourceCount)));
        const Fill fill = isReversed ? Fill::largest : Fill::random;
        std::vector<Residues> sources;
        for (size_t k = 0; k < sourceCount; ++k)
          sources.push_back(makeResidues(primes[order[k]], n, fill, k));
        const std::vector<Residues> expected =
            convertThroughCoefficients(conversion.tables(), sources, n);
        ASSERT_EQ(convertThroughColumns(table, conversion.tables(), sources, n), expected)
            << "log N " << logN << ", " << sourceCount << " of " << limbs << " limbs";
      }
  }
}

TEST_P(Conformance, BaseConvert) {
  std::vector<uint64_t> primes = primesOfAllWidths(3);
  for (uint64_t prime : *ring::nttPrimesBelow(3, 50, kernels::maxConvertSources, primes))
    primes.push_back(prime);
  const ring::Ring ring = *ring::Ring::create(3, primes);
  for (size_t sourceCount :
       {size_t{1}, size_t{2}, size_t{7}, size_t{8}, size_t{9}, size_t{14}, size_t{15}, size_t{16},
        size_t{17}, size_t{33}, kernels::maxConvertSources})
    for (size_t n : {8, 40, 64})
      for (Fill fill : allFills) {
        std::vector<uint16_t> limbs(primes.size());
        std::iota(limbs.begin(), limbs.end(), uint16_t{0});
        const std::span<const uint16_t> all(limbs);
        const ring::Basis source = *ring::Basis::create(ring, all.first(sourceCount));
        const ring::Basis destination = *ring::Basis::create(ring, all.last(12));
        const ring::BaseConversion conversion(source, destination);

        std::vector<Residues> inputs, expected(12, Residues(n)), results(12, Residues(n));
        std::vector<const uint64_t *> src;
        std::vector<uint64_t *> dst, expectedDst;
        for (size_t k = 0; k < sourceCount; ++k)
          inputs.push_back(makeResidues(source.modulus(k).value(), n, fill, k));
        for (const Residues &input : inputs)
          src.push_back(input.data());
        for (size_t t = 0; t < 12; ++t) {
          dst.push_back(results[t].data());
          expectedDst.push_back(expected[t].data());
        }
        scalar().baseConvert(conversion.tables(), n, expectedDst.data(), src.data());
        table.baseConvert(conversion.tables(), n, dst.data(), src.data());
        ASSERT_EQ(results, expected) << sourceCount << " sources, n " << n;
      }
}

/// Every word as large as its prime allows, in all sums: no real basis has such factors, but the
/// contract takes them.
TEST_P(Conformance, LargestSumsOfBaseConvert) {
  const size_t n = 40, sourceCount = kernels::maxConvertSources;
  const std::vector<uint64_t> primes = primesOfAllWidths(3);
  const ring::Modulus widest = modulusOf(primes.back());
  const std::vector<kernels::ConvertSource> sources(
      sourceCount, {widest.constants(), widest.shoupFactor(1), nullptr, {}, {}});
  const Residues x(n, widest.value() - 1);
  const std::vector<const uint64_t *> src(sourceCount, x.data());
  for (uint64_t prime : primes) {
    const Residues factors(sourceCount, prime - 1);
    const kernels::ConvertDestination destination = {modulusOf(prime).constants(), factors.data(),
                                                     prime - 1, nullptr};
    const kernels::ConvertTables tables = {sourceCount, sources.data(), 1, &destination};
    // Each y is q - 1, each product -(q - 1) modulo t; z = 128 because every y / q is nearly 1.
    const uint64_t sum = (sourceCount * ((widest.value() - 1) % prime) + sourceCount) % prime;
    Residues result(n);
    uint64_t *dst[] = {result.data()};
    table.baseConvert(tables, n, dst, src.data());
    ASSERT_EQ(result, Residues(n, (prime - sum) % prime)) << prime;
  }
}

/// Factors as far from 0 as a centred representation allows, which some rows use, all of one sign.
TEST_P(Conformance, CentredFactorsOfBaseConvert) {
  const size_t n = 40;
  const std::vector<uint64_t> primes = primesOfAllWidths(3);
  const ring::Modulus widest = modulusOf(primes.back());
  for (size_t sourceCount : {size_t{8}, size_t{9}, size_t{14}, size_t{15}, size_t{16}, size_t{28},
                             size_t{29}, kernels::maxConvertSources}) {
    const std::vector<kernels::ConvertSource> sources(
        sourceCount, {widest.constants(), widest.shoupFactor(1), nullptr, {}, {}});
    std::vector<Residues> inputs(sourceCount, Residues(n));
    std::vector<const uint64_t *> src;
    for (size_t k = 0; k < sourceCount; ++k) {
      for (size_t i = 0; i < n; ++i)
        inputs[k][i] = widest.value() - 1 - (i * i + 3 * k) % 11; // the low bits decide on rounding
      src.push_back(inputs[k].data());
    }
    for (uint64_t prime : primes)
      for (uint64_t factor : {(prime - 1) / 2, (prime + 1) / 2}) {
        const Residues factors(sourceCount, factor);
        const kernels::ConvertDestination destination = {modulusOf(prime).constants(),
                                                         factors.data(), prime - 1, nullptr};
        const kernels::ConvertTables tables = {sourceCount, sources.data(), 1, &destination};
        Residues result(n), expected(n);
        uint64_t *dst[] = {result.data()}, *expectedDst[] = {expected.data()};
        scalar().baseConvert(tables, n, expectedDst, src.data());
        table.baseConvert(tables, n, dst, src.data());
        ASSERT_EQ(result, expected) << sourceCount << " sources, t " << prime << ", " << factor;
      }
  }
}

TEST_P(Conformance, InnerProduct) {
  for (uint64_t prime : primesOfAllWidths(3))
    for (size_t digitCount : {size_t{1}, size_t{2}, size_t{7}, size_t{8}, size_t{9}, size_t{15},
                              size_t{16}, size_t{17}, kernels::maxDigits})
      for (size_t n : {8, 24, 32})
        for (Fill fill : {Fill::random, Fill::largest, Fill::alternating}) {
          std::vector<Residues> words;
          std::vector<const uint64_t *> digits, b, a;
          for (size_t j = 0; j < 3 * digitCount; ++j)
            words.push_back(makeResidues(prime, n, fill, j));
          for (size_t j = 0; j < digitCount; ++j) {
            digits.push_back(words[3 * j].data());
            b.push_back(words[3 * j + 1].data());
            a.push_back(words[3 * j + 2].data());
          }
          const PrimeConstants constants = modulusOf(prime).constants();
          Residues expected0(n), expected1(n), result0(n), result1(n);
          scalar().innerProduct(constants, n, expected0.data(), expected1.data(), digitCount,
                                digits.data(), b.data(), a.data());
          table.innerProduct(constants, n, result0.data(), result1.data(), digitCount,
                             digits.data(), b.data(), a.data());
          ASSERT_EQ(result0, expected0) << digitCount << " digits, q " << prime << ", n " << n;
          ASSERT_EQ(result1, expected1) << digitCount << " digits, q " << prime << ", n " << n;
        }
}

TEST_P(Conformance, WeightedSum) {
  for (uint64_t prime : primesOfAllWidths(3))
    for (size_t count :
         {size_t{1}, size_t{7}, size_t{8}, size_t{9}, size_t{17}, kernels::maxDigits})
      for (size_t n : {8, 24, 32})
        for (Fill fill : {Fill::random, Fill::largest, Fill::alternating}) {
          std::vector<Residues> words;
          std::vector<const uint64_t *> weights, values0, values1;
          for (size_t j = 0; j < 3 * count + 2; ++j)
            words.push_back(makeResidues(prime, n, fill, j));
          for (size_t j = 0; j < count; ++j) {
            weights.push_back(words[3 * j].data());
            values0.push_back(words[3 * j + 1].data());
            values1.push_back(words[3 * j + 2].data());
          }
          const Residues acc0 = words[3 * count], acc1 = words[3 * count + 1];
          const PrimeConstants constants = modulusOf(prime).constants();
          Residues expected0(n), expected1(n), result0 = acc0, result1 = acc1; // in place
          scalar().weightedSum(constants, n, expected0.data(), expected1.data(), acc0.data(),
                               acc1.data(), count, weights.data(), values0.data(), values1.data());
          table.weightedSum(constants, n, result0.data(), result1.data(), result0.data(),
                            result1.data(), count, weights.data(), values0.data(), values1.data());
          ASSERT_EQ(result0, expected0) << count << " terms, q " << prime << ", n " << n;
          ASSERT_EQ(result1, expected1) << count << " terms, q " << prime << ", n " << n;
        }
}

/// Floating point: rows agree to rounding, not to the bit. Values of about 1 have sums of about
/// sqrt(n).
TEST_P(Conformance, Embedding) {
  for (unsigned logSlots = 0; logSlots < kernels::maxLogN; ++logSlots) {
    auto roots = ring::makeEmbeddingRoots(logSlots);
    std::vector<double> expected(size_t{2} << logSlots);
    for (size_t i = 0; i < expected.size(); ++i)
      expected[i] = std::sin(static_cast<double>(i * i % 1009));
    std::vector<double> result = expected;
    const double tolerance = std::ldexp(std::sqrt(static_cast<double>(expected.size())), -47);
    scalar().embed(logSlots, expected.data(), roots.get());
    table.embed(logSlots, result.data(), roots.get());
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(result[i], expected[i], tolerance) << "log slots " << logSlots;
    scalar().unembed(logSlots, expected.data(), roots.get());
    table.unembed(logSlots, result.data(), roots.get());
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(result[i], expected[i], 0x1p-47) << "log slots " << logSlots;
  }
}

TEST_P(Conformance, WideEmbedding) {
  for (unsigned logSlots = 0; logSlots < kernels::maxLogN; ++logSlots) {
    const size_t n = size_t{1} << logSlots;
    auto roots = ring::makeWideEmbeddingRoots(logSlots);
    std::vector<double> expected(4 * n);
    for (size_t i = 0; i < n; ++i) {
      expected[i] = std::sin(static_cast<double>(i * i % 1009));
      expected[2 * n + i] = std::cos(static_cast<double>(i * i % 1013));
    }
    std::vector<double> result = expected;
    // High and low parts differ by a last place where a sum is next to the middle of two doubles.
    auto compare = [&](double tolerance) {
      for (size_t i = 0; i < 4 * n; i += i % (2 * n) == n - 1 ? n + 1 : 1)
        ASSERT_NEAR((result[i] - expected[i]) + (result[n + i] - expected[n + i]), 0, tolerance)
            << "log slots " << logSlots;
    };
    scalar().embedWide(logSlots, expected.data(), n, roots.get());
    table.embedWide(logSlots, result.data(), n, roots.get());
    compare(std::ldexp(std::sqrt(static_cast<double>(n)), -93));
    scalar().unembedWide(logSlots, expected.data(), n, roots.get());
    table.unembedWide(logSlots, result.data(), n, roots.get());
    compare(0x1p-93);
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Conformance, testing::ValuesIn(rowsUnderTest()),
                         [](const testing::TestParamInfo<const KernelTable *> &row) {
                           std::string name = row.param->name;
                           for (char &letter : name)
                             if (letter == '-')
                               letter = '_';
                           return name;
                         });

} // namespace
