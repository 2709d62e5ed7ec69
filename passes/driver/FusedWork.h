//===- FusedWork.h - what a fused program will make the runtime do ----------------------------===//
#ifndef SLUICE_PASSES_DRIVER_FUSEDWORK_H
#define SLUICE_PASSES_DRIVER_FUSEDWORK_H

#include "passes/algorithms/ProgramTime.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>
#include <optional>
#include <vector>

namespace sluice {

/// The work of every kernel that one run calls, in order, with the limbs that it touches: arena and
/// scratch slots, rows of constants and keys, tables of transforms and permutations; first the
/// copies of the inputs, last those of the outputs. Nothing for a function without a memory plan
/// (rns-to-runtime says what is missing).
std::optional<std::vector<algorithms::KernelWork>> listWork(mlir::func::FuncOp function);

/// The time of one warm run on one thread by family of kernels, by the costs on the module or the
/// generic ones; empty for a module that is no fused program with a memory plan. Fails with a
/// diagnostic where the costs are ill-formed.
mlir::FailureOr<std::map<KernelFamily, algorithms::FamilyTime>>
forecastTimes(mlir::ModuleOp module);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_FUSEDWORK_H
