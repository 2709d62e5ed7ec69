#include "runtime/ring/dft_factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

using namespace sluice;
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

/// A diagonal's number in [0, size).
uint64_t wrapped(int64_t k, uint64_t size) { return static_cast<uint64_t>(k) & (size - 1); }

Vector times(const DftMatrix &matrix, const Vector &x) {
  const size_t n = x.size();
  Vector result(n);
  for (const int64_t k : ring::dftDiagonals(matrix)) {
    const Vector entries = ring::dftValues({matrix, wrapped(k, n)});
    EXPECT_EQ(entries.size(), n);
    for (size_t r = 0; r < n; ++r)
      result[r] += entries[r] * x[(r + wrapped(k, n)) % n];
  }
  return result;
}

Vector times(const DftGroup &group, const Vector &x) { return times(DftMatrix{group}, x); }

Vector join(const Vector &a, const Vector &b) {
  Vector result = a;
  result.insert(result.end(), b.begin(), b.end());
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

/// Those of all diagonals that have an entry, in (-m/2, m/2].
std::vector<int64_t> nonZeroDiagonals(const DftMatrix &matrix) {
  const auto size = static_cast<int64_t>(matrix.size());
  std::vector<int64_t> found;
  for (int64_t k = -size / 2 + 1; k <= size / 2; ++k)
    if (std::ranges::any_of(ring::dftValues({matrix, wrapped(k, matrix.size())}),
                            [](const Complex &entry) { return entry != 0.0; }))
      found.push_back(k);
  return found;
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
          const DftMatrix matrix = {{direction, logSlots, first, count}};
          const std::vector<int64_t> found = nonZeroDiagonals(matrix);
          EXPECT_EQ(ring::dftDiagonals(matrix), found) << logSlots << " " << first << " " << count;
          EXPECT_EQ(found.size(), first == 1 ? size_t{1} << count : (size_t{2} << count) - 1);
          for (const DftForm form : {DftForm::ontoFirstHalf, DftForm::fromHalves}) {
            const DftMatrix wide = {matrix.group, 1, form};
            EXPECT_EQ(ring::dftDiagonals(wide), nonZeroDiagonals(wide));
          }
        }

  std::vector<size_t> sizes;
  for (const DftGroup &group : evenGroups(DftDirection::coefficientsToSlots, 15, 3))
    sizes.push_back(ring::dftDiagonals({group}).size());
  EXPECT_EQ(sizes, (std::vector<size_t>{32, 63, 63}));
  sizes.clear();
  for (const DftGroup &group : evenGroups(DftDirection::coefficientsToSlots, 15, 4))
    sizes.push_back(ring::dftDiagonals({group}).size());
  EXPECT_EQ(sizes, (std::vector<size_t>{16, 31, 31, 15}));
  const DftGroup two = {DftDirection::coefficientsToSlots, 3, 1, 2};
  EXPECT_EQ(ring::dftDiagonals({two}), (std::vector<int64_t>{-2, 0, 2, 4}));
  const DftGroup one = {DftDirection::coefficientsToSlots, 3, 3, 1};
  EXPECT_EQ(ring::dftDiagonals({one}), (std::vector<int64_t>{-1, 0, 1}));
}

// Every entry is a root of unity to the last place, for the largest matrix.
TEST(DftFactors, EntriesAreExact) {
  const DftMatrix matrix = {{DftDirection::slotsToCoefficients, 16, 14, 3}};
  for (const int64_t k : ring::dftDiagonals(matrix))
    for (const Complex &entry : ring::dftValues({matrix, wrapped(k, matrix.size())}))
      if (entry != 0.0) {
        const long double re = entry.real(), im = entry.imag();
        ASSERT_LT(std::abs(re * re + im * im - 1), 0x1p-51L);
      }
}

// What the forms, the factor and the halved column make of the matrix of a group, by what they say.
class DftForms : public testing::TestWithParam<DftGroup> {
protected:
  static constexpr size_t n = 16;
  DftGroup group = GetParam();
  Vector x = numbers(n), y = times(group, numbers(n)), zero = Vector(n);
};

TEST_P(DftForms, OntoFirstHalf) {
  EXPECT_LT(distance(times(DftMatrix{group, 1, DftForm::ontoFirstHalf}, join(x, x)),
                     join(times(group, x), zero)),
            1e-12);
}

TEST_P(DftForms, FromHalves) {
  Vector sum(n);
  for (size_t r = 0; r < n; ++r)
    sum[r] = x[r] + Complex(0, 1) * y[r];
  const Vector expected = times(group, sum);
  EXPECT_LT(distance(times(DftMatrix{group, 1, DftForm::fromHalves}, join(x, y)),
                     join(expected, expected)),
            1e-12);
}

TEST_P(DftForms, FactorAndHalvedColumn) {
  for (const DftForm form : {DftForm::plain, DftForm::fromHalves}) {
    const Vector input = form == DftForm::plain ? x : join(x, y);
    Vector scaled = input;
    for (Complex &entry : scaled)
      entry *= 0.375;
    scaled[0] *= 0.5;
    EXPECT_LT(distance(times(DftMatrix{group, 0.375, form, true}, input),
                       times(DftMatrix{group, 1, form}, scaled)),
              1e-12);
  }
}

TEST_P(DftForms, RotationIsToTheLeft) {
  const DftMatrix matrix = {group, 1, DftForm::fromHalves, true};
  for (const int64_t k : ring::dftDiagonals(matrix)) {
    Vector expected = ring::dftValues({matrix, wrapped(k, 2 * n)});
    std::ranges::rotate(expected, expected.begin() + 5);
    EXPECT_EQ(ring::dftValues({matrix, wrapped(k, 2 * n), 5}), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DftForms,
                         testing::Values(DftGroup{DftDirection::coefficientsToSlots, 4, 1, 2},
                                         DftGroup{DftDirection::coefficientsToSlots, 4, 2, 3},
                                         DftGroup{DftDirection::slotsToCoefficients, 4, 1, 4},
                                         DftGroup{DftDirection::slotsToCoefficients, 4, 3, 2}));
