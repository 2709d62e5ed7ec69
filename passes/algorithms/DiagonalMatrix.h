//===- DiagonalMatrix.h - square matrices of few diagonals ------------------------------------===//
//
// And what a bootstrap of n slots, fewer than the ring has, makes of the first and the last matrix
// of its transforms, so that both halves of the coefficients are one vector of 2n slots in between
// (docs/mathematics.md section 9).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_DIAGONALMATRIX_H
#define SLUICE_PASSES_ALGORITHMS_DIAGONALMATRIX_H

#include <complex>
#include <cstdint>
#include <map>
#include <vector>

namespace sluice::algorithms {

/// Diagonal k has the entries M[r][(r + k) mod n], r < n, for k in (-n/2, n/2].
struct DiagonalMatrix {
  int64_t size = 0; ///< n, a power of two
  std::map<int64_t, std::vector<std::complex<double>>> diagonals;
};

/// Multiplies every entry.
void multiply(DiagonalMatrix &matrix, double factor);

/// Multiplies the entries of one column.
void multiplyColumn(DiagonalMatrix &matrix, int64_t column, double factor);

/// The matrix of twice the size that takes (x, x) to (M x, 0).
DiagonalMatrix ontoFirstHalf(const DiagonalMatrix &matrix);

/// The matrix of twice the size that takes (x, y) to (M (x + i y), M (x + i y)).
DiagonalMatrix fromRealAndImaginaryHalf(const DiagonalMatrix &matrix);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_DIAGONALMATRIX_H
