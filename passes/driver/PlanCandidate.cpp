//===- PlanCandidate.cpp - parameters that a program could have, as people see them -----------===//

#include "passes/driver/PlanCandidate.h"

#include "passes/driver/Report.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice {

const char *verdictName(CandidateVerdict verdict) {
  switch (verdict) {
  case CandidateVerdict::chosen:
    return "chosen";
  case CandidateVerdict::compared:
    return "compared";
  case CandidateVerdict::pruned:
    return "pruned";
  case CandidateVerdict::refused:
    return "refused";
  }
  return "refused";
}

namespace {

/// `text`, or a dash where nothing was computed; "~" before what is known of the operations alone.
std::string cell(const PlanCandidate &one, double number, const char *format) {
  if (number == 0 && one.verdict == CandidateVerdict::refused)
    return "-";
  std::string text = one.verdict == CandidateVerdict::pruned ? "~" : "";
  llvm::raw_string_ostream(text) << llvm::format(format, number);
  return text;
}

} // namespace

std::string formatCandidates(const std::vector<PlanCandidate> &candidates) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "candidates  time, ms    bits        keys  log QP  log Q left\n";
  for (const PlanCandidate &one : candidates) {
    const bool isRefused = one.verdict == CandidateVerdict::refused;
    const bool isEstimate = one.verdict == CandidateVerdict::pruned;
    const std::string keys = isRefused ? "-" : (isEstimate ? "~" : "") + formatBytes(one.keyBytes);
    out << (one.verdict == CandidateVerdict::chosen ? "* " : "  ")
        << llvm::format("N = 2^%-3u", one.logN)
        << llvm::format(" %9s %7s %11s %7s %11s  ",
                        cell(one, isRefused ? 0 : one.timeMs, "%.4g").c_str(),
                        cell(one, isRefused ? 0 : one.bits, "%.1f").c_str(), keys.c_str(),
                        cell(one, one.logQP, "%.0f").c_str(),
                        cell(one, isRefused ? 0 : one.logQLeft, "%.0f").c_str())
        << one.description;
    if (!one.reason.empty())
      out << "; " << verdictName(one.verdict) << ": " << one.reason;
    out << "\n";
  }
  return text;
}

} // namespace sluice
