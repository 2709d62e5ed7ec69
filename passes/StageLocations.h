//===- StageLocations.h - which part of a program an operation belongs to ---------------------===//
//
// A stage is a named part of a program whose time is counted by itself, such as a bootstrap's
// CoeffsToSlots. It travels in the locations of operations, which passes hand on anyway: a fused
// location whose metadata is the stage's name. rns-to-runtime tells the runtime where one begins.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_STAGELOCATIONS_H
#define SLUICE_PASSES_STAGELOCATIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace sluice {

/// `location`, in the stage of that name.
inline mlir::Location inStage(mlir::Location location, llvm::StringRef stage) {
  mlir::MLIRContext *context = location.getContext();
  return mlir::FusedLoc::get(context, {location}, mlir::StringAttr::get(context, stage));
}

/// The innermost stage that `location` names, or nothing.
inline mlir::StringAttr stageOf(mlir::Location location) {
  mlir::StringAttr stage;
  location->walk([&](mlir::Location part) {
    if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(part))
      stage = llvm::dyn_cast_or_null<mlir::StringAttr>(fused.getMetadata());
    return stage ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return stage;
}

} // namespace sluice

#endif // SLUICE_PASSES_STAGELOCATIONS_H
