//===- FusedProgram.cpp - what code generators read of a module in phase fused ----------------===//

#include "passes/FusedProgram.h"

#include "passes/StageLocations.h"

using namespace mlir;

namespace sluice {

FailureOr<FusedProgram> FusedProgram::read(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return module.emitError("a module of phase fused has one function");
  FailureOr<std::vector<EvaluationKey>> keys = readEvaluationKeys(module);
  if (failed(keys))
    return failure();
  FusedProgram program(*functions.begin(), std::move(*keys));
  func::FuncOp function = program.function;
  function.walk([&](rns::ConstantOp op) { program.constants.add(op); });
  for (BlockArgument argument : function.getArguments()) {
    auto slots =
        function.getArgAttrOfType<DenseI32ArrayAttr>(argument.getArgNumber(), rns::slotsAttrName);
    if (!slots)
      return function.emitError("argument ")
             << argument.getArgNumber() << " has no 'rns.slots'; run plan-memory first";
    program.places[argument] = slots.asArrayRef();
  }
  return program;
}

LogicalResult FusedProgram::findPlaces(Operation &op) {
  auto slots = op.getAttrOfType<DenseI32ArrayAttr>(rns::slotsAttrName);
  if (!slots)
    return op.emitOpError("has no 'rns.slots'; run plan-memory first");
  ArrayRef<int32_t> rest = slots.asArrayRef();
  for (Value result : op.getResults()) {
    size_t count = cast<rns::PolyType>(result.getType()).getNumLimbs();
    if (count > rest.size())
      return op.emitOpError("has fewer 'rns.slots' than limbs; run plan-memory again");
    places[result] = rest.take_front(count);
    rest = rest.drop_front(count);
  }
  return success();
}

std::optional<uint32_t> FusedProgram::numberOf(rns::KeyOp op) const {
  for (auto [number, key] : llvm::enumerate(keys))
    if (key.kind == rns::stringifyKeyKind(op.getKind()) &&
        key.element == static_cast<int64_t>(op.getElement().value_or(0)) &&
        key.permuted == op.getPermuted())
      return static_cast<uint32_t>(number);
  return std::nullopt;
}

FailureOr<FusedProgram::KeyUse> FusedProgram::keyUseOf(rns::InnerProductOp op) const {
  auto definition = op.getKey().getDefiningOp<rns::KeyOp>();
  std::optional<uint32_t> number = definition ? numberOf(definition) : std::nullopt;
  if (!number)
    return op.emitOpError("uses a key that is not in '") << keysAttr << "'";
  KeyUse use{*number, {}, {}};
  for (auto [index, digit] : llvm::enumerate(op.getDigits())) {
    if (!isa<rns::PolyType>(digit.getType()))
      return op.emitOpError("has digits that are no polynomials yet; run expand-base-changes "
                            "first");
    use.digits.push_back(static_cast<uint16_t>(op.getKeyDigit(index)));
  }
  ArrayRef<int64_t> limbs = op.getKey().getType().getLimbs();
  for (int64_t limb : op.getB().getType().getLimbs())
    use.rows.push_back(static_cast<uint16_t>(llvm::find(limbs, limb) - limbs.begin()));
  return use;
}

std::optional<uint32_t> FusedProgram::enterStage(Location location) {
  StringAttr stage = stageOf(location);
  if (!stage || stage == currentStage)
    return std::nullopt;
  currentStage = stage;
  stages.insert(stage);
  return static_cast<uint32_t>(llvm::find(stages, stage) - stages.begin());
}

bool isWithoutCode(Operation &op) {
  return isa<rns::ConstantOp, rns::KeyOp, rns::DropOp, rns::ConcatOp, func::ReturnOp>(op);
}

} // namespace sluice
