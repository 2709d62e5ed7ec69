//===- CKKSOps.cpp - operations of the ckks dialect -------------------------------------------===//
//
// Custom syntax, builders, type inference and verifiers. C1, C2, ... are the constraints in
// CKKSOps.td.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/CKKSOps.h"
#include "dialects/CKKS/BootstrapSyntax.h"
#include "dialects/CKKS/OpChecks.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <charconv>
#include <cmath>
#include <string>

using namespace mlir;
using namespace sluice::ckks;

//===------------------------------------------------------------------------------------------===//
// Syntax
//===------------------------------------------------------------------------------------------===//

/// `: T` when operand and result agree, else `: T -> R`.
static ParseResult parseUnaryTypes(OpAsmParser &parser, Type &input, Type &result) {
  if (parser.parseType(input))
    return failure();
  result = input;
  return succeeded(parser.parseOptionalArrow()) ? parser.parseType(result) : success();
}

static void printUnaryTypes(OpAsmPrinter &printer, Operation *, Type input, Type result) {
  printer << input;
  if (input != result)
    printer << " -> " << result;
}

/// `: T` when all agree, else `: A, B -> R`.
static ParseResult parseBinaryTypes(OpAsmParser &parser, Type &lhs, Type &rhs, Type &result) {
  if (parser.parseType(lhs))
    return failure();
  rhs = result = lhs;
  if (failed(parser.parseOptionalComma()))
    return success();
  return failure(parser.parseType(rhs) || parser.parseArrow() || parser.parseType(result));
}

static void printBinaryTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs, Type result) {
  printer << lhs;
  if (lhs != rhs || lhs != result)
    printer << ", " << rhs << " -> " << result;
}

/// A double, with or without its type: `0.5`, `0.5 : f64`, `3`.
static ParseResult parseNumber(OpAsmParser &parser, FloatAttr &number) {
  Attribute attribute;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseAttribute(attribute))
    return failure();
  Builder &builder = parser.getBuilder();
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    number = builder.getF64FloatAttr(static_cast<double>(integer.getValue().getSExtValue()));
  else if (auto real = dyn_cast<FloatAttr>(attribute); real && real.getType().isF64())
    number = real;
  else
    return parser.emitError(location, "expected a number of type f64");
  return success();
}

static void printNumber(OpAsmPrinter &printer, Operation *, FloatAttr number) {
  if (number.getValue().isFinite())
    printer << numberText(number.getValueAsDouble());
  else
    printer.printAttributeWithoutType(number);
}

#define GET_OP_CLASSES
#include "dialects/CKKS/CKKSOps.cpp.inc"

//===------------------------------------------------------------------------------------------===//
// Sums and products of ciphertexts
//===------------------------------------------------------------------------------------------===//

static LogicalResult verifySum(Operation *op, Value lhs, Value rhs) {
  CtType left = ctTypeOf(lhs), right = ctTypeOf(rhs);
  if (failed(requireSameStageAndLevel(op, lhs, rhs))) // C1, C2
    return failure();
  if (left.getScale() != right.getScale()) { // C3
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << "operands have different scales, " << left.getScale().str()
                                    << " and " << right.getScale().str()
                                    << "; bring one to the other's with ckks.adjust_scale";
    noteOrigin(diagnostic, rhs, "the second operand");
    return diagnostic;
  }
  if (left.getSize() != right.getSize()) // C4
    return requireSizeTwo(op, left.getSize() > right.getSize() ? lhs : rhs, "the other has 2");
  return requireResult(op, left); // C5
}

CtType AddOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getLhs()); }
LogicalResult AddOp::verify() { return verifySum(*this, getLhs(), getRhs()); }

CtType SubOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getLhs()); }
LogicalResult SubOp::verify() { return verifySum(*this, getLhs(), getRhs()); }

CtType NegateOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getInput()); }
LogicalResult NegateOp::verify() { return requireInferredResult(*this); } // C1

/// Scales multiply; a product of two polynomials each has three.
static CtType productType(CtType lhs, CtType rhs) {
  if (lhs.isFloating() || rhs.isFloating())
    return CtType::get(lhs.getContext());
  return lhs.withScale(lhs.getScale() * rhs.getScale()).withSize(3);
}

CtType MulOp::inferType(Adaptor adaptor) {
  return productType(ctTypeOf(adaptor.getLhs()), ctTypeOf(adaptor.getRhs()));
}
LogicalResult MulOp::verify() {
  if (failed(requireSameStageAndLevel(*this, getLhs(), getRhs()))) // C1, C2
    return failure();
  for (Value factor : {getLhs(), getRhs()})
    if (failed(requireSizeTwo(*this, factor, "a factor must have 2"))) // C3
      return failure();
  return requireInferredResult(*this); // C4
}

CtType SquareOp::inferType(Adaptor adaptor) {
  return productType(ctTypeOf(adaptor.getInput()), ctTypeOf(adaptor.getInput()));
}
LogicalResult SquareOp::verify() {
  if (failed(requireSizeTwo(*this, getInput(), "a factor must have 2"))) // C1
    return failure();
  return requireInferredResult(*this); // C2
}

CtType RelinearizeOp::inferType(Adaptor adaptor) {
  CtType type = ctTypeOf(adaptor.getInput());
  return type.isFloating() ? type : type.withSize(2);
}
LogicalResult RelinearizeOp::verify() {
  if (failed(requireSettled(*this, getInput()))) // C1
    return failure();
  if (ctTypeOf(getInput()).getSize() != 3) // C2
    return emitOpError() << "operand has 2 polynomials already: nothing to relinearize";
  if (failed(requireMainSecret(*this, getInput()))) // C4
    return failure();
  return requireInferredResult(*this); // C3
}

//===------------------------------------------------------------------------------------------===//
// Levels and scales
//===------------------------------------------------------------------------------------------===//

CtType sluice::ckks::getRescaledType(CtType from, int64_t level, ParamsAttr params) {
  return from.withLevel(level).withScale(from.getScale() *
                                         params.getRescaleFactor(from.getLevel(), level));
}

/// `op` takes a settled operand down to the level of its settled result.
static LogicalResult requireDescent(Operation *op) {
  if (failed(requireSettled(op, op->getOperand(0))))
    return failure();
  CtType from = ctTypeOf(op->getOperand(0)), to = ctTypeOf(op->getResult(0));
  if (to.isFloating() || to.getLevel() >= from.getLevel())
    return op->emitOpError() << "result must stand at a level below " << from.getLevel()
                             << "; found " << to;
  return success();
}

void RescaleOp::build(OpBuilder &builder, OperationState &state, Value input, int64_t level,
                      ParamsAttr params) {
  build(builder, state, getRescaledType(ctTypeOf(input), level, params), input);
}
LogicalResult RescaleOp::verify() {
  if (failed(requireDescent(*this))) // C1, C2
    return failure();
  CtType from = getInput().getType(), to = getResult().getType();
  if (from.getSize() != to.getSize()) // C3
    return emitOpError() << "result size must be that of the operand, " << from.getSize()
                         << "; found " << to.getSize();
  if (from.getOwnSlots() != to.getOwnSlots()) // C3
    return emitOpError() << "result must have the slots of the operand, " << from << "; found "
                         << to;
  ParamsAttr params = findParamsFor(*this);
  if (!params)
    return success();
  return requireResult(*this, getRescaledType(from, to.getLevel(), params)); // C4
}

void DropLevelOp::build(OpBuilder &builder, OperationState &state, Value input, int64_t level) {
  build(builder, state, ctTypeOf(input).withLevel(level), input);
}
LogicalResult DropLevelOp::verify() {
  if (failed(requireDescent(*this))) // C1, C2
    return failure();
  CtType from = getInput().getType(), to = getResult().getType();
  if (failed(requireResult(*this, from.withLevel(to.getLevel())))) // C3
    return failure();
  ParamsAttr params = findParamsFor(*this);
  if (!params)
    return success();
  ArrayRef<int64_t> kept = params.getLevel(from.getLevel());
  for (int64_t limb : params.getLevel(to.getLevel()))
    if (!llvm::is_contained(kept, limb)) // C4
      return emitOpError() << "level " << to.getLevel() << " has limb " << limb << ", which level "
                           << from.getLevel()
                           << " has not: forgetting limbs does not lead there; use ckks.rescale or "
                              "ckks.adjust_scale with ckks.rescale";
  return success();
}

void ModRaiseOp::build(OpBuilder &builder, OperationState &state, Value input, int64_t level,
                       ParamsAttr params) {
  CtType from = ctTypeOf(input);
  Scale product = Scale::limbs(params.getLevel(from.getLevel()));
  build(builder, state,
        from.withLevel(level).withScale(product).withSlots(params.getRingDegree() / 2, params),
        input);
}
LogicalResult ModRaiseOp::verify() {
  if (failed(requireSettled(*this, getInput()))) // C1
    return failure();
  CtType from = getInput().getType(), to = getResult().getType();
  if (to.isFloating() || to.getLevel() <= from.getLevel()) // C2
    return emitOpError() << "result must stand at a level above " << from.getLevel() << "; found "
                         << to;
  if (failed(requireSizeTwo(*this, getInput(), "a larger modulus is for 2"))) // C3
    return failure();
  if (to.getSize() != 2) // C3
    return emitOpError() << "result must have size 2; found " << to.getSize();
  ParamsAttr params = findParamsFor(*this);
  if (!params)
    return success();
  Scale product = Scale::limbs(params.getLevel(from.getLevel()));
  return requireResult(*this,
                       to.withScale(product).withSlots(params.getRingDegree() / 2, params)); // C4
}

void SwitchKeyOp::build(OpBuilder &builder, OperationState &state, Value input) {
  CtType from = ctTypeOf(input);
  build(builder, state, from.withSecret(from.isEphemeral() ? Secret::Main : Secret::Ephemeral),
        input);
}
LogicalResult SwitchKeyOp::verify() {
  if (failed(requireSettled(*this, getInput())) ||                              // C1
      failed(requireSizeTwo(*this, getInput(), "keys are switched between 2"))) // C2
    return failure();
  CtType from = getInput().getType(), to = getResult().getType();
  if (from.getSecret() == to.getSecret()) // C3
    return emitOpError() << "operand and result are under one secret; found " << to;
  if (failed(requireResult(*this, from.withSecret(to.getSecret())))) // C3
    return failure();
  ParamsAttr params = findParamsFor(*this);
  if (!params)
    return success();
  if (!params.hasEphemeral()) // C4
    return emitOpError() << "needs an ephemeral secret, which 'ckks.params' has not";
  if (to.isEphemeral() && to.getLevel() != 0) // C5
    return emitOpError() << "to the ephemeral secret must be at level 0; found level "
                         << to.getLevel();
  return success();
}

void AdjustScaleOp::build(OpBuilder &builder, OperationState &state, Value input,
                          const Scale &scale) {
  build(builder, state, ctTypeOf(input).withScale(scale), input);
}

/// True when the monomial is a natural number as it stands.
static bool isNatural(const Scale &ratio) {
  auto isNaturalExponent = [](Dyadic exponent) {
    return exponent.isInteger() && exponent.getNumerator() >= 0;
  };
  return isNaturalExponent(ratio.exponentOfTwo()) &&
         llvm::all_of(ratio.exponentsOfLimbs(),
                      [&](const auto &factor) { return isNaturalExponent(factor.second); });
}

LogicalResult AdjustScaleOp::verify() {
  if (failed(requireSettled(*this, getInput()))) // C1
    return failure();
  CtType from = getInput().getType(), to = getResult().getType();
  if (to.isFloating() || to != from.withScale(to.getScale())) // C2
    return emitOpError() << "result must keep level " << from.getLevel() << " and size "
                         << from.getSize() << "; found " << to;
  Scale ratio = getRatio();
  if (isNatural(ratio)) // C3
    return success();
  // A ratio of limbs has no value without the chain; a ratio of twos has one anyhow.
  ParamsAttr params = findParams(*this);
  ArrayRef<uint64_t> limbs = params ? params.getLimbs() : ArrayRef<uint64_t>();
  if (ratio.limbTableSize() <= limbs.size() && ratio.log2Fixed(limbs) < minRatioLog2 << 20) // C3
    return emitOpError() << "the ratio of the scales, " << ratio.str() << ", is below 2^"
                         << minRatioLog2
                         << " and not a natural number: rounding it would spoil the value";
  return success();
}

/// log2 of a positive power of two, nothing for other numbers.
static std::optional<int64_t> exactLog2(const APFloat &value) {
  int exponent = value.getExactLog2();
  return exponent == INT_MIN ? std::nullopt : std::optional<int64_t>(exponent);
}

CtType ReinterpretOp::inferType(Adaptor adaptor) {
  CtType type = ctTypeOf(adaptor.getInput());
  std::optional<int64_t> log2 = exactLog2(adaptor.getFactor());
  return type.isFloating() || !log2 ? type
                                    : type.withScale(type.getScale() / Scale::powerOfTwo(*log2));
}
LogicalResult ReinterpretOp::verify() {
  if (!exactLog2(getFactor())) // C1
    return emitOpError()
           << "factor must be a positive power of two, so that the new scale is exact; found "
           << numberText(getFactor().convertToDouble());
  return requireInferredResult(*this); // C2
}

void ViewSlotsOp::build(OpBuilder &builder, OperationState &state, Value input, int64_t slots,
                        ParamsAttr params) {
  build(builder, state, ctTypeOf(input).withSlots(slots, params), input);
}
LogicalResult ViewSlotsOp::verify() {
  if (failed(requireSettled(*this, getInput()))) // C1
    return failure();
  CtType from = getInput().getType(), to = getResult().getType();
  if (to.isFloating()) // C2
    return emitOpError() << "result must be settled; found " << to;
  // C2; whether there are so many slots is checked on the module.
  return requireResult(*this, CtType::get(getContext(), from.getLevel(), from.getScale(),
                                          from.getSize(), from.getSecret(), to.getOwnSlots()));
}

//===------------------------------------------------------------------------------------------===//
// Automorphisms
//===------------------------------------------------------------------------------------------===//

CtType RotateOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getInput()); }
LogicalResult RotateOp::verify() {
  if (failed(requireSizeTwo(*this, getInput(), "an automorphism needs 2")) || // C1
      failed(requireMainSecret(*this, getInput())))                           // C3
    return failure();
  return requireInferredResult(*this); // C2
}

CtType ConjugateOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getInput()); }
LogicalResult ConjugateOp::verify() {
  if (failed(requireSizeTwo(*this, getInput(), "an automorphism needs 2")) || // C1
      failed(requireMainSecret(*this, getInput())))                           // C3
    return failure();
  return requireInferredResult(*this); // C2
}

CtType MulByIOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getInput()); }
LogicalResult MulByIOp::verify() { return requireInferredResult(*this); } // C1

//===------------------------------------------------------------------------------------------===//
// Plaintext operands
//===------------------------------------------------------------------------------------------===//

CtType AddPlainOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getInput()); }
LogicalResult AddPlainOp::verify() {
  if (failed(requireVector(*this, getValue()))) // C1, C2, C3
    return failure();
  return requireInferredResult(*this); // C4
}

CtType MulPlainOp::inferType(Adaptor adaptor) {
  return productWithPlain(adaptor.getInput(), adaptor.getScaleAttr());
}
LogicalResult MulPlainOp::verify() {
  if (failed(requireVector(*this, getValue())) ||                       // C1, C2, C3
      failed(requireScaleIfSettled(*this, getInput(), getScaleAttr()))) // C4
    return failure();
  if (failed(requireRealIfFloating(*this, getInput(), getValue()))) // C6
    return failure();
  if (DftDiagonalAttr diagonal = getGeneratorAttr(); // C7
      diagonal && failed(requireGenerated(*this, diagonal.getMatrix(), getValue())))
    return failure();
  return requireInferredResult(*this); // C5
}

CtType AddScalarOp::inferType(Adaptor adaptor) { return ctTypeOf(adaptor.getInput()); }
LogicalResult AddScalarOp::verify() {
  if (!getValue().isFinite()) // C1
    return emitOpError() << "value must be finite";
  return requireInferredResult(*this); // C2
}

CtType MulScalarOp::inferType(Adaptor adaptor) {
  return productWithPlain(adaptor.getInput(), adaptor.getScaleAttr());
}
LogicalResult MulScalarOp::verify() {
  if (!getValue().isFinite()) // C1
    return emitOpError() << "value must be finite";
  if (failed(requireScaleIfSettled(*this, getInput(), getScaleAttr()))) // C2
    return failure();
  if (getScaleAttr() && getScaleAttr().getValue().isOne() && !getValue().isInteger()) // C3
    return emitOpError() << "value " << numberText(getValue().convertToDouble())
                         << " is not an integer; at scale 2^0 it would be rounded to one";
  return requireInferredResult(*this); // C4
}
