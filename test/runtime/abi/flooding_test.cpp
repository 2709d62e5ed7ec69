//===- flooding_test.cpp - the formula of noise flooding against numbers worked out by hand --===//
#include "runtime/abi/flooding.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice;

TEST(Flooding, IsTheFormula) {
  // sqrt(12 * 3) = 6, 2^(20/2) = 1024.
  EXPECT_DOUBLE_EQ(floodingDeviation(0.5, 3, 20), 6 * 1024 * 0.5);
  // sqrt(12 * 75) = 30, 2^15 = 32768.
  EXPECT_DOUBLE_EQ(floodingDeviation(0x1p-30, 75, 30), 30 * 0x1p-15);
  EXPECT_EQ(floodingDeviation(1, 0, 30), 0);
  EXPECT_EQ(defaultStatisticalBits, 30) << "as OpenFHE has it";
}

TEST(Flooding, OfACoefficient) {
  // A part of a slot is a sum of 2n coefficients times cosines, whose squares have mean 1/2.
  EXPECT_DOUBLE_EQ(coefficientDeviation(8, 0x1p20, 16), 8 * 0x1p20 / 4);
}

TEST(Flooding, LeavesThePrecisionOfBothErrors) {
  EXPECT_DOUBLE_EQ(precisionAfterFlooding(3, 4), -std::log2(5));
  EXPECT_DOUBLE_EQ(precisionAfterFlooding(0x1p-20, 0), 20);
}

} // namespace
