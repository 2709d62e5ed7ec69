//===- Diagnostics.cpp - messages of the compiler as plain data -------------------------------===//

#include "passes/driver/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sluice {

namespace {

/// The user's file, line and column in `location`: what a fused or call-site location was made
/// from.
SourcePosition positionOf(Location location) {
  SourcePosition position;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    position = {file.getFilename().str(), file.getLine(), file.getColumn()};
    return WalkResult::interrupt();
  });
  return position;
}

Diagnostic::Severity severityOf(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return Diagnostic::Severity::Error;
  case DiagnosticSeverity::Warning:
    return Diagnostic::Severity::Warning;
  case DiagnosticSeverity::Remark:
    return Diagnostic::Severity::Remark;
  case DiagnosticSeverity::Note:
    return Diagnostic::Severity::Note;
  }
  llvm_unreachable("all severities are listed");
}

} // namespace

Diagnostic convertDiagnostic(const mlir::Diagnostic &from) {
  Diagnostic to;
  to.severity = severityOf(from.getSeverity());
  to.message = from.str();
  to.position = positionOf(from.getLocation());
  for (const mlir::Diagnostic &note :
       const_cast<mlir::Diagnostic &>(from).getNotes()) // the const accessor is missing in MLIR
    to.notes.push_back(convertDiagnostic(note));
  return to;
}

namespace {

llvm::StringRef severityName(Diagnostic::Severity severity) {
  static constexpr llvm::StringRef names[] = {"error", "warning", "remark", "note"};
  return names[static_cast<size_t>(severity)];
}

void printDiagnostic(llvm::raw_ostream &out, const Diagnostic &diagnostic) {
  const SourcePosition &position = diagnostic.position;
  if (!position.file.empty())
    out << position.file << ":" << position.line << ":" << position.column << ": ";
  out << severityName(diagnostic.severity) << ": " << diagnostic.message << "\n";
  for (const Diagnostic &note : diagnostic.notes)
    printDiagnostic(out, note);
}

} // namespace

std::string formatDiagnostic(const Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printDiagnostic(out, diagnostic);
  return text;
}

} // namespace sluice
