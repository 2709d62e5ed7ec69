//===- scale_equations_test.cpp - exact elimination over scales -------------------------------===//

#include "passes/algorithms/ScaleEquations.h"

#include "gtest/gtest.h"

#include <random>

namespace sluice::algorithms {
namespace {

using ckks::Dyadic;
using ckks::Scale;
using Labels = ScaleEquations::Labels;

const std::vector<uint64_t> primes = {35184372121601, 35184372744193, 35184373006337};

Scale scale(const char *text) { return Scale::parse(text).value(); }

TEST(ScaleEquations, SolvesForAnUnknown) {
  ScaleEquations equations;
  ScaleExpression x = equations.addUnknown(45), y = equations.addUnknown(45);
  // x^8 / q0 = y.
  ASSERT_FALSE(equations.require(x.pow(8) * scale("q0^-1"), y, 0));
  equations.prefer(x, 45);
  equations.chooseFree(primes);
  EXPECT_EQ(equations.value(x).str(), "2^45");
  EXPECT_EQ(equations.value(y).str(), "2^360 * q0^-1");
}

TEST(ScaleEquations, TakesSquareRoots) {
  ScaleEquations equations;
  ScaleExpression x = equations.addUnknown(45);
  ASSERT_FALSE(equations.require(x.pow(4) * scale("q0^-1 * q1^-1"), x.pow(2), 0));
  equations.chooseFree(primes);
  EXPECT_EQ(equations.value(x).str(), "q0^(1/2) * q1^(1/2)");
}

TEST(ScaleEquations, CubeRootsExistOnlyOfCubes) {
  ScaleEquations equations;
  ScaleExpression x = equations.addUnknown(45), y = equations.addUnknown(45);
  EXPECT_EQ(equations.require(x.pow(3), scale("q0"), 7), Labels({7}));
  EXPECT_FALSE(equations.require(y.pow(3), scale("2^3 * q0^6 * q1^(3/2)"), 8));
  equations.chooseFree(primes);
  EXPECT_EQ(equations.value(y).str(), "2^1 * q0^2 * q1^(1/2)");
}

TEST(ScaleEquations, SolvesWithoutUnitExponents) {
  // x^3 y^5 = q0 has solutions in integers by Euclid, though neither x nor y can be solved for
  // alone.
  ScaleEquations equations;
  ScaleExpression x = equations.addUnknown(45), y = equations.addUnknown(45);
  ASSERT_FALSE(equations.require(x.pow(3) * y.pow(5), scale("q0"), 0));
  equations.prefer(x, 20);
  equations.chooseFree(primes);
  EXPECT_EQ(equations.value(x.pow(3) * y.pow(5)).str(), "q0");
  // x^6 y^15 = q0 has none: both exponents are multiples of 3.
  ScaleEquations unsolvable;
  x = unsolvable.addUnknown(45), y = unsolvable.addUnknown(45);
  EXPECT_TRUE(unsolvable.require(x.pow(6) * y.pow(15), scale("q0"), 0));
  EXPECT_FALSE(unsolvable.require(x.pow(6) * y.pow(15), scale("q0^3"), 1));
}

TEST(ScaleEquations, NamesTheEquationsInConflict) {
  ScaleEquations equations;
  ScaleExpression a = equations.addUnknown(45), b = equations.addUnknown(45),
                  c = equations.addUnknown(45), d = equations.addUnknown(45);
  EXPECT_FALSE(equations.require(a, b, 1));
  EXPECT_FALSE(equations.require(c, d, 2)); // plays no part
  EXPECT_FALSE(equations.require(b, c * scale("q1"), 3));
  EXPECT_EQ(equations.require(a, c * scale("q0"), 4), Labels({1, 3, 4}));
  // A redundant equation is none.
  EXPECT_FALSE(equations.require(a, c * scale("q1"), 5));
}

TEST(ScaleEquations, ChoosesByLeastSquares) {
  ScaleEquations equations;
  ScaleExpression x = equations.addUnknown(10);
  equations.prefer(x, 40);
  equations.prefer(x * scale("2^4"), 48); // x near 44
  equations.chooseFree(primes);
  EXPECT_EQ(equations.value(x).str(), "2^42");
  // 3 (x - 40) and (x - 48): the minimum of the sum of squares is at 40.8.
  ScaleEquations weighted;
  x = weighted.addUnknown(10);
  weighted.prefer(x, 40, 3);
  weighted.prefer(x, 48);
  weighted.chooseFree(primes);
  EXPECT_EQ(weighted.value(x).str(), "2^41");
}

TEST(ScaleEquations, RandomSystemsHoldExactly) {
  std::mt19937 random(11);
  unsigned solved = 0;
  for (int round = 0; round < 200; ++round) {
    ScaleEquations equations;
    std::vector<ScaleExpression> unknowns;
    for (int n = 0; n < 5; ++n)
      unknowns.push_back(equations.addUnknown(45));
    std::vector<std::pair<ScaleExpression, ScaleExpression>> accepted;
    for (unsigned label = 0; label < 6; ++label) {
      auto monomial = [&] {
        ScaleExpression result(Scale::limb(random() % 3, int64_t(random() % 5) - 2));
        for (int factor = 0; factor < 2; ++factor)
          result *= unknowns[random() % 5].pow(Dyadic(int64_t(random() % 7) - 3, random() % 2));
        return result;
      };
      ScaleExpression a = monomial(), b = monomial();
      if (!equations.require(a, b, label))
        accepted.emplace_back(a, b);
    }
    equations.chooseFree(primes);
    for (const auto &[a, b] : accepted)
      EXPECT_EQ(equations.value(a), equations.value(b));
    solved += accepted.size();
  }
  EXPECT_GT(solved, 600u); // most are solvable: five unknowns
}

} // namespace
} // namespace sluice::algorithms
