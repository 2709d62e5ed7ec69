//===- remez_test.cpp - best approximations against published values and Chebyshev's theorem --===//

#include "passes/algorithms/Remez.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace sluice::algorithms;

namespace {

double sign(double x) { return x < 0 ? -1 : 1; }
double absolute(double x) { return std::fabs(x); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

const Interval unit{-1, 1};

std::vector<Interval> aroundGap(double gap) { return {{-1, -gap}, {gap, 1}}; }

/// Chebyshev's theorem: p is best if and only if f - p takes its largest size with alternating
/// signs at degree + 2 points of the domain, at least.
void expectEquioscillation(const RealFunction &f, const std::vector<Interval> &domain,
                           const Minimax &found, unsigned degree) {
  EXPECT_GE(found.extrema.size(), degree + 2);
  for (size_t i = 0; i < found.extrema.size(); ++i) {
    double x = found.extrema[i], error = f(x) - found.polynomial(x);
    EXPECT_NEAR(std::fabs(error), found.levelledError, 1e-5 * found.levelledError) << x;
    bool isInside = false;
    for (Interval part : domain)
      isInside = isInside || part.contains(x);
    EXPECT_TRUE(isInside) << x;
    if (i > 0) {
      EXPECT_GT(x, found.extrema[i - 1]);
      EXPECT_LT(error * (f(found.extrema[i - 1]) - found.polynomial(found.extrema[i - 1])), 0) << x;
    }
  }
  for (Interval part : domain)
    EXPECT_LE(measureError(f, found.polynomial, part), found.levelledError * 1.00001);
}

TEST(Remez, AbsoluteValueOfDegreeTwo) {
  // The best parabola for |x| on [-1, 1] is x^2 + 1/8 = 5/8 + T_2 / 2.
  for (Parity parity : {Parity::none, Parity::even}) {
    auto found = remez(absolute, {{unit}}, 2, unit, parity);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->levelledError, 0.125, 1e-8);
    EXPECT_NEAR(found->polynomial.coefficients[0], 0.625, 1e-6);
    EXPECT_NEAR(found->polynomial.coefficients[2], 0.5, 1e-6);
  }
}

TEST(Remez, AbsoluteValueTendsToBernsteinsConstant) {
  // 2n E_2n(|x|) = 0.28016949902... (Varga, Carpenter 1985) up to c / n^2: one step of Richardson.
  auto scaled = [&](unsigned n) {
    auto found = remez(absolute, {{unit}}, 2 * n, unit, Parity::even);
    return found ? 2 * n * found->levelledError : 0;
  };
  EXPECT_NEAR((4 * scaled(40) - scaled(20)) / 3, 0.28016949902386913, 1e-7);
  EXPECT_NEAR(scaled(2), 0.2704835971, 1e-9); // their table, n = 2
}

TEST(Remez, ExponentialOnTheUnitInterval) {
  // E_1 in closed form: the chord's slope is sinh 1, the tangent of that slope touches at its log.
  double slope = std::sinh(1.0), touching = std::log(slope);
  double linear = (std::exp(1.0) - slope - (slope - slope * touching)) / 2;
  // E_n tends to 1 / (2^n (n + 1)!) (Bernstein).
  std::vector<double> published{linear, 0.0450173884, 5.52837011e-3, 5.46667600e-4, 4.52055119e-5};
  for (unsigned degree = 1; degree <= published.size(); ++degree) {
    RealFunction f = [](double x) { return std::exp(x); };
    auto found = remez(f, {{unit}}, degree, unit);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->levelledError, published[degree - 1], 1e-8 * published[degree - 1]);
    expectEquioscillation(f, {unit}, *found, degree);
  }
  double factorial = 1;
  for (int k = 2; k <= 9; ++k)
    factorial *= k;
  auto found = remez([](double x) { return std::exp(x); }, {{unit}}, 8, unit);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->levelledError * 256 * factorial, 1, 0.03);
}

TEST(Remez, ReciprocalHasAClosedForm) {
  // Chebyshev: 1 / (x - a) on [-1, 1], a > 1: E_n = (a - sqrt(a^2 - 1))^n / (a^2 - 1).
  for (double a : {1.25, 2.0})
    for (unsigned degree : {1u, 4u, 9u}) {
      RealFunction f = [a](double x) { return 1 / (x - a); };
      auto found = remez(f, {{unit}}, degree, unit);
      ASSERT_TRUE(found);
      double expected = std::pow(a - std::sqrt(a * a - 1), degree) / (a * a - 1);
      EXPECT_NEAR(found->levelledError, expected, 1e-7 * expected);
      expectEquioscillation(f, {unit}, *found, degree);
    }
}

TEST(Remez, SignOfDegreeOneIsALine) {
  // c x with equal errors at the gap and at 1: error (1 - gap) / (1 + gap).
  for (double gap : {0.5, 0.1, 0x1p-16}) {
    auto found = remez(sign, aroundGap(gap), 1, unit, Parity::odd);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->levelledError, (1 - gap) / (1 + gap), 1e-12);
    EXPECT_NEAR(found->polynomial.coefficients[1], 2 / (1 + gap), 1e-9);
  }
}

TEST(Remez, SignFollowsItsAsymptote) {
  // Eremenko, Yuditskii 2007: sqrt(m) ((1 + a) / (1 - a))^m E_{2m+1}(sign) -> (1 - a) / sqrt(pi a),
  // up to a series in 1 / m: two steps of Richardson.
  double gap = 0.3;
  auto scaled = [&](unsigned m) {
    auto found = remez(sign, aroundGap(gap), 2 * m + 1, unit, Parity::odd);
    return found ? std::sqrt(m) * std::pow((1 + gap) / (1 - gap), m) * found->levelledError : 0;
  };
  double expected = (1 - gap) / std::sqrt(std::numbers::pi * gap);
  EXPECT_NEAR((8 * scaled(28) - 6 * scaled(14) + scaled(7)) / 3, expected, 0.002);
}

TEST(Remez, SignEquioscillatesOnBothSidesOfTheGap) {
  for (double gap : {0.25, 0.02, 0x1p-12})
    for (unsigned degree : {3u, 7u, 15u, 31u}) {
      auto found = remez(sign, aroundGap(gap), degree, unit, Parity::odd);
      ASSERT_TRUE(found) << gap << " " << degree;
      expectEquioscillation(sign, aroundGap(gap), *found, degree);
      for (unsigned i = 0; i <= degree; i += 2)
        EXPECT_EQ(found->polynomial.coefficients[i], 0) << i;
    }
}

TEST(Remez, ParityFollowsFromUniqueness) {
  // Without being told, the best approximation of an odd function on a symmetric domain is odd.
  auto free = remez(sign, aroundGap(0.2), 9, unit);
  auto odd = remez(sign, aroundGap(0.2), 9, unit, Parity::odd);
  auto next = remez(sign, aroundGap(0.2), 10, unit, Parity::odd); // no even degree gains anything
  ASSERT_TRUE(free && odd && next);
  EXPECT_NEAR(free->levelledError, odd->levelledError, 1e-7);
  EXPECT_EQ(next->polynomial.degree(), 9u);
  for (unsigned i = 0; i <= 9; ++i)
    EXPECT_NEAR(free->polynomial.coefficients[i], odd->polynomial.coefficients[i], 1e-6) << i;
}

TEST(Remez, UnequalIntervalsAndAWiderBasis) {
  std::vector<Interval> domain{{-2, -0.3}, {0.1, 1}};
  auto found = remez(sign, domain, 9, {-2, 2});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->polynomial.interval, Interval(-2, 2));
  expectEquioscillation(sign, domain, *found, 9);
}

TEST(Remez, NeverWorseThanAnInterpolant) {
  std::vector<std::pair<RealFunction, Interval>> cases{
      {sigmoid, {-8, 8}},
      {[](double x) { return std::sqrt(x); }, {0.01, 1}},
      {[](double x) { return x * sigmoid(x); }, {-6, 10}},
      {[](double x) { return std::tanh(3 * x); }, {-1, 2}}};
  for (const auto &[f, interval] : cases)
    for (unsigned degree : {4u, 11u, 26u}) {
      auto found = remez(f, {{interval}}, degree, interval);
      ASSERT_TRUE(found);
      expectEquioscillation(f, {interval}, *found, degree);
      double chebyshev = measureError(f, interpolate(f, interval, degree), interval);
      EXPECT_LE(found->levelledError, chebyshev);
      // An interpolant at Chebyshev points is worse by its Lebesgue constant at most.
      EXPECT_GE(found->levelledError,
                chebyshev / (2 + 2 / std::numbers::pi * std::log(degree + 1.0)));
    }
}

TEST(Remez, GivesUpWhereNothingIsToBeLevelled) {
  RealFunction cubic = [](double x) { return x * x * x; };
  EXPECT_FALSE(remez(cubic, {{unit}}, 5, unit));
  EXPECT_FALSE(remez(cubic, {{unit}}, 0, unit, Parity::odd));
  // Of the sigmoid 2^-60 are wanted: less than the rounding of its values.
  EXPECT_FALSE(remez(sigmoid, {{unit}}, 40, unit));
}

} // namespace
