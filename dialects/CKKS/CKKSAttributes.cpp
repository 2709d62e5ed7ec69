//===- CKKSAttributes.cpp - attributes of the ckks dialect ------------------------------------===//
//
// Printing, parsing and verification of scales, the chain and layouts.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/CKKSOps.h"
#include "dialects/CKKS/SymbolText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice::ckks;

#define GET_ATTRDEF_CLASSES
#include "dialects/CKKS/CKKSAttributes.cpp.inc"

void CKKSDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/CKKS/CKKSAttributes.cpp.inc"
      >();
}

//===------------------------------------------------------------------------------------------===//
// #ckks.scale
//===------------------------------------------------------------------------------------------===//

Attribute ScaleAttr::parse(AsmParser &parser, Type) {
  SymbolText text(parser);
  Scale scale;
  if (!text.hasBody()) {
    parser.emitError(parser.getCurrentLocation(), "expected a scale, as in #ckks.scale<2^45>");
    return {};
  }
  if (failed(text.readScale(text.getBody(), scale)))
    return {};
  return get(parser.getContext(), scale);
}

void ScaleAttr::print(AsmPrinter &printer) const { printer << "<" << getValue().str() << ">"; }

//===------------------------------------------------------------------------------------------===//
// Lists of parameters
//===------------------------------------------------------------------------------------------===//

/// Parses `[1, 2, 3]`.
template <typename Integer>
static ParseResult parseList(AsmParser &parser, SmallVectorImpl<Integer> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(list.emplace_back()); });
}

/// Parses `[[0], [1, 2]]`.
static ParseResult parseLists(AsmParser &parser, SmallVectorImpl<DenseI64ArrayAttr> &lists) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SmallVector<int64_t> list;
    if (parseList(parser, list))
      return failure();
    lists.push_back(DenseI64ArrayAttr::get(parser.getContext(), list));
    return success();
  });
}

template <typename Range> static void printList(AsmPrinter &printer, const Range &list) {
  printer << "[";
  llvm::interleaveComma(list, printer.getStream());
  printer << "]";
}

static void printLists(AsmPrinter &printer, ArrayRef<DenseI64ArrayAttr> lists) {
  printer << "[";
  llvm::interleaveComma(lists, printer.getStream(),
                        [&](DenseI64ArrayAttr list) { printList(printer, list.asArrayRef()); });
  printer << "]";
}

/// Parses `<key = value, ...>`. `parseValue` is called behind each `=`; it returns nothing for an
/// unknown key.
static ParseResult
parseParameters(AsmParser &parser, StringRef symbol, StringRef keys,
                llvm::function_ref<std::optional<ParseResult>(StringRef)> parseValue) {
  llvm::StringSet<> seen;
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
    StringRef key;
    SMLoc location = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (!seen.insert(key).second)
      return parser.emitError(location)
             << "parameter '" << key << "' of " << symbol << " is given twice";
    if (std::optional<ParseResult> result = parseValue(key))
      return *result;
    return parser.emitError(location)
           << "unknown parameter '" << key << "' of " << symbol << "; it has " << keys;
  });
}

//===------------------------------------------------------------------------------------------===//
// #ckks.params
//===------------------------------------------------------------------------------------------===//

Attribute ParamsAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  unsigned logN = 0, security = defaultSecurity;
  int64_t slots = 0;
  std::string secret = defaultSecret.str(), ephemeral;
  SmallVector<uint64_t> limbs;
  SmallVector<int64_t> special, ephemeralSpecial;
  SmallVector<DenseI64ArrayAttr> levels, digits;
  auto parseValue = [&](StringRef key) -> std::optional<ParseResult> {
    if (key == "logN")
      return parser.parseInteger(logN);
    if (key == "limbs")
      return parseList(parser, limbs);
    if (key == "special")
      return parseList(parser, special);
    if (key == "levels")
      return parseLists(parser, levels);
    if (key == "digits")
      return parseLists(parser, digits);
    if (key == "slots")
      return parser.parseInteger(slots);
    if (key == "secret")
      return parser.parseString(&secret);
    if (key == "security")
      return parser.parseInteger(security);
    if (key == "ephemeral")
      return parser.parseString(&ephemeral);
    if (key == "ephemeral_special")
      return parseList(parser, ephemeralSpecial);
    return std::nullopt;
  };
  if (parseParameters(
          parser, "#ckks.params",
          "logN, limbs, special, levels, digits, slots, secret, security, ephemeral and "
          "ephemeral_special",
          parseValue))
    return {};
  if (slots == 0 && logN >= 1 && logN < 63)
    slots = int64_t(1) << (logN - 1);
  return parser.getChecked<ParamsAttr>(location, parser.getContext(), logN, limbs, special, levels,
                                       digits, slots, secret, security, ephemeral,
                                       ephemeralSpecial);
}

void ParamsAttr::print(AsmPrinter &printer) const {
  printer << "<logN = " << getLogN() << ", limbs = ";
  printList(printer, getLimbs());
  printer << ", special = ";
  printList(printer, getSpecial());
  printer << ", levels = ";
  printLists(printer, getLevels());
  printer << ", digits = ";
  printLists(printer, getDigits());
  printer << ", slots = " << getSlots() << ", secret = \"" << getSecret()
          << "\", security = " << getSecurity();
  if (hasEphemeral()) {
    printer << ", ephemeral = \"" << getEphemeral() << "\", ephemeral_special = ";
    printList(printer, getEphemeralSpecial());
  }
  printer << ">";
}

SmallVector<uint64_t> ParamsAttr::getPrimes(ArrayRef<int64_t> indices) const {
  return llvm::map_to_vector(indices, [&](int64_t index) { return getLimbs()[index]; });
}

Scale ParamsAttr::getRescaleFactor(int64_t from, int64_t to) const {
  // Limbs of both levels cancel.
  return Scale::limbs(getLevel(to)) / Scale::limbs(getLevel(from));
}

namespace {

/// The constraints of #ckks.params, in order.
class ParamsVerifier {
public:
  using EmitError = llvm::function_ref<InFlightDiagnostic()>;

  ParamsVerifier(EmitError emitError, unsigned logN, ArrayRef<uint64_t> limbs,
                 ArrayRef<int64_t> special, ArrayRef<DenseI64ArrayAttr> levels,
                 ArrayRef<DenseI64ArrayAttr> digits, ArrayRef<int64_t> ephemeralSpecial)
      : emitError(emitError), logN(logN), limbs(limbs), special(special), levels(levels),
        digits(digits), ephemeralSpecial(ephemeralSpecial) {}

  LogicalResult verify() {
    if (failed(verifyLimbs()) || failed(verifyIndices("special", special)))
      return failure();
    if (levels.empty()) // C7
      return emitError() << "there must be at least one level";
    for (auto [level, set] : llvm::enumerate(levels))
      if (failed(verifyIndices("level " + std::to_string(level), set)))
        return failure();
    for (auto [digit, set] : llvm::enumerate(digits))
      if (failed(verifyIndices("digit " + std::to_string(digit), set)))
        return failure();
    if (failed(verifyLevels()) || failed(verifyDigits()))
      return failure();
    return ephemeralSpecial.empty() ? success() : verifyEphemeral();
  }

private:
  LogicalResult verifyLimbs() {
    llvm::DenseSet<uint64_t> seen;
    for (auto [index, limb] : llvm::enumerate(limbs)) {
      if (limb >> 50 || !isPrime(limb)) // C2
        return emitError() << "limb " << index << " = " << limb << " is not a prime below 2^50";
      if (limb % (uint64_t(2) << logN) != 1) // C3
        return emitError() << "limb " << index << " = " << limb
                           << " is not 1 modulo 2N = " << (uint64_t(2) << logN)
                           << ": it has no number-theoretic transform";
      if (!seen.insert(limb).second) // C4
        return emitError() << "limb " << index << " = " << limb << " is in the table twice";
    }
    return success();
  }

  LogicalResult verifyIndices(const std::string &list, ArrayRef<int64_t> indices) {
    llvm::SmallDenseSet<int64_t> seen;
    for (int64_t index : indices) {
      if (index < 0 || index >= static_cast<int64_t>(limbs.size())) // C5
        return emitError() << list << " names limb " << index << "; the limb table has "
                           << limbs.size() << " limbs";
      if (!seen.insert(index).second) // C6
        return emitError() << list << " names limb " << index << " twice";
    }
    return success();
  }

  LogicalResult verifyLevels() {
    Natural below;
    for (auto [level, set] : llvm::enumerate(levels)) {
      if (set.empty()) // C7
        return emitError() << "level " << level << " has no limb";
      Natural product = productOf(set);
      if (product <= below) // C8
        return emitError() << "the modulus of level " << level
                           << " is not larger than that of level " << level - 1;
      below = product;
      for (int64_t index : set.asArrayRef())
        if (llvm::is_contained(special, index)) // C9
          return emitError() << "limb " << index << " is special and in level " << level
                             << "; a limb of P belongs to no level";
    }
    return success();
  }

  LogicalResult verifyDigits() {
    if (digits.empty() && special.empty())
      return success();
    llvm::SmallDenseSet<int64_t> inLevels, inDigits;
    for (DenseI64ArrayAttr set : levels)
      inLevels.insert_range(set.asArrayRef());
    Natural modulusP = productOf(special);
    for (auto [digit, set] : llvm::enumerate(digits)) {
      if (set.empty()) // C10
        return emitError() << "digit " << digit << " has no limb";
      for (int64_t index : set.asArrayRef())
        if (!inLevels.contains(index) || !inDigits.insert(index).second) // C10
          return emitError() << "limb " << index << " of digit " << digit
                             << (inLevels.contains(index) ? " is in another digit too"
                                                          : " is in no level");
      if (productOf(set) > modulusP) // C11
        return emitError() << "digit " << digit
                           << " is larger than P, the product of the special limbs";
    }
    for (DenseI64ArrayAttr set : levels)
      for (int64_t index : set.asArrayRef())
        if (!inDigits.contains(index)) // C10
          return emitError() << "limb " << index << " is in a level but in no digit";
    return success();
  }

  LogicalResult verifyEphemeral() {
    if (failed(verifyIndices("ephemeral_special", ephemeralSpecial)))
      return failure();
    Natural product = productOf(ephemeralSpecial);
    for (int64_t index : ephemeralSpecial)
      if (llvm::is_contained(special, index) || llvm::any_of(levels, [&](DenseI64ArrayAttr set) {
            return llvm::is_contained(set.asArrayRef(), index);
          })) // C16
        return emitError() << "limb " << index << " of ephemeral_special is special or in a level";
    for (int64_t index : levels.front().asArrayRef())
      if (product < productOf(index)) // C17
        return emitError() << "the product of ephemeral_special is below limb " << index
                           << ", which level 0 has";
    return success();
  }

  Natural productOf(ArrayRef<int64_t> indices) {
    return Natural::product(
        llvm::map_to_vector(indices, [&](int64_t index) { return limbs[index]; }));
  }

  EmitError emitError;
  unsigned logN;
  ArrayRef<uint64_t> limbs;
  ArrayRef<int64_t> special;
  ArrayRef<DenseI64ArrayAttr> levels, digits;
  ArrayRef<int64_t> ephemeralSpecial;
};

} // namespace

LogicalResult ParamsAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, unsigned logN,
                                 ArrayRef<uint64_t> limbs, ArrayRef<int64_t> special,
                                 ArrayRef<DenseI64ArrayAttr> levels,
                                 ArrayRef<DenseI64ArrayAttr> digits, int64_t slots,
                                 StringRef secret, unsigned security, StringRef ephemeral,
                                 ArrayRef<int64_t> ephemeralSpecial) {
  if (logN < 1 || logN > 17) // C1
    return emitError() << "logN must be between 1 and 17; found " << logN;
  if (failed(ParamsVerifier(emitError, logN, limbs, special, levels, digits, ephemeralSpecial)
                 .verify()))
    return failure();
  if (slots <= 0 || !llvm::isPowerOf2_64(slots) || slots > int64_t(1) << (logN - 1)) // C12
    return emitError() << "slots must be a power of two, at most N/2 = "
                       << (int64_t(1) << (logN - 1)) << "; found " << slots;
  if (secret != defaultSecret && secret != sparseSecret) // C13
    return emitError() << "unknown secret distribution \"" << secret << "\"; known: \""
                       << defaultSecret << "\" and \"" << sparseSecret << "\"";
  if (!ephemeral.empty() && ephemeral != ephemeralSecret) // C15
    return emitError() << "unknown ephemeral secret \"" << ephemeral << "\"; known: \""
                       << ephemeralSecret << "\"";
  if (ephemeral.empty() != ephemeralSpecial.empty()) // C15
    return emitError() << "an ephemeral secret and the limbs that switching to it adds, "
                          "ephemeral_special, come together";
  if (security != 0 && security != 128) // C14
    return emitError() << "security must be 128, or 0 for insecure parameters; found " << security;
  return success();
}

//===------------------------------------------------------------------------------------------===//
// #ckks.dft_matrix and #ckks.dft_diagonal
//===------------------------------------------------------------------------------------------===//

LogicalResult DftMatrixAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                    DftDirection, unsigned logSlots, unsigned first, unsigned count,
                                    FloatAttr factor, DftForm, bool) {
  if (logSlots < 1 || logSlots > 16) // C1
    return emitError() << "log_slots must be between 1 and 16; found " << logSlots;
  if (first < 1 || first > logSlots || count < 1 || count > logSlots - first + 1) // C2
    return emitError() << "the factors must be among V_1 to V_" << logSlots << "; found " << count
                       << " from V_" << first;
  if (!factor.getType().isF64() || !factor.getValue().isFinite()) // C3
    return emitError() << "factor must be a finite f64; found " << factor;
  return success();
}

LogicalResult DftDiagonalAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                      DftMatrixAttr matrix, int64_t index, int64_t rotation) {
  int64_t size = matrix.getSize();
  if (index < 0 || index >= size || rotation < 0 || rotation >= size) // C1
    return emitError() << "index and rotation must be in [0, " << size << "); found " << index
                       << " and " << rotation;
  return success();
}

//===------------------------------------------------------------------------------------------===//
// #ckks.layout
//===------------------------------------------------------------------------------------------===//

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc location = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  int64_t lanes = 0, batch = 0;
  bool batched = false;
  auto parseValue = [&](StringRef key) -> std::optional<ParseResult> {
    if (key == "shape")
      return parseList(parser, shape);
    if (key == "lanes")
      return parser.parseInteger(lanes);
    if (key == "batch")
      return parser.parseInteger(batch);
    if (key != "batched")
      return std::nullopt;
    StringRef word;
    SMLoc wordLocation = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    batched = word == "true";
    if (!batched && word != "false")
      return parser.emitError(wordLocation, "'batched' must be true or false");
    return success();
  };
  if (parseParameters(parser, "#ckks.layout", "shape, lanes, batch and batched", parseValue))
    return {};
  return parser.getChecked<LayoutAttr>(location, parser.getContext(), shape, lanes, batch, batched);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<shape = ";
  printList(printer, getShape());
  printer << ", lanes = " << getLanes() << ", batch = " << getBatch()
          << ", batched = " << (getBatched() ? "true" : "false") << ">";
}

LogicalResult LayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, int64_t lanes, int64_t batch, bool) {
  uint64_t padded = 1;
  for (int64_t dimension : shape) {
    if (dimension <= 0 || dimension > int64_t(1) << 20) // C1
      return emitError() << "dimensions must be between 1 and 2^20; found " << dimension;
    padded *= llvm::PowerOf2Ceil(dimension);
    if (padded > uint64_t(1) << 20)
      return emitError() << "the padded tensor has more than 2^20 elements";
  }
  if (lanes <= 0 || !llvm::isPowerOf2_64(lanes)) // C2
    return emitError() << "lanes must be a power of two; found " << lanes;
  if (static_cast<uint64_t>(lanes) < padded) // C3
    return emitError() << lanes << " lanes cannot hold the tensor, which has " << padded
                       << " elements when padded";
  if (batch < 1) // C4
    return emitError() << "batch must be at least 1; found " << batch;
  return success();
}
