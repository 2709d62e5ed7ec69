//===- CKKSCompositeOps.cpp - operations that passes write out --------------------------------===//
//
// As CKKSOps.cpp, of CKKSCompositeOps.td.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/CKKSOps.h"
#include "dialects/CKKS/OpChecks.h"

#include "mlir/IR/Builders.h"

#include <cmath>
#include <utility>

using namespace mlir;
using namespace sluice::ckks;

CtType LinearTransformOp::inferType(Adaptor adaptor) {
  return productWithPlain(adaptor.getInput(), adaptor.getScaleAttr());
}

LogicalResult LinearTransformOp::verify() {
  auto type = getDiagonals().getType();
  int64_t count = getIndices().size();
  if (type.getRank() != 2 || type.getDimSize(0) != count || count == 0) // C1
    return emitOpError() << "diagonals must have shape K x M with K = " << count
                         << " the number of indices, at least 1; found " << type;
  int64_t length = type.getDimSize(1);
  if (failed(requireStretches(*this, "a diagonal", length))) // C2, C3
    return failure();
  if (!isFinite(getDiagonals())) // C4
    return emitOpError() << "diagonals have an element that is not finite";
  SmallVector<bool> seen(length);
  for (int64_t index : getIndices()) {
    if (index < 0 || index >= length) // C5
      return emitOpError() << "index " << index << " of a diagonal is outside [0, " << length
                           << ")";
    if (std::exchange(seen[index], true)) // C5
      return emitOpError() << "index " << index << " of a diagonal is given twice";
  }
  if (failed(requireSizeTwo(*this, getInput(), "a linear transform rotates and needs 2")) || // C6
      failed(requireScaleIfSettled(*this, getInput(), getScaleAttr())) ||                    // C7
      failed(requireMainSecret(*this, getInput())) ||                                        // C10
      failed(requireRealIfFloating(*this, getInput(), getDiagonals())))                      // C9
    return failure();
  if (getGeneratorAttr() &&
      failed(requireGenerated(*this, getGeneratorAttr(), getDiagonals()))) // C11
    return failure();
  return requireInferredResult(*this); // C8
}

void PolynomialOp::build(OpBuilder &builder, OperationState &state, Type result, Value input,
                         Basis basis, ArrayRef<double> coefficients,
                         std::optional<std::pair<double, double>> interval) {
  auto type = RankedTensorType::get(coefficients.size(), builder.getF64Type());
  ArrayAttr bounds;
  if (interval)
    bounds = builder.getF64ArrayAttr({interval->first, interval->second});
  build(builder, state, result, input, BasisAttr::get(builder.getContext(), basis),
        DenseElementsAttr::get(type, coefficients), bounds);
}

void PolynomialOp::build(OpBuilder &builder, OperationState &state, Type result, Value input,
                         Basis basis, ArrayRef<std::complex<double>> coefficients,
                         std::optional<std::pair<double, double>> interval) {
  SmallVector<double> parts;
  for (std::complex<double> coefficient : coefficients)
    parts.push_back(coefficient.real());
  build(builder, state, result, input, basis, parts, interval);
  if (llvm::all_of(coefficients, [](std::complex<double> c) { return c.imag() == 0; }))
    return;
  auto type = RankedTensorType::get(coefficients.size(), ComplexType::get(builder.getF64Type()));
  state.getOrAddProperties<Properties>().coefficients = DenseElementsAttr::get(type, coefficients);
}

bool PolynomialOp::isComplex() { return sluice::ckks::isComplex(getCoefficients()); }

SmallVector<std::complex<double>> PolynomialOp::getComplexCoefficients() {
  if (isComplex())
    return llvm::to_vector(getCoefficients().getValues<std::complex<double>>());
  return SmallVector<std::complex<double>>(getCoefficients().getValues<double>());
}

std::optional<std::pair<double, double>> PolynomialOp::getIntervalBounds() {
  ArrayAttr interval = getIntervalAttr();
  if (!interval)
    return std::nullopt;
  auto bound = [&](unsigned i) { return cast<FloatAttr>(interval[i]).getValueAsDouble(); };
  return std::pair(bound(0), bound(1));
}

/// C5 and C6: sizes and levels of a settled polynomial.
static LogicalResult verifySettledPolynomial(PolynomialOp op, CtType input, CtType result) {
  if (failed(requireSizeTwo(op, op.getInput(), "a factor must have 2")) || // C5
      failed(requireMainSecret(op, op.getInput())))                        // C8
    return failure();
  if (result.getSize() != 2) // C5
    return op.emitOpError() << "result must have size 2; found " << result;
  if (result.getOwnSlots() != input.getOwnSlots()) // C5
    return op.emitOpError() << "result must have the slots of the operand, " << input << "; found "
                            << result;
  if (input.getLevel() - op.getDepth() != result.getLevel()) // C6
    return op.emitOpError() << "of degree " << op.getDegree() << " uses " << op.getDepth()
                            << " levels: the result must stand at level "
                            << input.getLevel() - op.getDepth() << "; found " << result;
  return success();
}

LogicalResult PolynomialOp::verify() {
  auto coefficients = getCoefficients();
  if (coefficients.getType().getRank() != 1 || coefficients.getNumElements() == 0 ||
      !isFinite(coefficients)) // C1
    return emitOpError() << "coefficients must be a vector of at least one finite number; found "
                         << coefficients.getType();
  if (ArrayAttr interval = getIntervalAttr()) {
    if (interval.size() != 2) // C2
      return emitOpError() << "interval must be two numbers; found " << interval.size();
    auto [low, high] = getIntervalBounds().value_or(std::pair(0.0, 0.0));
    if (!std::isfinite(low) || !std::isfinite(high) || !(low < high)) // C2
      return emitOpError() << "interval must be finite and ascending; found [" << numberText(low)
                           << ", " << numberText(high) << "]";
  } else if (getBasis() == Basis::Chebyshev) { // C3
    return emitOpError() << "in basis chebyshev needs its interval, as in interval = [-8.0, 8.0]";
  }
  auto input = dyn_cast<CtType>(getInput().getType());
  auto result = dyn_cast<CtType>(getResult().getType());
  bool isOneStage = input && result ? input.isSettled() == result.isSettled()
                                    : getInput().getType() == getResult().getType();
  if (!isOneStage) // C4
    return emitOpError()
           << "operand and result must be f64 or tensors of one type, both floating, or both "
              "settled; found "
           << getInput().getType() << " and " << getResult().getType();
  if (isComplex() && !input) // C7
    return emitOpError() << "has complex coefficients, but its operand " << getInput().getType()
                         << " is real";
  return input && input.isSettled() ? verifySettledPolynomial(*this, input, result) : success();
}
