//===- InferRanges.cpp - intervals of the values that meet nonlinear functions ----------------===//

#include "passes/NonlinearForms.h"
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

/// The image of a form over its arguments.
Interval imageOf(const NonlinearForm &form, Interval lhs, Interval rhs) {
  switch (form.kind) {
  case NonlinearForm::Kind::Smooth:
    return form.function->image(lhs);
  case NonlinearForm::Kind::Quotient:
    return lhs / rhs;
  case NonlinearForm::Kind::Maximum:
    return algorithms::maximum(lhs, rhs);
  case NonlinearForm::Kind::Minimum:
    return algorithms::minimum(lhs, rhs);
  case NonlinearForm::Kind::Absolute:
    return algorithms::abs(lhs);
  }
  llvm_unreachable("all kinds are listed");
}

/// Images of functions that are written as several operations: x * sigmoid(x) is never below -0.28,
/// whatever its factors are alone.
class FormImages {
public:
  FormImages(func::FuncOp function, ArrayRef<std::vector<Interval>> inputs) {
    for (Operation &op : function.front())
      if (auto form = matchNonlinear(&op)) {
        forms[&op] = *form;
        arguments[form->lhs];
        if (form->rhs)
          arguments[form->rhs];
      }
    for (auto [argument, elements] : llvm::zip_equal(function.getArguments(), inputs))
      note(argument, elements);
  }

  /// Keeps the elements of a value that a function takes.
  void note(Value value, const std::vector<Interval> &elements) {
    if (auto place = arguments.find(value); place != arguments.end())
      place->second = elements;
  }

  /// Intersects with the image when `op` makes the value of a function.
  void narrow(Operation *op, std::vector<Interval> &elements) const {
    auto place = forms.find(op);
    if (place == forms.end())
      return;
    const NonlinearForm &form = place->second;
    const std::vector<Interval> &lhs = arguments.at(form.lhs);
    const std::vector<Interval> &rhs = form.rhs ? arguments.at(form.rhs) : lhs;
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = algorithms::intersect(elements[i], imageOf(form, lhs[i], rhs[i]));
  }

private:
  DenseMap<Operation *, NonlinearForm> forms;
  DenseMap<Value, std::vector<Interval>> arguments;
};

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
    FormImages forms(function, arguments);
    auto observe = [&](Operation *op, std::vector<Interval> &elements) {
      forms.narrow(op, elements);
      if (auto promised = rangeOf(op->getAttr(ckks::rangeAttrName)))
        for (Interval &element : elements)
          element = algorithms::intersect(element, *promised);
      forms.note(op->getResult(0), elements);
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
    for (Operation &op : function.front())
      for (Value operand : rangedOperands(&op)) {
        Operation *producer = operand.getDefiningOp();
        auto found = ranges.find(producer);
        if (!producer || constantElements(operand) || found == ranges.end() ||
            !found->second.isFinite())
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
