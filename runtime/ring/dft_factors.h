//===- dft_factors.h - the sparse factors of the embedding ------------------------------------===//
//
// SF_n, which takes coefficients to slots, is a product of log2 n sparse matrices once the
// coefficients stand in bit-reversed order: SF_n R = V_1 V_2 ... V_log n, and
// V_log n^H ... V_1^H = n R SF_n^-1 (docs/mathematics.md section 7). Neighbouring
// factors are multiplied into groups, which cost one level each. A bootstrap goes through
// coefficients and back, so the reversals cancel and nobody computes them.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_RING_DFT_FACTORS_H
#define SLUICE_RUNTIME_RING_DFT_FACTORS_H

#include "runtime/abi/dft.h"

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace sluice::ring {

/// Where the non-zero diagonals of the matrix M of size m are: k with some M[r][(r + k) mod m] !=
/// 0, in (-m/2, m/2], ascending. Of a group an arithmetic progression of 2^(count + 1) - 1 numbers,
/// of 2^count where it contains V_1; `fromHalves` has twice as many.
std::vector<int64_t> dftDiagonals(const DftMatrix &matrix);

/// The diagonals of all matrices of one n. It holds the 4n-th roots of unity: 64 n bytes.
class DftEntries {
public:
  /// n = 2^logSlots, 1 <= logSlots <= 16.
  explicit DftEntries(uint32_t logSlots);

  /// The values of a diagonal of a matrix of this n, as many as the matrix has rows. Each is 0 or a
  /// 4n-th root of unity, whose parts are within an ulp, times the factor, rounded (and halved in
  /// column 0 if the matrix is). Compiler and runtime get the same bits.
  std::vector<std::complex<double>> values(const DftDiagonal &diagonal) const;

private:
  std::vector<std::complex<double>> groupDiagonal(const DftGroup &group, uint64_t k,
                                                  double factor) const;

  uint64_t n;
  std::vector<uint32_t> powers; // of 5, modulo 4n
  std::vector<std::complex<double>> roots;
};

/// The same for one diagonal.
std::vector<std::complex<double>> dftValues(const DftDiagonal &diagonal);

/// All of the factors, in groups of `sizes` >= 1, whose sum is log2 n: in the order in which
/// `direction` applies them, which begins or ends with V_1.
std::vector<DftGroup> dftGroups(DftDirection direction, std::span<const int64_t> sizes);

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_DFT_FACTORS_H
