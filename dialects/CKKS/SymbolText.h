//===- SymbolText.h - parsing of key = value parameters with scales ---------------------------===//
//
// A scale such as 2^(45/2) * q3^-1 has no tokens of MLIR's lexer, so types and attributes that
// contain one are read from the text of the symbol. Positions of errors stay exact.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_SYMBOLTEXT_H
#define SLUICE_DIALECTS_CKKS_SYMBOLTEXT_H

#include "dialects/CKKS/Scale.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace sluice::ckks {

/// The text between the angle brackets of the type or attribute that is being parsed.
class SymbolText {
public:
  struct Parameter {
    llvm::StringRef key, value;
  };

  /// `parser` stands behind the mnemonic. It is the parser that the dialect was called with: types
  /// and attributes of this dialect are always printed with their prefix.
  explicit SymbolText(mlir::AsmParser &parser) : parser(parser) {
    llvm::StringRef spec = static_cast<mlir::DialectAsmParser &>(parser).getFullSymbolSpec();
    size_t open = spec.find('<');
    isPresent = open != llvm::StringRef::npos;
    if (isPresent)
      body = spec.slice(open + 1, spec.rfind('>'));
  }

  /// False without angle brackets.
  bool hasBody() const { return isPresent; }
  llvm::StringRef getBody() const { return body; }

  /// The `key = value` pairs, split at commas.
  llvm::SmallVector<Parameter> getParameters() const {
    llvm::SmallVector<llvm::StringRef> parts;
    body.split(parts, ',');
    llvm::SmallVector<Parameter> parameters;
    for (llvm::StringRef part : parts) {
      auto [key, value] = part.split('=');
      parameters.push_back({key.trim(), value.trim()});
    }
    return parameters;
  }

  mlir::InFlightDiagnostic emitError(llvm::StringRef at) const {
    return parser.emitError(llvm::SMLoc::getFromPointer(at.begin()));
  }

  llvm::LogicalResult readInteger(const Parameter &parameter, int64_t &result) const {
    // Types and attributes use int64_t with -1 as a mark, so no sign is accepted.
    if (parameter.value.starts_with("-") || parameter.value.getAsInteger(10, result))
      return emitError(parameter.value.empty() ? parameter.key : parameter.value)
             << "'" << parameter.key << "' must be a natural number; found '" << parameter.value
             << "'";
    return mlir::success();
  }

  llvm::LogicalResult readScale(llvm::StringRef text, Scale &result) const {
    std::string reason;
    size_t offset = 0;
    std::optional<Scale> scale = Scale::parse(text, &reason, &offset);
    if (!scale)
      return emitError(text.drop_front(offset)) << "malformed scale '" << text << "': " << reason;
    result = *scale;
    return mlir::success();
  }

private:
  mlir::AsmParser &parser;
  bool isPresent;
  llvm::StringRef body;
};

} // namespace sluice::ckks

#endif // SLUICE_DIALECTS_CKKS_SYMBOLTEXT_H
