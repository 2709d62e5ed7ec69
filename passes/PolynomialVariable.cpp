//===- PolynomialVariable.cpp - polynomials with a variable in [-1, 1] ------------------------===//

#include "passes/PolynomialVariable.h"

#include "passes/ComplexScalars.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sluice {

algorithms::VariableChange variableChangeOf(ckks::PolynomialOp op) {
  if (op.getBasis() == ckks::Basis::Monomial)
    return {};
  auto [low, high] = *op.getIntervalBounds();
  return algorithms::variableChange(algorithms::Basis::chebyshev, {low, high});
}

bool simplifyPolynomial(ckks::PolynomialOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<std::complex<double>> coefficients = op.getComplexCoefficients();
  while (coefficients.size() > 1 && coefficients.back() == 0.0)
    coefficients.pop_back();

  if (coefficients.size() == 1) {
    Value zero = ckks::MulScalarOp::create(builder, loc, op.getInput(), builder.getF64FloatAttr(0),
                                           ckks::ScaleAttr());
    op.replaceAllUsesWith(addNumber(builder, loc, zero, coefficients[0]));
    op.erase();
    return false;
  }

  algorithms::VariableChange change = variableChangeOf(op);
  Value variable = op.getInput();
  auto interval = op.getIntervalBounds();
  bool needsLevel = !change.isFree();
  if (needsLevel) {
    variable = ckks::MulScalarOp::create(
        builder, loc, variable, builder.getF64FloatAttr(1 / change.halfWidth), ckks::ScaleAttr());
    if (change.centre != 0)
      variable = ckks::AddScalarOp::create(
          builder, loc, variable, builder.getF64FloatAttr(-change.centre / change.halfWidth));
    interval = {-1, 1};
  }
  Value result = ckks::PolynomialOp::create(builder, loc, op.getType(), variable, op.getBasis(),
                                            ArrayRef(coefficients), interval);
  result.getDefiningOp()->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op.replaceAllUsesWith(result);
  op.erase();
  return needsLevel;
}

} // namespace sluice
