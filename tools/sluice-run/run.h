//===- run.h - the steps of a run -----------------------------------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_RUN_RUN_H
#define SLUICE_TOOLS_SLUICE_RUN_RUN_H

#include "tools/sluice-run/options.h"

namespace sluice::run {

/// Loads program, keys and inputs, runs, writes the outputs and, if asked to, prints the costs.
Status runProgram(const Options &options);

} // namespace sluice::run

#endif // SLUICE_TOOLS_SLUICE_RUN_RUN_H
