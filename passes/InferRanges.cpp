//===- InferRanges.cpp - intervals of the values that meet nonlinear functions ----------------===//

#include "passes/Passes.h"
#include "passes/TensorEvaluation.h"

using namespace mlir;
using sluice::algorithms::Interval;

namespace sluice {

#define GEN_PASS_DEF_INFERRANGES
#include "passes/Passes.h.inc"

algorithms::Interval evaluatePolynomial(const algorithms::Polynomial &p, algorithms::Interval x) {
  if (p.basis == algorithms::Basis::chebyshev)
    x = algorithms::intersect(x, p.interval);
  return x.isFinite() ? algorithms::imageOf(p, x) : Interval::everything();
}

namespace {

/// Hulls of each operation's elements.
using Hulls = DenseMap<Operation *, Interval>;

struct InferRanges : impl::InferRangesBase<InferRanges> {
  using InferRangesBase::InferRangesBase;

  void runOnOperation() override {
    auto function = findEntryFunction(getOperation());
    if (failed(function))
      return signalPassFailure();
    if (batch > 0)
      (*function)->setAttr(ckks::batchAttrName, Builder(&getContext()).getI64IntegerAttr(batch));
    markMeasured(*function);
    Hulls ranges;
    if (failed(propagate(*function, ranges)))
      return signalPassFailure();
    attach(*function, ranges);
  }

private:
  /// A range that stands before the analysis is the user's promise.
  void markMeasured(func::FuncOp function) {
    function.walk([&](Operation *op) {
      if (op->hasAttr(ckks::rangeAttrName) && !op->hasAttr(rangeSourceAttrName))
        op->setAttr(rangeSourceAttrName, StringAttr::get(&getContext(), "measured"));
    });
  }

  LogicalResult propagate(func::FuncOp function, Hulls &ranges) {
    std::vector<std::vector<Interval>> arguments;
    for (BlockArgument argument : function.getArguments()) {
      unsigned index = argument.getArgNumber();
      if (!function.getArgAttr(index, ckks::secretAttrName) || !isReal(argument.getType()))
        return function.emitError()
               << "argument " << index
               << " is not a secret static tensor of f64; make clear values constants";
      Attribute declared = function.getArgAttr(index, ckks::rangeAttrName);
      Interval range = rangeOf(declared).value_or(Interval::everything());
      arguments.emplace_back(elementCountOf(argument), range);
    }
    auto observe = [&](Operation *op, std::vector<Interval> &elements) {
      if (auto promised = rangeOf(op->getAttr(ckks::rangeAttrName)))
        for (Interval &element : elements)
          element = algorithms::intersect(element, *promised);
      record(ranges, op, elements);
    };
    if (failed(TensorEvaluator<Interval>(observe).run(function, std::move(arguments))))
      return failure();
    return function->hasAttr(ckks::batchAttrName) ? includeEmptyItem(function, ranges) : success();
  }

  static void record(Hulls &ranges, Operation *op, ArrayRef<Interval> elements) {
    for (Interval element : elements) {
      auto [place, isNew] = ranges.try_emplace(op, element);
      if (!isNew)
        place->second = algorithms::hull(place->second, element);
    }
  }

  /// A batch that is not full holds items of zeros, and no item may leave the interval of a
  /// polynomial: outside, the polynomial's huge values would spoil every slot.
  LogicalResult includeEmptyItem(func::FuncOp function, Hulls &ranges) {
    std::vector<std::vector<double>> zeros;
    for (BlockArgument argument : function.getArguments())
      zeros.emplace_back(elementCountOf(argument), 0.0);
    auto observe = [&](Operation *op, std::vector<double> &elements) {
      for (double element : elements)
        if (std::isfinite(element))
          record(ranges, op, Interval(element));
    };
    return success(succeeded(TensorEvaluator<double>(observe).run(function, std::move(zeros))));
  }

  /// Writes the range of each value that a nonlinear function takes onto the operation that makes
  /// it.
  void attach(func::FuncOp function, const Hulls &ranges) {
    for (Operation &op : function.front()) {
      if (!isa<math::ExpOp, math::TanhOp, arith::NegFOp>(op))
        continue;
      Operation *producer = op.getOperand(0).getDefiningOp();
      auto found = ranges.find(producer);
      if (found == ranges.end() || !found->second.isFinite())
        continue;
      bool isNegated = isa<arith::NegFOp>(op);
      if (isNegated && llvm::none_of(op.getUsers(), llvm::IsaPred<math::ExpOp>))
        continue;
      producer->setAttr(ckks::rangeAttrName, rangeAttr(&getContext(), found->second));
      if (!producer->hasAttr(rangeSourceAttrName))
        producer->setAttr(rangeSourceAttrName, StringAttr::get(&getContext(), "proved"));
      ++inferred;
    }
  }
};

} // namespace
} // namespace sluice
