//===- scale_text_test.cpp - exact scales as manifests write them ----------------------------===//
#include "runtime/wire/scale_text.h"

#include <cmath>
#include <gtest/gtest.h>

namespace {

using sluice::wire::scaleTextLog2;

const uint64_t limbs[] = {1048573, 1125899904679937, 35184371138561, 97};

TEST(ScaleText, Values) {
  EXPECT_EQ(scaleTextLog2("2^45", limbs), 45);
  EXPECT_EQ(scaleTextLog2("2^0", limbs), 0);
  EXPECT_EQ(scaleTextLog2("2^(45/2)", limbs), 22.5);
  EXPECT_NEAR(*scaleTextLog2("2^90 * q3^-1", limbs), 90 - std::log2(97.0), 1e-13);
  EXPECT_NEAR(*scaleTextLog2("q1 * q2^(-3/4)", limbs),
              std::log2(1125899904679937.0) - 0.75 * std::log2(35184371138561.0), 1e-13);
}

TEST(ScaleText, Refusals) {
  for (const char *text : {"",
                           "3^2",
                           "2^",
                           "2^x",
                           "q4",
                           "q",
                           "q-1",
                           "2^45 *",
                           "2^45*q1",
                           " 2^45",
                           "2^45 ",
                           "2^(1/3)",
                           "2^(1/0)",
                           "2^(1/2",
                           "2^(1",
                           "23",
                           "2^1e9",
                           "2^99999999999999999999",
                           "q99999999999999999999",
                           "2^45 * * q1"})
    EXPECT_FALSE(scaleTextLog2(text, limbs)) << text;
}

} // namespace
