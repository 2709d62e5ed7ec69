//===- ntt_test.cpp - the transform against its definition ------------------------------------===//
#include "runtime/kernels/kernels.h"
#include "test/runtime/kernels/residues.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

/// One limb with the scalar kernels.
struct Limb {
  ring::Modulus modulus;
  ring::NttTables owner;
  const kernels::KernelTable &table = *kernels::allKernelTables().front();

  Limb(uint64_t q, unsigned logN) : modulus(modulusOf(q)), owner(modulus, logN) {}

  Residues ntt(const Residues &a) const {
    Residues result(a.size());
    table.ntt(owner.tables(), result.data(), a.data());
    return result;
  }
  Residues intt(const Residues &a) const {
    Residues result(a.size());
    table.intt(owner.tables(), result.data(), a.data());
    return result;
  }
};

uint64_t evaluate(const ring::Modulus &q, const Residues &polynomial, uint64_t point) {
  uint64_t value = 0;
  for (size_t n = polynomial.size(); n-- > 0;)
    value = (static_cast<Word128>(value) * point + polynomial[n]) % q.value();
  return value;
}

uint64_t reverseBitByBit(uint64_t value, unsigned bits) {
  uint64_t reversed = 0;
  for (unsigned bit = 0; bit < bits; ++bit)
    reversed = 2 * reversed + ((value >> bit) & 1);
  return reversed;
}

/// docs/formats.md, "Evaluation form": position i holds the value at psi^(2 r(i) + 1).
TEST(Ntt, EvaluatesAtOddPowersInBitReversedOrder) {
  for (unsigned logN : {3u, 4u, 5u, 8u})
    for (uint64_t prime : primesOfAllWidths(logN)) {
      Limb limb(prime, logN);
      uint64_t psi = ring::primitiveRoot(limb.modulus, logN);
      Residues a = randomResidues(prime, size_t{1} << logN, 1);
      Residues values = limb.ntt(a);
      for (size_t i = 0; i < a.size(); ++i) {
        uint64_t point = limb.modulus.pow(psi, 2 * reverseBitByBit(i, logN) + 1);
        ASSERT_EQ(values[i], evaluate(limb.modulus, a, point)) << "q " << prime << ", i " << i;
      }
    }
}

TEST(Ntt, MultipliesNegacyclically) {
  for (unsigned logN : {3u, 6u, 9u})
    for (uint64_t prime : primesOfAllWidths(logN)) {
      Limb limb(prime, logN);
      const size_t n = size_t{1} << logN;
      Residues a = randomResidues(prime, n, 2), b = makeResidues(prime, n, Fill::alternating, 3);
      Residues product(n, 0);
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
          uint64_t term = static_cast<Word128>(a[i]) * b[j] % prime;
          uint64_t &sum = product[(i + j) % n];
          sum = (sum + (i + j < n ? term : prime - term)) % prime;
        }
      Residues left = limb.ntt(a), right = limb.ntt(b);
      for (size_t i = 0; i < n; ++i)
        left[i] = static_cast<Word128>(left[i]) * right[i] % prime;
      ASSERT_EQ(limb.intt(left), product) << "q " << prime << ", log N " << logN;
    }
}

TEST(Ntt, InverseUndoesForwardInPlace) {
  for (unsigned logN = kernels::minLogN; logN <= kernels::maxLogN; ++logN)
    for (uint64_t prime : {primesOfAllWidths(logN).front(), primesOfAllWidths(logN).back()}) {
      Limb limb(prime, logN);
      for (Fill fill : {Fill::random, Fill::largest}) {
        Residues a = makeResidues(prime, size_t{1} << logN, fill, logN);
        Residues b = a;
        limb.table.ntt(limb.owner.tables(), b.data(), b.data());
        ASSERT_EQ(b, limb.ntt(a));
        limb.table.intt(limb.owner.tables(), b.data(), b.data());
        ASSERT_EQ(b, a) << "q " << prime << ", log N " << logN;
      }
    }
}

/// The transform of c * X^m is known for any degree: c * psi^(m (2 r(i) + 1)). Covers every stage
/// of large transforms.
TEST(Ntt, TransformsMonomialsOfLargeDegrees) {
  for (unsigned logN : {11u, 12u, 13u, 15u, 16u, 17u}) {
    uint64_t prime = primesOfAllWidths(logN).back();
    Limb limb(prime, logN);
    const size_t n = size_t{1} << logN;
    uint64_t psi = ring::primitiveRoot(limb.modulus, logN);
    for (size_t m : {size_t{0}, size_t{1}, n / 2, n - 1}) {
      Residues a(n, 0);
      a[m] = prime - 1;
      Residues values = limb.ntt(a);
      for (size_t i = 0; i < n; i += i < 64 ? 1 : 61) {
        uint64_t power = limb.modulus.pow(psi, m * (2 * reverseBitByBit(i, logN) + 1));
        ASSERT_EQ(values[i], prime - power) << "log N " << logN << ", X^" << m << ", i " << i;
      }
    }
  }
}

} // namespace
