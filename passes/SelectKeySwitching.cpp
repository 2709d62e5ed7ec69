//===- SelectKeySwitching.cpp - how each key switch is done, and with which keys --------------===//
//
// One method so far, hybrid key switching: docs/mathematics.md sections 3 and 16.4.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/CKKS/CKKSOps.h"
#include "dialects/RNS/RNSOps.h"
#include "passes/Passes.h"
#include "passes/ProgramAttributes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_SELECTKEYSWITCHING
#include "passes/Passes.h.inc"

namespace {

/// The limbs of `list` that are in `set`, in the order of `list`.
template <typename Set> SmallVector<int64_t> intersect(ArrayRef<int64_t> list, const Set &set) {
  SmallVector<int64_t> common;
  llvm::copy_if(list, std::back_inserter(common),
                [&](int64_t limb) { return llvm::is_contained(set, limb); });
  return common;
}

/// What one key is used for.
struct KeyUses {
  SmallVector<rns::KeyOp> definitions;
  llvm::SmallSetVector<int64_t, 16> served; // union of the limbs that it switches
};
/// Ordered: the relinearisation key first, then by Galois element.
struct KeyIdentity {
  rns::KeyKind kind;
  int64_t element; // 0: none
  bool permuted;
  auto operator<=>(const KeyIdentity &) const = default;
};

struct SelectKeySwitching : impl::SelectKeySwitchingBase<SelectKeySwitching> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    if (!params) {
      module.emitError("the module has no 'ckks.params', which holds the digits");
      return signalPassFailure();
    }
    SmallVector<rns::InnerProductOp> products;
    module.walk([&](rns::InnerProductOp op) { products.push_back(op); });

    std::map<KeyIdentity, KeyUses> keys;
    for (rns::InnerProductOp product : products)
      if (failed(collectUse(product, params, keys)))
        return signalPassFailure();
    for (rns::InnerProductOp product : products)
      chooseDigits(product, params);
    chooseKeys(keys, params);
    module->setAttr(keySwitchesAttr,
                    OpBuilder(module).getI64IntegerAttr(static_cast<int64_t>(products.size())));
  }

private:
  /// The fixed partition of the limbs that a key of this kind serves. The ephemeral secret's own
  /// modulus is small: its key has a digit for each limb of level 0.
  static SmallVector<DenseI64ArrayAttr> digitsFor(rns::KeyKind kind, ckks::ParamsAttr params) {
    if (kind != rns::KeyKind::ToEphemeral)
      return llvm::to_vector(params.getDigits());
    return llvm::map_to_vector(params.getLevel(0), [&](int64_t limb) {
      return DenseI64ArrayAttr::get(params.getContext(), {limb});
    });
  }

  static ArrayRef<int64_t> specialOf(rns::KeyKind kind, ckks::ParamsAttr params) {
    return params.getSpecialOf(kind == rns::KeyKind::ToEphemeral);
  }

  static rns::DigitsType abstractDigits(rns::InnerProductOp product) {
    return dyn_cast<rns::DigitsType>(product.getDigits().front().getType());
  }

  /// Checks that `product` is a key switch that this pass can serve, and adds it to its key's uses.
  LogicalResult collectUse(rns::InnerProductOp product, ckks::ParamsAttr params,
                           std::map<KeyIdentity, KeyUses> &keys) {
    auto key = product.getKey().getDefiningOp<rns::KeyOp>();
    if (!key)
      return product.emitOpError("needs a key that rns.key makes");
    rns::DigitsType digits = abstractDigits(product);
    if (!digits || digits.isChosen() || !decomposeOf(product))
      return product.emitOpError(
          "needs the abstract digits of an rns.decompose; its method is chosen already");
    SmallVector<DenseI64ArrayAttr> known = digitsFor(key.getKind(), params);
    for (int64_t limb : digits.getLimbs())
      if (llvm::none_of(known, [&](DenseI64ArrayAttr digit) {
            return llvm::is_contained(digit.asArrayRef(), limb);
          }))
        return product.emitOpError("switches limb ")
               << limb << ", which is in no digit of 'ckks.params'";
    SmallVector<int64_t> extended(digits.getLimbs());
    llvm::append_range(extended, specialOf(key.getKind(), params));
    if (product.getB().getType().getLimbs() != ArrayRef<int64_t>(extended))
      return product.emitOpError("must be over the switched limbs and then the special ones of "
                                 "'ckks.params'; found ")
             << product.getB().getType();

    KeyUses &uses = keys[{key.getKind(), key.getElement().value_or(0), key.getPermuted()}];
    if (!llvm::is_contained(uses.definitions, key))
      uses.definitions.push_back(key);
    uses.served.insert_range(digits.getLimbs());
    return success();
  }

  static rns::DecomposeOp decomposeOf(rns::InnerProductOp product) {
    return product.getDigits().front().getDefiningOp<rns::DecomposeOp>();
  }

  /// One mod_up for each decomposition: the parts of the fixed digits that are alive in its limbs.
  /// Dead digits are skipped.
  void chooseDigits(rns::InnerProductOp product, ckks::ParamsAttr params) {
    rns::DecomposeOp decompose = decomposeOf(product);
    if (!decompose)
      return; // an earlier product of the same decomposition put the mod_up there
    rns::DigitsType abstract = decompose.getType();
    SmallVector<DenseI64ArrayAttr> groups;
    auto key = product.getKey().getDefiningOp<rns::KeyOp>();
    for (DenseI64ArrayAttr digit : digitsFor(key.getKind(), params))
      if (SmallVector<int64_t> alive = intersect(digit.asArrayRef(), abstract.getLimbs());
          !alive.empty())
        groups.push_back(DenseI64ArrayAttr::get(&getContext(), alive));

    OpBuilder builder(decompose->getContext());
    builder.setInsertionPointAfter(decompose);
    auto chosen = rns::DigitsType::get(&getContext(), abstract.getLimbs(), groups,
                                       product.getB().getType().getLimbs());
    auto modUp = rns::ModUpOp::create(builder, decompose.getLoc(), chosen, decompose);
    decompose.getResult().replaceAllUsesExcept(modUp, modUp);
    modUps += groups.size();
  }

  /// Fixes rows and digits of every key and lists the keys on the module.
  void chooseKeys(std::map<KeyIdentity, KeyUses> &keys, ckks::ParamsAttr params) {
    SmallVector<Attribute> list;
    for (auto &[identity, uses] : keys) {
      EvaluationKey key;
      key.kind = rns::stringifyKeyKind(identity.kind);
      key.element = identity.element;
      key.permuted = identity.permuted;
      llvm::append_range(key.limbs, specialOf(identity.kind, params));
      SmallVector<DenseI64ArrayAttr> digits;
      for (DenseI64ArrayAttr digit : digitsFor(identity.kind, params)) {
        SmallVector<int64_t> served = intersect(digit.asArrayRef(), uses.served);
        if (served.empty())
          continue;
        llvm::append_range(key.limbs, served);
        key.digits.emplace_back(served.begin(), served.end());
        digits.push_back(DenseI64ArrayAttr::get(&getContext(), served));
      }
      auto type = rns::KeyType::get(&getContext(), key.limbs, digits);
      for (rns::KeyOp definition : uses.definitions)
        definition.getResult().setType(type);
      list.push_back(key.toAttribute(&getContext()));
    }
    evaluationKeys += list.size();
    getOperation()->setAttr(keysAttr, ArrayAttr::get(&getContext(), list));
  }
};

} // namespace

} // namespace sluice
