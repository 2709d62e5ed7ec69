//===- PolynomialPlan.h - depth-optimal evaluation of polynomials -----------------------------===//
//
// Baby steps and giant steps over a polynomial in T_1 (the variable): a table of powers, then
// blocks. With a basis of Chebyshev polynomials or of plain powers,
//
//     T_{a+b} = 2 T_a T_b - T_{a-b}     or     T_{a+b} = T_a T_b,      a >= b,
//     block   = sum_j child_j * T_{2^k_j} + sum_i c_i T_i + c_0,
//
// where a block is what one rescale finishes: its products, its constants times powers, its
// constant, all at one level and one scale. The plan has no scales; who executes it walks the
// blocks from the root (last) to the leaves and gives each child the target scale that makes its
// product exact. Source: docs/mathematics.md section 6 (Bossuat et al., section 3, corrected).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_POLYNOMIALPLAN_H
#define SLUICE_PASSES_ALGORITHMS_POLYNOMIALPLAN_H

#include "passes/algorithms/Chebyshev.h"

#include <complex>
#include <span>
#include <vector>

namespace sluice::algorithms {

using Coefficient = std::complex<double>;

/// T_index = [2] T_high T_low [- T_{high-low}], brackets in the Chebyshev basis only (T_0 = 1).
/// index = high + low, high the largest power of two below index. T_index stands ceil(log2 index)
/// levels below T_1.
struct PowerStep {
  unsigned index, high, low;
};

/// Levels below T_1 at which T_index, index >= 1, stands.
unsigned powerDepth(unsigned index);

/// blocks[child] * T_{power}: one ciphertext product.
struct BlockProduct {
  unsigned child;
  unsigned power; ///< a power of two
};

/// coefficient * T_{power}: one constant product.
struct BlockTerm {
  unsigned power;
  Coefficient coefficient;
};

/// One rescaled sum. Its value stands `below` levels below T_1; products and terms are formed one
/// level higher, where its children stand.
struct PolynomialBlock {
  unsigned below = 0;
  std::vector<BlockProduct> products;
  std::vector<BlockTerm> terms; ///< non-zero coefficients, powers ascending
  Coefficient constant = 0;
};

struct PolynomialPlan {
  Basis basis = Basis::chebyshev;
  unsigned depth = 0; ///< ceil(log2(degree + 1))
  std::vector<PowerStep>
      powers; ///< operands first; only those that a block needs; T_1 is the input
  std::vector<PolynomialBlock>
      blocks; ///< children first, the root last; every other block is the child of one product

  /// Products of two ciphertexts: one a power, one a block product.
  unsigned ciphertextProducts() const;
  /// Products with constants: one a term.
  unsigned constantProducts() const;
};

/// Plans sum_i coefficients[i] * T_i, lowest first, of degree at least 1 (trailing zeros do not
/// count). Zero coefficients cost nothing, and neither do the powers that only they would need: odd
/// and even polynomials are cheaper.
PolynomialPlan planPolynomial(std::span<const Coefficient> coefficients, Basis basis);

/// The change of variable that brings an interval to [-1, 1]: t = (x - centre) / halfWidth.
struct VariableChange {
  double centre = 0;
  double halfWidth = 1;

  /// True when the half-width is a power of two: dividing by it declares another scale and costs no
  /// level.
  bool isFree() const;
  /// log2 of the half-width, when isFree().
  int log2HalfWidth() const;
};

/// The variable change of a polynomial: the identity in the monomial basis.
VariableChange variableChange(Basis basis, Interval interval);

/// Levels that the operation consumes: polynomialDepth(degree), and one more when the variable
/// change is not free.
unsigned polynomialLevels(unsigned degree, Basis basis, Interval interval);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_POLYNOMIALPLAN_H
