//===- UnrollLoops.cpp - loops of the input become straight-line code -------------------------===//

#include "passes/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_UNROLLLOOPS
#include "passes/Passes.h.inc"

namespace {

/// The trip count of a loop with constant bounds and step, or nothing.
std::optional<int64_t> tripCountOf(scf::ForOp loop) {
  APInt low, high, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return std::nullopt;
  int64_t span = high.getSExtValue() - low.getSExtValue();
  return span <= 0 ? 0 : (span - 1) / step.getSExtValue() + 1;
}

struct UnrollLoops : impl::UnrollLoopsBase<UnrollLoops> {
  using UnrollLoopsBase::UnrollLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops; // inner ones first
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    if (loops.empty())
      return;
    int64_t total = 0;
    for (scf::ForOp loop : loops) {
      std::optional<int64_t> count = tripCountOf(loop);
      if (!count) {
        loop.emitError("the bounds and the step of a loop must be constants: how often it runs "
                       "decides the circuit");
        return signalPassFailure();
      }
      total += *count * static_cast<int64_t>(loop.getBody()->getOperations().size());
      if (total > maxOperations) {
        loop.emitError() << "the loops of this program unroll to more than "
                         << maxOperations.getValue()
                         << " operations; use whole tensors instead of loops over their elements";
        return signalPassFailure();
      }
      unroll(loop, *count);
      ++unrolled;
    }
    // Indices are numbers now.
    SmallVector<Operation *> indices;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::ArithDialect>(op->getDialect()) && op->getNumResults() == 1 &&
          op->getResult(0).getType().isIndex())
        indices.push_back(op);
    });
    OperationFolder folder(&getContext());
    for (Operation *op : indices)
      (void)folder.tryToFold(op);
  }

private:
  /// `count` copies of the body; each takes what the one before yields.
  static void unroll(scf::ForOp loop, int64_t count) {
    OpBuilder builder(loop);
    APInt low, step;
    matchPattern(loop.getLowerBound(), m_ConstantInt(&low));
    matchPattern(loop.getStep(), m_ConstantInt(&step));
    SmallVector<Value> carried(loop.getInitArgs());
    Block *body = loop.getBody();
    for (int64_t trip = 0; trip < count; ++trip) {
      IRMapping mapping;
      auto index = builder.getIntegerAttr(loop.getInductionVar().getType(),
                                          low.getSExtValue() + trip * step.getSExtValue());
      mapping.map(loop.getInductionVar(), arith::ConstantOp::create(builder, loop.getLoc(), index));
      mapping.map(loop.getRegionIterArgs(), carried);
      for (Operation &op : body->without_terminator())
        builder.clone(op, mapping);
      for (auto [value, yielded] : llvm::zip_equal(carried, body->getTerminator()->getOperands()))
        value = mapping.lookupOrDefault(yielded);
    }
    loop.replaceAllUsesWith(carried);
    loop.erase();
  }
};

} // namespace

} // namespace sluice
