//===- RNSTypes.cpp - types and attributes of the rns dialect ---------------------------------===//
//
// Printing, parsing and verification.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/RNS/RNSOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice::rns;

//===------------------------------------------------------------------------------------------===//
// Lists of numbers, as in [0, 1, 2]
//===------------------------------------------------------------------------------------------===//

template <typename Integer>
static ParseResult parseList(AsmParser &parser, SmallVectorImpl<Integer> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

template <typename Integer> static void printList(AsmPrinter &printer, ArrayRef<Integer> list) {
  printer << "[";
  llvm::interleaveComma(list, printer.getStream());
  printer << "]";
}

#define GET_TYPEDEF_CLASSES
#include "dialects/RNS/RNSTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/RNS/RNSAttributes.cpp.inc"

void RNSDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/RNS/RNSTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/RNS/RNSAttributes.cpp.inc"
      >();
}

//===------------------------------------------------------------------------------------------===//
// Lists of limbs
//===------------------------------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifyLimbs(EmitError emitError, ArrayRef<int64_t> limbs) {
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t limb : limbs) {
    if (limb < 0)
      return emitError() << "limb index must not be negative; found " << limb;
    if (!seen.insert(limb).second)
      return emitError() << "limb " << limb << " is listed twice";
  }
  return success();
}

/// The sets are not empty, their limbs are among `limbs`, and none is in two sets; `what` names a
/// set.
static LogicalResult verifyDisjoint(EmitError emitError, StringRef what,
                                    ArrayRef<DenseI64ArrayAttr> sets, ArrayRef<int64_t> limbs) {
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [index, set] : llvm::enumerate(sets)) {
    if (set.empty())
      return emitError() << what << " " << index << " has no limb";
    for (int64_t limb : set.asArrayRef()) {
      if (!llvm::is_contained(limbs, limb))
        return emitError() << "limb " << limb << " of " << what << " " << index
                           << " is not among the limbs";
      if (!seen.insert(limb).second)
        return emitError() << "limb " << limb << " is in two " << what << "s";
    }
  }
  return success();
}

static ParseResult parseLists(AsmParser &parser, SmallVectorImpl<DenseI64ArrayAttr> &lists) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SmallVector<int64_t> list;
    if (parseList(parser, list))
      return failure();
    lists.push_back(DenseI64ArrayAttr::get(parser.getContext(), list));
    return success();
  });
}

static void printLists(AsmPrinter &printer, ArrayRef<DenseI64ArrayAttr> lists) {
  printer << "[";
  llvm::interleaveComma(lists, printer.getStream(),
                        [&](DenseI64ArrayAttr list) { printList(printer, list.asArrayRef()); });
  printer << "]";
}

//===------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------===//

LogicalResult PolyType::verify(EmitError emitError, ArrayRef<int64_t> limbs, Form) {
  if (limbs.empty()) // C1
    return emitError() << "a polynomial needs at least one limb";
  return verifyLimbs(emitError, limbs); // C2
}

LogicalResult DigitsType::verify(EmitError emitError, ArrayRef<int64_t> limbs,
                                 ArrayRef<DenseI64ArrayAttr> groups, ArrayRef<int64_t> over) {
  if (limbs.empty()) // C1
    return emitError() << "digits need at least one limb";
  if (failed(verifyLimbs(emitError, limbs)) || failed(verifyLimbs(emitError, over))) // C2
    return failure();
  if (groups.empty() != over.empty()) // C3
    return emitError() << "chosen digits need both their groups and the limbs that they are over";
  if (groups.empty())
    return success();
  if (failed(verifyDisjoint(emitError, "group", groups, limbs))) // C4
    return failure();
  size_t covered = 0;
  for (DenseI64ArrayAttr group : groups)
    covered += group.size();
  if (covered != limbs.size()) // C4
    return emitError() << "the groups have " << covered << " of the " << limbs.size() << " limbs";
  for (int64_t limb : limbs)
    if (!llvm::is_contained(over, limb)) // C5
      return emitError() << "limb " << limb << " is not among the limbs that the digits are over";
  return success();
}

Type DigitsType::parse(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<int64_t> limbs, over;
  SmallVector<DenseI64ArrayAttr> groups;
  if (parser.parseLess() || parseList(parser, limbs))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("groups") || parser.parseEqual() || parseLists(parser, groups) ||
       parser.parseComma() || parser.parseKeyword("over") || parser.parseEqual() ||
       parseList(parser, over)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<DigitsType>(location, parser.getContext(), limbs, groups, over);
}

void DigitsType::print(AsmPrinter &printer) const {
  printer << "<";
  printList(printer, getLimbs());
  if (isChosen()) {
    printer << ", groups = ";
    printLists(printer, getGroups());
    printer << ", over = ";
    printList(printer, getOver());
  }
  printer << ">";
}

LogicalResult KeyType::verify(EmitError emitError, ArrayRef<int64_t> limbs,
                              ArrayRef<DenseI64ArrayAttr> digits) {
  if (limbs.empty() != digits.empty()) // C1
    return emitError() << "a chosen key needs both its limbs and its digits";
  if (failed(verifyLimbs(emitError, limbs))) // C2
    return failure();
  if (failed(verifyDisjoint(emitError, "digit", digits, limbs))) // C3, C4, C5
    return failure();
  size_t served = 0;
  for (DenseI64ArrayAttr digit : digits)
    served += digit.size();
  if (!limbs.empty() && served == limbs.size()) // C6
    return emitError() << "the key has no limb of P: every limb is in a digit";
  for (DenseI64ArrayAttr digit : digits)
    for (int64_t limb : digit.asArrayRef())
      if (llvm::is_contained(limbs.drop_back(served), limb)) // C6
        return emitError() << "limb " << limb
                           << " of a digit stands before the limbs of P end: the limbs of "
                              "P come first";
  return success();
}

ArrayRef<int64_t> KeyType::getSpecial() const {
  size_t served = 0;
  for (DenseI64ArrayAttr digit : getDigits())
    served += digit.size();
  return getLimbs().drop_back(served);
}

Type KeyType::parse(AsmParser &parser) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<int64_t> limbs;
  SmallVector<DenseI64ArrayAttr> digits;
  if (failed(parser.parseOptionalLess()))
    return get(parser.getContext());
  if (parser.parseKeyword("limbs") || parser.parseEqual() || parseList(parser, limbs) ||
      parser.parseComma() || parser.parseKeyword("digits") || parser.parseEqual() ||
      parseLists(parser, digits) || parser.parseGreater())
    return {};
  return parser.getChecked<KeyType>(location, parser.getContext(), limbs, digits);
}

void KeyType::print(AsmPrinter &printer) const {
  if (isAbstract())
    return;
  printer << "<limbs = ";
  printList(printer, getLimbs());
  printer << ", digits = ";
  printLists(printer, getDigits());
  printer << ">";
}

//===------------------------------------------------------------------------------------------===//
// Attributes
//===------------------------------------------------------------------------------------------===//

LogicalResult RingAttr::verify(EmitError emitError, unsigned logN, ArrayRef<uint64_t> primes) {
  if (logN < 1 || logN > 17) // C1
    return emitError() << "logN must be between 1 and 17; found " << logN;
  if (primes.empty() || primes.size() > 65536) // C2
    return emitError() << "a ring has between 1 and 65536 primes; found " << primes.size();
  llvm::DenseSet<uint64_t> seen;
  for (auto [index, prime] : llvm::enumerate(primes)) {
    if (prime >> 50 || prime % (uint64_t(2) << logN) != 1) // C3
      return emitError() << "prime " << index << " = " << prime
                         << " is not below 2^50 and 1 modulo 2N = " << (uint64_t(2) << logN);
    if (!seen.insert(prime).second) // C4
      return emitError() << "prime " << index << " = " << prime << " is in the table twice";
  }
  return success();
}
