//===- LevelChanges.h - going down the chain --------------------------------------------------===//
//
// How a settled value reaches a lower level when no product is rescaled on the way: shared by the
// passes that place levels. Source: docs/mathematics.md section 16.3.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_LEVELCHANGES_H
#define SLUICE_PASSES_LEVELCHANGES_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/ScaleSystem.h"

#include "mlir/IR/Builders.h"

namespace sluice {

/// The chain of `params` as plain data.
algorithms::ScaleChain chainOf(ckks::ParamsAttr params);

/// `value` at `level` (at most its own): as it is, by ckks.drop_level where the lower limb set is a
/// subset, otherwise by a power of two and a rational rescale. The scale is then multiplied by
/// ScaleChain::dropFactor.
mlir::Value lowerToLevel(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         int64_t level, ckks::ParamsAttr params);

/// The value of which `value` is lowerToLevel, or `value` itself.
mlir::Value withoutLevelChange(mlir::Value value, ckks::ParamsAttr params);

} // namespace sluice

#endif // SLUICE_PASSES_LEVELCHANGES_H
