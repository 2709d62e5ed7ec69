//===- ExpandBaseChanges.cpp - changes of base, kernel by kernel ------------------------------===//
//
// mod_up, mod_down and rescale become number-theoretic transforms, base conversions and one
// subtract-and-scale: docs/mathematics.md sections 2.2, 16.3 and 16.4.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/RNS/RNSOps.h"
#include "passes/Passes.h"
#include "passes/algorithms/Residues.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_EXPANDBASECHANGES
#include "passes/Passes.h.inc"

namespace {

// --- Residues of limb products ------------------------------------------------------------------

/// Residues, for each of `moduli`, of the product of the primes `factors` (all are limb indices).
SmallVector<int64_t> productResidues(rns::RingAttr ring, ArrayRef<int64_t> factors,
                                     ArrayRef<int64_t> moduli) {
  std::vector<uint64_t> primes;
  for (int64_t factor : factors)
    primes.push_back(ring.getPrimes()[factor]);
  SmallVector<int64_t> residues;
  for (int64_t modulus : moduli)
    residues.push_back(
        static_cast<int64_t>(algorithms::productMod(primes, ring.getPrimes()[modulus])));
  return residues;
}

/// The inverses of the above; no modulus may be among the factors.
SmallVector<int64_t> inverseResidues(rns::RingAttr ring, ArrayRef<int64_t> factors,
                                     ArrayRef<int64_t> moduli) {
  SmallVector<int64_t> residues = productResidues(ring, factors, moduli);
  for (auto [residue, modulus] : llvm::zip_equal(residues, moduli))
    residue = static_cast<int64_t>(
        algorithms::invertMod(static_cast<uint64_t>(residue), ring.getPrimes()[modulus]));
  return residues;
}

int64_t productMod(rns::RingAttr ring, int64_t a, int64_t b, int64_t modulus) {
  std::vector<uint64_t> factors = {static_cast<uint64_t>(a), static_cast<uint64_t>(b)};
  return static_cast<int64_t>(algorithms::productMod(factors, ring.getPrimes()[modulus]));
}

/// The limbs of `list` that are (are not) in `set`, in the order of `list`.
SmallVector<int64_t> select(ArrayRef<int64_t> list, ArrayRef<int64_t> set, bool isIn) {
  SmallVector<int64_t> selected;
  llvm::copy_if(list, std::back_inserter(selected),
                [&](int64_t limb) { return llvm::is_contained(set, limb) == isIn; });
  return selected;
}

// --- Building -----------------------------------------------------------------------------------

/// Builds at one place; views that change nothing are not built.
class PolyBuilder {
public:
  PolyBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  static rns::PolyType type(Value poly) { return cast<rns::PolyType>(poly.getType()); }

  Value limbs(Value poly, ArrayRef<int64_t> wanted) {
    return rns::takeLimbs(builder, loc, poly, wanted);
  }
  Value inForm(Value poly, rns::Form form) {
    if (type(poly).getForm() == form)
      return poly;
    if (form == rns::Form::Eval)
      return rns::NttOp::create(builder, loc, poly);
    return rns::InttOp::create(builder, loc, poly);
  }
  /// The polynomials side by side; those that are null are left out.
  Value concat(ArrayRef<Value> polys) {
    SmallVector<Value> present;
    llvm::copy_if(polys, std::back_inserter(present), [](Value poly) { return poly; });
    return present.size() == 1 ? present[0] : rns::ConcatOp::create(builder, loc, present);
  }
  /// The centred value of `poly` (coefficient form), in `form` over the limbs `to`.
  Value convert(Value poly, ArrayRef<int64_t> to, rns::Form form) {
    Value converted = rns::BaseConvertOp::create(builder, loc, type(poly).withLimbs(to), poly);
    return inForm(converted, form);
  }
  Value zero(rns::PolyType type) { return rns::ZeroOp::create(builder, loc, type); }
  Value mulScalar(Value poly, ArrayRef<int64_t> scalars) {
    if (llvm::all_of(scalars, [](int64_t scalar) { return scalar == 1; }))
      return poly;
    return rns::MulScalarOp::create(builder, loc, poly.getType(), poly, scalars);
  }
  Value subMulScalar(Value lhs, Value rhs, ArrayRef<int64_t> scalars) {
    return rns::SubMulScalarOp::create(builder, loc, lhs.getType(), lhs, rhs, scalars);
  }

private:
  OpBuilder &builder;
  Location loc;
};

/// round(b * poly / a) over the limbs `to`, with a and b the products of the limbs dropped and
/// added: (b * poly - r) / a with r = [b * poly]_a centred, which is (poly - r / b) * (b / a), and
/// with 0 for poly and 1 for b on added limbs, where b * poly is 0. So all of it is over the same
/// limbs and after r: one loop with what r is made by.
Value divide(PolyBuilder &build, rns::RingAttr ring, Value poly, ArrayRef<int64_t> to) {
  rns::PolyType from = PolyBuilder::type(poly);
  SmallVector<int64_t> dropped = select(from.getLimbs(), to, /*isIn=*/false);
  SmallVector<int64_t> common = select(to, from.getLimbs(), /*isIn=*/true);
  SmallVector<int64_t> added = select(to, from.getLimbs(), /*isIn=*/false);

  Value remainder =
      build.mulScalar(build.limbs(poly, dropped), productResidues(ring, added, dropped));
  remainder = build.convert(build.inForm(remainder, rns::Form::Coeff), to, from.getForm());

  Value kept = common.empty() ? Value() : build.limbs(poly, common);
  Value zero;
  if (!added.empty())
    zero =
        from.getForm() == rns::Form::Eval
            ? build.zero(from.withLimbs(added))
            : build.mulScalar(build.limbs(remainder, added), SmallVector<int64_t>(added.size(), 0));
  Value extended = build.limbs(build.concat({kept, zero}), to);
  SmallVector<int64_t> inverses, factors;
  for (int64_t limb : to) {
    bool isAdded = llvm::is_contained(added, limb);
    ArrayRef<int64_t> multiplied = isAdded ? ArrayRef<int64_t>() : ArrayRef<int64_t>(added);
    inverses.push_back(inverseResidues(ring, multiplied, limb).front());
    factors.push_back(productMod(ring, productResidues(ring, multiplied, limb).front(),
                                 inverseResidues(ring, dropped, limb).front(), limb));
  }
  return build.subMulScalar(extended, build.mulScalar(remainder, inverses), factors);
}

// --- Patterns -----------------------------------------------------------------------------------

struct ExpandRescale : OpRewritePattern<rns::RescaleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(rns::RescaleOp op, PatternRewriter &rewriter) const override {
    PolyBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(op,
                       divide(build, rns::findRing(op), op.getInput(), op.getType().getLimbs()));
    return success();
  }
};

/// A mod_down is a rescale that adds no limb.
struct ExpandModDown : OpRewritePattern<rns::ModDownOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(rns::ModDownOp op, PatternRewriter &rewriter) const override {
    PolyBuilder build(rewriter, op.getLoc());
    rewriter.replaceOp(op,
                       divide(build, rns::findRing(op), op.getInput(), op.getType().getLimbs()));
    return success();
  }
};

/// An inner product of digits becomes one of polynomials. Each digit has its own limbs already:
/// they are limbs of the decomposed polynomial, in evaluation form. Only the others are converted,
/// from coefficients that all digits share.
struct ExpandInnerProduct : OpRewritePattern<rns::InnerProductOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(rns::InnerProductOp op, PatternRewriter &rewriter) const override {
    auto modUp = op.getDigits().front().getDefiningOp<rns::ModUpOp>();
    auto decompose =
        modUp ? modUp.getInput().getDefiningOp<rns::DecomposeOp>() : rns::DecomposeOp();
    if (!decompose)
      return failure();
    SmallVector<Value> digits = expandDigits(rewriter, modUp, decompose);
    SmallVector<int64_t> keyDigits = findKeyDigits(modUp.getType(), op.getKey().getType());
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<rns::InnerProductOp>(op, op.getB().getType(), digits, op.getKey(),
                                                     rewriter.getDenseI64ArrayAttr(keyDigits));
    return success();
  }

private:
  /// The digits, placed after the mod_up. Inner products that share it repeat this work, until CSE
  /// finds the two equal.
  static SmallVector<Value> expandDigits(PatternRewriter &rewriter, rns::ModUpOp modUp,
                                         rns::DecomposeOp decompose) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfter(modUp);
    PolyBuilder build(rewriter, modUp.getLoc());
    rns::DigitsType type = modUp.getType();
    Value source = decompose.getInput();
    Value coefficients = build.inForm(source, rns::Form::Coeff);
    SmallVector<Value> digits;
    for (DenseI64ArrayAttr group : type.getGroups()) {
      ArrayRef<int64_t> own = group.asArrayRef();
      SmallVector<int64_t> others = select(type.getOver(), own, /*isIn=*/false);
      Value converted =
          others.empty() ? Value()
                         : build.convert(build.limbs(coefficients, own), others, rns::Form::Eval);
      digits.push_back(
          build.limbs(build.concat({build.limbs(source, own), converted}), type.getOver()));
    }
    return digits;
  }

  /// Which digit of the key each group is a part of.
  static SmallVector<int64_t> findKeyDigits(rns::DigitsType digits, rns::KeyType key) {
    SmallVector<int64_t> found;
    for (DenseI64ArrayAttr group : digits.getGroups())
      for (auto [index, digit] : llvm::enumerate(key.getDigits()))
        if (llvm::is_contained(digit.asArrayRef(), group[0]))
          found.push_back(static_cast<int64_t>(index));
    return found;
  }
};

struct ExpandBaseChanges : impl::ExpandBaseChangesBase<ExpandBaseChanges> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module->hasAttr(rns::ringAttrName)) {
      module.emitError("the module has no 'rns.ring', whose primes the factors are computed from");
      return signalPassFailure();
    }
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandRescale, ExpandModDown, ExpandInnerProduct>(&getContext());
    walkAndApplyPatterns(module, std::move(patterns));
    eraseUnused<rns::ModUpOp>();
    eraseUnused<rns::DecomposeOp>();
    if (failed(verifyExpanded()))
      return signalPassFailure();
  }

private:
  template <typename Op> void eraseUnused() {
    getOperation().walk([](Op op) {
      if (op->use_empty())
        op->erase();
    });
  }

  LogicalResult verifyExpanded() {
    WalkResult result = getOperation().walk([](Operation *op) -> WalkResult {
      if (isa<rns::ModUpOp>(op))
        return op->emitOpError("needs digits that rns.decompose makes");
      if (isa<rns::DecomposeOp>(op))
        return op->emitOpError(
            "is left: its digits are not chosen; run select-key-switching first");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace

} // namespace sluice
