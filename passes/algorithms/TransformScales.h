//===- TransformScales.h - scales between the matrices of a homomorphic DFT -------------------===//
//
// A key switch adds an error of fixed size, so it counts the less the larger the scale of what it
// switches; a matrix that leads from a large scale to a small one is encoded with few bits. Source:
// docs/mathematics.md section 9, error budget.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_TRANSFORMSCALES_H
#define SLUICE_PASSES_ALGORITHMS_TRANSFORMSCALES_H

#include <cstdint>
#include <vector>

namespace sluice::algorithms {

/// The matrices of CoeffsToSlots or SlotsToCoeffs, in the order in which they apply.
struct TransformChain {
  double degree = 0; ///< N
  double slots = 0;  ///< n
  /// What they multiply by together, in equal parts.
  double factor = 1;
  double resultSize = 1; ///< root mean square of a (complex) value behind the last one
  double resultLog2 = 0; ///< of the scale there
  /// Of the scale before the first one.
  int64_t leastLog2 = 20, mostLog2 = 60;
  std::vector<int64_t> groups;         ///< radix-2 factors in each
  bool isTowardsSlots = false;         ///< CoeffsToSlots
  std::vector<double> rescaleLog2;     ///< bits that the rescale behind each takes away
  std::vector<double> switchVariances; ///< of a coefficient's error in a key switch before each
};

/// Root mean square of the error of a (complex) result, when the scales before the matrices have
/// these logarithms. Errors before matrix i are multiplied by the factors and the roots of 2 of the
/// radix-2 factors that are still to come. A matrix of V_a ... V_(a + g - 1), encoded at 2^p with
/// entries of size e, has 2^(g + 1) diagonals, which repeat every n / 2^(a - 1) slots and so have
/// as many times fewer coefficients that are rounded: an error of sqrt(N / 6 / 2^(a - 1)) 2^-p / e
/// of its result, whatever g is; where it contains V_1, half of the diagonals, sqrt(N / 12) 2^-p /
/// e.
double transformError(const TransformChain &chain, const std::vector<int64_t> &scaleLog2);

/// log2 of the scales before each matrix for which transformError is least, as far as changing one
/// at a time leads.
std::vector<int64_t> planTransformScales(const TransformChain &chain);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_TRANSFORMSCALES_H
