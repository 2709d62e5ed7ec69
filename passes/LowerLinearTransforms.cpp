//===- LowerLinearTransforms.cpp - matrix-vector products as rotations ------------------------===//
//
// Carries out an algorithms/BsgsPlan: all baby rotations from the operand itself, so that they
// share one decomposition, then inner sums, then giant rotations.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/CostsAttribute.h"
#include "passes/Passes.h"
#include "passes/algorithms/BsgsPlan.h"
#include "passes/algorithms/CostModel.h"

#include "dialects/CKKS/CKKSOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <complex>

using namespace mlir;
using sluice::algorithms::BsgsGiant;
using sluice::algorithms::BsgsPlan;
using sluice::ckks::CtType;

namespace sluice {

#define GEN_PASS_DEF_LOWERLINEARTRANSFORMS
#include "passes/Passes.h.inc"

namespace {

/// The key switch of a rotation at `level`.
algorithms::KeySwitchShape keySwitchShape(ckks::ParamsAttr params, int64_t level,
                                          const CostTable &costs) {
  algorithms::KernelCosts prices = algorithms::kernelCosts(costs, params.getLogN());
  ArrayRef<int64_t> alive = params.getLevel(level);
  unsigned digits = 0;
  for (unsigned digit = 0; digit < params.getDigits().size(); ++digit)
    digits += llvm::any_of(params.getDigit(digit),
                           [&](int64_t limb) { return llvm::is_contained(alive, limb); });
  return {.logN = params.getLogN(),
          .limbs = unsigned(alive.size()),
          .specialLimbs = std::max<unsigned>(params.getSpecial().size(), 1),
          .digits = std::max(digits, 1u),
          .butterfly = prices.multiplyNs > 0 ? prices.butterflyNs / prices.multiplyNs : 2};
}

struct LowerLinearTransforms : impl::LowerLinearTransformsBase<LowerLinearTransforms> {
  using LowerLinearTransformsBase::LowerLinearTransformsBase;

  void runOnOperation() override {
    params = getOperation()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    FailureOr<CostTable> found = readCosts(getOperation());
    if (failed(found))
      return signalPassFailure();
    costs = std::move(*found);
    rotated.clear();
    SmallVector<ckks::LinearTransformOp> transforms;
    getOperation().walk([&](ckks::LinearTransformOp op) { transforms.push_back(op); });
    for (ckks::LinearTransformOp op : transforms)
      if (failed(lower(op)))
        return signalPassFailure();
  }

private:
  LogicalResult lower(ckks::LinearTransformOp op) {
    auto type = cast<CtType>(op.getInput().getType());
    if (type.isFloating())
      return op.emitError() << "has no level and scale yet; run settle-scales first";
    if (!params)
      return getOperation()->emitError() << "the module has no '" << ckks::paramsAttrName << "'";

    int64_t length = op.getDiagonals().getType().getDimSize(1);
    SmallVector<int64_t> kept = ckks::isComplex(op.getDiagonals())
                                    ? nonZeroDiagonals<std::complex<double>>(op)
                                    : nonZeroDiagonals<double>(op);
    SmallVector<int64_t> indices;
    for (int64_t diagonal : kept)
      indices.push_back(op.getIndices()[diagonal]);
    algorithms::KeySwitchShape shape = keySwitchShape(params, type.getLevel(), costs);
    BsgsPlan plan = babySteps > 0 ? algorithms::planBsgs(indices, length, babySteps, shape)
                                  : algorithms::planBsgs(indices, length, shape, keyTolerance);

    ImplicitLocOpBuilder builder(op.getLoc(), op);
    Value sum;
    for (const BsgsGiant &giant : plan.giants) {
      Value inner = innerSum(builder, op, plan, giant, kept);
      inner = rotate(builder, inner, giant.rotation, length);
      sum = sum ? ckks::AddOp::create(builder, sum, inner).getResult() : inner;
    }
    op.replaceAllUsesWith(sum);
    op.erase();
    ++lowered;
    return success();
  }

  /// Positions of the diagonals that count; one remains of a zero matrix.
  template <typename Number> SmallVector<int64_t> nonZeroDiagonals(ckks::LinearTransformOp op) {
    auto values = op.getDiagonals().getValues<Number>();
    int64_t length = op.getDiagonals().getType().getDimSize(1);
    SmallVector<int64_t> kept;
    for (int64_t diagonal = 0; diagonal < int64_t(op.getIndices().size()); ++diagonal)
      if (llvm::any_of(llvm::seq<int64_t>(0, length), [&](int64_t entry) {
            return values[diagonal * length + entry] != Number(0);
          }))
        kept.push_back(diagonal);
    if (kept.empty())
      kept.push_back(0);
    return kept;
  }

  /// sum over babies of rot_{-giant}(diagonal) (.) rot_baby(input), not rescaled.
  Value innerSum(ImplicitLocOpBuilder &builder, ckks::LinearTransformOp op, const BsgsPlan &plan,
                 const BsgsGiant &giant, ArrayRef<int64_t> kept) {
    int64_t length = op.getDiagonals().getType().getDimSize(1);
    Value sum;
    for (const algorithms::BsgsTerm &term : giant.terms) {
      Value baby = rotate(builder, op.getInput(), plan.babies[term.baby], length);
      DenseElementsAttr diagonal =
          ckks::isComplex(op.getDiagonals())
              ? rotatedDiagonal<std::complex<double>>(op, kept[term.diagonal], -giant.rotation)
              : rotatedDiagonal<double>(op, kept[term.diagonal], -giant.rotation);
      Value product = ckks::MulPlainOp::create(builder, baby, diagonal, op.getScaleAttr(),
                                               generator(op, kept[term.diagonal], -giant.rotation));
      sum = sum ? ckks::AddOp::create(builder, sum, product).getResult() : product;
    }
    return sum;
  }

  /// Diagonal number `diagonal`, rotated to the left.
  template <typename Number>
  DenseElementsAttr rotatedDiagonal(ckks::LinearTransformOp op, int64_t diagonal, int64_t by) {
    RankedTensorType type = cast<RankedTensorType>(op.getDiagonals().getType());
    int64_t length = type.getDimSize(1);
    auto values = op.getDiagonals().getValues<Number>();
    SmallVector<Number> rotated;
    for (int64_t entry = 0; entry < length; ++entry)
      rotated.push_back(values[diagonal * length + llvm::mod(entry + by, length)]);
    return DenseElementsAttr::get(RankedTensorType::get(length, type.getElementType()),
                                  ArrayRef<Number>(rotated));
  }

  /// What gives the same, where the transform says it.
  ckks::DftDiagonalAttr generator(ckks::LinearTransformOp op, int64_t diagonal, int64_t by) {
    ckks::DftMatrixAttr matrix = op.getGeneratorAttr();
    if (!matrix)
      return {};
    return ckks::DftDiagonalAttr::get(op.getContext(), matrix, op.getIndices()[diagonal],
                                      llvm::mod(by, matrix.getSize()));
  }

  /// Rotation by `steps` of `length`; the same rotation of a value is made once for all transforms.
  Value rotate(ImplicitLocOpBuilder &builder, Value value, int64_t steps, int64_t length) {
    int64_t slots = cast<CtType>(value.getType()).getSlots(params);
    int64_t by = llvm::mod(steps * (slots / length), slots);
    if (by == 0)
      return value;
    Value &result = rotated[{value, by}];
    if (!result || result.getParentBlock() != builder.getInsertionBlock()) {
      result = ckks::RotateOp::create(builder, value, by);
      ++rotations;
    }
    return result;
  }

  ckks::ParamsAttr params;
  CostTable costs;
  DenseMap<std::pair<Value, int64_t>, Value> rotated;
};

} // namespace
} // namespace sluice
