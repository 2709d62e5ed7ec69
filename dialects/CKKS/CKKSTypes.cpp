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
  return get(getContext(), level, getScale(), getSize());
}
CtType CtType::withScale(const Scale &scale) const {
  return get(getContext(), getLevel(), scale, getSize());
}
CtType CtType::withSize(unsigned size) const {
  return get(getContext(), getLevel(), getScale(), size);
}

// NOLINTBEGIN(performance-unnecessary-value-param): the signature is the generated declaration's.
LogicalResult CtType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t level,
                             Scale scale, unsigned size) {
  if (level == floatingLevel) {
    // C1; a floating type has no parameter at all.
    if (!scale.isOne() || size != 2)
      return emitError() << "a ciphertext with a scale or a size needs a level too";
    return success();
  }
  if (level < 0) // C2
    return emitError() << "level must not be negative; found " << level;
  if (size != 2 && size != 3) // C3
    return emitError() << "size must be 2, or 3 after a product; found " << size;
  return success();
}
// NOLINTEND(performance-unnecessary-value-param)

Type CtType::parse(AsmParser &parser) {
  SymbolText text(parser);
  if (!text.hasBody())
    return get(parser.getContext());
  int64_t level = floatingLevel, size = 2;
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
    } else {
      text.emitError(parameter.key) << "unknown parameter '" << parameter.key
                                    << "' of !ckks.ct; it has level, scale and size";
      return {};
    }
  }
  if (level == floatingLevel || !scale) { // C1
    text.emitError(text.getBody()) << "a settled ciphertext needs a level and a scale, as in "
                                      "!ckks.ct<level = 9, scale = 2^45>";
    return {};
  }
  return parser.getChecked<CtType>(parser.getCurrentLocation(), parser.getContext(), level, *scale,
                                   static_cast<unsigned>(size));
}

void CtType::print(AsmPrinter &printer) const {
  if (isFloating())
    return;
  printer << "<level = " << getLevel() << ", scale = " << getScale().str();
  if (getSize() != 2)
    printer << ", size = " << getSize();
  printer << ">";
}
