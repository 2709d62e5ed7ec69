//===- Passes.h - creation and registration of every pass -------------------------------------===//
//
// Generated from Passes.td; there is no header per pass. An implementation defines
// GEN_PASS_DEF_<NAME> and includes "passes/Passes.h.inc" inside namespace sluice.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_PASSES_H
#define SLUICE_PASSES_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace sluice {

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace sluice

#endif // SLUICE_PASSES_PASSES_H
