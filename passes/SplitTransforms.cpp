//===- SplitTransforms.cpp - base conversions take half of the transforms around them ---------===//
//
// A base conversion between an inverse transform and a transform works on half-transformed limbs
// instead; the halves that remain work block by block and go into loops with what surrounds them.
// For that an inner product is cut into groups of limbs whose digits come from the same places:
// then its transforms are over the same limbs as it is itself.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/RNS/RNSOps.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_SPLITTRANSFORMS
#include "passes/Passes.h.inc"

namespace {

ArrayRef<int64_t> limbsOf(Value poly) { return cast<rns::PolyType>(poly.getType()).getLimbs(); }

/// The value behind views that limb `limb` of `poly` is a limb of.
Value findOrigin(Value poly, int64_t limb) {
  while (Operation *op = poly.getDefiningOp()) {
    if (auto drop = dyn_cast<rns::DropOp>(op))
      poly = drop.getInput();
    else if (auto concat = dyn_cast<rns::ConcatOp>(op))
      poly = *llvm::find_if(concat.getInputs(),
                            [&](Value input) { return llvm::is_contained(limbsOf(input), limb); });
    else
      break;
  }
  return poly;
}

// --- Inner products -----------------------------------------------------------------------------

/// Limbs of an inner product by where their digits come from, in the order of their first.
struct LimbGroup {
  SmallVector<Value> origins; // one a digit
  SmallVector<int64_t> limbs;
};

SmallVector<LimbGroup> groupLimbs(rns::InnerProductOp op) {
  SmallVector<LimbGroup> groups;
  for (int64_t limb : limbsOf(op.getB())) {
    SmallVector<Value> origins;
    for (Value digit : op.getDigits())
      origins.push_back(findOrigin(digit, limb));
    auto known =
        llvm::find_if(groups, [&](const LimbGroup &group) { return group.origins == origins; });
    if (known == groups.end())
      known = &groups.emplace_back(LimbGroup{std::move(origins), {}});
    known->limbs.push_back(limb);
  }
  return groups;
}

/// The group's limbs of a digit; a transform is done anew, on them alone. Inner products that
/// share it repeat this, until CSE finds them equal.
Value takeDigit(OpBuilder &builder, Location loc, Value origin, ArrayRef<int64_t> limbs) {
  auto ntt = origin.getDefiningOp<rns::NttOp>();
  if (!ntt)
    return rns::takeLimbs(builder, loc, origin, limbs);
  return rns::NttOp::create(builder, loc, rns::takeLimbs(builder, loc, ntt.getInput(), limbs));
}

/// Limb-wise operations on a whole inner product go into one loop with it, and what stands between
/// them never to memory: that is worth more than the rows of its digits' transforms are.
bool isUsedLimbWise(rns::InnerProductOp op) {
  return llvm::any_of(op->getUsers(), rns::isLimbWise);
}

void splitInnerProduct(rns::InnerProductOp op) {
  if (isUsedLimbWise(op))
    return;
  SmallVector<LimbGroup> groups = groupLimbs(op);
  if (groups.size() == 1)
    return;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value> b, a;
  for (const LimbGroup &group : groups) {
    SmallVector<Value> digits;
    for (Value origin : group.origins)
      digits.push_back(takeDigit(builder, loc, origin, group.limbs));
    auto type = cast<rns::PolyType>(op.getB().getType()).withLimbs(group.limbs);
    auto part =
        rns::InnerProductOp::create(builder, loc, type, digits, op.getKey(), op.getKeyDigitsAttr());
    b.push_back(part.getB());
    a.push_back(part.getA());
  }
  for (auto [whole, parts] : {std::pair(op.getB(), b), std::pair(op.getA(), a)}) {
    Value joined = rns::ConcatOp::create(builder, loc, parts);
    whole.replaceAllUsesWith(rns::takeLimbs(builder, loc, joined, limbsOf(whole)));
  }
  op.erase();
}

// --- Base conversions ---------------------------------------------------------------------------

/// The transforms that take what a conversion gives, if nothing else does.
std::optional<SmallVector<rns::NttOp>> findTransforms(Value converted) {
  SmallVector<rns::NttOp> transforms;
  for (Operation *user : converted.getUsers()) {
    if (auto ntt = dyn_cast<rns::NttOp>(user)) {
      transforms.push_back(ntt);
    } else if (auto drop = dyn_cast<rns::DropOp>(user)) {
      std::optional<SmallVector<rns::NttOp>> behind = findTransforms(drop.getResult());
      if (!behind)
        return std::nullopt;
      llvm::append_range(transforms, *behind);
    } else {
      return std::nullopt;
    }
  }
  return transforms;
}

class ConversionSplitter {
public:
  /// Between half forms, if `op` stands between transforms.
  void split(rns::BaseConvertOp op) {
    Value source = op.getInput();
    while (auto drop = source.getDefiningOp<rns::DropOp>())
      source = drop.getInput();
    auto intt = source.getDefiningOp<rns::InttOp>();
    std::optional<SmallVector<rns::NttOp>> transforms = findTransforms(op.getResult());
    if (!intt || !transforms || transforms->empty())
      return;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value rows = rns::takeLimbs(builder, loc, inverseRows(intt), limbsOf(op.getInput()));
    Value converted =
        rns::BaseConvertOp::create(builder, loc, op.getType().withForm(rns::Form::HalfNtt), rows);
    for (rns::NttOp ntt : *transforms) {
      builder.setInsertionPoint(ntt);
      Value part = rns::takeLimbs(builder, ntt.getLoc(), converted, limbsOf(ntt.getResult()));
      ntt.replaceAllUsesWith(rns::NttRowsOp::create(builder, ntt.getLoc(), part).getResult());
    }
  }

private:
  /// In the place of the inverse transform, once for all conversions of parts of it.
  Value inverseRows(rns::InttOp intt) {
    Value &rows = known[intt];
    if (!rows) {
      OpBuilder builder(intt);
      rows = rns::InttRowsOp::create(builder, intt.getLoc(), intt.getInput());
    }
    return rows;
  }

  llvm::DenseMap<Operation *, Value> known;
};

struct SplitTransforms : impl::SplitTransformsBase<SplitTransforms> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<rns::InnerProductOp> products;
      function.walk([&](rns::InnerProductOp op) { products.push_back(op); });
      for (rns::InnerProductOp op : products)
        if (isa<rns::PolyType>(op.getDigits().front().getType()))
          splitInnerProduct(op);
      eraseUnused(function);
      ConversionSplitter splitter;
      SmallVector<rns::BaseConvertOp> conversions;
      function.walk([&](rns::BaseConvertOp op) { conversions.push_back(op); });
      for (rns::BaseConvertOp op : conversions)
        splitter.split(op);
      eraseUnused(function);
    }
  }

private:
  /// Views and transforms that lost their last user, users before what they use.
  static void eraseUnused(func::FuncOp function) {
    for (Block &block : function.getBody())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (op.use_empty() &&
            isa<rns::DropOp, rns::ConcatOp, rns::NttOp, rns::InttOp, rns::BaseConvertOp>(op))
          op.erase();
  }
};

} // namespace

} // namespace sluice
