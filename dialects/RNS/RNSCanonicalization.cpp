//===- RNSCanonicalization.cpp - folds and patterns of the rns dialect ------------------------===//
//
// Rewrites that leave every residue as it is.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/RNS/RNSOps.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace sluice::rns;

//===------------------------------------------------------------------------------------------===//
// Folds
//===------------------------------------------------------------------------------------------===//

OpFoldResult NttOp::fold(FoldAdaptor) {
  auto inverse = getInput().getDefiningOp<InttOp>();
  return inverse ? inverse.getInput() : OpFoldResult();
}

OpFoldResult InttOp::fold(FoldAdaptor) {
  auto inverse = getInput().getDefiningOp<NttOp>();
  return inverse ? inverse.getInput() : OpFoldResult();
}

OpFoldResult NegateOp::fold(FoldAdaptor) {
  auto inner = getInput().getDefiningOp<NegateOp>();
  return inner ? inner.getInput() : OpFoldResult();
}

OpFoldResult MulScalarOp::fold(FoldAdaptor) {
  bool isOne = llvm::all_of(getScalars(), [](int64_t scalar) { return scalar == 1; });
  return isOne ? getInput() : OpFoldResult();
}

OpFoldResult AddScalarOp::fold(FoldAdaptor) {
  bool isZero = llvm::all_of(getScalars(), [](int64_t scalar) { return scalar == 0; });
  return isZero ? getInput() : OpFoldResult();
}

OpFoldResult AutomorphismOp::fold(FoldAdaptor) {
  return getElement() == 1 ? getInput() : OpFoldResult();
}

OpFoldResult DropOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  // drop(drop(x)) = drop(x).
  auto inner = getInput().getDefiningOp<DropOp>();
  if (!inner)
    return {};
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getInputs().size() == 1 ? getInputs().front() : OpFoldResult();
}

//===------------------------------------------------------------------------------------------===//
// Patterns
//===------------------------------------------------------------------------------------------===//

namespace {

/// drop(concat(x, y, ...)) = drop(concat(x, ...)) without operands that no limb is wanted of; of
/// one operand, a drop of that.
struct DropOfConcat : OpRewritePattern<DropOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DropOp op, PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    if (!concat)
      return failure();
    ArrayRef<int64_t> wanted = op.getType().getLimbs();
    SmallVector<Value> needed;
    for (Value input : concat.getInputs())
      if (llvm::any_of(cast<PolyType>(input.getType()).getLimbs(),
                       [&](int64_t limb) { return llvm::is_contained(wanted, limb); }))
        needed.push_back(input);
    if (needed.size() == concat.getInputs().size())
      return failure();
    Value rest =
        needed.size() == 1 ? needed.front() : ConcatOp::create(rewriter, concat.getLoc(), needed);
    rewriter.replaceOpWithNewOp<DropOp>(op, rest, wanted);
    return success();
  }
};

} // namespace

void DropOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropOfConcat>(context);
}
