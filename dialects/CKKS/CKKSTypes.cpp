//===- CKKSTypes.cpp - types of the ckks dialect ----------------------------------------------===//
//
// Printing, parsing and verification of the ciphertext type.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/CKKSOps.h"
#include "dialects/CKKS/SymbolText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice::ckks;

#define GET_TYPEDEF_CLASSES
#include "dialects/CKKS/CKKSTypes.cpp.inc"

void CKKSDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/CKKS/CKKSTypes.cpp.inc"
      >();
}

CtType CtType::withLevel(int64_t level) const {
  return get(getContext(), level, getScale(), getSize(), getSecret(), getOwnSlots());
}
CtType CtType::withScale(const Scale &scale) const {
  return get(getContext(), getLevel(), scale, getSize(), getSecret(), getOwnSlots());
}
CtType CtType::withSize(unsigned size) const {
  return get(getContext(), getLevel(), getScale(), size, getSecret(), getOwnSlots());
}
CtType CtType::withSecret(Secret secret) const {
  return get(getContext(), getLevel(), getScale(), getSize(), secret, getOwnSlots());
}
CtType CtType::withSlots(int64_t slots, ParamsAttr params) const {
  int64_t own = slots == params.getSlots() ? 0 : slots;
  return get(getContext(), getLevel(), getScale(), getSize(), getSecret(), own);
}

int64_t CtType::getSlots(ParamsAttr params) const {
  return getOwnSlots() ? getOwnSlots() : params.getSlots();
}

// NOLINTBEGIN(performance-unnecessary-value-param): the signature is the generated declaration's.
LogicalResult CtType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t level,
                             Scale scale, unsigned size, Secret secret, int64_t ownSlots) {
  if (level == floatingLevel) {
    // C1; a floating type has no parameter at all.
    if (!scale.isOne() || size != 2 || secret != Secret::Main || ownSlots != 0)
      return emitError() << "a ciphertext with a scale or a size needs a level too";
    return success();
  }
  if (level < 0) // C2
    return emitError() << "level must not be negative; found " << level;
  if (size != 2 && size != 3) // C3
    return emitError() << "size must be 2, or 3 after a product; found " << size;
  if (ownSlots != 0 && (ownSlots < 0 || !llvm::isPowerOf2_64(ownSlots))) // C4
    return emitError() << "slots must be a power of two; found " << ownSlots;
  return success();
}
// NOLINTEND(performance-unnecessary-value-param)

Type CtType::parse(AsmParser &parser) {
  SymbolText text(parser);
  if (!text.hasBody())
    return get(parser.getContext());
  int64_t level = floatingLevel, size = 2, slots = 0;
  Secret secret = Secret::Main;
  std::optional<Scale> scale;
  llvm::StringSet<> seen;
  for (const SymbolText::Parameter &parameter : text.getParameters()) {
    if (!seen.insert(parameter.key).second) {
      text.emitError(parameter.key)
          << "parameter '" << parameter.key << "' of !ckks.ct is given twice";
      return {};
    }
    if (parameter.key == "level") {
      if (failed(text.readInteger(parameter, level)))
        return {};
    } else if (parameter.key == "scale") {
      if (failed(text.readScale(parameter.value, scale.emplace())))
        return {};
    } else if (parameter.key == "size") {
      if (failed(text.readInteger(parameter, size)))
        return {};
    } else if (parameter.key == "secret") {
      std::optional<Secret> named = symbolizeSecret(parameter.value);
      if (!named) {
        text.emitError(parameter.value)
            << "unknown secret '" << parameter.value << "'; known: main and ephemeral";
        return {};
      }
      secret = *named;
    } else if (parameter.key == "slots") {
      if (failed(text.readInteger(parameter, slots)))
        return {};
    } else {
      text.emitError(parameter.key) << "unknown parameter '" << parameter.key
                                    << "' of !ckks.ct; it has level, scale, size, secret and slots";
      return {};
    }
  }
  if (level == floatingLevel || !scale) { // C1
    text.emitError(text.getBody()) << "a settled ciphertext needs a level and a scale, as in "
                                      "!ckks.ct<level = 9, scale = 2^45>";
    return {};
  }
  return parser.getChecked<CtType>(parser.getCurrentLocation(), parser.getContext(), level, *scale,
                                   static_cast<unsigned>(size), secret, slots);
}

void CtType::print(AsmPrinter &printer) const {
  if (isFloating())
    return;
  printer << "<level = " << getLevel() << ", scale = " << getScale().str();
  if (getSize() != 2)
    printer << ", size = " << getSize();
  if (isEphemeral())
    printer << ", secret = " << stringifySecret(getSecret());
  if (getOwnSlots())
    printer << ", slots = " << getOwnSlots();
  printer << ">";
}
