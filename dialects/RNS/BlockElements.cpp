//===- BlockElements.cpp - which block of a limb each operation of a loop works on ------------===//
#include "dialects/RNS/BlockElements.h"

using namespace mlir;

namespace sluice::rns {

/// Does it move words of one block to several?
static bool mixesBlocks(Operation &op) { return isa<NttOp, InttOp>(op); }

/// The element by which any other operation moves blocks.
static uint32_t movementOf(Operation *op) {
  auto automorphism = dyn_cast<AutomorphismOp>(op);
  return automorphism ? static_cast<uint32_t>(automorphism.getElement()) : 1;
}

/// Modulo 2^32: by Newton's iteration, from the three bits in which an odd number is its own.
static uint32_t inverseOf(uint32_t element) {
  uint32_t inverse = element;
  for (unsigned bits = 3; bits < 32; bits *= 2)
    inverse *= 2 - element * inverse;
  return inverse;
}

uint32_t BlockElements::ofOperands(Operation *op) const {
  return elements.lookup(op) * movementOf(op) & mask;
}

bool BlockElements::canBeAt(Operation *op, uint32_t element) {
  auto [known, isNew] = elements.try_emplace(op, element & mask);
  if (isNew)
    pending.push_back(op);
  return known->second == (element & mask);
}

/// What `op` reads is computed at the block that it reads; what reads it, at that which it writes.
bool BlockElements::visitNeighbours(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    bool isInside = producer && producer->getBlock() == op->getBlock();
    if (isInside && !canBeAt(producer, ofOperands(op)))
      return false;
  }
  for (Operation *user : op->getUsers())
    if (!isa<YieldOp>(user) && !canBeAt(user, ofResults(op) * inverseOf(movementOf(user))))
      return false;
  return true;
}

bool BlockElements::solve(Block &body) {
  // From the last on: results are written in order where that can be.
  for (Operation &last : llvm::reverse(body.without_terminator())) {
    if (!elements.contains(&last))
      canBeAt(&last, 1);
    while (!pending.empty())
      if (!visitNeighbours(pending.pop_back_val()))
        return false;
  }
  return true;
}

/// Can every result take the place of an operand? One that is read at another block than the result
/// is written at must be kept until the loop is done, and results in places that nothing was read
/// from shortly before cost more than going through whole limbs does.
bool BlockElements::leavesResultsInPlace(Block &body) const {
  llvm::SmallDenseMap<uint32_t, int> places; // at each element: operands less results
  for (BlockArgument argument : body.getArguments()) {
    auto readers = argument.getUsers();
    if (readers.empty() || cast<PolyType>(argument.getType()).isHalf())
      continue;
    uint32_t element = ofOperands(*readers.begin());
    if (llvm::all_of(readers, [&](Operation *op) { return ofOperands(op) == element; }))
      ++places[element];
  }
  for (Value result : body.getTerminator()->getOperands())
    if (!cast<PolyType>(result.getType()).isHalf())
      --places[ofResults(result.getDefiningOp())];
  return llvm::all_of(places, [](auto entry) { return entry.second >= 0; });
}

std::optional<BlockElements> BlockElements::find(LimbKernelOp kernel) {
  Block &body = kernel.getBody().front();
  if (llvm::any_of(body, mixesBlocks))
    return std::nullopt;
  // Where the ring is not known, modulo a multiple of every 2N.
  RingAttr ring = findRing(kernel);
  BlockElements found(ring ? static_cast<uint32_t>(2 * ring.getRingDegree() - 1) : ~uint32_t{0});
  if (!found.solve(body))
    return std::nullopt;
  bool hasAutomorphisms = !body.getOps<AutomorphismOp>().empty();
  if (hasAutomorphisms && !found.leavesResultsInPlace(body))
    return std::nullopt;
  return found;
}

} // namespace sluice::rns
