//===- process_cost.h - what this process took from the system ------------------------------===//
#ifndef SLUICE_TOOLS_SLUICE_RUN_PROCESS_COST_H
#define SLUICE_TOOLS_SLUICE_RUN_PROCESS_COST_H

#include <cstdint>

namespace sluice::run {

/// Calls of operator new so far; process_cost.cpp replaces the global one by one that counts.
uint64_t allocationCount();
/// Pages that were touched for the first time so far, without reading from a disk.
uint64_t minorFaultCount();
/// Largest resident size of this program so far; 0 where the system does not tell.
uint64_t peakMemoryBytes();

} // namespace sluice::run

#endif // SLUICE_TOOLS_SLUICE_RUN_PROCESS_COST_H
