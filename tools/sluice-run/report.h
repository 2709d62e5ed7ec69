//===- report.h - what a run cost, as JSON --------------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_RUN_REPORT_H
#define SLUICE_TOOLS_SLUICE_RUN_REPORT_H

#include "runtime/exec/executor.h"

#include <vector>

namespace sluice::run {

/// What the runs took: of the system, the last one alone.
struct Costs {
  uint64_t allocations = 0; // calls of operator new
  uint64_t minorFaults = 0;
  std::vector<double> computeMs; // of every run, in order; the first one allocates
};

/// Prints the costs of loading, of the last run and of each kernel to stdout. `keys` is null if
/// there are none.
void printJson(const exec::Executor &executor, const exec::KeySet *keys, const Costs &costs);

} // namespace sluice::run

#endif // SLUICE_TOOLS_SLUICE_RUN_REPORT_H
