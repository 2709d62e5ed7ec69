//===- BootstrapTransforms.cpp - the transforms of a bootstrap --------------------------------===//

#include "passes/BootstrapWriter.h"

#include "passes/algorithms/ScaleValue.h"

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

/// All products in turn, the last one at `scale`. The way there is divided evenly, so that all
/// matrices are encoded with as many bits as their levels allow.
Value BootstrapWriter::transforms(Value input, ArrayRef<DiagonalMatrix> factors,
                                  const Scale &scale) {
  double excess = algorithms::scaleLog2(typeOf(input).getScale() / scale, params.getLimbs());
  for (auto [index, matrix] : llvm::enumerate(factors)) {
    double left = 1 - double(index + 1) / double(factors.size());
    input = transform(input, matrix, scale * Scale::powerOfTwo(std::llround(excess * left)));
  }
  return input;
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
  auto level = typeOf(raised).getLevel() - int64_t(factors.size());
  return transforms(raised, factors, variableScale(level, evalMod.cosine));
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
  message = transforms(message, factors, scale);
  if (typeOf(message).getSlots(params) != slots)
    message = ckks::ViewSlotsOp::create(builder, message, slots, params);
  return message;
}

} // namespace sluice
