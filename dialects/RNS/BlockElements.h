//===- BlockElements.h - which block of a limb each operation of a loop works on --------------===//
//
// In evaluation form an automorphism takes each aligned block of a limb, of as many words as a
// backend likes, a power of two, to one block: the high bits of a position are the low bits of its
// exponent, and an odd factor keeps numbers equal there that were. So a loop over blocks can hold
// automorphisms, if the operations before one work on another block than those behind it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_BLOCKELEMENTS_H
#define SLUICE_DIALECTS_RNS_BLOCKELEMENTS_H

#include "dialects/RNS/RNSOps.h"

#include "llvm/ADT/DenseMap.h"

namespace sluice::rns {

/// For each operation of the body of a loop over blocks the Galois element of its block: that which
/// X -> X^element moves to the block that the loop is at.
class BlockElements {
public:
  /// Nothing if the body can't run block by block, since an operation moves words of one block to
  /// several or two blocks of a value that the body computes would be needed at once; or if it had
  /// better not.
  static std::optional<BlockElements> find(LimbKernelOp kernel);

  uint32_t ofResults(mlir::Operation *op) const { return elements.lookup(op); }
  uint32_t ofOperands(mlir::Operation *op) const;

private:
  explicit BlockElements(uint32_t mask) : mask(mask) {}
  bool solve(mlir::Block &body);
  bool canBeAt(mlir::Operation *op, uint32_t element);
  bool visitNeighbours(mlir::Operation *op);
  bool leavesResultsInPlace(mlir::Block &body) const;

  uint32_t mask; // 2N - 1
  llvm::DenseMap<mlir::Operation *, uint32_t> elements;
  llvm::SmallVector<mlir::Operation *> pending; // whose neighbours are to be visited
};

} // namespace sluice::rns

#endif // SLUICE_DIALECTS_RNS_BLOCKELEMENTS_H
