//===- ProgramAttributes.cpp - facts about the whole program that travel with the module ------===//

#include "passes/ProgramAttributes.h"
#include "runtime/abi/manifest.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace sluice {

namespace {

std::vector<int64_t> toVector(DenseI64ArrayAttr attribute) {
  return std::vector<int64_t>(attribute.asArrayRef().begin(), attribute.asArrayRef().end());
}

} // namespace

DictionaryAttr EvaluationKey::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<Attribute> digitAttributes;
  for (const std::vector<int64_t> &digit : digits)
    digitAttributes.push_back(builder.getDenseI64ArrayAttr(digit));
  NamedAttrList entries;
  entries.set("kind", builder.getStringAttr(kind));
  if (kind == "galois")
    entries.set("element", builder.getI64IntegerAttr(element));
  if (permuted)
    entries.set("permuted", builder.getUnitAttr());
  entries.set("limbs", builder.getDenseI64ArrayAttr(limbs));
  entries.set("digits", builder.getArrayAttr(digitAttributes));
  return entries.getDictionary(context);
}

std::optional<EvaluationKey> EvaluationKey::fromAttribute(Attribute attribute) {
  auto dictionary = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!dictionary)
    return std::nullopt;
  auto kind = dictionary.getAs<StringAttr>("kind");
  auto element = dictionary.getAs<IntegerAttr>("element");
  auto limbs = dictionary.getAs<DenseI64ArrayAttr>("limbs");
  auto digits = dictionary.getAs<ArrayAttr>("digits");
  if (!kind || !limbs || !digits || !findKeyKind(kind.getValue()))
    return std::nullopt;
  bool isGalois = kind == "galois";
  if (isGalois != static_cast<bool>(element) || (!isGalois && dictionary.contains("permuted")))
    return std::nullopt;

  EvaluationKey key;
  key.kind = kind.getValue();
  key.element = element ? element.getInt() : 0;
  key.permuted = dictionary.contains("permuted");
  key.limbs = toVector(limbs);
  for (Attribute digit : digits) {
    auto indices = dyn_cast<DenseI64ArrayAttr>(digit);
    if (!indices)
      return std::nullopt;
    key.digits.push_back(toVector(indices));
  }
  return key;
}

FailureOr<std::vector<EvaluationKey>> readEvaluationKeys(ModuleOp module) {
  auto attribute = module->getAttrOfType<ArrayAttr>(keysAttr);
  if (!attribute)
    return module.emitError("the module has no '")
           << keysAttr << "', the list of evaluation keys that select-key-switching makes";
  std::vector<EvaluationKey> keys;
  for (Attribute entry : attribute) {
    std::optional<EvaluationKey> key = EvaluationKey::fromAttribute(entry);
    if (!key)
      return module.emitError("'") << keysAttr << "' holds " << entry
                                   << ", which is not {kind, limbs, digits} with an element for "
                                      "kind \"galois\"";
    keys.push_back(std::move(*key));
  }
  return keys;
}

/// The entry of sluice.inputs or sluice.outputs. Without a layout it is a plain vector of all
/// slots.
static DictionaryAttr describe(Type type, DictionaryAttr attributes, StringRef role, size_t index,
                               ckks::ParamsAttr params) {
  Builder builder(params.getContext());
  auto named = [&](StringRef key) { return attributes ? attributes.get(key) : Attribute(); };
  Attribute name = named(ckks::nameAttrName), layout = named(ckks::layoutAttrName);
  if (!name)
    name = builder.getStringAttr(role + Twine(index));
  if (!layout)
    layout = ckks::LayoutAttr::get(params.getContext(), {params.getSlots()}, params.getSlots(),
                                   /*batch=*/1, /*batched=*/false);
  NamedAttrList entry;
  entry.set("name", name);
  entry.set("layout", layout);
  entry.set("type", TypeAttr::get(type));
  entry.set("polynomials", builder.getI64IntegerAttr(cast<ckks::CtType>(type).getSize()));
  if (Attribute isComplex = named(ckks::complexAttrName))
    entry.set("complex", isComplex);
  if (Attribute range = named(ckks::rangeAttrName))
    entry.set("range", range);
  return entry.getDictionary(params.getContext());
}

void recordSignature(func::FuncOp function, ckks::ParamsAttr params) {
  Builder builder(params.getContext());
  SmallVector<Attribute> inputs, outputs;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
    inputs.push_back(describe(type, function.getArgAttrDict(index), "input", index, params));
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    outputs.push_back(describe(type, function.getResultAttrDict(index), "output", index, params));
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();

  int64_t products = 0;
  function.walk([&](Operation *op) { products += isa<ckks::MulOp, ckks::SquareOp>(op); });
  auto module = function->getParentOfType<ModuleOp>();
  module->setAttr(programNameAttr, function.getSymNameAttr());
  module->setAttr(inputsAttr, builder.getArrayAttr(inputs));
  module->setAttr(outputsAttr, builder.getArrayAttr(outputs));
  module->setAttr(ciphertextProductsAttr, builder.getI64IntegerAttr(products));
}

} // namespace sluice
