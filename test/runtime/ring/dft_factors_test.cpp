#include "runtime/ring/dft_factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

using namespace sluice;
using ring::DftDirection;
using ring::DftGroup;
using Complex = std::complex<double>;
using Vector = std::vector<Complex>;

namespace {

size_t reversed(size_t i, unsigned bits) {
  size_t result = 0;
  for (unsigned bit = 0; bit < bits; ++bit)
    result |= ((i >> bit) & 1) << (bits - 1 - bit);
  return result;
}

/// SF[j][k] = psi^(k 5^j), psi = exp(i pi / 2n), by its definition.
Complex embeddingEntry(size_t n, size_t j, size_t k) {
  uint64_t power = 1;
  for (size_t i = 0; i < j; ++i)
    power = power * 5 % (4 * n);
  const double angle =
      std::numbers::pi / (2.0 * static_cast<double>(n)) * static_cast<double>(power * k % (4 * n));
  return std::polar(1.0, angle);
}

Vector times(const DftGroup &group, const Vector &x) {
  const size_t n = x.size();
  Vector result(n);
  for (const auto &[k, entries] : ring::dftMatrix(group))
    for (size_t r = 0; r < n; ++r)
      result[r] += entries[r] * x[(r + n + static_cast<size_t>(k)) % n];
  return result;
}

Vector numbers(size_t n) {
  Vector x(n);
  for (size_t i = 0; i < n; ++i)
    x[i] = {std::sin(1.0 + 3.0 * static_cast<double>(i)), std::cos(2.0 * static_cast<double>(i))};
  return x;
}

/// logSlots in `count` groups as even as can be; the larger ones where V_1 is.
std::vector<DftGroup> evenGroups(DftDirection direction, unsigned logSlots, unsigned count) {
  std::vector<int64_t> sizes;
  for (unsigned i = 0; i < count; ++i)
    sizes.push_back(logSlots / count + (i < logSlots % count));
  if (direction == DftDirection::slotsToCoefficients)
    std::reverse(sizes.begin(), sizes.end());
  return ring::dftGroups(direction, sizes);
}

double distance(const Vector &a, const Vector &b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

} // namespace

// The whole product is the embedding of bit-reversed coefficients, in every grouping.
TEST(DftFactors, SlotsToCoefficientsIsTheEmbedding) {
  for (unsigned logSlots = 1; logSlots <= 7; ++logSlots) {
    const size_t n = size_t{1} << logSlots;
    const Vector coefficients = numbers(n);
    Vector expected(n), input(n);
    for (size_t j = 0; j < n; ++j) {
      input[reversed(j, logSlots)] = coefficients[j];
      for (size_t k = 0; k < n; ++k)
        expected[j] += embeddingEntry(n, j, k) * coefficients[k];
    }
    for (unsigned count = 1; count <= logSlots; ++count) {
      Vector x = input;
      for (const DftGroup &group : evenGroups(DftDirection::slotsToCoefficients, logSlots, count))
        x = times(group, x);
      EXPECT_LT(distance(x, expected), 1e-12 * static_cast<double>(n)) << logSlots << " " << count;
    }
  }
}

// Its conjugate transpose is n times the inverse, and leaves coefficients in bit-reversed order.
TEST(DftFactors, CoefficientsToSlotsIsTheInverse) {
  for (unsigned logSlots = 1; logSlots <= 7; ++logSlots) {
    const size_t n = size_t{1} << logSlots;
    const Vector coefficients = numbers(n);
    Vector slots(n), expected(n);
    for (size_t j = 0; j < n; ++j) {
      expected[reversed(j, logSlots)] = static_cast<double>(n) * coefficients[j];
      for (size_t k = 0; k < n; ++k)
        slots[j] += embeddingEntry(n, j, k) * coefficients[k];
    }
    for (unsigned count = 1; count <= logSlots; ++count) {
      Vector x = slots;
      for (const DftGroup &group : evenGroups(DftDirection::coefficientsToSlots, logSlots, count))
        x = times(group, x);
      EXPECT_LT(distance(x, expected), 1e-12 * static_cast<double>(n * n));
    }
  }
}

// The indices say which diagonals there are: for every group of small matrices, and the numbers of
// docs/mathematics.md for large ones.
TEST(DftFactors, Diagonals) {
  for (DftDirection direction :
       {DftDirection::coefficientsToSlots, DftDirection::slotsToCoefficients})
    for (unsigned logSlots = 1; logSlots <= 6; ++logSlots)
      for (unsigned first = 1; first <= logSlots; ++first)
        for (unsigned count = 1; first + count - 1 <= logSlots; ++count) {
          const DftGroup group = {direction, logSlots, first, count};
          std::vector<int64_t> found;
          for (const auto &[k, entries] : ring::dftMatrix(group))
            found.push_back(k);
          EXPECT_EQ(ring::dftDiagonals(group), found) << logSlots << " " << first << " " << count;
          EXPECT_EQ(found.size(), first == 1 ? size_t{1} << count : (size_t{2} << count) - 1);
        }

  std::vector<size_t> sizes;
  for (const DftGroup &group : evenGroups(DftDirection::coefficientsToSlots, 15, 3))
    sizes.push_back(ring::dftDiagonals(group).size());
  EXPECT_EQ(sizes, (std::vector<size_t>{32, 63, 63}));
  sizes.clear();
  for (const DftGroup &group : evenGroups(DftDirection::coefficientsToSlots, 15, 4))
    sizes.push_back(ring::dftDiagonals(group).size());
  EXPECT_EQ(sizes, (std::vector<size_t>{16, 31, 31, 15}));
  const DftGroup two = {DftDirection::coefficientsToSlots, 3, 1, 2};
  EXPECT_EQ(ring::dftDiagonals(two), (std::vector<int64_t>{-2, 0, 2, 4}));
  const DftGroup one = {DftDirection::coefficientsToSlots, 3, 3, 1};
  EXPECT_EQ(ring::dftDiagonals(one), (std::vector<int64_t>{-1, 0, 1}));
}

// Every entry is a root of unity to the last place, for the largest matrix.
TEST(DftFactors, EntriesAreExact) {
  const DftGroup group = {DftDirection::slotsToCoefficients, 16, 14, 3};
  for (const auto &[k, entries] : ring::dftMatrix(group))
    for (const Complex &entry : entries)
      if (entry != 0.0) {
        const long double re = entry.real(), im = entry.imag();
        ASSERT_LT(std::abs(re * re + im * im - 1), 0x1p-51L);
      }
}
