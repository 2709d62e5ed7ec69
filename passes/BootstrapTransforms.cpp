//===- BootstrapTransforms.cpp - the transforms of a bootstrap --------------------------------===//

#include "passes/BootstrapWriter.h"

#include "passes/DftAttributes.h"
#include "passes/algorithms/ScaleValue.h"

#include <cmath>

using namespace mlir;

namespace sluice {

/// The factors of `direction` in the order in which they apply, together times `factor`.
std::vector<DftMatrix> BootstrapWriter::matrices(DftDirection direction, double factor) {
  ArrayRef<int64_t> sizes = direction == DftDirection::coefficientsToSlots
                                ? op.getCoefficientsToSlots()
                                : op.getSlotsToCoefficients();
  double each = std::pow(factor, 1 / double(sizes.size()));
  std::vector<DftMatrix> result;
  for (const DftGroup &group : ring::dftGroups(direction, {sizes.data(), sizes.size()}))
    result.push_back({group, each});
  return result;
}

/// The product with a matrix on its number of slots, which the next rescale takes to `scale`.
Value BootstrapWriter::product(Value input, const DftMatrix &matrix, const Scale &scale) {
  const auto size = static_cast<int64_t>(matrix.size());
  if (typeOf(input).getSlots(params) != size)
    input = ckks::ViewSlotsOp::create(builder, input, size, params);
  SmallVector<int64_t> indices;
  SmallVector<std::complex<double>> entries;
  const ring::DftEntries diagonals(matrix.group.logSlots);
  for (int64_t index : ring::dftDiagonals(matrix)) {
    indices.push_back(llvm::mod(index, size));
    llvm::append_range(entries, diagonals.values({matrix, uint64_t(indices.back())}));
  }
  auto type = RankedTensorType::get({int64_t(indices.size()), size},
                                    ComplexType::get(builder.getF64Type()));
  int64_t level = typeOf(input).getLevel();
  Scale plain = scale * dropped(level) / typeOf(input).getScale();
  return ckks::LinearTransformOp::create(builder, input, builder.getDenseI64ArrayAttr(indices),
                                         DenseElementsAttr::get(type, ArrayRef(entries)),
                                         ckks::ScaleAttr::get(op.getContext(), plain),
                                         toAttribute(op.getContext(), matrix));
}

Value BootstrapWriter::rescaled(Value value) {
  return ckks::RescaleOp::create(builder, value, typeOf(value).getLevel() - 1, params);
}

/// `count` scales on the way from one to another, the last one `to`, the others powers of two times
/// it: so that all matrices are encoded with as many bits as their levels allow.
SmallVector<ckks::Scale> BootstrapWriter::evenly(const Scale &from, const Scale &to,
                                                 size_t count) const {
  double excess = algorithms::scaleLog2(from / to, params.getLimbs());
  SmallVector<Scale> scales;
  for (size_t index = 1; index <= count; ++index)
    scales.push_back(to *
                     Scale::powerOfTwo(std::llround(excess * (1 - double(index) / double(count)))));
  return scales;
}

/// All products in turn, each rescaled to its scale, the last one not yet.
Value BootstrapWriter::transforms(Value input, ArrayRef<DftMatrix> factors,
                                  ArrayRef<Scale> scales) {
  for (auto [index, matrix] : llvm::enumerate(factors))
    input = product(index == 0 ? input : rescaled(input), matrix, scales[index]);
  return input;
}

/// Slots that hold (I + message) / (2 halfWidth), complex and not yet rescaled: their doubled real
/// and imaginary parts are EvalMod's variables. Those beyond the n that `raised` has are zero.
Value BootstrapWriter::coefficientsToSlots(Value raised, ArrayRef<Scale> scales) {
  begin("CoeffsToSlots");
  std::vector<DftMatrix> factors =
      matrices(DftDirection::coefficientsToSlots, coefficientsFactor());
  if (isPacked)
    factors.back().form = DftForm::ontoFirstHalf;
  return transforms(raised, factors, scales);
}

/// Back to the values, `factor` times, each matrix to its scale: of n slots again. Of the two
/// halves side by side, the first factor makes real and imaginary parts.
Value BootstrapWriter::slotsToCoefficients(Value message, ArrayRef<Scale> scales, double factor) {
  begin("SlotsToCoeffs");
  std::vector<DftMatrix> factors = matrices(DftDirection::slotsToCoefficients, factor);
  if (isPacked)
    factors.front().form = DftForm::fromHalves;
  if (isRaisedFirst() && op.getReal()) // coefficient 0 is its own mirror image
    factors.front().halvesColumnZero = true;
  message = transforms(message, factors, scales);
  if (isRaisedFirst() && op.getReal()) {
    // m(X) = m(1/X) for real slots: the low half of the coefficients and its mirror image.
    Value mirrored = ckks::ConjugateOp::create(builder, message);
    message = ckks::AddOp::create(builder, message, mirrored);
  }
  message = rescaled(message);
  if (typeOf(message).getSlots(params) != slots)
    message = ckks::ViewSlotsOp::create(builder, message, slots, params);
  return message;
}

} // namespace sluice
