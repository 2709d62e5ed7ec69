//===- ReadElements.cpp - at which positions the values of a loop are read --------------------===//
#include "dialects/RNS/ReadElements.h"

using namespace mlir;

namespace sluice::rns {

ReadElements::ReadElements(ArrayRef<Operation *> ops, ValueRange results, uint32_t mask) {
  auto add = [&](Value value, uint32_t element) {
    auto &known = elements[value];
    if (!llvm::is_contained(known, element))
      known.push_back(element);
  };
  for (Value result : results)
    add(result, 1);
  for (Operation *op : llvm::reverse(ops)) {
    auto automorphism = dyn_cast<AutomorphismOp>(op);
    uint32_t movement = automorphism ? static_cast<uint32_t>(automorphism.getElement()) : 1;
    for (Value result : op->getResults())
      for (uint32_t element : SmallVector<uint32_t>(of(result)))
        for (Value operand : op->getOperands())
          if (isa<PolyType>(operand.getType()))
            add(operand, element * movement & mask);
  }
}

ReadElements ReadElements::find(LimbKernelOp kernel) {
  RingAttr ring = findRing(kernel);
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  return ReadElements(ops, body.getTerminator()->getOperands(),
                      ring ? static_cast<uint32_t>(2 * ring.getRingDegree() - 1) : ~uint32_t{0});
}

ArrayRef<uint32_t> ReadElements::of(Value value) const {
  auto found = elements.find(value);
  return found == elements.end() ? ArrayRef<uint32_t>() : ArrayRef<uint32_t>(found->second);
}

} // namespace sluice::rns
