//===- flooding_test.cpp - wide Gaussian noise over coefficients -----------------------------===//
#include "runtime/client/flooding.h"

#include "test/runtime/wire/fixtures.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::client;

SecretRoot makeRoot() { return Entropy::insecureFromSeed(1).drawSecretRoot(); }

std::vector<double> valuesOf(const FloodingNoise &noise) {
  std::vector<double> values(noise.low().size());
  for (size_t k = 0; k < values.size(); ++k)
    values[k] = static_cast<double>(static_cast<__int128>(noise.high()[k]) * (int64_t(1) << 60) +
                                    noise.low()[k]);
  return values;
}

double rms(const std::vector<double> &values) {
  double squares = 0;
  for (double value : values)
    squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

TEST(FloodingPlan, IsANumberOfBase4WithoutZeros) {
  EXPECT_EQ(planFlooding(3.2), std::vector<unsigned>{1});
  EXPECT_EQ(planFlooding(0), std::vector<unsigned>{1}) << "never none";
  EXPECT_EQ(planFlooding(6.4), std::vector<unsigned>{4});
  EXPECT_EQ(planFlooding(3.2 * std::sqrt(5)), (std::vector<unsigned>{1, 1}));
  EXPECT_EQ(planFlooding(3.2 * 10), (std::vector<unsigned>{4, 4, 1, 1})); // 4 + 16 + 16 + 64
}

TEST(FloodingPlan, HasTheDeviationAskedForOrALittleMore) {
  for (double deviation = 3.2; deviation < 0x1p100; deviation *= 1.37) {
    std::vector<unsigned> plan = planFlooding(deviation);
    EXPECT_TRUE(std::ranges::all_of(plan, [](unsigned digit) { return digit >= 1 && digit <= 4; }));
    double ratio = deviationOf(plan) / deviation;
    EXPECT_GE(ratio, 1 - 0x1p-40) << deviation;
    if (deviation > 0x1p10)
      EXPECT_LE(ratio, 1 + 0x1p-14) << deviation;
    // 4 errors a place, 29 each, in words of 120 bits with their sign.
    EXPECT_LE(plan.size(), 106u);
  }
}

/// As wide as asked for, with the fourth and sixth moments and the tail of a Gaussian.
TEST(FloodingNoise, IsGaussian) {
  constexpr size_t n = size_t(1) << 18;
  for (double deviation : {3.2, 100.0, 0x1p40 * 1.1, 0x1p59, 0x1.8p61, 0x1p100}) {
    std::vector<double> values = valuesOf(FloodingNoise::sample(makeRoot(), 0, deviation, n));
    double scale = rms(values);
    double slack = 5 / std::sqrt(2.0 * n) + (deviation < 0x1p10 ? 0.01 : 0);
    EXPECT_NEAR(scale / deviation, 1, slack) << deviation;
    double mean = 0, fourth = 0, sixth = 0, tail = 0;
    for (double value : values) {
      double x = value / scale;
      mean += x;
      fourth += x * x * x * x;
      sixth += x * x * x * x * x * x;
      tail += std::abs(x) > 3;
    }
    EXPECT_NEAR(mean / n, 0, 5 / std::sqrt(n));
    EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96.0 / n)) << deviation;
    EXPECT_NEAR(sixth / n, 15, 5 * std::sqrt(10170.0 / n)) << deviation;
    if (deviation > 50) // a discrete one has steps
      EXPECT_NEAR(tail / n, 0.0026998, 5 * std::sqrt(0.0027 / n)) << deviation;
  }
}

/// Every integer is possible: the lowest bits say nothing, at any width.
TEST(FloodingNoise, HasUniformLowBits) {
  constexpr size_t n = size_t(1) << 16;
  for (double deviation : {0x1p20, 0x1p70}) {
    FloodingNoise noise = FloodingNoise::sample(makeRoot(), 0, deviation, n);
    std::vector<double> counts(16);
    for (int64_t low : noise.low())
      ++counts[static_cast<size_t>(low) % 16];
    for (double count : counts)
      EXPECT_NEAR(count, n / 16.0, 5 * std::sqrt(n / 16.0)) << deviation;
  }
}

TEST(FloodingNoise, HasNoTwoCoefficientsAlike) {
  constexpr size_t n = size_t(1) << 16;
  std::vector<double> values = valuesOf(FloodingNoise::sample(makeRoot(), 0, 0x1p40, n));
  double product = 0;
  for (size_t k = 0; k < n; ++k)
    product += values[k] * values[(k + 1) % n];
  EXPECT_NEAR(product / n / 0x1p80, 0, 5 / std::sqrt(n));
  std::ranges::sort(values);
  EXPECT_TRUE(std::ranges::adjacent_find(values) == values.end());
}

/// high * 2^60 + low modulo the limb, for both signs.
TEST(FloodingNoise, IsTheSameModuloEveryLimb) {
  Manifest manifest = test::makeManifest({.logN = 8, .insecure = true, .shape = {4}});
  Parameters parameters = *Parameters::fromManifest(test::bytesOf(wire::writeManifest(manifest)),
                                                    "m", {.allowInsecure = true, .threads = 1});
  for (double deviation : {0x1p30, 0x1p90}) {
    FloodingNoise noise = FloodingNoise::sample(makeRoot(), 0, deviation, parameters.degree());
    for (uint16_t limb = 0; limb < manifest.limbs.size(); ++limb) {
      const auto q = static_cast<__int128>(manifest.limbs[limb]);
      std::vector<uint64_t> row(parameters.degree(), 7);
      noise.addTo(parameters, limb, row.data());
      for (size_t k = 0; k < row.size(); ++k) {
        __int128 value = static_cast<__int128>(noise.high()[k]) * (int64_t(1) << 60);
        value += noise.low()[k] + 7;
        EXPECT_EQ(row[k], static_cast<uint64_t>((value % q + q) % q)) << k;
      }
    }
  }
}

} // namespace
