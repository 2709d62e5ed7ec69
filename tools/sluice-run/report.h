//===- report.h - what a run cost, as JSON --------------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_RUN_REPORT_H
#define SLUICE_TOOLS_SLUICE_RUN_REPORT_H

#include "runtime/exec/executor.h"

#include <string>
#include <vector>

namespace sluice::run {

/// What the runs took: of the system, the last one alone.
struct Costs {
  uint64_t allocations = 0; // calls of operator new
  uint64_t minorFaults = 0;
  std::vector<double> computeMs; // of every run, in order; the first one allocates
  std::vector<double> totalMs;   // the same with copies of inputs and outputs
  double prepareMs = 0;          // of the executor: copies to a device among others
};

/// Prints the costs of loading, of the last run and of each kernel to stdout. `keys` is null if
/// there are none.
/// `hashes`: of the residues of each output.
void printJson(const exec::Executor &executor, const exec::KeySet *keys, const Costs &costs,
               const std::vector<std::string> &hashes);

/// SHA-256 of an output's residues, one polynomial after the other, each limb by limb, as
/// little-endian words: 64 hexadecimal digits.
std::string residuesHash(const wire::Ciphertext &output);

/// Writes a table of the last run's kernels to `path` as JSON (io: it cannot be written).
Status writeProfile(const exec::Executor &executor, const std::string &path);

} // namespace sluice::run

#endif // SLUICE_TOOLS_SLUICE_RUN_REPORT_H
