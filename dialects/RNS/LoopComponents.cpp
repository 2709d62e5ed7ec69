//===- LoopComponents.cpp - the parts of a loop that share no computed value ------------------===//
#include "dialects/RNS/LoopComponents.h"

using namespace mlir;

namespace sluice::rns {

LoopComponents findLoopComponents(ArrayRef<Operation *> body) {
  LoopComponents components;
  for (Operation *op : body)
    components.insert(op);
  for (Operation *op : body)
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp(); producer && components.contains(producer))
        components.unionSets(producer, op);
  return components;
}

} // namespace sluice::rns
