#include "passes/algorithms/Flooding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace sluice::algorithms;

TEST(Flooding, NormOfManyErrorsByHand) {
  // u = ln(2^30 * 4) = 32 ln 2 = 22.1807; k = 10^4: sqrt(10^4 + 2 sqrt(221807) + 44.3614) =
  // 104.8155.
  EXPECT_NEAR(errorNormBound(1, 10000, 4, 30), errorMargin * 104.8155, 1e-3);
  // k = 1, u = 30 ln 2 = 20.7944: sqrt(1 + 9.12018 + 41.5888) = 7.19089.
  EXPECT_NEAR(errorNormBound(0.5, 1, 1, 30), 0.5 * errorMargin * 7.19089, 1e-4);
  EXPECT_EQ(errorNormBound(0.5, 1, 0, 30), errorNormBound(0.5, 1, 1, 30));
  EXPECT_EQ(errorMargin, 4);
}

/// Without the margin Gaussian errors keep it but for a small part: here 2^-6 of the runs may not.
TEST(Flooding, GaussianErrorsKeepTheirBound) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> gaussian;
  for (uint64_t numbers : {1, 8, 256}) {
    const double bound = errorNormBound(1, numbers, 1, 6) / errorMargin;
    int beyond = 0;
    constexpr int runs = 4000;
    for (int run = 0; run < runs; ++run) {
      double squares = 0;
      for (uint64_t k = 0; k < numbers; ++k)
        squares += std::pow(gaussian(random), 2);
      beyond += std::sqrt(squares) > bound;
    }
    EXPECT_LT(beyond, runs / 64) << numbers;
    EXPECT_LT(bound, 4.4 * std::sqrt(double(numbers))) << "and it is not a mile away";
  }
}

TEST(Flooding, BitsAreThoseOfTheFormula) {
  // sqrt(12 * 3) * 2^15 times the norm of errors of deviation 1.
  EXPECT_NEAR(floodingBits(256, 3, 30),
              std::log2(6) + 15 + std::log2(errorNormBound(1, 256, 3, 30)), 1e-12);
}

namespace {

/// Each bit gives one more, from `offset`, up to `most` bits that can be planned.
struct Plans {
  double offset;
  unsigned most;
  int tries = 0;

  PrecisionSearch search(double wanted, unsigned first) {
    return searchPrecision(wanted, first, [&](unsigned bits) -> std::optional<double> {
      EXPECT_LT(++tries, 20);
      if (bits > most)
        return std::nullopt;
      return bits + offset;
    });
  }
};

} // namespace

TEST(PrecisionSearch, TakesTheFirstThatIsEnough) {
  Plans plans{-20, 40};
  PrecisionSearch found = plans.search(10, 32);
  EXPECT_EQ(found.bits, 32u);
  EXPECT_EQ(found.best, 12);
  EXPECT_EQ(plans.tries, 1);
}

TEST(PrecisionSearch, AddsWhatIsMissing) {
  Plans plans{-20.5, 40};
  EXPECT_EQ(plans.search(10, 25).bits, 31u);
  EXPECT_EQ(plans.tries, 2);
}

TEST(PrecisionSearch, GoesDownFromWhatCannotBePlanned) {
  for (unsigned most = 30; most < 37; ++most)
    EXPECT_LE(Plans(-20, most).search(10, 40).bits, most);
  EXPECT_EQ(Plans(-20, 30).search(10, 40).bits, 30u) << "the only ones";
}

TEST(PrecisionSearch, SaysTheBestThatIsReached) {
  for (unsigned first = 0; first < 60; ++first) {
    PrecisionSearch found = Plans(-20, 29).search(10, first);
    EXPECT_FALSE(found.bits);
    EXPECT_EQ(found.best, 9) << first;
  }
}

TEST(PrecisionSearch, NothingCanBePlanned) {
  int tries = 0;
  PrecisionSearch found = searchPrecision(10, 30, [&](unsigned) {
    ++tries;
    return std::optional<double>();
  });
  EXPECT_FALSE(found.bits || found.best);
  EXPECT_LT(tries, 12);
}
