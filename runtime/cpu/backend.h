//===- backend.h - exec's backend over the table of kernels ---------------------------------===//
#ifndef SLUICE_RUNTIME_CPU_BACKEND_H
#define SLUICE_RUNTIME_CPU_BACKEND_H

#include "runtime/base/threads.h"
#include "runtime/exec/backend.h"

namespace sluice::cpu {

/// A backend that computes in memory, with the ring's kernels and the threads of `pool`, which must
/// outlive it. Shares the resources, copies none. Residues do not depend on the number of threads.
/// io: there is no memory for the arena.
Expected<std::unique_ptr<exec::CalledBackend>> createBackend(exec::BackendResources resources,
                                                             ThreadPool &pool);

} // namespace sluice::cpu

#endif // SLUICE_RUNTIME_CPU_BACKEND_H
