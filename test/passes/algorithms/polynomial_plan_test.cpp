//===- polynomial_plan_test.cpp - plans against depth, counts and direct evaluation -----------===//

#include "passes/algorithms/PolynomialPlan.h"
#include "test/passes/algorithms/dense_products.h"

#include "gtest/gtest.h"

#include <cmath>
#include <map>
#include <random>

namespace sluice::algorithms {
namespace {

using test::ceilLog2, test::denseProducts;

constexpr unsigned maxDegree = 255;

/// Coefficients in [-2, 2] without zeros.
std::vector<Coefficient> denseCoefficients(unsigned degree, std::mt19937 &random) {
  std::uniform_real_distribution<double> magnitude(0.25, 2);
  std::vector<Coefficient> coefficients;
  for (unsigned i = 0; i <= degree; ++i)
    coefficients.emplace_back(random() % 2 ? magnitude(random) : -magnitude(random));
  return coefficients;
}

/// The definition: T_i(t) = cos(i arccos t), or t^i.
Coefficient evaluateDirectly(std::span<const Coefficient> coefficients, Basis basis, double t) {
  Coefficient sum = 0;
  for (size_t i = 0; i < coefficients.size(); ++i)
    sum += coefficients[i] *
           (basis == Basis::chebyshev ? std::cos(i * std::acos(t)) : std::pow(t, double(i)));
  return sum;
}

/// What a ciphertext evaluation of the plan does, in doubles.
Coefficient evaluatePlan(const PolynomialPlan &plan, double t) {
  std::map<unsigned, Coefficient> powers = {{0, 1}, {1, t}};
  for (const PowerStep &step : plan.powers) {
    Coefficient product = powers.at(step.high) * powers.at(step.low);
    powers[step.index] =
        plan.basis == Basis::monomial ? product : 2.0 * product - powers.at(step.high - step.low);
  }
  std::vector<Coefficient> values;
  for (const PolynomialBlock &block : plan.blocks) {
    Coefficient sum = block.constant;
    for (const BlockProduct &product : block.products)
      sum += values.at(product.child) * powers.at(product.power);
    for (const BlockTerm &term : block.terms)
      sum += term.coefficient * powers.at(term.power);
    values.push_back(sum);
  }
  return values.back();
}

/// Every operand stands at or above the level at which it is used, and the root exactly `depth`
/// below T_1.
void expectDepth(const PolynomialPlan &plan, unsigned degree) {
  EXPECT_EQ(plan.depth, ceilLog2(degree + 1)) << "degree " << degree;
  EXPECT_EQ(plan.blocks.back().below, plan.depth) << "degree " << degree;
  for (const PowerStep &step : plan.powers) {
    EXPECT_EQ(step.index, step.high + step.low);
    EXPECT_LT(ceilLog2(step.high), ceilLog2(step.index));
    EXPECT_LT(ceilLog2(step.low), ceilLog2(step.index));
  }
  for (const PolynomialBlock &block : plan.blocks) {
    unsigned formed = block.below - 1; // where products and terms are formed, in levels below T_1
    for (const BlockProduct &product : block.products) {
      EXPECT_LE(ceilLog2(product.power), formed) << "degree " << degree;
      EXPECT_EQ(plan.blocks[product.child].below, formed) << "degree " << degree;
    }
    for (const BlockTerm &term : block.terms)
      EXPECT_LE(ceilLog2(term.power), formed) << "degree " << degree;
  }
}

class DensePolynomial : public testing::TestWithParam<Basis> {};

TEST_P(DensePolynomial, HasOptimalDepthForEveryDegree) {
  std::mt19937 random(1);
  for (unsigned degree = 1; degree <= maxDegree; ++degree)
    expectDepth(planPolynomial(denseCoefficients(degree, random), GetParam()), degree);
}

TEST_P(DensePolynomial, HasAsManyProductsAsTheClosedForm) {
  std::mt19937 random(2);
  for (unsigned degree = 1; degree <= maxDegree; ++degree) {
    PolynomialPlan plan = planPolynomial(denseCoefficients(degree, random), GetParam());
    EXPECT_EQ(plan.ciphertextProducts(), denseProducts(degree)) << "degree " << degree;
  }
}

TEST_P(DensePolynomial, EqualsDirectEvaluation) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> point(-1, 1);
  for (unsigned degree = 1; degree <= maxDegree; ++degree) {
    std::vector<Coefficient> coefficients = denseCoefficients(degree, random);
    coefficients[degree / 2] += Coefficient(0, 0.5); // complex coefficients are planned alike
    PolynomialPlan plan = planPolynomial(coefficients, GetParam());
    for (unsigned sample = 0; sample < 4; ++sample) {
      double t = point(random);
      Coefficient expected = evaluateDirectly(coefficients, GetParam(), t);
      EXPECT_LT(std::abs(evaluatePlan(plan, t) - expected), 1e-10) << "degree " << degree;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bases, DensePolynomial, testing::Values(Basis::chebyshev, Basis::monomial),
                         [](const auto &info) {
                           return info.param == Basis::chebyshev ? "Chebyshev" : "Monomial";
                         });

TEST(PolynomialPlan, CountsOfTheSheet) {
  std::mt19937 random(4);
  std::map<unsigned, unsigned> products = {{1, 0}, {2, 1},  {3, 2},  {4, 3},   {7, 5},
                                           {8, 5}, {15, 8}, {16, 8}, {31, 13}, {63, 18}};
  for (auto [degree, count] : products)
    EXPECT_EQ(
        planPolynomial(denseCoefficients(degree, random), Basis::chebyshev).ciphertextProducts(),
        count)
        << "degree " << degree;
}

TEST(PolynomialPlan, SkipsZerosOfOddAndEvenPolynomials) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> point(-1, 1);
  for (unsigned degree = 3; degree <= maxDegree; ++degree) {
    std::vector<Coefficient> coefficients = denseCoefficients(degree, random);
    for (unsigned i = 0; i <= degree; ++i)
      if (i % 2 != degree % 2)
        coefficients[i] = 0;
    PolynomialPlan plan = planPolynomial(coefficients, Basis::chebyshev);
    expectDepth(plan, degree);
    EXPECT_LE(plan.ciphertextProducts(), denseProducts(degree)) << "degree " << degree;
    for (const PolynomialBlock &block : plan.blocks)
      for (const BlockTerm &term : block.terms)
        EXPECT_NE(term.coefficient, Coefficient(0));
    double t = point(random);
    EXPECT_LT(std::abs(evaluatePlan(plan, t) - evaluateDirectly(coefficients, Basis::chebyshev, t)),
              1e-10)
        << "degree " << degree;
  }
  // x^8 alone: three squarings and one constant product.
  std::vector<Coefficient> eighth(9);
  eighth[8] = 1;
  PolynomialPlan plan = planPolynomial(eighth, Basis::monomial);
  EXPECT_EQ(plan.ciphertextProducts(), 3u);
  EXPECT_EQ(plan.constantProducts(), 1u);
}

TEST(PolynomialPlan, TrailingZerosDoNotCount) {
  std::vector<Coefficient> coefficients = {1, 2, 3, 0, 0, 0};
  EXPECT_EQ(planPolynomial(coefficients, Basis::chebyshev).depth, 2u);
}

TEST(VariableChange, PowerOfTwoHalfWidthIsFree) {
  EXPECT_EQ(polynomialLevels(7, Basis::chebyshev, {-8, 8}), 3u);
  EXPECT_EQ(polynomialLevels(7, Basis::chebyshev, {-0.5, 0.5}), 3u);
  EXPECT_EQ(polynomialLevels(7, Basis::chebyshev, {1, 5}), 3u);
  EXPECT_EQ(polynomialLevels(7, Basis::chebyshev, {-6, 6}), 4u);
  EXPECT_EQ(polynomialLevels(7, Basis::monomial, {-6, 6}), 3u);
  EXPECT_EQ(variableChange(Basis::chebyshev, {-0.5, 0.5}).log2HalfWidth(), -1);
  EXPECT_EQ(variableChange(Basis::chebyshev, {1, 5}).centre, 3);
}

} // namespace
} // namespace sluice::algorithms
