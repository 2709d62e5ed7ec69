//===- NonlinearForms.cpp - the functions that traced programs write as several operations ----===//

#include "passes/NonlinearForms.h"
#include "passes/algorithms/Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using sluice::algorithms::Interval;

namespace sluice {

//===----------------------------------------------------------------------===//
// Smooth functions
//===----------------------------------------------------------------------===//

// Overloads are chosen by the type of the pointer.
static constexpr SmoothFunction expFunction{"exp", [](double x) { return std::exp(x); },
                                            algorithms::exp};
static constexpr SmoothFunction tanhFunction{"tanh", [](double x) { return std::tanh(x); },
                                             algorithms::tanh};
static constexpr SmoothFunction erfFunction{"erf", [](double x) { return std::erf(x); },
                                            algorithms::erf};
static constexpr SmoothFunction sigmoidFunction{"sigmoid", algorithms::sigmoid,
                                                algorithms::sigmoid};
static constexpr SmoothFunction fallingSigmoidFunction{
    "1 / (1 + exp)", [](double x) { return algorithms::sigmoid(-x); },
    [](Interval x) { return algorithms::sigmoid(-x); }};
static constexpr SmoothFunction siluFunction{"silu", algorithms::silu, algorithms::silu};
static constexpr SmoothFunction geluFunction{"gelu", algorithms::gelu, algorithms::gelu};
static constexpr SmoothFunction sqrtFunction{"sqrt", [](double x) { return std::sqrt(x); },
                                             algorithms::sqrt, SmoothFunction::Domain::NotNegative};
static constexpr SmoothFunction rsqrtFunction{"rsqrt", algorithms::rsqrt, algorithms::rsqrt,
                                              SmoothFunction::Domain::Positive};

//===----------------------------------------------------------------------===//
// Factors and terms
//===----------------------------------------------------------------------===//

/// The one number of a constant whose elements are all equal.
static std::optional<double> splatOf(Value value) {
  auto elements = constantElements(value);
  if (!elements || elements->empty() || !llvm::all_equal(*elements))
    return std::nullopt;
  return elements->front();
}

static bool isNear(double value, double wanted) {
  return std::fabs(value - wanted) <= 1e-9 * std::fabs(wanted);
}

/// The other operand of a sum with the constant 1.
static Value matchOnePlus(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return {};
  if (splatOf(sum.getLhs()) == 1.0)
    return sum.getRhs();
  return splatOf(sum.getRhs()) == 1.0 ? sum.getLhs() : Value();
}

/// y of 1 + exp(y).
static Value matchOnePlusExp(Value value) {
  Value other = matchOnePlus(value);
  auto exp = other ? other.getDefiningOp<math::ExpOp>() : math::ExpOp();
  return exp ? exp.getOperand() : Value();
}

/// y of 1 + erf(y).
static Value matchOnePlusErf(Value value) {
  Value other = matchOnePlus(value);
  auto erf = other ? other.getDefiningOp<math::ErfOp>() : math::ErfOp();
  return erf ? erf.getOperand() : Value();
}

namespace {

/// A product of values, taken apart: constant * product of values / product of (1 + exp(-y)) *
/// product of (1 + erf(z)). Constants are those with equal elements.
struct Factors {
  double constant = 1;
  SmallVector<Value> values, sigmoids, erfs;

  /// Multiplies by what `value` is made of. False when that is more than any form has.
  bool multiply(Value value) {
    constexpr size_t mostFactors = 4;
    if (values.size() + sigmoids.size() + erfs.size() > mostFactors)
      return false;
    if (auto number = splatOf(value)) {
      constant *= *number;
      return true;
    }
    if (auto product = value.getDefiningOp<arith::MulFOp>())
      return multiply(product.getLhs()) && multiply(product.getRhs());
    if (auto division = value.getDefiningOp<arith::DivFOp>())
      return multiply(division.getLhs()) && divide(division.getRhs(), value);
    if (Value argument = matchOnePlusErf(value))
      erfs.push_back(argument);
    else
      values.push_back(value);
    return true;
  }

private:
  bool divide(Value divisor, Value quotient) {
    if (auto number = splatOf(divisor)) {
      constant /= *number;
      return true;
    }
    Value exponent = matchOnePlusExp(divisor);
    auto negation = exponent ? exponent.getDefiningOp<arith::NegFOp>() : arith::NegFOp();
    if (!negation)
      return false;
    sigmoids.push_back(negation.getOperand());
    return true;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static NonlinearForm smooth(Operation *op, Value argument, const SmoothFunction &function) {
  return {NonlinearForm::Kind::Smooth, op, argument, {}, &function};
}

/// gelu or silu as a product.
static std::optional<NonlinearForm> matchProduct(Operation *op) {
  Factors factors;
  if (!factors.multiply(op->getResult(0)) || factors.values.size() != 1)
    return std::nullopt;
  Value x = factors.values.front();
  if (factors.erfs.empty() && factors.sigmoids.size() == 1 && factors.sigmoids.front() == x &&
      isNear(factors.constant, 1))
    return smooth(op, x, siluFunction);
  Factors inner;
  if (factors.sigmoids.empty() && factors.erfs.size() == 1 && isNear(factors.constant, 0.5) &&
      inner.multiply(factors.erfs.front()) && inner.values == factors.values &&
      inner.sigmoids.empty() && inner.erfs.empty() &&
      isNear(inner.constant, 1 / std::numbers::sqrt2))
    return smooth(op, x, geluFunction);
  return std::nullopt;
}

static std::optional<NonlinearForm> matchDivision(arith::DivFOp op) {
  if (constantElements(op.getRhs()))
    return std::nullopt;
  if (Value exponent = matchOnePlusExp(op.getRhs()); exponent && splatOf(op.getLhs()) == 1.0) {
    if (auto negation = exponent.getDefiningOp<arith::NegFOp>())
      return smooth(op, negation.getOperand(), sigmoidFunction);
    return smooth(op, exponent, fallingSigmoidFunction);
  }
  return NonlinearForm{NonlinearForm::Kind::Quotient, op, op.getLhs(), op.getRhs()};
}

/// Equal as values, or constants of equal elements.
static bool isSame(Value a, Value b) {
  if (a == b)
    return true;
  auto left = constantElements(a), right = constantElements(b);
  return left && right && *left == *right;
}

/// Maximum, minimum and absolute value written as a choice.
static std::optional<NonlinearForm> matchSelect(arith::SelectOp op) {
  auto condition = op.getCondition().getDefiningOp<arith::CmpFOp>();
  auto comparison = condition ? comparisonOf(condition) : std::nullopt;
  if (!comparison)
    return std::nullopt;
  auto [larger, smaller, orEqual] = *comparison;
  Value yes = op.getTrueValue(), no = op.getFalseValue();
  if (isSame(yes, larger) && isSame(no, smaller))
    return NonlinearForm{NonlinearForm::Kind::Maximum, op, yes, no};
  if (isSame(yes, smaller) && isSame(no, larger))
    return NonlinearForm{NonlinearForm::Kind::Minimum, op, yes, no};
  auto negation = no.getDefiningOp<arith::NegFOp>();
  if (isSame(yes, larger) && splatOf(smaller) == 0.0 && negation && negation.getOperand() == yes)
    return NonlinearForm{NonlinearForm::Kind::Absolute, op, yes};
  return std::nullopt;
}

std::optional<NonlinearForm> matchNonlinear(Operation *op) {
  using Kind = NonlinearForm::Kind;
  using Result = std::optional<NonlinearForm>;
  if (isa<arith::MulFOp, arith::DivFOp>(op))
    if (auto product = matchProduct(op))
      return product;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](math::ExpOp op) { return smooth(op, op.getOperand(), expFunction); })
      .Case([](math::TanhOp op) { return smooth(op, op.getOperand(), tanhFunction); })
      .Case([](math::ErfOp op) { return smooth(op, op.getOperand(), erfFunction); })
      .Case([](math::SqrtOp op) { return smooth(op, op.getOperand(), sqrtFunction); })
      .Case([](math::RsqrtOp op) { return smooth(op, op.getOperand(), rsqrtFunction); })
      .Case([](arith::DivFOp op) { return matchDivision(op); })
      .Case([](arith::SelectOp op) { return matchSelect(op); })
      .Case([](math::AbsFOp op) { return NonlinearForm{Kind::Absolute, op, op.getOperand()}; })
      .Case([](arith::MaximumFOp op) {
        return NonlinearForm{Kind::Maximum, op, op.getLhs(), op.getRhs()};
      })
      .Case([](arith::MinimumFOp op) {
        return NonlinearForm{Kind::Minimum, op, op.getLhs(), op.getRhs()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

SmallVector<Value> rangedOperands(Operation *op) {
  if (isa<arith::CmpFOp>(op))
    return llvm::to_vector(op->getOperands());
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return {choice.getTrueValue(), choice.getFalseValue()};
  auto form = matchNonlinear(op);
  if (!form)
    return {};
  return form->rhs ? SmallVector<Value>{form->lhs, form->rhs} : SmallVector<Value>{form->lhs};
}

void replaceKeepingRange(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  Operation *producer = value.getDefiningOp();
  if (!producer || producer->hasAttr(ckks::rangeAttrName))
    return;
  for (StringRef name : {StringRef(ckks::rangeAttrName), StringRef(rangeSourceAttrName)})
    if (Attribute attribute = op->getAttr(name))
      producer->setAttr(name, attribute);
}

} // namespace sluice
