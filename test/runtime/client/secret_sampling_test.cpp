//===- secret_sampling_test.cpp - small random polynomials -----------------------------------===//
#include "runtime/client/secret_sampling.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace {

using namespace sluice;
using namespace sluice::client;

constexpr size_t samples = size_t(1) << 21;

SecretRoot makeRoot() { return Entropy::insecureFromSeed(1).drawSecretRoot(); }

std::map<int, double> countValues(const SmallPoly &poly) {
  std::map<int, double> counts;
  for (int8_t value : poly)
    ++counts[value];
  return counts;
}

/// Fails unless the counts are within 5 standard deviations of the probabilities.
void expectDistribution(const SmallPoly &poly, const std::map<int, double> &probabilities) {
  std::map<int, double> counts = countValues(poly);
  double n = static_cast<double>(poly.size());
  for (auto [value, p] : probabilities) {
    EXPECT_NEAR(counts[value], n * p, 5 * std::sqrt(n * p * (1 - p)) + 1) << value;
    counts.erase(value);
  }
  EXPECT_TRUE(counts.empty()) << "a value with probability 0: " << counts.begin()->first;
}

TEST(SecretSampling, UniformTernary) {
  expectDistribution(sampleUniformTernary(makeRoot(), 0, samples),
                     {{-1, 1.0 / 3}, {0, 1.0 / 3}, {1, 1.0 / 3}});
}

/// exp(-k^2 / (2 sigma^2)), not normalised.
long double gaussian(int k) { return std::exp(-0.5L * k * k / (3.2L * 3.2L)); }

long double gaussianSum() {
  long double sum = gaussian(0);
  for (int k = 1; k < 100; ++k)
    sum += 2 * gaussian(k);
  return sum;
}

TEST(SecretSampling, ThresholdsAreTheGaussians) {
  long double below = gaussian(0);
  for (int k = 0; k < maxError; ++k) {
    long double expected = below / gaussianSum() * 0x1p63L;
    // long double has 64 bits: a few units in the last place of a number near 2^63.
    EXPECT_NEAR(static_cast<double>(errorThresholds[k] - expected), 0, 16) << k;
    below += 2 * gaussian(k + 1);
  }
  EXPECT_GE(below / gaussianSum() * 0x1p63L, 0x1p63L - 4) << "the table ends too early";
}

TEST(SecretSampling, Error) {
  SmallPoly errors = sampleError(makeRoot(), 0, samples);
  std::map<int, double> probabilities;
  for (int k = -maxError; k <= maxError; ++k)
    probabilities[k] = static_cast<double>(gaussian(k) / gaussianSum());
  expectDistribution(errors, probabilities);
  double squares = 0, sum = 0;
  for (int8_t error : errors) {
    squares += error * error;
    sum += error;
  }
  EXPECT_NEAR(std::sqrt(squares / samples), 3.2, 0.01);
  EXPECT_NEAR(sum / samples, 0, 5 * 3.2 / std::sqrt(samples));
}

TEST(SecretSampling, SparseTernaryHasItsWeightInEveryPlaceAlike) {
  constexpr size_t n = 64, weight = 24, draws = 4000;
  SecretRoot root = makeRoot();
  std::vector<double> places(n), pairs(n);
  double positive = 0;
  for (size_t draw = 0; draw < draws; ++draw) {
    SmallPoly poly = sampleSparseTernary(root, draw, n, weight);
    std::map<int, double> counts = countValues(poly);
    ASSERT_EQ(counts[0], n - weight);
    ASSERT_EQ(counts[-1] + counts[1], weight);
    positive += counts[1];
    for (size_t k = 0; k < n; ++k) {
      places[k] += poly[k] != 0;
      pairs[k] += poly[k] != 0 && poly[(k + 1) % n] != 0;
    }
  }
  const double p = 1.0 * weight / n, q = p * (weight - 1) / (n - 1);
  for (size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(places[k], draws * p, 5 * std::sqrt(draws * p * (1 - p))) << k;
    EXPECT_NEAR(pairs[k], draws * q, 5 * std::sqrt(draws * q * (1 - q))) << k;
  }
  EXPECT_NEAR(positive, draws * weight / 2.0, 5 * std::sqrt(draws * weight / 4.0));
}

TEST(SecretSampling, StreamsAreIndependent) {
  SecretRoot root = makeRoot();
  SmallPoly a = sampleError(root, 0, samples), b = sampleError(root, 1, samples);
  double product = 0;
  for (size_t k = 0; k < samples; ++k)
    product += a[k] * b[k];
  EXPECT_NEAR(product / samples, 0, 5 * 3.2 * 3.2 / std::sqrt(samples));
  EXPECT_EQ(sampleError(root, 0, 100), SmallPoly(a.begin(), a.begin() + 100));
}

} // namespace
