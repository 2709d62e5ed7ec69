//===- SelectParameters.cpp - ring, limbs, levels and digits of a leveled program -------------===//

#include "passes/BootstrapChoice.h"
#include "passes/ParameterChoice.h"
#include "passes/Passes.h"
#include "passes/TracedOps.h"
#include "runtime/abi/security_table.h"

#include <cmath>

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_SELECTPARAMETERS
#include "passes/Passes.h.inc"

namespace {

struct SelectParameters : impl::SelectParametersBase<SelectParameters> {
  using SelectParametersBase::SelectParametersBase;

  void runOnOperation() override {
    if (failed(getOperation()->hasAttr(ckks::paramsAttrName) ? check() : select()))
      signalPassFailure();
  }

private:
  LogicalResult select() {
    return hasRefreshes(getOperation()) ? selectBootstrap() : selectLeveled();
  }

  LogicalResult selectBootstrap() {
    FailureOr<BootstrapChoice> choice =
        BootstrapChoice::find(getOperation(), {precision, logN, extraScale, maxLogN, insecure});
    if (failed(choice) || failed(choice->apply(0, getOperation())))
      return failure();
    const algorithms::BootstrapPlan &chosen = choice->candidates().front().plan;
    chosenLogN = chosen.logN;
    chosenLevels = chosen.chain().size();
    return success();
  }

  LogicalResult selectLeveled() {
    FailureOr<ParameterChoice> choice =
        ParameterChoice::find(getOperation(), {precision, logN, extraScale, maxLogN, insecure});
    if (failed(choice))
      return failure();
    size_t index = 0;
    while (failed(choice->apply(index, getOperation())))
      if (++index == choice->candidates().size())
        return getOperation().emitError()
               << "no chain could be made: " << choice->candidates().front().refusal;
    const algorithms::ParameterCandidate &chosen = choice->candidates()[index];
    chosenLogN = chosen.logN;
    chosenLevels = choice->depth() + 1;
    logQP = unsigned(std::ceil(chosen.logQP()));
    return success();
  }

  /// On a chain of one level, where no step says it.
  void setScale(int64_t scaleLog2) {
    getOperation()->setAttr(ckks::scaleLog2AttrName,
                            Builder(&getContext()).getI64IntegerAttr(scaleLog2));
  }

  /// Level 0 must hold the values at the scale that settle-scales will choose: the size of the step
  /// above it, or what is left of a single level.
  LogicalResult checkBase(func::FuncOp function, ckks::ParamsAttr given,
                          const CircuitAnalysis &analysis) {
    auto size = [&](int64_t level) {
      return algorithms::sumLog2(given.getPrimes(given.getLevel(level)));
    };
    double base = size(0);
    bool isFlat = given.getNumLevels() == 1;
    double scale = isFlat ? std::max(1.0, std::floor(base - analysis.baseLog2(0))) : size(1) - base;
    double needed = analysis.baseLog2(unsigned(scale));
    if (needed > base)
      return function.emitError() << "the given level 0 has " << unsigned(base)
                                  << " bits; the values need " << unsigned(std::ceil(needed))
                                  << ": give it more, or narrow the ranges";
    if (isFlat)
      setScale(int64_t(scale));
    return success();
  }

  /// Parameters that were given by hand must hold the program and what they say about security.
  LogicalResult check() {
    FailureOr<CircuitAnalysis> found = analyzePacked(getOperation());
    if (failed(found))
      return failure();
    auto given = getOperation()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    getOperation()->removeAttr(ckks::slotsAttrName);
    return check(found->getFunction(), given, found->getSlots(), *found);
  }

  LogicalResult check(func::FuncOp function, ckks::ParamsAttr given, int64_t slots,
                      const CircuitAnalysis &analysis) {
    if (given.getSlots() != slots)
      return function.emitError() << "the given parameters have " << given.getSlots()
                                  << " slots; the packing needs " << slots;
    if (given.getNumLevels() <= int64_t(analysis.depth()))
      return function.emitError() << "the given parameters have " << given.getNumLevels()
                                  << " levels; the program needs " << analysis.depth() + 1;
    if (failed(checkBase(function, given, analysis)))
      return failure();
    double sum = algorithms::sumLog2(given.getLimbs());
    auto row = findSecurityRow(SecretDistribution::uniformTernary, given.getLogN());
    if (given.getSecurity() != 0 && (!row || !isWithin(*row, sum)))
      return function.emitError() << "the given parameters have log2(PQ) = "
                                  << shortNumber(std::round(sum * 10) / 10) << " at N = 2^"
                                  << given.getLogN() << ": 128 bits of security allow "
                                  << (row ? row->limitBits : 0);
    return success();
  }
};

} // namespace
} // namespace sluice
