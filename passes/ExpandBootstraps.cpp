//===- ExpandBootstraps.cpp - bootstraps as transforms and polynomials ------------------------===//

#include "passes/BootstrapWriter.h"
#include "passes/ChainNoise.h"
#include "passes/Passes.h"
#include "passes/ProgramAttributes.h"
#include "passes/algorithms/FailureProbability.h"

#include "mlir/IR/BuiltinOps.h"

#include <algorithm>

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_EXPANDBOOTSTRAPS
#include "passes/Passes.h.inc"

namespace {

struct ExpandBootstraps : impl::ExpandBootstrapsBase<ExpandBootstraps> {
  void runOnOperation() override {
    auto params = getOperation()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    SmallVector<ckks::BootstrapOp> bootstraps;
    getOperation().walk([&](ckks::BootstrapOp op) { bootstraps.push_back(op); });
    if (!bootstraps.empty() && !params) {
      bootstraps.front().emitError() << "the module has no '" << ckks::paramsAttrName << "'";
      return signalPassFailure();
    }
    for (ckks::BootstrapOp op : bootstraps) {
      countRisk(op, params);
      op.replaceAllUsesWith(BootstrapWriter(op, params).write());
      op.erase();
      ++expanded;
    }
  }

private:
  /// Adds to the module's probability of a failure that of one more bootstrap.
  void countRisk(ckks::BootstrapOp op, ckks::ParamsAttr params) {
    const auto secret = params.hasEphemeral() ? ckks::Secret::Ephemeral : ckks::Secret::Main;
    double log2 = algorithms::leastLog2BootstrapFailure(
        {.secret = distributionOf(params, secret),
         .logN = params.getLogN(),
         .range = op.getRange().convertToDouble(),
         .slots = uint64_t(op.getInput().getType().getSlots(params)),
         .rounds = uint64_t(op.getIterations())});
    if (auto before = getOperation()->getAttrOfType<FloatAttr>(log2FailureAttr))
      log2 = algorithms::log2Sum(before.getValueAsDouble(), log2);
    getOperation()->setAttr(log2FailureAttr,
                            Builder(&getContext()).getF64FloatAttr(std::min(log2, 0.0)));
  }
};

} // namespace
} // namespace sluice
