//===- RNSOps.cpp - operations of the rns dialect ---------------------------------------------===//
//
// Builders and verifiers. C1, C2, ... are the constraints in RNSOps.td.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/RNS/RNSOps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

#include <charconv>
#include <cmath>
#include <string>

using namespace mlir;
using namespace sluice::rns;

//===------------------------------------------------------------------------------------------===//
// Syntax
//===------------------------------------------------------------------------------------------===//

static ParseResult parseNumber(OpAsmParser &parser, FloatAttr &number) {
  return parser.parseAttribute(number, parser.getBuilder().getF64Type());
}

/// The shortest text that reads back as the same double; MLIR wants a point in it.
static std::string numberText(double value) {
  char buffer[32];
  std::string text(buffer, std::to_chars(buffer, std::end(buffer), value).ptr);
  if (std::isfinite(value) && text.find('.') == std::string::npos)
    text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

static void printNumber(OpAsmPrinter &printer, Operation *, FloatAttr number) {
  if (number.getValue().isFinite())
    printer << numberText(number.getValueAsDouble());
  else
    printer.printAttributeWithoutType(number);
}

#define GET_OP_CLASSES
#include "dialects/RNS/RNSOps.cpp.inc"

//===------------------------------------------------------------------------------------------===//
// Shared checks
//===------------------------------------------------------------------------------------------===//

static LogicalResult requireForm(Operation *op, StringRef what, PolyType type, Form form) {
  if (type.getForm() == form)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError()
                                  << what << " must be in form " << stringifyForm(form);
  bool isWhole = form == Form::Eval || form == Form::Coeff;
  if (isWhole && !type.isHalf())
    diagnostic << "; insert " << (form == Form::Eval ? "rns.ntt" : "rns.intt");
  if (form == Form::Eval && type.getForm() == Form::HalfNtt)
    diagnostic << "; insert rns.ntt_rows";
  return diagnostic << "; found " << type;
}

/// For sums: the words of half forms are no residues to add.
static LogicalResult requireWholeForm(Operation *op, PolyType type) {
  if (!type.isHalf())
    return success();
  return op->emitOpError() << "takes form coeff or eval; found " << type;
}

static LogicalResult requireResult(Operation *op, Type expected) {
  Type found = op->getResult(0).getType();
  if (found == expected)
    return success();
  return op->emitOpError() << "result type must be " << expected << "; found " << found;
}

/// One residue for each limb of `type`, in range.
static LogicalResult requireScalars(Operation *op, PolyType type, ArrayRef<int64_t> scalars) {
  if (failed(requireWholeForm(op, type)))
    return failure();
  if (scalars.size() != type.getNumLimbs())
    return op->emitOpError() << "needs one scalar per limb, " << type.getNumLimbs() << "; found "
                             << scalars.size();
  RingAttr ring = findRing(op);
  for (auto [scalar, limb] : llvm::zip_equal(scalars, type.getLimbs())) {
    bool isKnown = ring && limb < static_cast<int64_t>(ring.getPrimes().size());
    if (scalar < 0 || (isKnown && static_cast<uint64_t>(scalar) >= ring.getPrimes()[limb]))
      return op->emitOpError() << "scalar " << scalar << " of limb " << limb
                               << " is not a canonical residue";
  }
  return success();
}

Value sluice::rns::takeLimbs(OpBuilder &builder, Location loc, Value poly,
                             ArrayRef<int64_t> limbs) {
  bool isWhole = cast<PolyType>(poly.getType()).getLimbs() == limbs;
  return isWhole ? poly : DropOp::create(builder, loc, poly, limbs);
}

bool sluice::rns::isLimbWise(Operation *op) {
  if (auto product = dyn_cast<InnerProductOp>(op))
    return isa<PolyType>(product.getDigits().front().getType());
  if (auto automorphism = dyn_cast<AutomorphismOp>(op))
    return isa<PolyType>(automorphism.getType());
  return isa<NttOp, InttOp, NttRowsOp, InttRowsOp, AddOp, SubOp, NegateOp, MulOp, MacOp,
             WeightedSumOp, MulScalarOp, AddScalarOp, SubMulScalarOp, ZeroOp>(op);
}

//===------------------------------------------------------------------------------------------===//
// Forms and arithmetic
//===------------------------------------------------------------------------------------------===//

LogicalResult NttOp::verify() {
  if (failed(requireForm(*this, "operand", getInput().getType(), Form::Coeff))) // C1
    return failure();
  return requireResult(*this, getInput().getType().withForm(Form::Eval)); // C2
}

LogicalResult InttOp::verify() {
  if (failed(requireForm(*this, "operand", getInput().getType(), Form::Eval))) // C1
    return failure();
  return requireResult(*this, getInput().getType().withForm(Form::Coeff)); // C2
}

LogicalResult NttRowsOp::verify() {
  if (failed(requireForm(*this, "operand", getInput().getType(), Form::HalfNtt))) // C1
    return failure();
  return requireResult(*this, getInput().getType().withForm(Form::Eval)); // C2
}

LogicalResult InttRowsOp::verify() {
  if (failed(requireForm(*this, "operand", getInput().getType(), Form::Eval))) // C1
    return failure();
  return requireResult(*this, getInput().getType().withForm(Form::HalfIntt)); // C2
}

LogicalResult AddOp::verify() { return requireWholeForm(*this, getType()); }    // C1
LogicalResult SubOp::verify() { return requireWholeForm(*this, getType()); }    // C1
LogicalResult NegateOp::verify() { return requireWholeForm(*this, getType()); } // C1

LogicalResult MulOp::verify() {
  return requireForm(*this, "a factor", getType(), Form::Eval);
} // C1
LogicalResult ZeroOp::verify() { return requireForm(*this, "result", getType(), Form::Eval); } // C1
LogicalResult MacOp::verify() {
  return requireForm(*this, "a factor", getType(), Form::Eval);
} // C1

LogicalResult WeightedSumOp::verify() {
  if (failed(requireForm(*this, "a factor", getSum0().getType(), Form::Eval))) // C1
    return failure();
  size_t count = getWeights().size();
  if (count == 0 || getValues0().size() != count || getValues1().size() != count) // C2
    return emitOpError() << "needs a weight for each value of both sums; found " << count
                         << " weights, " << getValues0().size() << " and " << getValues1().size()
                         << " values";
  return success();
}

LogicalResult MulScalarOp::verify() {
  return requireScalars(*this, getType(), getScalars());
} // C1, C2
LogicalResult SubMulScalarOp::verify() {
  return requireScalars(*this, getType(), getScalars());
} // C1, C2

LogicalResult AddScalarOp::verify() {
  if (failed(requireForm(*this, "operand", getType(), Form::Eval))) // C1
    return failure();
  return requireScalars(*this, getType(), getScalars()); // C2, C3
}

/// An element of the Galois group that fits the ring, where that is known.
static LogicalResult requireElement(Operation *op, int64_t element, int64_t least) {
  if (element < least || element % 2 == 0)
    return op->emitOpError() << "element must be odd and at least " << least << "; found "
                             << element;
  RingAttr ring = findRing(op);
  if (ring && element >= 2 * ring.getRingDegree())
    return op->emitOpError() << "element must be below 2N = " << 2 * ring.getRingDegree()
                             << "; found " << element;
  return success();
}

LogicalResult AutomorphismOp::verify() {
  if (auto poly = dyn_cast<PolyType>(getType());
      poly && failed(requireForm(*this, "operand", poly, Form::Eval))) // C1
    return failure();
  if (auto digits = dyn_cast<DigitsType>(getType()); digits && digits.isChosen()) // C1
    return emitOpError() << "permutes digits only while they are abstract; found " << digits;
  return requireElement(*this, getElement(), 1); // C2, C3
}

//===------------------------------------------------------------------------------------------===//
// Loops over limbs
//===------------------------------------------------------------------------------------------===//

static ArrayRef<int64_t> limbsOf(Type type) { return cast<PolyType>(type).getLimbs(); }

LogicalResult LimbKernelOp::verify() {
  if (getNumResults() == 0)
    return emitOpError() << "has no result";
  ArrayRef<int64_t> limbs = limbsOf(getResultTypes().front());
  for (Type type : llvm::concat<const Type>(getOperandTypes(), getResultTypes()))
    if (limbsOf(type) != limbs) // C1
      return emitOpError() << "has operands and results over different limbs: "
                           << getResultTypes().front() << " and " << type;
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getOperandTypes()) // C2
    return emitOpError() << "body's arguments must have the operands' types";
  for (Operation &op : block.without_terminator()) {
    if (!isLimbWise(&op)) // C4
      return op.emitOpError() << "is not limb-wise, so it cannot be in an rns.limb_kernel";
    for (Value value : llvm::concat<Value>(op.getOperands(), op.getResults()))
      if (isa<PolyType>(value.getType()) && limbsOf(value.getType()) != limbs) // C5
        return op.emitOpError() << "is over other limbs than its rns.limb_kernel: "
                                << value.getType();
  }
  Operation *yield = block.getTerminator();
  if (yield->getOperandTypes() != getResultTypes()) // C3
    return emitOpError() << "must yield values of its results' types";
  llvm::DenseSet<Value> seen;
  for (Value value : yield->getOperands())
    if (value.getParentBlock() != &block || isa<BlockArgument>(value) ||
        !seen.insert(value).second) // C6
      return emitOpError() << "must yield values that its body computes, each once";
  for (Operation &op : block.without_terminator())
    for (Value result : op.getResults())
      if (cast<PolyType>(result.getType()).isHalf() && !seen.contains(result)) // C7
        return op.emitOpError() << "leaves form "
                                << stringifyForm(cast<PolyType>(result.getType()).getForm())
                                << ", which its rns.limb_kernel must yield";
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Lists of limbs
//===------------------------------------------------------------------------------------------===//

LogicalResult DropOp::verify() {
  PolyType from = getInput().getType(), to = getType();
  for (int64_t limb : to.getLimbs())
    if (!llvm::is_contained(from.getLimbs(), limb)) // C1
      return emitOpError() << "result has limb " << limb << ", which the operand has not: " << from;
  return requireResult(*this, from.withLimbs(to.getLimbs())); // C2
}

/// The limbs of all, in order.
static SmallVector<int64_t> joinLimbs(ValueRange inputs) {
  SmallVector<int64_t> limbs;
  for (Value input : inputs)
    llvm::append_range(limbs, cast<PolyType>(input.getType()).getLimbs());
  return limbs;
}

void ConcatOp::build(OpBuilder &builder, OperationState &state, ValueRange inputs) {
  auto first = cast<PolyType>(inputs.front().getType());
  build(builder, state, first.withLimbs(joinLimbs(inputs)), inputs);
}

LogicalResult ConcatOp::verify() {
  if (getInputs().empty()) // C1
    return emitOpError() << "needs an operand";
  Form form = cast<PolyType>(getInputs().front().getType()).getForm();
  for (Value input : getInputs())
    if (cast<PolyType>(input.getType()).getForm() != form) // C2
      return emitOpError() << "operands must have one form; found " << getInputs().front().getType()
                           << " and " << input.getType();
  SmallVector<int64_t> limbs = joinLimbs(getInputs());
  if (getType().getForm() != form || getType().getLimbs() != ArrayRef<int64_t>(limbs)) // C3
    return emitOpError() << "result must have the operands' limbs in order and their form; found "
                         << getType();
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Changes of base
//===------------------------------------------------------------------------------------------===//

LogicalResult BaseConvertOp::verify() {
  PolyType from = getInput().getType(), to = getType();
  Form source = from.getForm() == Form::HalfIntt ? Form::HalfIntt : Form::Coeff;
  Form target = source == Form::HalfIntt ? Form::HalfNtt : Form::Coeff;
  if (failed(requireForm(*this, "operand", from, source)) ||
      failed(requireForm(*this, "result", to, target))) // C1
    return failure();
  for (int64_t limb : to.getLimbs())
    if (llvm::is_contained(from.getLimbs(), limb)) // C2
      return emitOpError() << "limb " << limb
                           << " is on both sides; take it from the operand with rns.drop";
  return success();
}

LogicalResult RescaleOp::verify() {
  PolyType from = getInput().getType(), to = getType();
  if (failed(requireWholeForm(*this, from))) // C3
    return failure();
  if (from.getForm() != to.getForm()) // C1
    return emitOpError() << "operand and result must have one form; found " << from << " and "
                         << to;
  if (llvm::all_of(from.getLimbs(),
                   [&](int64_t limb) { return llvm::is_contained(to.getLimbs(), limb); })) // C2
    return emitOpError() << "drops no limb, so it divides by nothing; found " << from << " and "
                         << to;
  return success();
}

/// The limbs of `type` that are not among `by`.
static PolyType withoutLimbs(PolyType type, ArrayRef<int64_t> by) {
  SmallVector<int64_t> kept;
  llvm::copy_if(type.getLimbs(), std::back_inserter(kept),
                [&](int64_t limb) { return !llvm::is_contained(by, limb); });
  return type.withLimbs(kept);
}

void ModDownOp::build(OpBuilder &builder, OperationState &state, Value input,
                      ArrayRef<int64_t> by) {
  build(builder, state, withoutLimbs(cast<PolyType>(input.getType()), by), input, by);
}

LogicalResult ModDownOp::verify() {
  PolyType from = getInput().getType();
  if (failed(requireWholeForm(*this, from))) // C3
    return failure();
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t limb : getBy())
    if (!llvm::is_contained(from.getLimbs(), limb) || !seen.insert(limb).second) // C1
      return emitOpError() << "limb " << limb << " of 'by' is "
                           << (seen.contains(limb) ? "listed twice" : "not a limb of the operand");
  if (seen.empty() || seen.size() == from.getNumLimbs()) // C1, C2
    return emitOpError() << "must divide by some limbs of the operand and keep some";
  return requireResult(*this, withoutLimbs(from, getBy())); // C2
}

//===------------------------------------------------------------------------------------------===//
// Key switching
//===------------------------------------------------------------------------------------------===//

LogicalResult DecomposeOp::verify() {
  if (failed(requireForm(*this, "operand", getInput().getType(), Form::Eval))) // C1
    return failure();
  return requireResult(*this, DigitsType::get(getContext(), getInput().getType().getLimbs())); // C2
}

LogicalResult ModUpOp::verify() {
  if (getInput().getType().isChosen()) // C1
    return emitOpError() << "operand has its digits already: " << getInput().getType();
  if (getType().isAbstract() || getType().getLimbs() != getInput().getType().getLimbs()) // C2
    return emitOpError() << "result must be chosen digits of the operand's limbs; found "
                         << getType();
  return success();
}

LogicalResult KeyOp::verify() {
  bool isGalois = getKind() == KeyKind::Galois;
  if (isGalois != getElement().has_value()) // C1
    return emitOpError() << (isGalois ? "of kind galois needs its element"
                                      : "of kind relinearize has no element");
  if (getPermuted() && !isGalois) // C4
    return emitOpError() << "of kind relinearize cannot be permuted";
  return requireElement(*this, getElement().value_or(3), 3); // C2, C3
}

/// C6: each group is one digit of the key, as far as the decomposed limbs go.
static LogicalResult verifyGroups(InnerProductOp op, DigitsType digits, KeyType key) {
  for (DenseI64ArrayAttr group : digits.getGroups()) {
    auto matches = [&](DenseI64ArrayAttr digit) {
      SmallVector<int64_t> alive;
      llvm::copy_if(digit.asArrayRef(), std::back_inserter(alive),
                    [&](int64_t limb) { return llvm::is_contained(digits.getLimbs(), limb); });
      return ArrayRef<int64_t>(alive) == group.asArrayRef();
    };
    if (llvm::none_of(key.getDigits(), matches))
      return op.emitOpError()
             << "group " << group.asArrayRef()
             << " is not what a digit of the key has of the decomposed limbs; key: " << key;
  }
  return success();
}

/// C7: which digits of the key the polynomials meet.
static LogicalResult verifyKeyDigits(InnerProductOp op, KeyType key, bool arePolynomials) {
  if (!arePolynomials)
    return op.getKeyDigits()
               ? op.emitOpError() << "'key_digits' belongs to digits that are polynomials"
               : success();
  size_t count = op.getDigits().size();
  DenseI64ArrayAttr chosen = op.getKeyDigitsAttr();
  if (chosen && static_cast<size_t>(chosen.size()) != count)
    return op.emitOpError() << "'key_digits' has " << chosen.size() << " entries for " << count
                            << " digits";
  int64_t previous = -1, available = key.getDigits().size();
  for (unsigned index = 0; index < count; ++index) {
    int64_t digit = op.getKeyDigit(index);
    if (digit <= previous || digit >= available)
      return op.emitOpError() << "digit " << digit
                              << " of the key is out of order or does not exist; the key has "
                              << available << " digits";
    previous = digit;
  }
  return success();
}

LogicalResult InnerProductOp::verify() {
  auto digits =
      getDigits().empty() ? DigitsType() : dyn_cast<DigitsType>(getDigits().front().getType());
  bool arePolynomials =
      !getDigits().empty() && llvm::all_of(getDigits().getTypes(), llvm::IsaPred<PolyType>);
  if (!arePolynomials && !(digits && getDigits().size() == 1)) // C1
    return emitOpError() << "needs one operand of digits, or polynomials only";
  PolyType result = getB().getType();
  if (failed(requireForm(*this, "a result", result, Form::Eval))) // C2
    return failure();
  if (digits && digits.isChosen() && digits.getDigitType() != result) // C3
    return emitOpError() << "digits are polynomials of type " << digits.getDigitType()
                         << "; the results must have it; found " << result;
  for (Type type : getDigits().getTypes())
    if (arePolynomials && type != result) // C3
      return emitOpError() << "digits must have the results' type " << result << "; found " << type;
  KeyType key = getKey().getType();
  if (digits && digits.isAbstract())
    return verifyKeyDigits(*this, key, arePolynomials);
  if (key.isAbstract()) // C4
    return emitOpError() << "chosen digits need a chosen key; found " << key;
  for (int64_t limb : result.getLimbs())
    if (!llvm::is_contained(key.getLimbs(), limb)) // C5
      return emitOpError() << "the key has no row for limb " << limb << "; key: " << key;
  if (digits && failed(verifyGroups(*this, digits, key))) // C6
    return failure();
  return verifyKeyDigits(*this, key, arePolynomials); // C7
}

//===------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  DenseElementsAttr values = getValues();
  bool areFinite =
      llvm::all_of(values.getValues<double>(), [](double value) { return std::isfinite(value); });
  int64_t least = getKind() == ConstantKind::ComplexSlots ? 2 : 1;
  if (values.getType().getRank() != 1 || !llvm::isPowerOf2_64(values.getNumElements()) ||
      values.getNumElements() < least || !areFinite) // C1
    return emitOpError() << "values must be a vector of finite numbers, a power of two of them "
                            "and at least "
                         << least << "; found " << values.getType();
  double high = getHigh().convertToDouble(), low = getLow().convertToDouble();
  if (!std::isfinite(high) || high <= 0 || !std::isfinite(low) || high + low != high) // C2
    return emitOpError()
           << "the scale must be positive, with its low part below half a unit of its high "
              "part; found "
           << numberText(high) << " and " << numberText(low);
  int64_t count = values.getNumElements() / least;
  if (std::optional<int64_t> slots = getSlots();
      slots && (*slots < count || !llvm::isPowerOf2_64(*slots))) // C4
    return emitOpError() << "slots must be a power of two, at least the " << count
                         << " values; found " << *slots;
  if (getGeneratorAttr() && getKind() != ConstantKind::ComplexSlots) // C5
    return emitOpError() << "a generator gives complex numbers: the kind must be complex_slots";
  return requireForm(*this, "result", getType(), Form::Eval); // C3
}
