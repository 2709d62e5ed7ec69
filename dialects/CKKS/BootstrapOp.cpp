//===- BootstrapOp.cpp - the bootstrap of the ckks dialect ------------------------------------===//
//
// As CKKSOps.cpp, of CKKS_BootstrapOp in CKKSCompositeOps.td.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/BootstrapSyntax.h"
#include "dialects/CKKS/OpChecks.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace sluice::ckks;

//===------------------------------------------------------------------------------------------===//
// Syntax
//===------------------------------------------------------------------------------------------===//

ParseResult sluice::ckks::parseBootstrapForm(OpAsmParser &parser, IntegerAttr &arcsineDegree,
                                             SineNodesAttr &nodes, BootstrapOrderAttr &order,
                                             UnitAttr &real, IntegerAttr &iterations,
                                             IntegerAttr &logGain) {
  auto parseInteger = [&](IntegerAttr &attribute) {
    int64_t value = 0;
    if (parser.parseEqual() || parser.parseInteger(value))
      return failure();
    attribute = parser.getBuilder().getI64IntegerAttr(value);
    return success();
  };
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&key))
      return failure();
    ParseResult value = success();
    if (key == "arcsine_degree" && !arcsineDegree)
      value = parseInteger(arcsineDegree);
    else if (key == "iterations" && !iterations)
      value = parseInteger(iterations);
    else if (key == "log_gain" && !logGain)
      value = parseInteger(logGain);
    else if (key == "nodes" && !nodes)
      value = failure(parser.parseEqual() || parser.parseCustomAttributeWithFallback(nodes));
    else if (key == "order" && !order)
      value = failure(parser.parseEqual() || parser.parseCustomAttributeWithFallback(order));
    else if (key == "real" && !real)
      real = parser.getBuilder().getUnitAttr();
    else
      return parser.emitError(location, "'")
             << key
             << "' is given twice or unknown; a bootstrap has arcsine_degree, nodes, order, real, "
             << "iterations and log_gain here";
    if (failed(value))
      return failure();
  }
  return success();
}

void sluice::ckks::printBootstrapForm(OpAsmPrinter &printer, Operation *, IntegerAttr arcsineDegree,
                                      SineNodesAttr nodes, BootstrapOrderAttr order, UnitAttr real,
                                      IntegerAttr iterations, IntegerAttr logGain) {
  auto printInteger = [&](StringRef key, IntegerAttr attribute, int64_t byDefault) {
    if (attribute && attribute.getInt() != byDefault)
      printer << ", " << key << " = " << attribute.getInt();
  };
  printInteger("arcsine_degree", arcsineDegree, 1);
  if (nodes && nodes.getValue() != SineNodes::Chebyshev)
    printer << ", nodes = " << stringifySineNodes(nodes.getValue());
  if (order && order.getValue() != BootstrapOrder::ModRaiseFirst)
    printer << ", order = " << stringifyBootstrapOrder(order.getValue());
  if (real)
    printer << ", real";
  printInteger("iterations", iterations, 1);
  printInteger("log_gain", logGain, 0);
}

//===------------------------------------------------------------------------------------------===//
// Levels
//===------------------------------------------------------------------------------------------===//

int64_t BootstrapOp::getDepthBefore() {
  return getOrder() == BootstrapOrder::ModRaiseFirst ? 0 : getSlotsToCoefficients().size();
}

int64_t BootstrapOp::getDepth() {
  int64_t levels = getCoefficientsToSlots().size();
  levels += getPolynomialDepth(getDegree()) + getDoubleAngles();
  levels += getArcsineDegree() > 1 ? getPolynomialDepth(getArcsineDegree()) : 0;
  return levels + getSlotsToCoefficients().size() - getDepthBefore();
}

//===------------------------------------------------------------------------------------------===//
// Before there is a plan
//===------------------------------------------------------------------------------------------===//

CtType RefreshOp::inferType(Adaptor adaptor) { return cast<CtType>(adaptor.getInput().getType()); }

LogicalResult RefreshOp::verify() {
  if (failed(requireInferredResult(*this))) // C1
    return failure();
  if (getInput().getType().isSettled()) // C2
    return emitOpError() << "operand must be floating; found " << getInput().getType()
                         << ": settled programs have ckks.bootstrap";
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Verification
//===------------------------------------------------------------------------------------------===//

/// The factors of `groups` are those of a transform between `slots` slots and coefficients.
static LogicalResult requireGroups(BootstrapOp op, StringRef name, ArrayRef<int64_t> groups,
                                   int64_t slots) {
  if (slots == 1)
    return op.emitOpError() << "of one slot has no " << name
                            << "; look at it as two with ckks.view_slots";
  int64_t sum = 0;
  for (int64_t group : groups) {
    if (group < 1)
      return op.emitOpError() << name << " has a group of " << group << " factors";
    sum += group;
  }
  if (sum != llvm::Log2_64(slots))
    return op.emitOpError() << name << " must have " << llvm::Log2_64(slots) << " factors, log2 of "
                            << slots << " slots; found " << sum;
  return success();
}

/// C2 to C5.
static LogicalResult verifyEvalMod(BootstrapOp op) {
  double range = op.getRange().convertToDouble(), bound = op.getMessageBound().convertToDouble();
  if (!(range >= 1 && range <= 65536)) // C2
    return op.emitOpError() << "range must be from 1 to 65536; found " << numberText(range);
  if (!(bound > 0 && bound < 0.25)) // C2
    return op.emitOpError() << "message_bound must be between 0 and 1/4; found "
                            << numberText(bound);
  int64_t least = op.getNodes() == SineNodes::HanKi ? 2 * int64_t(range) : 2;
  if (op.getDegree() < least || op.getDegree() > 1023) // C3
    return op.emitOpError() << "degree must be from " << least << " to 1023; found "
                            << op.getDegree();
  if (op.getDoubleAngles() < 0 || op.getDoubleAngles() > 16) // C4
    return op.emitOpError() << "double_angles must be from 0 to 16; found " << op.getDoubleAngles();
  int64_t arcsine = op.getArcsineDegree();
  if (arcsine < 1 || arcsine > 63 || arcsine % 2 == 0) // C5
    return op.emitOpError() << "arcsine_degree must be odd, from 1 to 63; found " << arcsine;
  return success();
}

/// C10 to C13 but for the chain.
static LogicalResult verifyIterations(BootstrapOp op) {
  int64_t rounds = op.getIterations(), gain = op.getLogGain();
  if (rounds < 1 || rounds > 8) // C10
    return op.emitOpError() << "iterations must be from 1 to 8; found " << rounds;
  if (rounds == 1 && gain != 0) // C10
    return op.emitOpError() << "has a log_gain of " << gain << ", but one iteration";
  if (rounds > 1 && (gain < 1 || gain > 100)) // C10
    return op.emitOpError() << "of " << rounds
                            << " iterations needs a log_gain from 1 to 100; found " << gain;
  CtType from = op.getInput().getType(), to = op.getResult().getType();
  if (rounds > 1 && from.getScale() != to.getScale()) // C11
    return op.emitOpError() << "of " << rounds << " iterations must keep the scale, "
                            << from.getScale().str() << "; found " << to;
  return success();
}

/// C12 and C13.
static LogicalResult verifyRoom(BootstrapOp op, ParamsAttr params) {
  CtType from = op.getInput().getType(), to = op.getResult().getType();
  // Whole bits, to the nearest.
  auto bitsBetween = [&](int64_t high, int64_t low) {
    Scale ratio = Scale::limbs(params.getLevel(high)) / Scale::limbs(params.getLevel(low));
    return (ratio.log2Fixed(params.getLimbs()) + (1 << 19)) >> 20;
  };
  int64_t room = bitsBetween(from.getLevel(), op.getRoundLevel());
  int64_t gain = (op.getIterations() - 1) * op.getLogGain();
  if (room < gain) // C12
    return op.emitOpError() << "of " << op.getIterations() << " iterations gains " << gain
                            << " bits, but level " << from.getLevel() << " has " << room
                            << " more than level " << op.getRoundLevel();
  bool isNested = llvm::all_of(params.getLevel(from.getLevel()), [&](int64_t limb) {
    return llvm::is_contained(params.getLevel(to.getLevel()), limb);
  });
  if (!isNested && bitsBetween(to.getLevel(), from.getLevel()) < 64) // C13
    return op.emitOpError() << "subtracts its result at level " << from.getLevel()
                            << ", of which level " << to.getLevel()
                            << " neither has all limbs nor 64 bits more";
  return success();
}

LogicalResult BootstrapOp::verify() {
  CtType from = getInput().getType(), to = getResult().getType();
  for (CtType type : {from, to})
    if (type.isFloating() || type.getSize() != 2) // C1
      return emitOpError() << "operand and result must be settled and of size 2; found " << type;
  if (failed(verifyEvalMod(*this)) || failed(verifyIterations(*this)))
    return failure();
  if (from.getOwnSlots() != to.getOwnSlots()) // C6
    return emitOpError() << "result must have the slots of the operand, " << from << "; found "
                         << to;
  if (to.getLevel() <= from.getLevel()) // C8
    return emitOpError() << "result must stand at a level above " << from.getLevel() << "; found "
                         << to;
  int64_t before = getDepthBefore();
  if (before > 0 &&
      (getIterations() > 1 ? from.getLevel() < before : from.getLevel() != before)) // C9
    return emitOpError() << "with SlotsToCoeffs first, of " << before
                         << " factors, begins at level " << before << "; found " << from;
  ParamsAttr params = findParamsFor(*this);
  if (!params)
    return success();
  if (failed(requireGroups(*this, "coefficients_to_slots", getCoefficientsToSlots(),
                           from.getSlots(params))) ||
      failed(requireGroups(*this, "slots_to_coefficients", getSlotsToCoefficients(),
                           from.getSlots(params)))) // C6
    return failure();
  int64_t level = params.getNumLevels() - 1 - getDepth();
  if (to.getLevel() != level) // C7
    return emitOpError() << "with " << getDepth() << " levels of its own, of "
                         << params.getNumLevels() << ", the result stands at level " << level
                         << "; found " << to;
  return getIterations() > 1 ? verifyRoom(*this, params) : success();
}
