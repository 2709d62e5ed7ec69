//===- BootstrapTransforms.cpp - the transforms of a bootstrap --------------------------------===//

#include "passes/BootstrapWriter.h"

#include <cmath>

using namespace mlir;
using sluice::algorithms::DiagonalMatrix;
using sluice::ring::DftDirection;

namespace sluice {

/// The factors of `direction` in the order in which they apply, together times `factor`.
std::vector<DiagonalMatrix> BootstrapWriter::matrices(DftDirection direction, double factor) {
  ArrayRef<int64_t> sizes = direction == DftDirection::coefficientsToSlots
                                ? op.getCoefficientsToSlots()
                                : op.getSlotsToCoefficients();
  double each = std::pow(factor, 1 / double(sizes.size()));
  std::vector<DiagonalMatrix> result;
  for (const ring::DftGroup &group : ring::dftGroups(direction, {sizes.data(), sizes.size()})) {
    result.push_back({slots, ring::dftMatrix(group)});
    algorithms::multiply(result.back(), each);
  }
  return result;
}

/// The product with a matrix on its number of slots, rescaled to `scale`.
Value BootstrapWriter::transform(Value input, const DiagonalMatrix &matrix, const Scale &scale) {
  if (typeOf(input).getSlots(params) != matrix.size)
    input = ckks::ViewSlotsOp::create(builder, input, matrix.size, params);
  SmallVector<int64_t> indices;
  SmallVector<std::complex<double>> entries;
  for (const auto &[index, diagonal] : matrix.diagonals) {
    indices.push_back(llvm::mod(index, matrix.size));
    llvm::append_range(entries, diagonal);
  }
  auto type = RankedTensorType::get({int64_t(indices.size()), matrix.size},
                                    ComplexType::get(builder.getF64Type()));
  int64_t level = typeOf(input).getLevel();
  Scale plain = scale * dropped(level) / typeOf(input).getScale();
  Value product =
      ckks::LinearTransformOp::create(builder, input, builder.getDenseI64ArrayAttr(indices),
                                      DenseElementsAttr::get(type, ArrayRef(entries)),
                                      ckks::ScaleAttr::get(op.getContext(), plain));
  return ckks::RescaleOp::create(builder, product, level - 1, params);
}

/// Slots that hold (I + message) / (2 halfWidth), complex: their doubled real and imaginary parts
/// are EvalMod's variables. Those beyond the n that `raised` has are zero.
Value BootstrapWriter::coefficientsToSlots(Value raised) {
  begin("CoeffsToSlots");
  // The transform without factor multiplies by n, the sum over repetitions by N / (2 n).
  double factor = 1 / (2 * double(ringSlots) * evalMod.halfWidth);
  std::vector<DiagonalMatrix> factors = matrices(DftDirection::coefficientsToSlots, factor);
  if (isPacked)
    factors.back() = algorithms::ontoFirstHalf(factors.back());
  for (const DiagonalMatrix &matrix : factors) {
    bool isLast = &matrix == &factors.back();
    raised = transform(raised, matrix,
                       isLast ? powerOfTwoNear(dropped(typeOf(raised).getLevel() - 1))
                              : typeOf(raised).getScale());
  }
  return raised;
}

/// Back to the values, `factor` times, at `scale`: of n slots again. Of the two halves side by
/// side, the first factor makes real and imaginary parts.
Value BootstrapWriter::slotsToCoefficients(Value message, const Scale &scale, double factor) {
  begin("SlotsToCoeffs");
  std::vector<DiagonalMatrix> factors = matrices(DftDirection::slotsToCoefficients, factor);
  if (isPacked)
    factors.front() = algorithms::fromRealAndImaginaryHalf(factors.front());
  if (isRaisedFirst() && op.getReal()) // coefficient 0 is its own mirror image
    algorithms::multiplyColumn(factors.front(), 0, 0.5);
  for (const DiagonalMatrix &matrix : factors)
    message =
        transform(message, matrix, &matrix == &factors.back() ? scale : typeOf(message).getScale());
  if (typeOf(message).getSlots(params) != slots)
    message = ckks::ViewSlotsOp::create(builder, message, slots, params);
  return message;
}

} // namespace sluice
