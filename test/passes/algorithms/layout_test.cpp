//===- layout_test.cpp - packing against index arithmetic, diagonals against dense matrices ---===//

#include "passes/algorithms/Layout.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace sluice::algorithms;

namespace {

TEST(Layout, PowersOfTwoAndCounts) {
  EXPECT_EQ(nextPowerOfTwo(1), 1);
  EXPECT_EQ(nextPowerOfTwo(30), 32);
  EXPECT_EQ(nextPowerOfTwo(32), 32);
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(paddedElementCount({}), 1);
  EXPECT_EQ(elementCount(Shape{3, 5}), 15);
  EXPECT_EQ(paddedElementCount(Shape{3, 5}), 32);
}

TEST(Layout, LanesPadEveryDimension) {
  EXPECT_EQ(lanesOfElements(Shape{2, 3}), (std::vector<int64_t>{0, 1, 2, 4, 5, 6}));
  EXPECT_EQ(lanesOfElements(Shape{}), std::vector<int64_t>{0});
}

TEST(Layout, ElementEOfItemBStandsAtItsSlot) {
  // docs/formats.md: slot e * (n / lanes) + b, padding 0.
  Placement placement{{3}, 4, 8, true};
  std::vector<double> items(5 * 3);
  std::iota(items.begin(), items.end(), 1);
  std::vector<double> slots = packSlots(items, placement, 32);
  for (int64_t e = 0; e < 4; ++e)
    for (int64_t b = 0; b < 8; ++b)
      EXPECT_EQ(slots[e * 8 + b], e < 3 && b < 5 ? 1 + b * 3 + e : 0) << e << " " << b;
  EXPECT_EQ(unpackSlots(slots, placement, 5), items);
}

TEST(Layout, OneItemFillsEveryPlace) {
  Placement placement{{2}, 2, 4, false};
  std::vector<double> slots = packSlots(std::vector<double>{7, 9}, placement, 8);
  EXPECT_EQ(slots, (std::vector<double>{7, 7, 7, 7, 9, 9, 9, 9}));
  EXPECT_EQ(unpackSlots(slots, placement, 1), (std::vector<double>{7, 9}));
}

TEST(Layout, DiagonalsReproduceTheMatrix) {
  const int64_t lanes = 8;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<LaneEntry> entries;
  std::vector<double> matrix(lanes * lanes, 0.0), x(lanes);
  for (double &v : x)
    v = uniform(random);
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t column = 0; column < 5; ++column) {
      matrix[row * lanes + column] = uniform(random);
      entries.push_back({row, column, matrix[row * lanes + column]});
    }
  Diagonals diagonals = collectDiagonals(entries, lanes);
  // Columns minus rows: -2 ... 4 modulo 8.
  EXPECT_EQ(diagonals.indices, (std::vector<int64_t>{0, 1, 2, 3, 4, 6, 7}));
  for (int64_t row = 0; row < lanes; ++row) {
    double expected = 0, value = 0;
    for (int64_t column = 0; column < lanes; ++column)
      expected += matrix[row * lanes + column] * x[column];
    for (size_t k = 0; k < diagonals.indices.size(); ++k)
      value += diagonals.values[k][row] * x[(row + diagonals.indices[k]) % lanes];
    EXPECT_NEAR(value, expected, 1e-14) << row;
  }
}

TEST(Layout, EntriesAddUpAndZeroDiagonalsVanish) {
  std::vector<LaneEntry> entries{{0, 1, 2.0}, {0, 1, -2.0}, {1, 1, 3.0}, {1, 1, 0.5}};
  Diagonals diagonals = collectDiagonals(entries, 2);
  EXPECT_EQ(diagonals.indices, std::vector<int64_t>{0});
  EXPECT_EQ(diagonals.values[0], (std::vector<double>{0, 3.5}));
}

} // namespace
