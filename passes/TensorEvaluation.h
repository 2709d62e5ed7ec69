//===- TensorEvaluation.h - runs a traced program on a number type of choice ------------------===//
//
// One interpreter of the traced stage: on doubles it is the clear function and, after
// approximate-nonlinear, the twin; on intervals it is range analysis.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_TENSOREVALUATION_H
#define SLUICE_PASSES_TENSOREVALUATION_H

#include "passes/TracedOps.h"
#include "passes/algorithms/Functions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <functional>
#include <vector>

namespace sluice {

inline double power(double x, int exponent) { return std::pow(x, exponent); }
inline double evaluatePolynomial(const algorithms::Polynomial &p, double x) { return p(x); }
/// Over the part of x on the polynomial's own interval, which the user promised; in the monomial
/// basis over all of x, since the interval there says nothing about the polynomial.
algorithms::Interval evaluatePolynomial(const algorithms::Polynomial &p, algorithms::Interval x);

/// Runs a traced function on numbers of type T: double or Interval. Tensors are row-major vectors,
/// scalars one number.
template <typename T> class TensorEvaluator {
public:
  using Elements = std::vector<T>;
  /// Sees each operation with real results, or true (1) and false (0), after it ran, and may change
  /// its result.
  using Observer = std::function<void(mlir::Operation *, Elements &)>;

  explicit TensorEvaluator(Observer observer = {}) : observer(std::move(observer)) {}

  /// The function's results on `arguments`, one vector each, of the arguments' element counts.
  /// Emits an error on an operation that is not in the input language.
  mlir::FailureOr<std::vector<Elements>> run(mlir::func::FuncOp function,
                                             std::vector<Elements> arguments) {
    for (auto [argument, elements] : llvm::zip_equal(function.getArguments(), arguments))
      values[argument] = std::move(elements);
    std::vector<Elements> results;
    for (mlir::Operation &op : function.front()) {
      if (failed(checkTraced(&op)))
        return mlir::failure();
      if (mlir::isa<mlir::func::ReturnOp>(op)) {
        for (mlir::Value operand : op.getOperands())
          results.push_back(values[operand]);
        continue;
      }
      if (!isReal(op.getResult(0).getType()) && !mlir::isa<mlir::arith::CmpFOp>(op))
        continue; // integer constants are read where they are used
      Elements result = evaluate(&op);
      if (observer)
        observer(&op, result);
      values[op.getResult(0)] = std::move(result);
    }
    return results;
  }

private:
  const Elements &operand(mlir::Operation *op, unsigned index) {
    return values[op->getOperand(index)];
  }

  template <typename F> Elements unary(mlir::Operation *op, const F &function) {
    Elements result = operand(op, 0);
    for (T &element : result)
      element = function(element);
    return result;
  }

  template <typename F> Elements binary(mlir::Operation *op, F function) {
    Elements result = operand(op, 0);
    const Elements &rhs = operand(op, 1);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = function(result[i], rhs[i]);
    return result;
  }

  Elements evaluate(mlir::Operation *op) {
    using namespace mlir;
    if (auto constant = constantElements(op->getResult(0)))
      return Elements(constant->begin(), constant->end());
    if (isa<tensor::EmptyOp>(op))
      return Elements(elementCountOf(op->getResult(0)), T(0.0));
    if (isMovement(op))
      return move(op);
    if (isProduct(op))
      return multiply(op);
    if (auto choice = dyn_cast<arith::SelectOp>(op))
      return select(choice);
    if (isa<tensor::FromElementsOp>(op)) {
      Elements result;
      for (Value element : op->getOperands())
        result.push_back(values[element].front());
      return result;
    }
    bool isBinary = op->getNumOperands() == 2 && !isa<math::FPowIOp>(op);
    return isBinary ? evaluateBinary(op) : evaluateUnary(op);
  }

  Elements evaluateBinary(mlir::Operation *op) {
    using namespace mlir;
    if (auto comparison = dyn_cast<arith::CmpFOp>(op))
      return compare(*comparisonOf(comparison));
    if (isa<arith::MulFOp>(op) && op->getOperand(0) == op->getOperand(1))
      return unary(op, [](T a) { return power(a, 2); }); // the same number twice: never negative
    return llvm::TypeSwitch<Operation *, Elements>(op)
        .template Case<arith::AddFOp>(
            [&](auto op) { return binary(op, [](T a, T b) { return a + b; }); })
        .template Case<arith::SubFOp>(
            [&](auto op) { return binary(op, [](T a, T b) { return a - b; }); })
        .template Case<arith::MulFOp>(
            [&](auto op) { return binary(op, [](T a, T b) { return a * b; }); })
        .template Case<arith::DivFOp>(
            [&](auto op) { return binary(op, [](T a, T b) { return a / b; }); })
        .template Case<arith::MaximumFOp>(
            [&](auto op) { return binary(op, [](T a, T b) { return algorithms::maximum(a, b); }); })
        .template Case<arith::MinimumFOp>([&](auto op) {
          return binary(op, [](T a, T b) { return algorithms::minimum(a, b); });
        });
  }

  Elements evaluateUnary(mlir::Operation *op) {
    using namespace mlir;
    using algorithms::abs, algorithms::erf, algorithms::exp, algorithms::sqrt, algorithms::tanh;
    using algorithms::power, algorithms::rsqrt, sluice::power;
    using std::abs, std::erf, std::exp, std::sqrt, std::tanh;
    return llvm::TypeSwitch<Operation *, Elements>(op)
        .template Case<arith::NegFOp>([&](auto op) { return unary(op, [](T a) { return -a; }); })
        .template Case<math::ExpOp>([&](auto op) { return unary(op, [](T a) { return exp(a); }); })
        .template Case<math::TanhOp>(
            [&](auto op) { return unary(op, [](T a) { return tanh(a); }); })
        .template Case<math::ErfOp>([&](auto op) { return unary(op, [](T a) { return erf(a); }); })
        .template Case<math::SqrtOp>(
            [&](auto op) { return unary(op, [](T a) { return sqrt(a); }); })
        .template Case<math::RsqrtOp>(
            [&](auto op) { return unary(op, [](T a) { return rsqrt(a); }); })
        .template Case<math::AbsFOp>([&](auto op) { return unary(op, [](T a) { return abs(a); }); })
        .template Case<arith::UIToFPOp>([&](auto op) { return unary(op, [](T a) { return a; }); })
        .template Case<math::FPowIOp>([&](auto op) {
          return unary(op, [n = int(*exponentOf(op))](T a) { return power(a, n); });
        })
        .template Case<ckks::PolynomialOp>([&](auto op) {
          return unary(op, [p = toPolynomial(op)](T a) { return evaluatePolynomial(p, a); });
        });
  }

  Elements compare(const Comparison &comparison) {
    Elements result = values[comparison.larger];
    const Elements &smaller = values[comparison.smaller];
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = comparison.orEqual ? algorithms::isGreaterOrEqual(result[i], smaller[i])
                                     : algorithms::isGreater(result[i], smaller[i]);
    return result;
  }

  /// One condition may choose between whole tensors.
  Elements select(mlir::arith::SelectOp op) {
    const Elements &condition = values[op.getCondition()];
    Elements result = values[op.getTrueValue()];
    const Elements &other = values[op.getFalseValue()];
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = algorithms::choose(condition[condition.size() == 1 ? 0 : i], result[i], other[i]);
    return result;
  }

  /// The elements to which a reduction or product adds.
  Elements initial(mlir::Operation *op) {
    if (mlir::Value init = initOf(op))
      return values[init];
    return Elements(elementCountOf(op->getResult(0)), T(0.0));
  }

  Elements move(mlir::Operation *op) {
    Elements result = initial(op);
    const Elements &input = operand(op, 0);
    forEachTerm(op, [&](int64_t out, int64_t in) { result[out] = result[out] + input[in]; });
    return result;
  }

  Elements multiply(mlir::Operation *op) {
    Elements result = initial(op);
    const Elements &lhs = operand(op, 0), &rhs = operand(op, 1);
    forEachProduct(op, [&](int64_t out, int64_t a, int64_t b) {
      result[out] = result[out] + lhs[a] * rhs[b];
    });
    return result;
  }

  Observer observer;
  llvm::DenseMap<mlir::Value, Elements> values;
};

} // namespace sluice

#endif // SLUICE_PASSES_TENSOREVALUATION_H
