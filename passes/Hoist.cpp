//===- Hoist.cpp - automorphisms move past key switches ---------------------------------------===//
//
// The rules `hoist` and `permute the key` (docs/rationale/rns.md), and what they make possible:
// rotations of one polynomial by different amounts share its decomposition. Every rule leaves every
// residue as it is.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/RNS/RNSOps.h"
#include "passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_HOIST
#include "passes/Passes.h.inc"

namespace {

rns::AutomorphismOp automorphismOf(Value value) {
  return value.getDefiningOp<rns::AutomorphismOp>();
}

rns::AutomorphismOp permute(PatternRewriter &rewriter, Location loc, Value value, int64_t element) {
  return rns::AutomorphismOp::create(rewriter, loc, value.getType(), value, element);
}

/// Is `product` a key switch with a key for sigma_element that is not permuted?
bool switchesFrom(rns::InnerProductOp product, int64_t element) {
  auto key = product ? product.getKey().getDefiningOp<rns::KeyOp>() : rns::KeyOp();
  return key && key.getKind() == rns::KeyKind::Galois && !key.getPermuted() &&
         key.getElement() == element;
}

/// decompose(sigma(a)) = sigma(decompose(a)), where the key of each use can follow (HoistKey).
struct HoistDecompose : OpRewritePattern<rns::DecomposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(rns::DecomposeOp op, PatternRewriter &rewriter) const override {
    rns::AutomorphismOp sigma = automorphismOf(op.getInput());
    if (!sigma || !llvm::all_of(op->getUsers(), [&](Operation *user) {
          return switchesFrom(dyn_cast<rns::InnerProductOp>(user), sigma.getElement());
        }))
      return failure();
    Value digits = rns::DecomposeOp::create(rewriter, op.getLoc(), sigma.getInput());
    rewriter.replaceOp(op, permute(rewriter, op.getLoc(), digits, sigma.getElement()));
    return success();
  }
};

/// inner_product(sigma(d), K) = sigma(inner_product(d, sigma^-1(K))).
struct HoistKey : OpRewritePattern<rns::InnerProductOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(rns::InnerProductOp op, PatternRewriter &rewriter) const override {
    rns::AutomorphismOp sigma = automorphismOf(op.getDigits().front());
    if (!sigma || !switchesFrom(op, sigma.getElement()))
      return failure();
    Location loc = op.getLoc();
    auto key = op.getKey().getDefiningOp<rns::KeyOp>();
    Value permuted = rns::KeyOp::create(rewriter, key.getLoc(), key.getType(), key.getKindAttr(),
                                        key.getElementAttr(), rewriter.getUnitAttr());
    auto product =
        rns::InnerProductOp::create(rewriter, loc, op.getB().getType(), sigma.getInput(), permuted);
    Value b = permute(rewriter, loc, product.getB(), sigma.getElement());
    Value a = permute(rewriter, loc, product.getA(), sigma.getElement());
    rewriter.replaceOp(op, {b, a});
    return success();
  }
};

/// mod_down(sigma(x)) = sigma(mod_down(x)): fewer limbs to permute. The division is centred and P
/// is odd, so that it commutes with the change of signs.
struct HoistModDown : OpRewritePattern<rns::ModDownOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(rns::ModDownOp op, PatternRewriter &rewriter) const override {
    rns::AutomorphismOp sigma = automorphismOf(op.getInput());
    if (!sigma)
      return failure();
    Value divided = rns::ModDownOp::create(rewriter, op.getLoc(), sigma.getInput(), op.getBy());
    rewriter.replaceOp(op, permute(rewriter, op.getLoc(), divided, sigma.getElement()));
    return success();
  }
};

/// sigma(a) + sigma(b) = sigma(a + b), when nothing else reads the two.
struct HoistSum : OpRewritePattern<rns::AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(rns::AddOp op, PatternRewriter &rewriter) const override {
    rns::AutomorphismOp lhs = automorphismOf(op.getLhs()), rhs = automorphismOf(op.getRhs());
    if (!lhs || !rhs || lhs.getElement() != rhs.getElement() || !lhs->hasOneUse() ||
        !rhs->hasOneUse())
      return failure();
    Value sum =
        rns::AddOp::create(rewriter, op.getLoc(), op.getType(), lhs.getInput(), rhs.getInput());
    rewriter.replaceOp(op, permute(rewriter, op.getLoc(), sum, lhs.getElement()));
    return success();
  }
};

struct Hoist : impl::HoistBase<Hoist> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<HoistDecompose, HoistKey, HoistModDown, HoistSum>(&getContext());
    // Equal subexpressions are CSE's business, and constants stay where they are.
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
        .enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    getOperation().walk([&](rns::KeyOp key) { permutedKeys += key.getPermuted(); });
  }
};

} // namespace

} // namespace sluice
