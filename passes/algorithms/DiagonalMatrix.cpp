//===- DiagonalMatrix.cpp - square matrices of few diagonals ----------------------------------===//

#include "passes/algorithms/DiagonalMatrix.h"

namespace sluice::algorithms {

namespace {

/// a modulo n, from 0; n a power of two.
int64_t wrapped(int64_t a, int64_t n) { return a & (n - 1); }

} // namespace

void multiply(DiagonalMatrix &matrix, double factor) {
  for (auto &[k, entries] : matrix.diagonals)
    for (std::complex<double> &entry : entries)
      entry *= factor;
}

void multiplyColumn(DiagonalMatrix &matrix, int64_t column, double factor) {
  for (auto &[k, entries] : matrix.diagonals)
    entries[wrapped(column - k, matrix.size)] *= factor;
}

DiagonalMatrix ontoFirstHalf(const DiagonalMatrix &matrix) {
  DiagonalMatrix result{2 * matrix.size, {}};
  for (const auto &[k, entries] : matrix.diagonals) {
    std::vector<std::complex<double>> &own = result.diagonals[k];
    own = entries;
    own.resize(result.size);
  }
  return result;
}

DiagonalMatrix fromRealAndImaginaryHalf(const DiagonalMatrix &matrix) {
  const int64_t n = matrix.size;
  DiagonalMatrix result{2 * n, {}};
  // Column c of M stands in columns c and c + n: on diagonals k and k + n, whichever row it is.
  for (const auto &[k, entries] : matrix.diagonals)
    for (const int64_t diagonal : {k, k > 0 ? k - n : k + n}) {
      std::vector<std::complex<double>> &own = result.diagonals[diagonal];
      own.resize(2 * n);
      for (int64_t r = 0; r < 2 * n; ++r) {
        const std::complex<double> entry = entries[wrapped(r, n)];
        const bool isImaginary = wrapped(r + diagonal, 2 * n) >= n;
        own[r] = isImaginary ? std::complex<double>(-entry.imag(), entry.real()) : entry;
      }
    }
  return result;
}

} // namespace sluice::algorithms
