//===- RNSOps.h - the rns dialect -------------------------------------------------------------===//
//
// Everything of the dialect: types, attributes, enumerations, operations.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_RNSOPS_H
#define SLUICE_DIALECTS_RNS_RNSOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/RNS/RNSDialect.h.inc"
#include "dialects/RNS/RNSEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/RNS/RNSAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/RNS/RNSTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/RNS/RNSOps.h.inc"

namespace sluice::rns {

/// Name of the module attribute.
inline constexpr llvm::StringLiteral ringAttrName = "rns.ring";
/// Name of the attribute of operations and arguments with the arena slots of their limbs, in order.
inline constexpr llvm::StringLiteral slotsAttrName = "rns.slots";
/// Name of the function attribute with the size of the arena, in slots.
inline constexpr llvm::StringLiteral arenaSlotsAttrName = "rns.arena_slots";

/// Name of the attribute of operations in a limb_kernel: for each result the number of a scratch
/// slot, or -1 - r for result r of the kernel.
inline constexpr llvm::StringLiteral scratchAttrName = "rns.scratch";
/// Name of the function attribute with the number of scratch slots that a thread needs.
inline constexpr llvm::StringLiteral scratchSlotsAttrName = "rns.scratch_slots";

/// Is limb i of every result computed from limb i of the operands alone (constants and keys apart)?
/// What a limb_kernel may hold.
bool isLimbWise(mlir::Operation *op);

/// The limbs `limbs` of `poly`: itself where these are all, in its order, else a view.
mlir::Value takeLimbs(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value poly,
                      llvm::ArrayRef<int64_t> limbs);

/// The ring of the module around `op`, or null.
RingAttr findRing(mlir::Operation *op);

/// Limbs of all results of `op` together: the number of entries of its `rns.slots`.
unsigned countResultLimbs(mlir::Operation *op);

} // namespace sluice::rns

#endif // SLUICE_DIALECTS_RNS_RNSOPS_H
