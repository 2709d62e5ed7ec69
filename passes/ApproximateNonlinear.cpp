//===- ApproximateNonlinear.cpp - smooth functions become polynomials -------------------------===//

#include "passes/Passes.h"
#include "passes/TracedOps.h"
#include "passes/algorithms/Chebyshev.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include <cmath>

using namespace mlir;
using sluice::algorithms::Interval;

namespace sluice {

#define GEN_PASS_DEF_APPROXIMATENONLINEAR
#include "passes/Passes.h.inc"

namespace {

/// A function of one secret value, found in the program.
struct Candidate {
  Operation *op; ///< its result is the function's value
  Value argument;
  StringRef name;
  algorithms::RealFunction function;
};

/// The exact form 1 / (1 + exp(y)): y, or null.
Value matchReciprocal(arith::DivFOp division) {
  auto isOne = [](Value value) {
    auto elements = constantElements(value);
    return elements && llvm::all_of(*elements, [](double element) { return element == 1; });
  };
  auto sum = division.getRhs().getDefiningOp<arith::AddFOp>();
  if (!sum || !isOne(division.getLhs()))
    return {};
  Value other = isOne(sum.getLhs()) ? sum.getRhs() : isOne(sum.getRhs()) ? sum.getLhs() : Value();
  auto exp = other ? other.getDefiningOp<math::ExpOp>() : math::ExpOp();
  return exp ? exp.getOperand() : Value();
}

Candidate sigmoidOf(arith::DivFOp division, Value exponent) {
  if (auto negation = exponent.getDefiningOp<arith::NegFOp>())
    return {division, negation.getOperand(), "sigmoid",
            [](double x) { return 1 / (1 + std::exp(-x)); }};
  return {division, exponent, "1 / (1 + exp)", [](double x) { return 1 / (1 + std::exp(x)); }};
}

struct ApproximateNonlinear : impl::ApproximateNonlinearBase<ApproximateNonlinear> {
  using ApproximateNonlinearBase::ApproximateNonlinearBase;

  void runOnOperation() override {
    auto entry = findEntryFunction(getOperation());
    if (failed(entry))
      return signalPassFailure();
    // Sigmoids first: they contain an exp.
    SmallVector<arith::DivFOp> divisions(entry->getOps<arith::DivFOp>());
    for (arith::DivFOp division : divisions) {
      if (constantElements(division.getRhs()))
        continue;
      Value exponent = matchReciprocal(division);
      if (!exponent) {
        division.emitError(
            "division by a secret value is supported only as 1 / (1 + exp(x)); multiply by a "
            "polynomial approximation of the reciprocal on its range instead");
        return signalPassFailure();
      }
      if (failed(replace(sigmoidOf(division, exponent))))
        return signalPassFailure();
    }
    SmallVector<Operation *> rest;
    for (Operation &op : entry->front())
      if (isa<math::ExpOp, math::TanhOp>(op))
        rest.push_back(&op);
    for (Operation *op : rest) {
      if (op->use_empty()) { // left over from a sigmoid
        op->erase();
        continue;
      }
      Candidate candidate{op, op->getOperand(0), "exp", [](double x) { return std::exp(x); }};
      if (isa<math::TanhOp>(op)) {
        candidate.name = "tanh";
        candidate.function = [](double x) { return std::tanh(x); };
      }
      if (failed(replace(candidate)))
        return signalPassFailure();
    }
  }

private:
  /// The range of `value` as infer-ranges left it, or as the argument declares it.
  static std::optional<Interval> inferredRange(Value value) {
    if (Operation *producer = value.getDefiningOp())
      return rangeOf(producer->getAttr(ckks::rangeAttrName));
    auto argument = cast<BlockArgument>(value);
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto range = rangeOf(function.getArgAttr(argument.getArgNumber(), ckks::rangeAttrName));
    // An item of zeros fills the unused places of a batch.
    if (range && function->hasAttr(ckks::batchAttrName))
      range = algorithms::hull(*range, Interval(0));
    return range;
  }

  LogicalResult replace(const Candidate &candidate) {
    std::optional<Interval> range = inferredRange(candidate.argument);
    if (!range)
      return candidate.op->emitError() << "the range of the argument of " << candidate.name
                                       << " is unknown; declare the ranges of the inputs, or "
                                          "promise one here (range=(low, high))";
    Interval interval = algorithms::widenToPowerOfTwo(*range);
    double tolerance = std::exp2(-precision);
    // Beyond e^40 no precision that a circuit reaches is left; the test also keeps infinities out.
    double largest =
        std::fabs(candidate.function(interval.low)) + std::fabs(candidate.function(interval.high));
    std::optional<algorithms::Approximation> found;
    if (largest < std::exp(40.0))
      found = algorithms::approximate(candidate.function, interval, tolerance, maxDegree);
    if (!found)
      return emitOutOfReach(candidate, *range, interval);
    const algorithms::Polynomial &p = found->polynomial;
    OpBuilder builder(candidate.op);
    auto polynomial = ckks::PolynomialOp::create(
        builder, candidate.op->getLoc(), candidate.argument.getType(), candidate.argument,
        ckks::Basis::Chebyshev, p.coefficients, std::pair(interval.low, interval.high));
    for (StringRef name : {StringRef(ckks::rangeAttrName), StringRef(rangeSourceAttrName)})
      if (Attribute attribute = candidate.op->getAttr(name))
        polynomial->setAttr(name, attribute);
    candidate.op->getResult(0).replaceAllUsesWith(polynomial.getResult());
    eraseDeadProducers(candidate.op);
    ++approximated;
    largestDegree.updateMax(p.degree());
    return success();
  }

  static std::string intervalText(Interval interval) {
    return "[" + shortNumber(interval.low) + ", " + shortNumber(interval.high) + "]";
  }

  LogicalResult emitOutOfReach(const Candidate &candidate, Interval range, Interval interval) {
    Operation *producer = candidate.argument.getDefiningOp();
    bool isMeasured =
        producer && producer->getAttrOfType<StringAttr>(rangeSourceAttrName) == "measured";
    auto error = candidate.op->emitError();
    error << candidate.name << " over " << intervalText(range)
          << " needs a polynomial of degree above " << maxDegree.getValue() << " for "
          << shortNumber(precision) << " bits; ";
    if (isMeasured)
      error << "scale its argument down, or ask for less precision";
    else
      error << "the range was proved from the ranges of the inputs: narrow those, or promise the "
               "range that occurs "
               "(range=(low, high))";
    if (!(interval == range))
      error.attachNote() << "approximated on " << intervalText(interval)
                         << ", whose half-width is a power of two";
    return failure();
  }

  /// Erases `op` and what only it used, upwards, so that no nonlinear operation stays behind.
  static void eraseDeadProducers(Operation *op) {
    SmallVector<Operation *> worklist{op};
    while (!worklist.empty()) {
      Operation *dead = worklist.pop_back_val();
      if (!dead->use_empty())
        continue;
      llvm::SmallSetVector<Operation *, 4> producers;
      for (Value operand : dead->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          producers.insert(producer);
      dead->erase();
      worklist.append(producers.begin(), producers.end());
    }
  }
};

} // namespace
} // namespace sluice
