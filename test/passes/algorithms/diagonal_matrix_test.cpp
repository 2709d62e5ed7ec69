//===- diagonal_matrix_test.cpp - matrices of few diagonals against dense ones ----------------===//

#include "passes/algorithms/DiagonalMatrix.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice::algorithms {
namespace {

using Complex = std::complex<double>;
using Vector = std::vector<Complex>;
/// Rows of a dense matrix.
using Dense = std::vector<Vector>;

Vector randomVector(size_t size, std::mt19937_64 &random) {
  std::normal_distribution<double> normal;
  Vector result(size);
  for (Complex &entry : result)
    entry = {normal(random), normal(random)};
  return result;
}

/// With random entries on the given diagonals.
DiagonalMatrix randomMatrix(int64_t size, const std::vector<int64_t> &diagonals,
                            std::mt19937_64 &random) {
  DiagonalMatrix matrix{size, {}};
  for (const int64_t k : diagonals)
    matrix.diagonals[k] = randomVector(size, random);
  return matrix;
}

Dense dense(const DiagonalMatrix &matrix) {
  const int64_t n = matrix.size;
  Dense result(n, Vector(n));
  for (const auto &[k, entries] : matrix.diagonals) {
    EXPECT_EQ(entries.size(), size_t(n));
    EXPECT_TRUE(-n / 2 < k && k <= n / 2) << k;
    for (int64_t r = 0; r < n; ++r)
      result[r][(r + k + n) % n] += entries[r];
  }
  return result;
}

Vector product(const Dense &matrix, const Vector &x) {
  Vector result;
  for (const Vector &row : matrix) {
    Complex sum = 0;
    for (size_t c = 0; c < row.size(); ++c)
      sum += row[c] * x[c];
    result.push_back(sum);
  }
  return result;
}

Vector join(const Vector &a, const Vector &b) {
  Vector result = a;
  result.insert(result.end(), b.begin(), b.end());
  return result;
}

void expectNear(const Vector &found, const Vector &expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t r = 0; r < found.size(); ++r)
    EXPECT_LT(std::abs(found[r] - expected[r]), 1e-12) << "row " << r;
}

struct DiagonalMatrixTest : testing::TestWithParam<std::vector<int64_t>> {
  static constexpr int64_t n = 8;
  std::mt19937_64 random{1};
  DiagonalMatrix matrix = randomMatrix(n, GetParam(), random);
  Vector x = randomVector(n, random), y = randomVector(n, random), zero = Vector(n);
};

TEST_P(DiagonalMatrixTest, OntoFirstHalf) {
  expectNear(product(dense(ontoFirstHalf(matrix)), join(x, x)),
             join(product(dense(matrix), x), zero));
}

TEST_P(DiagonalMatrixTest, FromRealAndImaginaryHalf) {
  Vector sum(n);
  for (int64_t r = 0; r < n; ++r)
    sum[r] = x[r] + Complex(0, 1) * y[r];
  const Vector expected = product(dense(matrix), sum);
  expectNear(product(dense(fromRealAndImaginaryHalf(matrix)), join(x, y)),
             join(expected, expected));
}

TEST_P(DiagonalMatrixTest, MultiplyOfAllEntriesAndOfAColumn) {
  const Dense before = dense(matrix);
  multiply(matrix, 3);
  multiplyColumn(matrix, 5, 0.5);
  Vector scaled = x;
  for (int64_t c = 0; c < n; ++c)
    scaled[c] *= c == 5 ? 1.5 : 3;
  expectNear(product(dense(matrix), x), product(before, scaled));
}

INSTANTIATE_TEST_SUITE_P(Diagonals, DiagonalMatrixTest,
                         testing::Values(std::vector<int64_t>{0}, std::vector<int64_t>{-2, 0, 2},
                                         std::vector<int64_t>{0, 4},
                                         std::vector<int64_t>{-3, -2, -1, 0, 1, 2, 3, 4}));

} // namespace
} // namespace sluice::algorithms
