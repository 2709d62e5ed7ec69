//===- FuseProducts.cpp - products go into the sums that they are terms of --------------------===//
//
// A sum of products with constants goes over its accumulator once for each product. Both
// polynomials of a ciphertext meet the same constants: so two chains of multiply-accumulate with
// equal constants become sums of a few products each, reduced once, that share the constants.
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

#define GEN_PASS_DEF_FUSEPRODUCTS
#include "passes/Passes.h.inc"

namespace {

/// acc + a * b in one pass, where the product has no other use.
void fuseMultiplyAccumulate(Block &block) {
  for (auto add : llvm::make_early_inc_range(block.getOps<rns::AddOp>())) {
    auto isProduct = [](Value value) {
      auto mul = value.getDefiningOp<rns::MulOp>();
      return mul && mul->hasOneUse();
    };
    Value product = isProduct(add.getRhs()) ? add.getRhs() : add.getLhs();
    Value accumulator = product == add.getRhs() ? add.getLhs() : add.getRhs();
    if (!isProduct(product) || accumulator == product ||
        accumulator.getDefiningOp<rns::ConstantOp>())
      continue;
    auto mul = product.getDefiningOp<rns::MulOp>();
    OpBuilder builder(add);
    Value sum = rns::MacOp::create(builder, add.getLoc(), add.getType(), accumulator, mul.getLhs(),
                                   mul.getRhs());
    add.getResult().replaceAllUsesWith(sum);
    add.erase();
    mul.erase();
  }
}

/// The constant of a product that is added to something; null for others.
Value weightOf(rns::MacOp op) {
  bool isLeft = op.getLhs().getDefiningOp<rns::ConstantOp>() != nullptr;
  bool isRight = op.getRhs().getDefiningOp<rns::ConstantOp>() != nullptr;
  if (isLeft == isRight)
    return Value();
  return isLeft ? op.getLhs() : op.getRhs();
}

/// Products with constants of which each is added to the sum of those before.
using Chain = SmallVector<rns::MacOp>;

rns::MacOp termOf(Operation *op) {
  auto mac = dyn_cast_or_null<rns::MacOp>(op);
  return mac && weightOf(mac) ? mac : rns::MacOp();
}

/// The chains of a block, in the order of their last terms.
SmallVector<Chain> findChains(Block &block) {
  SmallVector<Chain> chains;
  for (Operation &op : block) {
    rns::MacOp last = termOf(&op);
    if (!last)
      continue;
    rns::MacOp next = last->hasOneUse() ? termOf(*last->getUsers().begin()) : rns::MacOp();
    if (next && next.getAcc() == last.getResult())
      continue;
    Chain chain = {last};
    while (rns::MacOp before = termOf(chain.back().getAcc().getDefiningOp())) {
      if (!before->hasOneUse())
        break;
      chain.push_back(before);
    }
    std::reverse(chain.begin(), chain.end());
    chains.push_back(std::move(chain));
  }
  return chains;
}

/// Makes one operation of the same terms of two chains, if nothing that needs one sum stands before
/// the end of the other.
bool fuseTerms(MutableArrayRef<rns::MacOp> first, MutableArrayRef<rns::MacOp> second) {
  rns::MacOp end0 = first.back(), end1 = second.back();
  rns::MacOp early = end0->isBeforeInBlock(end1) ? end0 : end1;
  rns::MacOp late = early == end0 ? end1 : end0;
  if (llvm::any_of(early->getUsers(), [&](Operation *op) { return op->isBeforeInBlock(late); }))
    return false;
  SmallVector<Value> weights, values0, values1;
  auto valueOf = [](rns::MacOp op) {
    return weightOf(op) == op.getLhs() ? op.getRhs() : op.getLhs();
  };
  for (auto [term0, term1] : llvm::zip_equal(first, second)) {
    weights.push_back(weightOf(term0));
    values0.push_back(valueOf(term0));
    values1.push_back(valueOf(term1));
  }
  OpBuilder builder(late);
  auto sum = rns::WeightedSumOp::create(builder, late.getLoc(), late.getType(), late.getType(),
                                        first.front().getAcc(), second.front().getAcc(), weights,
                                        values0, values1);
  end0.getResult().replaceAllUsesWith(sum.getSum0());
  end1.getResult().replaceAllUsesWith(sum.getSum1());
  for (MutableArrayRef<rns::MacOp> terms : {first, second})
    for (rns::MacOp term : llvm::reverse(terms))
      term.erase();
  return true;
}

struct FuseProducts : impl::FuseProductsBase<FuseProducts> {
  using FuseProductsBase::FuseProductsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        fuseMultiplyAccumulate(block);
        fuseChains(block);
      }
  }

private:
  /// Two chains with the same constants, one after the other.
  void fuseChains(Block &block) {
    std::map<std::vector<void *>, Chain> unpaired;
    for (Chain &chain : findChains(block)) {
      std::vector<void *> weights;
      for (rns::MacOp term : chain)
        weights.push_back(weightOf(term).getAsOpaquePointer());
      auto [other, isNew] = unpaired.try_emplace(std::move(weights), chain);
      if (isNew)
        continue;
      fusePair(other->second, chain);
      unpaired.erase(other);
    }
  }

  /// In parts of about the same length: all values of one are alive at once.
  void fusePair(MutableArrayRef<rns::MacOp> first, MutableArrayRef<rns::MacOp> second) {
    size_t parts = llvm::divideCeil(first.size(), terms);
    for (size_t part = 0; part < parts; ++part) {
      size_t begin = part * first.size() / parts, end = (part + 1) * first.size() / parts;
      if (end - begin > 1 &&
          fuseTerms(first.slice(begin, end - begin), second.slice(begin, end - begin)))
        ++sums;
    }
  }
};

} // namespace

} // namespace sluice
