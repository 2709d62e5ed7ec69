//===- cheapest_approximation_test.cpp - series or best approximation, whichever costs less ---===//

#include "passes/algorithms/CheapestApproximation.h"
#include "passes/algorithms/PolynomialPlan.h"
#include "passes/algorithms/Remez.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice::algorithms;

namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double squareRoot(double x) { return std::sqrt(x); }

std::pair<unsigned, unsigned> costOf(const Polynomial &p) {
  std::vector<Coefficient> coefficients(p.coefficients.begin(), p.coefficients.end());
  return {polynomialDepth(p.degree()),
          planPolynomial(coefficients, Basis::chebyshev).ciphertextProducts()};
}

double errorOnGrid(const RealFunction &f, const Polynomial &p) {
  double error = 0;
  for (int i = 0; i <= 100003; ++i) {
    double x = p.interval.low + (p.interval.high - p.interval.low) * i / 100003;
    error = std::max(error, std::fabs(f(x) - p(x)));
  }
  return error;
}

TEST(CheapestApproximation, NeverCostsMoreThanTheSeries) {
  std::vector<std::pair<RealFunction, Interval>> cases{
      {sigmoid, {-8, 8}},
      {squareRoot, {0.0625, 2.0625}},
      {[](double x) { return 1 / x; }, {0.5, 4.5}},
      {[](double x) { return std::exp(x); }, {-1, 3}},
      {[](double x) { return x * sigmoid(x); }, {-8, 8}}};
  for (const auto &[f, interval] : cases)
    for (double bits = 4; bits <= 24; bits += 2) {
      double tolerance = std::exp2(-bits);
      auto series = approximate(f, interval, tolerance, 255);
      auto found = approximateCheaply(f, interval, tolerance, 255);
      ASSERT_TRUE(series && found);
      EXPECT_LE(costOf(found->polynomial), costOf(series->polynomial));
      EXPECT_LE(errorOnGrid(f, found->polynomial), tolerance * 1.0001);
    }
}

TEST(CheapestApproximation, RemezSavesALevelWhereItCan) {
  // Degree 7 is three levels, 8 four. Pick a tolerance between the two errors of degree 7.
  Interval interval{0.0625, 2.0625};
  auto best = remez(squareRoot, {{interval}}, 7, interval);
  ASSERT_TRUE(best);
  double tolerance = best->levelledError * 1.01;
  auto series = approximate(squareRoot, interval, tolerance, 255);
  auto found = approximateCheaply(squareRoot, interval, tolerance, 255);
  ASSERT_TRUE(series && found);
  EXPECT_EQ(polynomialDepth(series->polynomial.degree()), 4u);
  EXPECT_EQ(polynomialDepth(found->polynomial.degree()), 3u);
}

TEST(CheapestApproximation, RootsHaveHalfTheDegreeOfTheirSeries) {
  // Near 0 the truncated series has some 2.3 times the least error, which falls as 1 / degree:
  // E_n(sqrt on [0, 1]) = E_2n(|x|) = 0.28 / 2n.
  auto found = approximateCheaply(squareRoot, {0, 1}, 0x1p-8, 255);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->polynomial.degree(), 0.2802 / 2 * 256, 5);
  // Beyond the reach of a series of degree 63, not of a best approximation.
  EXPECT_FALSE(approximate(squareRoot, {0, 1}, 0x1p-8, 63));
  EXPECT_TRUE(approximateCheaply(squareRoot, {0, 1}, 0x1p-8, 63));
  EXPECT_FALSE(approximateCheaply(squareRoot, {0, 1}, 0x1p-12, 63));
}

TEST(CheapestApproximation, ParitySurvives) {
  for (double bits : {8.0, 12.0, 16.0}) {
    auto odd = approximateCheaply(sigmoid, {-8, 8}, std::exp2(-bits), 255);
    ASSERT_TRUE(odd);
    for (size_t i = 2; i < odd->polynomial.coefficients.size(); i += 2)
      EXPECT_EQ(odd->polynomial.coefficients[i], 0) << i;
    EXPECT_NEAR(odd->polynomial.coefficients[0], 0.5, 1e-12);
    auto even =
        approximateCheaply([](double x) { return std::cos(x); }, {-4, 4}, std::exp2(-bits), 255);
    ASSERT_TRUE(even);
    for (size_t i = 1; i < even->polynomial.coefficients.size(); i += 2)
      EXPECT_EQ(even->polynomial.coefficients[i], 0) << i;
  }
}

TEST(CheapestApproximation, SmallPolynomialsAreTheirOwnSeries) {
  auto line = approximateCheaply([](double x) { return 2 * x + 1; }, {-1, 3}, 1e-9, 255);
  auto constant = approximateCheaply([](double) { return 0.25; }, {-1, 3}, 1e-9, 255);
  auto cubic = approximateCheaply([](double x) { return x * x * x; }, {-1, 1}, 1e-9, 255);
  ASSERT_TRUE(line && constant && cubic);
  EXPECT_EQ(line->polynomial.degree(), 1u);
  EXPECT_EQ(constant->polynomial.degree(), 0u);
  EXPECT_EQ(cubic->polynomial.degree(), 3u);
}

} // namespace
