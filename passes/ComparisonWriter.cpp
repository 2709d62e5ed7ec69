//===- ComparisonWriter.cpp - comparisons, maxima and choices as composed polynomials ---------===//

#include "passes/ComparisonWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using sluice::algorithms::CompositeSign;
using sluice::algorithms::Interval;

namespace sluice {

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

static bool isZero(Value value) {
  auto elements = constantElements(value);
  return elements && llvm::all_of(*elements, [](double element) { return element == 0; });
}

/// a - b without an operation where one of them is 0.
static Value subtract(ImplicitLocOpBuilder &builder, Value a, Value b) {
  if (isZero(b))
    return a;
  if (isZero(a))
    return arith::NegFOp::create(builder, b);
  return arith::SubFOp::create(builder, a, b);
}

static Value add(ImplicitLocOpBuilder &builder, Value a, Value b) {
  return isZero(a) ? b : arith::AddFOp::create(builder, a, b).getResult();
}

/// A constant of the type of secret values.
static Value constantOf(ImplicitLocOpBuilder &builder, Type type, double value) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return arith::ConstantOp::create(builder, DenseElementsAttr::get(tensor, value));
  return arith::ConstantOp::create(builder, builder.getF64FloatAttr(value));
}

/// offset + scale * p(x).
static Value applyStep(ImplicitLocOpBuilder &builder, Value x, const algorithms::Polynomial &p,
                       double offset = 0, double scale = 1) {
  std::vector<double> coefficients = p.coefficients;
  for (double &coefficient : coefficients)
    coefficient *= scale;
  coefficients[0] += offset;
  return ckks::PolynomialOp::create(builder, x.getType(), x, ckks::Basis::Chebyshev, coefficients,
                                    std::pair(p.interval.low, p.interval.high));
}

/// All steps but the last.
static Value applyFirstSteps(ImplicitLocOpBuilder &builder, Value x, const CompositeSign &sign) {
  for (const algorithms::Polynomial &step : llvm::drop_end(sign.steps))
    x = applyStep(builder, x, step);
  return x;
}

//===----------------------------------------------------------------------===//
// Which sign
//===----------------------------------------------------------------------===//

/// Half of the power-of-two interval about 0 that holds the range.
static double halfWidthOf(Interval range) {
  double magnitude = range.magnitude();
  return algorithms::widenToPowerOfTwo({-magnitude, magnitude}).high;
}

FailureOr<ComparisonWriter::Found>
ComparisonWriter::findForProduct(Operation *op, StringRef name, Interval range, double tolerance) {
  double halfWidth = halfWidthOf(range);
  auto [place, isNew] = signs.try_emplace({halfWidth, 0, tolerance});
  if (isNew)
    place->second = algorithms::approximateSignForAbsolute(halfWidth, tolerance,
                                                           {options.maxDepth, options.maxDegree});
  if (place->second)
    return &*place->second;
  return op->emitError() << name << " over " << intervalText(range) << " needs more than "
                         << options.maxDepth << " levels for " << shortNumber(options.precision)
                         << " bits; ask for less precision, or narrow the range";
}

FailureOr<ComparisonWriter::Found> ComparisonWriter::findForChoice(arith::CmpFOp op, Interval range,
                                                                   double tolerance) {
  double part = options.gap > 0 ? options.gap : std::exp2(-options.precision / 2);
  double halfWidth = halfWidthOf(range), gap = part * range.magnitude();
  auto [place, isNew] = signs.try_emplace({halfWidth, gap, tolerance});
  if (isNew)
    place->second = algorithms::approximateSign(halfWidth, gap, tolerance,
                                                {options.maxDepth, options.maxDegree});
  if (place->second)
    return &*place->second;
  return op->emitError() << "a comparison of values whose difference is in " << intervalText(range)
                         << " needs more than " << options.maxDepth
                         << " levels to decide differences of " << shortNumber(gap)
                         << "; widen comparison-gap, or narrow the range";
}

//===----------------------------------------------------------------------===//
// Maximum, minimum, absolute value
//===----------------------------------------------------------------------===//

FailureOr<Value> ComparisonWriter::write(const NonlinearForm &form) {
  using Kind = NonlinearForm::Kind;
  ImplicitLocOpBuilder builder(form.op->getLoc(), form.op);
  Value a = form.lhs, b = form.rhs;
  if (b && constantElements(a)) // so that the constant is added last, and 0 not at all
    std::swap(a, b);
  StringRef name = form.kind == Kind::Absolute  ? "abs"
                   : form.kind == Kind::Minimum ? "minimum"
                   : isZero(b)                  ? "relu"
                                                : "maximum";
  auto range = requireRange(form.op, a, name);
  if (failed(range))
    return failure();
  if (b) {
    auto other = requireRange(form.op, b, name);
    if (failed(other))
      return failure();
    range = *range - *other;
  }
  // The value is base + (a - b) (offset + scale * sign).
  bool isAbsolute = form.kind == Kind::Absolute;
  double offset = isAbsolute ? 0 : 0.5;
  double scale = isAbsolute ? 1 : form.kind == Kind::Minimum ? -0.5 : 0.5;
  if (range->low >= 0 || range->high <= 0) {
    double factor = offset + (range->low >= 0 ? scale : -scale);
    if (factor < 0)
      return Value(arith::NegFOp::create(builder, a));
    return factor > 0 ? a : b;
  }
  double tolerance = std::exp2(-options.precision) / std::fabs(scale);
  auto sign = findForProduct(form.op, name, *range, tolerance);
  if (failed(sign))
    return failure();
  Value difference = isAbsolute ? a : subtract(builder, a, b);
  Value last = applyFirstSteps(builder, difference, **sign);
  Value factor = applyStep(builder, last, (*sign)->steps.back(), offset, scale);
  Value product = arith::MulFOp::create(builder, difference, factor);
  return isAbsolute ? product : add(builder, b, product);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// The largest |u - v| of a choice between u and v.
static double spreadOf(Interval u, Interval v) { return (u - v).magnitude(); }

/// Error of the 0 or 1 that all its users can bear.
FailureOr<double> ComparisonWriter::choiceTolerance(arith::CmpFOp op) const {
  double largest = 1;
  for (Operation *user : op->getUsers()) {
    auto choice = dyn_cast<arith::SelectOp>(user);
    if (!choice)
      continue;
    auto yes = requireRange(user, choice.getTrueValue(), "a choice");
    auto no = requireRange(user, choice.getFalseValue(), "a choice");
    if (failed(yes) || failed(no))
      return failure();
    largest = std::max(largest, spreadOf(*yes, *no));
  }
  return std::exp2(-options.precision) / largest;
}

namespace {

/// The users of one comparison, in terms of its sign.
class ChoiceWriter {
public:
  /// The sign is p(value) for the last polynomial p, or decided: 1 or -1 without a polynomial.
  ChoiceWriter(arith::CmpFOp op, Value value, const algorithms::Polynomial *last, bool decided)
      : op(op), value(value), last(last), decided(decided) {}

  /// What stands for `user`, a select or uitofp.
  Value write(Operation *user) {
    ImplicitLocOpBuilder builder(user->getLoc(), user);
    auto choice = dyn_cast<arith::SelectOp>(user);
    if (!choice)
      return last ? truth(builder)
                  : constantOf(builder, user->getResult(0).getType(), decided ? 1 : 0);
    Value yes = choice.getTrueValue(), no = choice.getFalseValue();
    if (!last)
      return decided ? yes : no;
    bool isSpread = value.getType() != choice.getType(); // one condition for a whole tensor
    auto u = inferredRange(yes), v = inferredRange(no);
    bool areNumbers = constantElements(yes) && constantElements(no) && u->isPoint() && v->isPoint();
    if (areNumbers && !isSpread)
      return applyStep(builder, value, *last, (u->low + v->low) / 2, (u->low - v->low) / 2);
    Value weight = truth(builder);
    if (isSpread)
      weight = tensor::SplatOp::create(builder, choice.getType(), weight, ValueRange());
    Value product = arith::MulFOp::create(builder, weight, subtract(builder, yes, no));
    return add(builder, no, product);
  }

private:
  /// (1 + sign) / 2, made once beside the comparison.
  Value truth(ImplicitLocOpBuilder &builder) {
    if (!isTrue) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(op);
      isTrue = applyStep(builder, value, *last, 0.5, 0.5);
    }
    return isTrue;
  }

  arith::CmpFOp op;
  Value value;
  const algorithms::Polynomial *last;
  bool decided;
  Value isTrue;
};

} // namespace

LogicalResult ComparisonWriter::replaceUsers(arith::CmpFOp op) {
  Comparison comparison = *comparisonOf(op);
  auto larger = requireRange(op, comparison.larger, "a comparison");
  auto smaller = requireRange(op, comparison.smaller, "a comparison");
  if (failed(larger) || failed(smaller))
    return failure();
  Interval range = *larger - *smaller;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  bool isAlways = comparison.orEqual ? range.low >= 0 : range.low > 0;
  bool isNever = comparison.orEqual ? range.high < 0 : range.high <= 0;
  Value value;
  const algorithms::Polynomial *last = nullptr;
  if (!isAlways && !isNever) {
    auto tolerance = choiceTolerance(op);
    if (failed(tolerance))
      return failure();
    auto sign = findForChoice(op, range, 2 * *tolerance);
    if (failed(sign))
      return failure();
    Value difference = subtract(builder, comparison.larger, comparison.smaller);
    value = applyFirstSteps(builder, difference, **sign);
    last = &(*sign)->steps.back();
  }
  ChoiceWriter writer(op, value, last, isAlways);
  for (Operation *user : llvm::to_vector(op->getUsers())) {
    replaceKeepingRange(user, writer.write(user));
    user->erase();
  }
  return success();
}

} // namespace sluice
