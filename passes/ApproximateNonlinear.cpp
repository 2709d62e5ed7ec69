//===- ApproximateNonlinear.cpp - nonlinear functions become polynomials ----------------------===//

#include "passes/ComparisonWriter.h"
#include "passes/NonlinearForms.h"
#include "passes/Passes.h"
#include "passes/algorithms/CheapestApproximation.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using sluice::algorithms::Approximation;
using sluice::algorithms::Interval;

namespace sluice {

#define GEN_PASS_DEF_APPROXIMATENONLINEAR
#include "passes/Passes.h.inc"

namespace {

/// A function of one secret value as the fit needs it.
struct Candidate {
  Operation *op; ///< its line is the user's
  Value argument;
  std::string name;
  algorithms::RealFunction function;
  double tolerance; ///< largest error
  /// Steep near 0, where its domain ends: the interval is not widened in that direction.
  bool isSteepAtZero = false;
};

/// The number with two digits from x > 0 on.
double roundUp(double x) {
  double unit = std::pow(10.0, std::floor(std::log10(x)) - 1);
  return std::ceil(x / unit) * unit;
}

/// The interval of a fit: of power-of-two half-width, so that the change of variable is free.
Interval widen(const Candidate &candidate, Interval range) {
  if (candidate.isSteepAtZero && range.low < range.high)
    return algorithms::widenAwayFromZero(range);
  return algorithms::widenToPowerOfTwo(range);
}

struct ApproximateNonlinear : impl::ApproximateNonlinearBase<ApproximateNonlinear> {
  using ApproximateNonlinearBase::ApproximateNonlinearBase;

  void runOnOperation() override {
    auto entry = findEntryFunction(getOperation());
    if (failed(entry))
      return signalPassFailure();
    if (!(comparisonGap >= 0 && comparisonGap < 1)) {
      entry->emitError() << "comparison-gap must be at least 0 and less than 1; found "
                         << shortNumber(comparisonGap);
      return signalPassFailure();
    }
    ComparisonWriter comparisons({precision, comparisonGap, maxDepth});
    // Users first: a function that is written as several operations is found at the last of them,
    // and what only it used is dead when its turn comes.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(entry->front()))) {
      if (!isOpTriviallyDead(&op) && failed(replace(&op, comparisons)))
        return signalPassFailure();
      if (isOpTriviallyDead(&op))
        op.erase();
    }
  }

private:
  LogicalResult replace(Operation *op, ComparisonWriter &comparisons) {
    if (auto comparison = dyn_cast<arith::CmpFOp>(op)) {
      ++approximated;
      return comparisons.replaceUsers(comparison);
    }
    std::optional<NonlinearForm> form = matchNonlinear(op);
    if (!form)
      return success();
    ++approximated;
    FailureOr<Value> value = form->kind == NonlinearForm::Kind::Smooth ? writeSmooth(*form)
                             : form->kind == NonlinearForm::Kind::Quotient
                                 ? writeQuotient(*form)
                                 : comparisons.write(*form);
    if (failed(value))
      return failure();
    replaceKeepingRange(op, *value);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Forms
  //===--------------------------------------------------------------------===//

  FailureOr<Value> writeSmooth(const NonlinearForm &form) {
    using Domain = SmoothFunction::Domain;
    const SmoothFunction &function = *form.function;
    auto range = requireRange(form.op, form.lhs, function.name);
    if (failed(range))
      return failure();
    if (function.domain == Domain::NotNegative && range->low < 0)
      return form.op->emitError() << function.name << " over " << intervalText(*range)
                                  << ": negative numbers have no square root; "
                                  << adviceFor(form.lhs);
    if (function.domain == Domain::Positive && range->low <= 0)
      return emitZeroInRange(form.op, form.lhs, function.name, *range);
    return write({form.op, form.lhs, function.name.str(), function.value, std::exp2(-precision),
                  function.domain != Domain::All},
                 *range);
  }

  /// A number divided by a secret is one polynomial; a secret is multiplied by the reciprocal.
  FailureOr<Value> writeQuotient(const NonlinearForm &form) {
    auto range = requireRange(form.op, form.rhs, "a reciprocal");
    if (failed(range))
      return failure();
    if (range->contains(0))
      return emitZeroInRange(form.op, form.rhs, "a reciprocal", *range);
    auto numerator = requireRange(form.op, form.lhs, "a quotient");
    if (failed(numerator))
      return failure();
    double tolerance = std::exp2(-precision);
    if (constantElements(form.lhs) && numerator->isPoint()) {
      double number = numerator->low;
      return write({form.op, form.rhs, "a reciprocal", [number](double x) { return number / x; },
                    tolerance, true},
                   *range);
    }
    double largest = std::max(1.0, numerator->magnitude());
    FailureOr<Value> reciprocal = write({form.op, form.rhs, "a reciprocal",
                                         [](double x) { return 1 / x; }, tolerance / largest, true},
                                        *range);
    if (failed(reciprocal))
      return failure();
    OpBuilder builder(form.op);
    return Value(arith::MulFOp::create(builder, form.op->getLoc(), form.lhs, *reciprocal));
  }

  FailureOr<Value> write(const Candidate &candidate, Interval range) {
    Interval interval = widen(candidate, range);
    std::optional<Approximation> found = fit(candidate, interval);
    if (!found)
      return emitOutOfReach(candidate, range, interval), failure();
    const algorithms::Polynomial &p = found->polynomial;
    largestDegree.updateMax(p.degree());
    OpBuilder builder(candidate.op);
    return Value(ckks::PolynomialOp::create(
        builder, candidate.op->getLoc(), candidate.argument.getType(), candidate.argument,
        ckks::Basis::Chebyshev, p.coefficients, std::pair(interval.low, interval.high)));
  }

  std::optional<Approximation> fit(const Candidate &candidate, Interval interval) const {
    // Beyond e^40 no precision that a circuit reaches is left; the test also keeps infinities out.
    double largest =
        std::fabs(candidate.function(interval.low)) + std::fabs(candidate.function(interval.high));
    if (!(largest < std::exp(40.0)))
      return std::nullopt;
    return algorithms::approximateCheaply(candidate.function, interval, candidate.tolerance,
                                          maxDegree);
  }

  //===--------------------------------------------------------------------===//
  // Diagnostics
  //===--------------------------------------------------------------------===//

  /// What to do about a range that is too wide.
  static StringRef adviceFor(Value argument) {
    Operation *producer = argument.getDefiningOp();
    bool isMeasured =
        producer && producer->getAttrOfType<StringAttr>(rangeSourceAttrName) == "measured";
    return isMeasured ? "scale its argument down, or ask for less precision"
                      : "the range was proved from the ranges of the inputs: narrow those, or "
                        "promise the range that occurs (range=(low, high))";
  }

  static LogicalResult emitZeroInRange(Operation *op, Value argument, StringRef name,
                                       Interval range) {
    return op->emitError() << name << " over " << intervalText(range)
                           << " has no bound: the range must not contain 0"
                           << "; " << adviceFor(argument);
  }

  void emitOutOfReach(const Candidate &candidate, Interval range, Interval interval) const {
    auto error = candidate.op->emitError();
    error << candidate.name << " over " << intervalText(range)
          << " needs a polynomial of degree above " << maxDegree.getValue() << " for "
          << shortNumber(precision) << " bits";
    if (candidate.isSteepAtZero)
      if (auto reachable = findReachable(candidate, range))
        error << ", since it is steep near 0: " << intervalText(*reachable) << " is in reach";
    error << "; " << adviceFor(candidate.argument);
    if (!(interval == range))
      error.attachNote() << "approximated on " << intervalText(interval)
                         << ", whose half-width is a power of two";
  }

  /// About the widest part of a range, up to its end away from 0, on which the fit succeeds.
  std::optional<Interval> findReachable(const Candidate &candidate, Interval range) const {
    bool isMirrored = range.high <= 0;
    double far = range.magnitude();
    auto part = [&](double bits) { // from 2^-bits of the far end
      double near = std::min(roundUp(far * std::exp2(-bits)), far / 2);
      return isMirrored ? Interval(-far, -near) : Interval(near, far);
    };
    std::optional<Interval> found;
    double low = 1, high = 20;
    for (int step = 0; step < 7; ++step) {
      double middle = (low + high) / 2;
      if (fit(candidate, widen(candidate, part(middle)))) {
        found = part(middle);
        low = middle;
      } else {
        high = middle;
      }
    }
    return found;
  }
};

} // namespace
} // namespace sluice
