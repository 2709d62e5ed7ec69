//===- RNSDialect.cpp - the rns dialect -------------------------------------------------------===//
//
// Registration, aliases, and the verification of the dialect's attributes on operations of others.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/RNS/RNSOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace sluice::rns;

#include "dialects/RNS/RNSDialect.cpp.inc"
#include "dialects/RNS/RNSEnums.cpp.inc"

namespace {

/// The limb table is long and used once; an alias keeps the module line short.
struct RNSAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!isa<RingAttr>(attribute))
      return AliasResult::NoAlias;
    os << "ring";
    return AliasResult::FinalAlias;
  }
};

} // namespace

void RNSDialect::initialize() {
  addInterfaces<RNSAsmInterface>();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/RNS/RNSOps.cpp.inc"
      >();
}

RingAttr sluice::rns::findRing(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto ring = op->getAttrOfType<RingAttr>(ringAttrName))
      return ring;
  return {};
}

static unsigned countLimbs(Type type) {
  auto poly = dyn_cast<PolyType>(type);
  return poly ? poly.getNumLimbs() : 0;
}

unsigned sluice::rns::countResultLimbs(Operation *op) {
  unsigned count = 0;
  for (Type type : op->getResultTypes())
    count += countLimbs(type);
  return count;
}

//===------------------------------------------------------------------------------------------===//
// Attributes on operations and arguments
//===------------------------------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifySlots(Attribute attribute, unsigned limbs, EmitError emitError) {
  auto slots = dyn_cast<DenseI32ArrayAttr>(attribute);
  if (!slots || llvm::any_of(slots.asArrayRef(), [](int32_t slot) { return slot < 0; }))
    return emitError() << "'" << slotsAttrName
                       << "' must be arena slots, as in array<i32: 0, 1>; found " << attribute;
  if (slots.size() != static_cast<int64_t>(limbs))
    return emitError() << "'" << slotsAttrName << "' has " << slots.size() << " slots for " << limbs
                       << " limbs";
  return success();
}

/// Limbs that types name must exist in the ring.
static LogicalResult verifyTypesAgainst(RingAttr ring, Operation *module) {
  auto verifyValue = [&](Value value) -> LogicalResult {
    auto poly = dyn_cast<PolyType>(value.getType());
    if (!poly)
      return success();
    for (int64_t limb : poly.getLimbs())
      if (limb >= static_cast<int64_t>(ring.getPrimes().size()))
        return emitError(value.getLoc())
               << "limb " << limb << " of " << poly << " does not exist: "
               << "'rns.ring' has " << ring.getPrimes().size() << " primes";
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

LogicalResult RNSDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto emit = [&] { return op->emitOpError(); };
  if (name == slotsAttrName)
    return verifySlots(attribute.getValue(), countResultLimbs(op), emit);
  if (name == scratchAttrName) {
    auto places = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    if (!places || places.size() != op->getNumResults() || !isa<LimbKernelOp>(op->getParentOp()))
      return emit() << "'" << name << "' must have one number for each result of an operation in "
                    << "an rns.limb_kernel; found " << attribute.getValue();
    return success();
  }
  if (name == arenaSlotsAttrName || name == scratchSlotsAttrName) {
    auto count = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!isa<FunctionOpInterface>(op) || !count || !count.getType().isSignlessInteger(64) ||
        count.getInt() < 0)
      return emit() << "'" << name << "' must be an i64 on a function, not negative; found "
                    << attribute.getValue();
    return success();
  }
  if (name == ringAttrName) {
    auto ring = dyn_cast<RingAttr>(attribute.getValue());
    if (!isa<ModuleOp>(op) || !ring)
      return emit() << "'" << name << "' must be a #rns.ring attribute on the module; found "
                    << attribute.getValue();
    return verifyTypesAgainst(ring, op);
  }
  return emit() << "has unknown attribute '" << name << "'; the rns dialect defines 'rns.ring' on "
                << "modules, 'rns.arena_slots' on functions, 'rns.slots' on operations";
}

LogicalResult RNSDialect::verifyRegionArgAttribute(Operation *op, unsigned region,
                                                   unsigned argument, NamedAttribute attribute) {
  auto emit = [&] { return op->emitOpError() << "argument " << argument << ": "; };
  if (attribute.getName() != slotsAttrName)
    return emit() << "has unknown attribute '" << attribute.getName().getValue()
                  << "'; the rns dialect defines 'rns.slots' here";
  auto function = dyn_cast<FunctionOpInterface>(op);
  unsigned limbs = function ? countLimbs(function.getArgumentTypes()[argument]) : 0;
  return verifySlots(attribute.getValue(), limbs, emit);
}
