//===- PlanCandidate.h - parameters that a program could have, as people see them -------------===//
#ifndef SLUICE_PASSES_DRIVER_PLANCANDIDATE_H
#define SLUICE_PASSES_DRIVER_PLANCANDIDATE_H

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// What the compiler did with a candidate.
enum class CandidateVerdict : uint8_t {
  chosen,   ///< settled, forecast, and the fastest of those that are precise enough
  compared, ///< the same, but another one is better
  pruned,   ///< its operations alone take too long for it to win; not settled
  refused   ///< it cannot be: a modulus over the table's row, a scale that finds no place
};

/// "chosen", "compared", "pruned" or "refused".
const char *verdictName(CandidateVerdict verdict);

/// One row of the table of candidates.
struct PlanCandidate {
  CandidateVerdict verdict = CandidateVerdict::pruned;
  unsigned logN = 0;
  /// "13 levels of 2^40, one limb a level, 3 digits, 5 limbs of P".
  std::string description;
  /// Forecasts of the whole program where it was chosen or compared; else by its operations alone,
  /// and the precision is that of the worst slot. 0 where nothing was computed.
  double timeMs = 0, bits = 0;
  uint64_t keyBytes = 0;
  double logQP = 0;
  /// log2 of the modulus with which the program ends; after a bootstrap, of that between two.
  double logQLeft = 0;
  std::string reason; ///< of a refusal, or why it was pruned; one clause
};

/// A table with one line a candidate, the chosen one marked.
std::string formatCandidates(const std::vector<PlanCandidate> &candidates);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_PLANCANDIDATE_H
