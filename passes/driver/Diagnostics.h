//===- Diagnostics.h - messages of the compiler as plain data ---------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_DIAGNOSTICS_H
#define SLUICE_PASSES_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// Where a diagnostic points in the user's source: a file with line and column from 1, all empty or
/// 0 when unknown.
struct SourcePosition {
  std::string file;
  unsigned line = 0, column = 0;
};

/// One message of the compiler, with its notes.
struct Diagnostic {
  enum class Severity : uint8_t { Error, Warning, Remark, Note };
  Severity severity = Severity::Error;
  std::string message;
  SourcePosition position;
  std::vector<Diagnostic> notes;
};

/// "file:line:column: error: message", followed by its notes, one a line.
std::string formatDiagnostic(const Diagnostic &diagnostic);

/// With its notes, and the user's place in it.
Diagnostic convertDiagnostic(const mlir::Diagnostic &from);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_DIAGNOSTICS_H
