//===- calibrate_test.cpp - costs of parts from times of sums --------------------------------===//
//
// Timing itself is in the slow suite: test/tools/test_sluice_calibrate.py.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/calibrate/calibrate.h"

#include <gtest/gtest.h>

#include <vector>

using namespace sluice::calibrate;

namespace {

TEST(Calibrate, FindsThePartsThatTimesAreMadeOf) {
  using Parts = std::array<double, 3>;
  for (Parts parts : {Parts{1, 2, 0.5}, {0, 1, 3}, {0.25, 0, 1}, {0, 0, 2}}) {
    std::vector<TimedSum> sums;
    for (auto [s, d] : {std::pair{1.0, 4.0}, {1, 16}, {3, 4}, {3, 16}, {6, 8}})
      sums.push_back({{s, d, s * d}, s * parts[0] + d * parts[1] + s * d * parts[2]});
    Parts found = fitParts(sums);
    for (size_t part = 0; part < 3; ++part)
      EXPECT_NEAR(found[part], parts[part], 1e-9);
  }
}

TEST(Calibrate, NoPartIsNegative) {
  // On a line that meets the axis below 0; through 0, the least relative errors are those of
  // (1/1 + 2/4) / (1/1 + 4/16): 1.2 for each.
  std::vector<TimedSum> sums = {{{1, 1, 0}, 1}, {{1, 2, 0}, 4}};
  std::array<double, 3> found = fitParts(sums);
  EXPECT_EQ(found[0], 0);
  EXPECT_NEAR(found[1], 1.2, 1e-9);
  EXPECT_EQ(found[2], 0);
}

} // namespace
