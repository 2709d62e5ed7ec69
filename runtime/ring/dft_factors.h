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

#include <complex>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace sluice::ring {

/// Which way a group of factors goes.
enum class DftDirection : uint8_t {
  coefficientsToSlots, // of a bootstrap: V_last^H ... V_first^H, slots become coefficients
  slotsToCoefficients, // V_first ... V_last, coefficients become slots
};

/// A group of factors: V_first ... V_(first + count - 1), 1 <= first, first + count - 1 <= log2 n.
struct DftGroup {
  DftDirection direction = DftDirection::coefficientsToSlots;
  unsigned logSlots = 0; // log2 n, 1 to 16
  unsigned first = 1, count = 1;
};

/// Where the non-zero diagonals of the group's matrix M are: k with some M[r][(r + k) mod n] != 0,
/// in (-n/2, n/2], ascending. An arithmetic progression of 2^(count + 1) - 1 numbers; of 2^count
/// where the group contains V_1.
std::vector<int64_t> dftDiagonals(const DftGroup &group);

/// The entries of every diagonal, M[r][(r + k) mod n] for r < n. Each is 0 or a 4n-th root of
/// unity: both parts are within one ulp.
std::map<int64_t, std::vector<std::complex<double>>> dftMatrix(const DftGroup &group);

/// All of the factors, in groups of `sizes` >= 1, whose sum is log2 n: in the order in which
/// `direction` applies them, which begins or ends with V_1.
std::vector<DftGroup> dftGroups(DftDirection direction, std::span<const int64_t> sizes);

} // namespace sluice::ring

#endif // SLUICE_RUNTIME_RING_DFT_FACTORS_H
