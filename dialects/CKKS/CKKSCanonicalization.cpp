//===- CKKSCanonicalization.cpp - folds and patterns of the ckks dialect ----------------------===//
//
// Only rewrites that hold exactly on slot values, keep levels and scales, and cost nothing.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/CKKSOps.h"

#include "mlir/IR/PatternMatch.h"

#include <cmath>

using namespace mlir;
using namespace sluice::ckks;

//===------------------------------------------------------------------------------------------===//
// Folds
//===------------------------------------------------------------------------------------------===//

/// f(f(x)) = x.
template <typename OpTy> static OpFoldResult foldInvolution(OpTy op) {
  auto inner = op.getInput().template getDefiningOp<OpTy>();
  return inner ? inner.getInput() : OpFoldResult();
}

OpFoldResult NegateOp::fold(FoldAdaptor) { return foldInvolution(*this); }
OpFoldResult ConjugateOp::fold(FoldAdaptor) { return foldInvolution(*this); }

OpFoldResult RotateOp::fold(FoldAdaptor) {
  // rotate(rotate(x, a), b) = rotate(x, a + b); the sum wraps modulo 2^64, a multiple of the slots.
  if (auto inner = getInput().getDefiningOp<RotateOp>()) {
    uint64_t sum = static_cast<uint64_t>(getBy()) + static_cast<uint64_t>(inner.getBy());
    setBy(static_cast<int64_t>(sum));
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  if (getBy() == 0)
    return getInput();
  ParamsAttr params = findParams(*this);
  if (!params)
    return {};
  int64_t reduced = getBy() & static_cast<int64_t>(getInput().getType().getSlots(params) - 1);
  if (reduced == getBy())
    return {};
  setBy(reduced);
  return getResult();
}

OpFoldResult DropLevelOp::fold(FoldAdaptor) {
  // Forgetting limbs twice is forgetting them once.
  auto inner = getInput().getDefiningOp<DropLevelOp>();
  if (!inner)
    return {};
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult AdjustScaleOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? getInput() : OpFoldResult();
}

OpFoldResult ReinterpretOp::fold(FoldAdaptor) {
  if (getFactor().isExactlyValue(1.0))
    return getInput();
  // Powers of two multiply exactly while the exponent stays in range.
  auto inner = getInput().getDefiningOp<ReinterpretOp>();
  if (!inner)
    return {};
  APFloat product = getFactor();
  product.multiply(inner.getFactor(), APFloat::rmNearestTiesToEven);
  if (!product.isFiniteNonZero() || product.isDenormal())
    return {};
  setFactor(product);
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult ViewSlotsOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  // What repeats repeats after its double too: only the last number of slots counts.
  auto inner = getInput().getDefiningOp<ViewSlotsOp>();
  if (!inner)
    return {};
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult AddScalarOp::fold(FoldAdaptor) {
  return getValue().isZero() ? getInput() : OpFoldResult();
}

OpFoldResult MulScalarOp::fold(FoldAdaptor) {
  bool isFree = !getScaleAttr() || getScaleAttr().getValue().isOne();
  return isFree && getValue().isExactlyValue(1.0) ? getInput() : OpFoldResult();
}

//===------------------------------------------------------------------------------------------===//
// Patterns
//===------------------------------------------------------------------------------------------===//

namespace {

/// a + (-b) = a - b.
struct AddOfNegate : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [kept, negated] :
         {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())})
      if (auto negate = negated.getDefiningOp<NegateOp>()) {
        rewriter.replaceOpWithNewOp<SubOp>(op, kept, negate.getInput());
        return success();
      }
    return failure();
  }
};

/// a - (-b) = a + b.
struct SubOfNegate : OpRewritePattern<SubOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubOp op, PatternRewriter &rewriter) const override {
    auto negate = op.getRhs().getDefiningOp<NegateOp>();
    if (!negate)
      return failure();
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getLhs(), negate.getInput());
    return success();
  }
};

/// a * a = square(a), which is cheaper.
struct MulOfEqualFactors : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op, PatternRewriter &rewriter) const override {
    if (op.getLhs() != op.getRhs())
      return failure();
    rewriter.replaceOpWithNewOp<SquareOp>(op, op.getLhs());
    return success();
  }
};

/// i * (i * a) = -a.
struct MulByITwice : OpRewritePattern<MulByIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulByIOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<MulByIOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<NegateOp>(op, inner.getInput());
    return success();
  }
};

/// A vector of equal elements is a scalar.
struct AddPlainOfSplat : OpRewritePattern<AddPlainOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddPlainOp op, PatternRewriter &rewriter) const override {
    if (!op.getValue().isSplat())
      return failure();
    rewriter.replaceOpWithNewOp<AddScalarOp>(op, op.getInput(),
                                             op.getValue().getSplatValue<APFloat>());
    return success();
  }
};

struct MulPlainOfSplat : OpRewritePattern<MulPlainOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulPlainOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr value = op.getValue();
    ScaleAttr scale = op.getScaleAttr();
    if (!value.isSplat() || isComplex(value))
      return failure();
    // At scale 1 mul_scalar takes integers only.
    if (scale && scale.getValue().isOne() && !value.getSplatValue<APFloat>().isInteger())
      return failure();
    rewriter.replaceOpWithNewOp<MulScalarOp>(
        op, op.getInput(), rewriter.getF64FloatAttr(value.getSplatValue<double>()),
        op.getScaleAttr());
    return success();
  }
};

/// (a + x) + y = a + (x + y).
struct AddScalarTwice : OpRewritePattern<AddScalarOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddScalarOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<AddScalarOp>();
    if (!inner || !inner->hasOneUse())
      return failure();
    double sum = op.getValue().convertToDouble() + inner.getValue().convertToDouble();
    if (!std::isfinite(sum))
      return failure();
    rewriter.replaceOpWithNewOp<AddScalarOp>(op, inner.getInput(), rewriter.getF64FloatAttr(sum));
    return success();
  }
};

/// -1 * a = -a where that costs no level.
struct MulScalarOfMinusOne : OpRewritePattern<MulScalarOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulScalarOp op, PatternRewriter &rewriter) const override {
    bool isFree = !op.getScaleAttr() || op.getScaleAttr().getValue().isOne();
    if (!isFree || !op.getValue().isExactlyValue(-1.0))
      return failure();
    rewriter.replaceOpWithNewOp<NegateOp>(op, op.getInput());
    return success();
  }
};

/// (a * x) * y = a * (x * y), floating: one level instead of two.
struct MulScalarTwice : OpRewritePattern<MulScalarOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulScalarOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<MulScalarOp>();
    if (!inner || op.getType().isSettled())
      return failure();
    double product = op.getValue().convertToDouble() * inner.getValue().convertToDouble();
    if (!std::isnormal(product))
      return failure();
    rewriter.replaceOpWithNewOp<MulScalarOp>(op, inner.getInput(),
                                             rewriter.getF64FloatAttr(product), ScaleAttr());
    return success();
  }
};

} // namespace

void AddOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddOfNegate>(context);
}
void SubOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SubOfNegate>(context);
}
void MulOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MulOfEqualFactors>(context);
}
void MulByIOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MulByITwice>(context);
}
void AddPlainOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddPlainOfSplat>(context);
}
void MulPlainOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MulPlainOfSplat>(context);
}
void AddScalarOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<AddScalarTwice>(context);
}
void MulScalarOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MulScalarOfMinusOne, MulScalarTwice>(context);
}
