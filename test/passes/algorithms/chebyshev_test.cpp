//===- chebyshev_test.cpp - approximation against known series and bounds ---------------------===//

#include "passes/algorithms/Chebyshev.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace sluice::algorithms;

namespace {

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(Chebyshev, InterpolationReproducesPolynomials) {
  // 4x^3 - 3x + 2x^2 - 1 = T_3 + T_2 on [-1, 1].
  Polynomial p =
      interpolate([](double x) { return 4 * x * x * x + 2 * x * x - 3 * x - 1; }, {-1, 1}, 5);
  std::vector<double> expected{0, 0, 1, 1, 0, 0};
  ASSERT_EQ(p.coefficients.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(p.coefficients[i], expected[i], 1e-15) << i;
  EXPECT_EQ(p.degree(), 3u);
}

TEST(Chebyshev, CoefficientsOfExpAreBesselFunctions) {
  // e^t = I_0(1) + 2 sum I_k(1) T_k(t) on [-1, 1].
  Polynomial p = interpolate([](double x) { return std::exp(x); }, {-1, 1}, 24);
  EXPECT_NEAR(p.coefficients[0], std::cyl_bessel_i(0, 1.0), 1e-15);
  for (int k = 1; k <= 10; ++k)
    EXPECT_NEAR(p.coefficients[k], 2 * std::cyl_bessel_i(k, 1.0), 1e-15) << k;
}

TEST(Chebyshev, ClenshawAgreesWithCosines) {
  Polynomial p{Basis::chebyshev, {0.25, -1, 0.5, 2, -0.125}, {-4, 12}};
  for (double theta = 0; theta <= std::numbers::pi; theta += 0.1) {
    double expected = 0, slope = 0;
    for (size_t i = 0; i < p.coefficients.size(); ++i) {
      expected += p.coefficients[i] * std::cos(double(i) * theta);
      slope += p.coefficients[i] * double(i) * std::sin(double(i) * theta);
    }
    double x = 4 + 8 * std::cos(theta);
    EXPECT_NEAR(p(x), expected, 1e-13);
    if (std::sin(theta) > 0.05) { // d/dx = (d/dtheta) / (dx/dtheta)
      EXPECT_NEAR(p.derivative(x), slope / std::sin(theta) / 8, 1e-12);
    }
  }
}

TEST(Chebyshev, MonomialBasisIsHorner) {
  Polynomial p{Basis::monomial, {1, -2, 0, 3}, {-2, 2}};
  EXPECT_DOUBLE_EQ(p(1.5), 1 - 3 + 3 * 3.375);
  EXPECT_DOUBLE_EQ(p.derivative(1.5), -2 + 9 * 2.25);
  EXPECT_EQ(p.degree(), 3u);
}

TEST(Chebyshev, DepthIsTheLogarithm) {
  // docs/mathematics.md section 6, the row "depth m".
  std::vector<std::pair<unsigned, unsigned>> rows{{0, 0}, {1, 1},  {2, 2},  {3, 2},  {4, 3}, {7, 3},
                                                  {8, 4}, {15, 4}, {16, 5}, {31, 5}, {63, 6}};
  for (auto [degree, depth] : rows)
    EXPECT_EQ(polynomialDepth(degree), depth) << degree;
}

TEST(Chebyshev, SigmoidMeetsItsToleranceAndNoLessDegreeDoes) {
  for (double bits : {8.0, 16.0, 24.0}) {
    double tolerance = std::exp2(-bits);
    auto found = approximate(sigmoid, {-8, 8}, tolerance, 255);
    ASSERT_TRUE(found);
    // An independent grid, not the one that the search used.
    double error = 0;
    for (int i = 0; i <= 100003; ++i) {
      double x = -8 + 16.0 * i / 100003;
      error = std::max(error, std::fabs(sigmoid(x) - found->polynomial(x)));
    }
    EXPECT_LE(error, tolerance * 1.0001);
    EXPECT_GT(error, tolerance / 16) << "the degree could be smaller";
    // sigmoid - 1/2 is odd: every even coefficient but the first vanishes.
    for (size_t i = 2; i < found->polynomial.coefficients.size(); i += 2)
      EXPECT_EQ(found->polynomial.coefficients[i], 0) << i;
    EXPECT_NEAR(found->polynomial.coefficients[0], 0.5, 1e-12);
  }
}

TEST(Chebyshev, ErrorsFallAtTheRateOfTheNearestPole) {
  // sigmoid has poles at +-i pi: on [-8, 8] each degree divides the error by rho = s + sqrt(1 +
  // s^2), s = pi/8.
  double s = std::numbers::pi / 8, rho = s + std::sqrt(1 + s * s);
  auto coarse = approximate(sigmoid, {-8, 8}, 0x1p-10, 255);
  auto fine = approximate(sigmoid, {-8, 8}, 0x1p-30, 255);
  ASSERT_TRUE(coarse && fine);
  double expected = 20 * std::numbers::ln2 / std::log(rho);
  EXPECT_NEAR(fine->polynomial.degree() - coarse->polynomial.degree(), expected, 3);
}

TEST(Chebyshev, GivesUpAtTheLargestDegree) {
  EXPECT_FALSE(approximate(sigmoid, {-1024, 1024}, 0x1p-20, 63));
}

TEST(Chebyshev, WideningKeepsTheRangeAndAPowerOfTwo) {
  std::vector<std::pair<Interval, Interval>> cases{
      {{-8, 8}, {-8, 8}}, {{-9, 9}, {-16, 16}}, {{-7.5, 1}, {-8, 8}},
      {{0, 1}, {0, 1}},   {{-3, 5}, {-3, 5}},   {{-8.5, 3}, {-10.75, 5.25}}};
  for (auto [range, expected] : cases)
    EXPECT_EQ(widenToPowerOfTwo(range), expected) << range.low << " " << range.high;
  for (Interval range : {Interval{-20, 0.1}, {100, 101}, {1e-3, 7.77}, {-1e6, -9.9e5}}) {
    Interval wide = widenToPowerOfTwo(range);
    int exponent;
    EXPECT_EQ(std::frexp((wide.high - wide.low) / 2, &exponent), 0.5);
    EXPECT_LE(wide.low, range.low);
    EXPECT_GE(wide.high, range.high);
    EXPECT_LE(wide.high - wide.low, 4.2 * (range.high - range.low));
  }
}

TEST(Chebyshev, WideningAwayFromZeroKeepsTheNearerEnd) {
  std::vector<std::pair<Interval, Interval>> cases{{{0, 1}, {0, 1}},
                                                   {{0, 3}, {0, 4}},
                                                   {{0.5, 3}, {0.5, 4.5}},
                                                   {{-9, -1}, {-9, -1}},
                                                   {{-4, -1}, {-5, -1}}};
  for (auto [range, expected] : cases)
    EXPECT_EQ(widenAwayFromZero(range), expected) << range.low << " " << range.high;
  Interval wide = widenAwayFromZero({0.1, 100.3});
  EXPECT_LE(wide.low, 0.1);
  EXPECT_GT(wide.low, 0.1 - 0x1p-23);
  EXPECT_EQ(wide.high - wide.low, 128);
}

TEST(Chebyshev, ImageAndSlopeOfAParabola) {
  Polynomial p{Basis::monomial, {0, 0, 1}, {-2, 2}};
  Interval image = imageOf(p, {-1, 2});
  EXPECT_NEAR(image.low, 0, 0.01);
  EXPECT_NEAR(image.high, 4, 0.01);
  EXPECT_LE(image.low, 0);
  EXPECT_GE(image.high, 4);
  EXPECT_DOUBLE_EQ(maxSlope(p, {-1, 2}), 4);
}

TEST(Chebyshev, ImagesAreTight) {
  // T_d fills [-1, 1]; its extrema lie between the points of the grid unless d is a power of two.
  for (unsigned degree : {3u, 7u, 31u, 63u}) {
    Polynomial p{Basis::chebyshev, std::vector<double>(degree + 1, 0.0), {-1, 1}};
    p.coefficients.back() = 1;
    Interval image = imageOf(p, {-0.999, 0.998});
    EXPECT_GE(image.high, 1);
    EXPECT_LE(image.low, -1);
    EXPECT_LT(image.magnitude(), 1 + 0x1p-15);
  }
}

} // namespace
