//===- noise_model_test.cpp - formulas against simulated polynomials --------------------------===//

#include "passes/algorithms/NoiseModel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

using namespace sluice::algorithms;

namespace {

using Coefficients = std::vector<double>;

/// Product modulo X^N + 1, by definition.
Coefficients multiply(const Coefficients &a, const Coefficients &b) {
  size_t N = a.size();
  Coefficients result(N, 0.0);
  for (size_t i = 0; i < N; ++i)
    for (size_t j = 0; j < N; ++j)
      (i + j < N ? result[i + j] : result[i + j - N]) += (i + j < N ? 1 : -1) * a[i] * b[j];
  return result;
}

struct Simulation {
  explicit Simulation(unsigned logN) : N(size_t(1) << logN) {}
  Coefficients ternary() {
    Coefficients s(N);
    for (double &c : s)
      c = double(std::uniform_int_distribution<int>(-1, 1)(random));
    return s;
  }
  Coefficients gaussian(double deviation) {
    Coefficients e(N);
    for (double &c : e)
      c = std::normal_distribution<double>(0, deviation)(random);
    return e;
  }
  Coefficients uniform(double width) {
    Coefficients e(N);
    for (double &c : e)
      c = std::uniform_real_distribution<double>(-width / 2, width / 2)(random);
    return e;
  }
  size_t N;
  std::mt19937_64 random{5};
};

double variance(const Coefficients &a) {
  double sum = 0;
  for (double c : a)
    sum += c * c;
  return sum / double(a.size());
}

Coefficients operator+(Coefficients a, const Coefficients &b) {
  for (size_t i = 0; i < a.size(); ++i)
    a[i] += b[i];
  return a;
}

TEST(NoiseModel, RoundingMatchesSimulation) {
  const unsigned logN = 9;
  Simulation simulation(logN);
  NoiseParameters parameters{.logN = logN, .hammingWeight = uniformTernaryWeight(logN)};
  double measured = 0;
  for (int trial = 0; trial < 20; ++trial)
    measured +=
        variance(simulation.uniform(1) + multiply(simulation.uniform(1), simulation.ternary()));
  EXPECT_NEAR(measured / 20 / roundingVariance(parameters), 1, 0.1);
}

/// The real parts of what a polynomial holds at the primitive roots zeta^k, k = 1, 3, ..., 2N - 1.
std::vector<double> realSlots(const Coefficients &e) {
  size_t N = e.size();
  std::vector<double> result;
  for (size_t k = 1; k < 2 * N; k += 2) {
    double slot = 0;
    for (size_t n = 0; n < N; ++n)
      slot += e[n] * std::cos(std::numbers::pi * double(k * n) / double(N));
    result.push_back(slot);
  }
  return result;
}

TEST(NoiseModel, PackedSlotsAreMeansOfTheirPlaces) {
  const unsigned logN = 8;
  Simulation simulation(logN);
  for (size_t slots : {simulation.N / 2, simulation.N / 16, size_t(1)}) {
    // X^(N/2n) takes the same value at zeta^k and zeta^(k + 4n): that is one slot's N/2n places.
    size_t places = simulation.N / (2 * slots);
    double sum = 0;
    int count = 0;
    for (int trial = 0; trial < 300 && count < 2000; ++trial) {
      std::vector<double> full = realSlots(simulation.gaussian(3));
      for (size_t slot = 0; slot < 2 * slots; ++slot, ++count) {
        double mean = 0;
        for (size_t place = 0; place < places; ++place)
          mean += full[slot + 2 * slots * place] / double(places);
        sum += mean * mean;
      }
    }
    EXPECT_NEAR(std::sqrt(sum / count) / slotDeviation(9, double(slots)), 1, 0.06) << slots;
  }
}

/// round((v * pk + (e0, e1)) / P) and the rounding of the encoding: v * e + e0 + e1 * s over P, and
/// the rounding of both halves. P = 2^4 makes errors and roundings about equal; P = 1 rounds
/// nothing.
TEST(NoiseModel, EncryptionMatchesSimulation) {
  const unsigned logN = 9;
  Simulation simulation(logN);
  for (double specialLog2 : {0.0, 4.0}) {
    NoiseParameters parameters{
        .logN = logN, .hammingWeight = uniformTernaryWeight(logN), .specialLog2 = specialLog2};
    double deviation = 3.2 / std::exp2(specialLog2), width = specialLog2 > 0 ? 1 : 0, measured = 0;
    for (int trial = 0; trial < 20; ++trial) {
      Coefficients v = simulation.ternary(), s = simulation.ternary();
      measured +=
          variance(multiply(v, simulation.gaussian(deviation)) + simulation.gaussian(deviation) +
                   multiply(simulation.gaussian(deviation) + simulation.uniform(width), s) +
                   simulation.uniform(width) + simulation.uniform(1));
    }
    EXPECT_NEAR(measured / 20 / encryptionVariance(parameters), 1, 0.1) << specialLog2;
  }
}

TEST(NoiseModel, KeySwitchMatchesSimulation) {
  const unsigned logN = 9;
  Simulation simulation(logN);
  // Two digits of 7 and 6 bits, P of 8: sum_j d_j e_j / P + rounding.
  NoiseParameters parameters{.logN = logN,
                             .hammingWeight = uniformTernaryWeight(logN),
                             .specialLog2 = 8,
                             .digitsLog2 = {7, 6}};
  double measured = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Coefficients s = simulation.ternary();
    measured += variance(multiply(simulation.uniform(128), simulation.gaussian(3.2 / 256)) +
                         multiply(simulation.uniform(64), simulation.gaussian(3.2 / 256)) +
                         simulation.uniform(1) + multiply(simulation.uniform(1), s));
  }
  EXPECT_NEAR(measured / 20 / keySwitchVariance(parameters), 1, 0.1);
}

TEST(NoiseModel, WorstSlotIsTheTailOfTheLaplaceDistribution) {
  // The expected maximum of n samples of r * s, both complex Gaussian, in deviations of the real
  // part.
  std::mt19937_64 random(11);
  std::normal_distribution<double> gaussian(0, 1);
  const int slots = 4096, trials = 40;
  double sumOfMaxima = 0, squares = 0;
  for (int trial = 0; trial < trials; ++trial) {
    double worst = 0;
    for (int k = 0; k < slots; ++k) {
      std::complex<double> r(gaussian(random), gaussian(random)),
          s(gaussian(random), gaussian(random));
      double real = (r * s).real();
      squares += real * real;
      worst = std::max(worst, std::fabs(real));
    }
    sumOfMaxima += worst;
  }
  double deviation = std::sqrt(squares / (double(slots) * trials));
  EXPECT_NEAR(sumOfMaxima / trials / deviation / worstSlotFactor(slots), 1, 0.15);
}

TEST(NoiseModel, GainOfLowDegrees) {
  // One block, one rounding.
  EXPECT_NEAR(polynomialNoiseGain({Basis::chebyshev, {0, 1}, {-1, 1}}), 1, 0.3);
  EXPECT_EQ(polynomialNoiseGain({Basis::chebyshev, {3}, {-1, 1}}), 0);
  // x^4 = (x^2)^2 at |x| <= 8: the first square's rounding meets the factor 2 * 8^2, the rest is
  // small.
  EXPECT_NEAR(polynomialNoiseGain({Basis::monomial, {0, 0, 0, 0, 1}, {-8, 8}}, 8), 128, 30);
}

TEST(NoiseModel, GainScalesWithTheCoefficients) {
  auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  Polynomial p = interpolate(sigmoid, {-8, 8}, 31), large = p;
  for (double &c : large.coefficients)
    c *= 1000;
  double small = polynomialNoiseGain(p);
  EXPECT_GT(small, 1);
  EXPECT_LT(small, 30);
  EXPECT_GT(polynomialNoiseGain(large), 100 * small);
}

} // namespace
