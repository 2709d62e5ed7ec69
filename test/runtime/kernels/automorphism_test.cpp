//===- automorphism_test.cpp - the gather against the substitution ----------------------------===//
#include "runtime/kernels/kernels.h"
#include "runtime/ring/galois.h"
#include "test/runtime/kernels/residues.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::test;

namespace {

/// a(X^g) on coefficients: X^(g n) = +-X^(g n mod N).
Residues substitute(const Residues &a, uint64_t g, uint64_t q) {
  const size_t n = a.size();
  Residues result(n);
  for (size_t i = 0; i < n; ++i) {
    size_t exponent = (g * i) % (2 * n);
    result[exponent % n] = exponent < n ? a[i] : (q - a[i]) % q;
  }
  return result;
}

TEST(Automorphism, IsTheSubstitutionInEvaluationForm) {
  const kernels::KernelTable &table = *kernels::allKernelTables().front();
  for (unsigned logN : {3u, 4u, 7u, 12u}) {
    const size_t n = size_t{1} << logN;
    const uint64_t prime = primesOfAllWidths(logN).back();
    ring::NttTables limb(modulusOf(prime), logN);
    Residues a = randomResidues(prime, n, logN), image(n), permuted(n), expected(n);
    table.ntt(limb.tables(), image.data(), a.data());
    for (uint32_t g : {uint32_t{1}, uint32_t{5}, uint32_t{3}, uint32_t(2 * n - 1),
                       ring::rotationElement(logN, -1)}) {
      std::vector<uint32_t> permutation = ring::evalPermutation(logN, g);
      table.automorphism(n, permuted.data(), image.data(), permutation.data());
      table.ntt(limb.tables(), expected.data(), substitute(a, g, prime).data());
      ASSERT_EQ(permuted, expected) << "log N " << logN << ", g " << g;
    }
  }
}

} // namespace
