//===- PolynomialVariable.h - polynomials with a variable in [-1, 1] --------------------------===//
#ifndef SLUICE_PASSES_POLYNOMIALVARIABLE_H
#define SLUICE_PASSES_POLYNOMIALVARIABLE_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/PolynomialPlan.h"

namespace sluice {

/// The change of variable that brings its interval to [-1, 1].
algorithms::VariableChange variableChangeOf(ckks::PolynomialOp op);

/// Leading zeros go; a constant becomes 0 * x + c; a variable change that needs a product becomes
/// one. Returns true when the last happened.
bool simplifyPolynomial(ckks::PolynomialOp op);

} // namespace sluice

#endif // SLUICE_PASSES_POLYNOMIALVARIABLE_H
