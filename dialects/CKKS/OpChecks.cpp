//===- OpChecks.cpp - checks that several verifiers of the ckks dialect share -----------------===//
//
// The messages say what is wrong, which operand it is about, and what would be right.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/OpChecks.h"

#include <charconv>
#include <cmath>

using namespace mlir;
using namespace sluice::ckks;

void sluice::ckks::noteOrigin(InFlightDiagnostic &diagnostic, Value value, StringRef what) {
  diagnostic.attachNote(value.getLoc()) << what << " comes from here: " << value.getType();
}

LogicalResult sluice::ckks::requireSettled(Operation *op, Value input) {
  if (ctTypeOf(input).isSettled())
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << "needs a settled operand, with a level and a scale; found "
                                  << input.getType();
  noteOrigin(diagnostic, input, "the operand");
  return diagnostic;
}

LogicalResult sluice::ckks::requireSizeTwo(Operation *op, Value input, StringRef reason) {
  if (ctTypeOf(input).getSize() == 2)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << "operand has " << ctTypeOf(input).getSize() << " polynomials, "
                                  << reason << "; insert ckks.relinearize before it";
  noteOrigin(diagnostic, input, "the operand");
  return diagnostic;
}

LogicalResult sluice::ckks::requireMainSecret(Operation *op, Value input) {
  if (!ctTypeOf(input).isEphemeral())
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << "operand is under the ephemeral secret, which has no key for "
                                     "this; insert ckks.switch_key before it";
  noteOrigin(diagnostic, input, "the operand");
  return diagnostic;
}

LogicalResult sluice::ckks::requireResult(Operation *op, CtType expected) {
  Type found = op->getResult(0).getType();
  if (found == expected)
    return success();
  return op->emitOpError() << "result type must be " << expected << "; found " << found;
}

LogicalResult sluice::ckks::requireSameStageAndLevel(Operation *op, Value lhs, Value rhs) {
  CtType left = ctTypeOf(lhs), right = ctTypeOf(rhs);
  if (left.isSettled() != right.isSettled()) {
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << "operands must be both floating or both settled; found "
                                    << left << " and " << right;
    noteOrigin(diagnostic, left.isSettled() ? rhs : lhs, "the floating operand");
    return diagnostic;
  }
  if (left.getLevel() != right.getLevel()) {
    bool isLeftHigher = left.getLevel() > right.getLevel();
    InFlightDiagnostic diagnostic =
        op->emitOpError() << "operands stand at different levels, " << left.getLevel() << " and "
                          << right.getLevel() << "; bring the higher one down with "
                          << "ckks.rescale or ckks.drop_level";
    noteOrigin(diagnostic, isLeftHigher ? lhs : rhs, "the higher operand");
    return diagnostic;
  }
  if (left.getSecret() != right.getSecret()) {
    InFlightDiagnostic diagnostic = op->emitOpError()
                                    << "operands are under different secrets; bring both to the "
                                       "main one with ckks.switch_key";
    noteOrigin(diagnostic, left.isEphemeral() ? lhs : rhs, "the ephemeral operand");
    return diagnostic;
  }
  if (left.getOwnSlots() != right.getOwnSlots()) {
    InFlightDiagnostic diagnostic =
        op->emitOpError() << "operands repeat after different numbers of slots, " << left << " and "
                          << right << "; bring one to the other's with ckks.view_slots";
    noteOrigin(diagnostic, rhs, "the second operand");
    return diagnostic;
  }
  return success();
}

bool sluice::ckks::isFinite(DenseElementsAttr values) {
  if (isComplex(values))
    return llvm::all_of(values.getValues<std::complex<double>>(), [](std::complex<double> value) {
      return std::isfinite(value.real()) && std::isfinite(value.imag());
    });
  return llvm::all_of(values.getValues<double>(),
                      [](double value) { return std::isfinite(value); });
}

LogicalResult sluice::ckks::requireStretches(Operation *op, StringRef what, int64_t count) {
  if (count <= 0 || !llvm::isPowerOf2_64(count))
    return op->emitOpError() << what
                             << " must have a power of two of entries, to divide the slots; found "
                             << count;
  if (int64_t own = ctTypeOf(op->getOperand(0)).getOwnSlots())
    return count <= own ? success()
                        : op->emitOpError() << what << " has " << count
                                            << " entries; the operand has " << own << " slots";
  ParamsAttr params = findParams(op);
  if (params && count > params.getSlots())
    return op->emitOpError() << what << " has " << count << " entries; 'ckks.params' gives "
                             << params.getSlots() << " slots";
  return success();
}

LogicalResult sluice::ckks::requireVector(Operation *op, DenseElementsAttr value) {
  if (value.getType().getRank() != 1)
    return op->emitOpError() << "value must have rank 1; found " << value.getType();
  if (failed(requireStretches(op, "value", value.getNumElements())))
    return failure();
  if (!isFinite(value))
    return op->emitOpError() << "value has an element that is not finite";
  return success();
}

LogicalResult sluice::ckks::requireScaleIfSettled(Operation *op, Value input, ScaleAttr scale) {
  bool isSettled = ctTypeOf(input).isSettled();
  if (isSettled == bool(scale))
    return success();
  return op->emitOpError()
         << (isSettled ? "on a settled operand needs the scale of its plaintext, as in "
                         "scale = #ckks.scale<2^45>"
                       : "on a floating operand has no scale: settle-scales chooses it");
}

LogicalResult sluice::ckks::requireGenerated(Operation *op, DftMatrixAttr matrix,
                                             DenseElementsAttr values) {
  if (isComplex(values) && values.getType().getShape().back() == matrix.getSize())
    return success();
  return op->emitOpError() << "the generator gives vectors of " << matrix.getSize()
                           << " complex numbers; found " << values.getType();
}

LogicalResult sluice::ckks::requireRealIfFloating(Operation *op, Value input,
                                                  DenseElementsAttr values) {
  if (isComplex(values) && ctTypeOf(input).isFloating())
    return op->emitOpError() << "complex elements need a settled operand";
  return success();
}

CtType sluice::ckks::productWithPlain(Value input, ScaleAttr scale) {
  CtType type = ctTypeOf(input);
  return type.isFloating() || !scale ? type : type.withScale(type.getScale() * scale.getValue());
}

ParamsAttr sluice::ckks::findParamsFor(Operation *op) {
  ParamsAttr params = findParams(op);
  return params && ctTypeOf(op->getOperand(0)).getLevel() < params.getNumLevels() ? params
                                                                                  : ParamsAttr();
}

std::string sluice::ckks::numberText(double value) {
  char buffer[32];
  std::string text(buffer, std::to_chars(buffer, std::end(buffer), value).ptr);
  if (std::isfinite(value) && text.find('.') == std::string::npos)
    text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}
