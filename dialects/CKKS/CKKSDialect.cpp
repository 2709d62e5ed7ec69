//===- CKKSDialect.cpp - the ckks dialect -----------------------------------------------------===//
//
// Registration, aliases, and the verification of the dialect's attributes on operations of others.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/CKKSOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace sluice::ckks;

#include "dialects/CKKS/CKKSDialect.cpp.inc"
#include "dialects/CKKS/CKKSEnums.cpp.inc"

namespace {

/// The chain is long and used once; an alias at the top of the file keeps the module line short.
struct CKKSAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!isa<ParamsAttr>(attribute))
      return AliasResult::NoAlias;
    os << "params";
    return AliasResult::FinalAlias;
  }
};

} // namespace

void CKKSDialect::initialize() {
  addInterfaces<CKKSAsmInterface>();
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/CKKS/CKKSOps.cpp.inc"
      >();
}

ParamsAttr sluice::ckks::findParams(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto params = op->getAttrOfType<ParamsAttr>(paramsAttrName))
      return params;
  return {};
}

//===------------------------------------------------------------------------------------------===//
// Attributes on operations, arguments and results of other dialects
//===------------------------------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifyRange(Attribute attribute, EmitError emitError) {
  auto bounds = dyn_cast<ArrayAttr>(attribute);
  auto bound = [&](unsigned i) {
    auto number = dyn_cast<FloatAttr>(bounds[i]);
    return number && number.getType().isF64() ? number.getValueAsDouble() : NAN;
  };
  if (!bounds || bounds.size() != 2 || !std::isfinite(bound(0)) || !std::isfinite(bound(1)) ||
      !(bound(0) <= bound(1)))
    return emitError() << "'" << rangeAttrName
                       << "' must be two finite f64 in ascending order, as in [-8.0, 8.0]; found "
                       << attribute;
  return success();
}

/// A positive i64; a power of two if `isPowerOfTwo`.
static LogicalResult verifyCount(NamedAttribute attribute, bool isPowerOfTwo, EmitError emitError) {
  auto count = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!count || !count.getType().isSignlessInteger(64) || count.getInt() <= 0 ||
      (isPowerOfTwo && !llvm::isPowerOf2_64(count.getInt())))
    return emitError() << "'" << attribute.getName().getValue() << "' must be a positive i64"
                       << (isPowerOfTwo ? " that is a power of two" : "") << "; found "
                       << attribute.getValue();
  return success();
}

/// Levels, limbs and slots that types name must exist in the chain; its own slots go without
/// saying.
static LogicalResult verifyTypesAgainst(ParamsAttr params, Operation *module) {
  auto verifyValue = [&](Value value) -> LogicalResult {
    auto type = dyn_cast<CtType>(value.getType());
    if (!type || type.isFloating())
      return success();
    if (type.getLevel() >= params.getNumLevels())
      return emitError(value.getLoc())
             << "level " << type.getLevel() << " of " << type
             << " does not exist: 'ckks.params' has levels 0 to " << params.getNumLevels() - 1;
    if (type.getScale().limbTableSize() > params.getLimbs().size())
      return emitError(value.getLoc())
             << "limb q" << type.getScale().limbTableSize() - 1 << " in the scale of " << type
             << " does not exist: 'ckks.params' has limbs q0 to q" << params.getLimbs().size() - 1;
    if (type.getOwnSlots() > params.getRingDegree() / 2)
      return emitError(value.getLoc())
             << type
             << " has more slots than the ring, which has N/2 = " << params.getRingDegree() / 2;
    if (type.getOwnSlots() == params.getSlots())
      return emitError(value.getLoc())
             << type << " has the slots of 'ckks.params', which are not written";
    return success();
  };
  WalkResult result = module->walk([&](Operation *op) -> WalkResult {
    for (Value value : op->getResults())
      if (failed(verifyValue(value)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value value : block.getArguments())
          if (failed(verifyValue(value)))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The numbers that settle-scales reads; ckks.bootstrap checks the others.
static LogicalResult verifyBootstrapPlan(Attribute value,
                                         llvm::function_ref<InFlightDiagnostic()> emit) {
  auto plan = dyn_cast<DictionaryAttr>(value);
  for (StringRef name : {"input_level", "input_log_scale", "result_level", "result_log_scale"}) {
    auto number = plan ? plan.getAs<IntegerAttr>(name) : IntegerAttr();
    if (!number || number.getInt() < 0 || number.getInt() > 1000)
      return emit() << "'" << bootstrapAttrName << "' must be a dictionary with " << name
                    << ", an integer from 0 to 1000";
  }
  return success();
}

LogicalResult CKKSDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto emit = [&] { return op->emitOpError(); };
  if (name == rangeAttrName)
    return verifyRange(attribute.getValue(), emit);
  if (name == batchAttrName) {
    if (!isa<FunctionOpInterface>(op))
      return emit() << "'" << batchAttrName << "' belongs on a function";
    return verifyCount(attribute, /*isPowerOfTwo=*/false, emit);
  }
  if (name == slotsAttrName || name == scaleLog2AttrName || name == bootstrapAttrName ||
      name == paramsAttrName) {
    if (!isa<ModuleOp>(op))
      return emit() << "'" << name << "' belongs on the module";
    if (name == slotsAttrName)
      return verifyCount(attribute, /*isPowerOfTwo=*/true, emit);
    if (name == scaleLog2AttrName)
      return verifyCount(attribute, /*isPowerOfTwo=*/false, emit);
    if (name == bootstrapAttrName)
      return verifyBootstrapPlan(attribute.getValue(), emit);
    auto params = dyn_cast<ParamsAttr>(attribute.getValue());
    if (!params)
      return emit() << "'" << name << "' must be a #ckks.params attribute; found "
                    << attribute.getValue();
    return verifyTypesAgainst(params, op);
  }
  return emit() << "has unknown attribute '" << name << "'; the ckks dialect defines "
                << "'ckks.params', 'ckks.slots', 'ckks.scale_log2' and 'ckks.bootstrap_plan' on "
                   "modules, 'ckks.batch' on functions, "
                << "'ckks.range' on any operation";
}

/// Attributes of arguments and results: `where` is "argument 0" or "result 0".
static LogicalResult verifySignatureAttribute(Operation *op, NamedAttribute attribute,
                                              const Twine &where, Type type, bool isArgument) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  std::string place = where.str();
  auto emit = [&] { return op->emitOpError() << place << ": "; };
  if (name == rangeAttrName)
    return verifyRange(value, emit);
  if (name == layoutAttrName)
    return isa<LayoutAttr>(value)
               ? success()
               : emit() << "'" << name << "' must be a #ckks.layout attribute; found " << value;
  if (name == nameAttrName) {
    auto text = dyn_cast<StringAttr>(value);
    return text && !text.getValue().empty()
               ? success()
               : emit() << "'" << name << "' must be a string that is not empty; found " << value;
  }
  if (name == complexAttrName) {
    auto ciphertext = dyn_cast_if_present<CtType>(type);
    if (!ciphertext || !ciphertext.isSettled())
      return emit() << "'" << name << "' is for settled ciphertexts; this is " << type;
  }
  if (name == complexAttrName || (name == secretAttrName && isArgument))
    return isa<UnitAttr>(value) ? success()
                                : emit() << "'" << name << "' takes no value; found " << value;
  return emit() << "has unknown attribute '" << name << "'; the ckks dialect defines "
                << (isArgument ? "'ckks.secret', " : "")
                << "'ckks.name', 'ckks.layout', 'ckks.complex' and 'ckks.range' here";
}

LogicalResult CKKSDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                    NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return verifySignatureAttribute(op, attribute, "argument " + Twine(argument),
                                  function ? function.getArgumentTypes()[argument] : Type(), true);
}

LogicalResult CKKSDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result,
                                                       NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return verifySignatureAttribute(op, attribute, "result " + Twine(result),
                                  function ? function.getResultTypes()[result] : Type(), false);
}
