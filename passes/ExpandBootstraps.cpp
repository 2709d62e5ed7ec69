//===- ExpandBootstraps.cpp - bootstraps as transforms and polynomials ------------------------===//

#include "passes/BootstrapWriter.h"
#include "passes/Passes.h"

#include "mlir/IR/BuiltinOps.h"

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
      op.replaceAllUsesWith(BootstrapWriter(op, params).write());
      op.erase();
      ++expanded;
    }
  }
};

} // namespace
} // namespace sluice
