//===- CostsAttribute.h - kernel costs that travel with the module ----------------------------===//
//
// A compilation that was given a cost file carries its figures for one thread as a module
// attribute, so that every phase chooses and forecasts by the same ones, from its text alone:
//
//   sluice.costs = {ntt = [array<f64: cached, one a degree>, array<f64: memory>], add = ...,
//                   reach = [array<f64: bytes, share, bytes, share ...>, one a degree],
//                   launch = 1500.0 : f64 (of a device: nanoseconds of a launch)}
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_COSTSATTRIBUTE_H
#define SLUICE_PASSES_COSTSATTRIBUTE_H

#include "runtime/abi/costs.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace sluice {

inline constexpr llvm::StringLiteral costsAttr = "sluice.costs";

mlir::DictionaryAttr toAttribute(const CostTable &table, mlir::MLIRContext *context);

/// The costs on `module`; algorithms::genericCosts() where it has none. Reports an error when the
/// attribute is not of the form above.
mlir::FailureOr<CostTable> readCosts(mlir::ModuleOp module);

} // namespace sluice

#endif // SLUICE_PASSES_COSTSATTRIBUTE_H
