//===- SlotEvaluation.h - runs a packed or settled program on a number type of choice ---------===//
//
// One interpreter of the ckks dialect's values (no levels, no noise of its own): on doubles, or on
// complex numbers where slots are complex, it is the twin of every ckks stage, on intervals the
// analysis of magnitudes.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_SLOTEVALUATION_H
#define SLUICE_PASSES_SLOTEVALUATION_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/TensorEvaluation.h"
#include "passes/algorithms/ScaleValue.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <complex>
#include <functional>
#include <type_traits>
#include <vector>

namespace sluice {

/// What one complex slot holds.
using Complex = std::complex<double>;

/// x^2; tighter than a product where T is an interval.
inline double square(double x) { return x * x; }
inline Complex square(Complex x) { return x * x; }
inline algorithms::Interval square(algorithms::Interval x) { return algorithms::power(x, 2); }

/// Real numbers are their own conjugates.
inline double conjugate(double x) { return x; }
inline Complex conjugate(Complex x) { return std::conj(x); }
inline algorithms::Interval conjugate(algorithms::Interval x) { return x; }

inline Complex evaluatePolynomial(const algorithms::Polynomial &p, Complex x) { return p(x); }

/// The smallest vector length n (a power of two that divides `slots`) for which a program on
/// vectors that are constant on runs of slots / n slots can be run on n numbers: plain vectors are
/// no longer, rotations are by whole runs, and no type has slots of its own.
int64_t slotGranularity(mlir::func::FuncOp function, int64_t slots);

/// Runs a function of the ckks dialect on vectors of T: double, Complex or Interval.
template <typename T> class SlotEvaluator {
public:
  using Slots = std::vector<T>;
  /// Sees each operation with its first operand and its result after it ran, and may change the
  /// result.
  using Observer = std::function<void(mlir::Operation *, const Slots &operand, Slots &result)>;

  /// `slots` is the packing length of the program; the vectors may be shorter, see slotGranularity.
  /// Those of a type with its own slots have that length.
  explicit SlotEvaluator(int64_t slots, Observer observer = {})
      : slots(slots), observer(std::move(observer)) {}

  /// The function's results on `arguments`, vectors of one length. Emits an error on an operation
  /// that does not work on slots, or that leaves the reals where T does not.
  mlir::FailureOr<std::vector<Slots>> run(mlir::func::FuncOp function,
                                          std::vector<Slots> arguments) {
    for (auto [argument, vector] : llvm::zip_equal(function.getArguments(), arguments))
      values[argument] = std::move(vector);
    std::vector<Slots> results;
    for (mlir::Operation &op : function.front()) {
      if (mlir::isa<mlir::func::ReturnOp>(op)) {
        for (mlir::Value operand : op.getOperands())
          results.push_back(values[operand]);
        continue;
      }
      mlir::FailureOr<Slots> result = evaluate(&op);
      if (failed(result))
        return mlir::failure();
      if (observer)
        observer(&op, operand(&op, 0), *result);
      values[op.getResult(0)] = std::move(*result);
    }
    return results;
  }

private:
  const Slots &operand(mlir::Operation *op, unsigned index) const {
    return values.find(op->getOperand(index))->second;
  }

  /// Entry i of a plain vector stretched to length n.
  static T stretched(llvm::ArrayRef<T> values, size_t i, size_t n) {
    return values[i * values.size() / n];
  }

  /// The elements of an attribute of `op`; an error where they are complex and T is not.
  mlir::FailureOr<Slots> elements(mlir::Operation *op, mlir::DenseElementsAttr values) const {
    if (!ckks::isComplex(values)) {
      auto numbers = values.getValues<double>();
      return Slots(numbers.begin(), numbers.end());
    }
    if constexpr (std::is_same_v<T, Complex>) {
      auto numbers = values.getValues<Complex>();
      return Slots(numbers.begin(), numbers.end());
    }
    return leavesReals(op);
  }

  template <typename F> Slots unary(mlir::Operation *op, F function) const {
    Slots result = operand(op, 0);
    for (T &slot : result)
      slot = function(slot);
    return result;
  }

  template <typename F> Slots binary(mlir::Operation *op, F function) const {
    Slots result = operand(op, 0);
    const Slots &rhs = operand(op, 1);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = function(result[i], rhs[i]);
    return result;
  }

  template <typename F>
  mlir::FailureOr<Slots> withPlain(mlir::Operation *op, mlir::DenseElementsAttr value,
                                   F function) const {
    mlir::FailureOr<Slots> plain = elements(op, value);
    if (failed(plain))
      return mlir::failure();
    Slots result = operand(op, 0);
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = function(result[i], stretched(*plain, i, result.size()));
    return result;
  }

  Slots rotate(ckks::RotateOp op) const {
    const Slots &input = operand(op, 0);
    int64_t own = op.getInput().getType().getOwnSlots(), n = int64_t(input.size());
    int64_t shift = ((int64_t(op.getBy()) / ((own ? own : slots) / n)) % n + n) % n;
    Slots result = input;
    std::rotate(result.begin(), result.begin() + shift, result.end());
    return result;
  }

  mlir::FailureOr<Slots> transform(ckks::LinearTransformOp op) const {
    mlir::FailureOr<Slots> values = elements(op, op.getDiagonals());
    if (failed(values))
      return mlir::failure();
    const Slots &input = operand(op, 0);
    int64_t n = int64_t(input.size()), entries = op.getDiagonals().getType().getShape()[1];
    Slots result(n, T(0.0));
    for (auto [k, index] : llvm::enumerate(op.getIndices())) {
      llvm::ArrayRef<T> diagonal = llvm::ArrayRef<T>(*values).slice(k * entries, entries);
      for (int64_t i = 0; i < n; ++i)
        if (T factor = stretched(diagonal, i, n); !(factor == T(0.0)))
          result[i] = result[i] + factor * input[(i + index * (n / entries)) % n];
    }
    return result;
  }

  /// scale / Q times the operand, the integers left out.
  mlir::FailureOr<Slots> modRaise(ckks::ModRaiseOp op) const {
    auto params = ckks::findParams(op);
    if (!params) {
      op.emitError() << "needs the limbs of '" << ckks::paramsAttrName << "'";
      return mlir::failure();
    }
    double ratio = algorithms::scaleValue(op.getInput().getType().getScale() /
                                              op.getResult().getType().getScale(),
                                          params.getLimbs())
                       .high;
    return viewed(op, unary(op, [&](T a) { return T(ratio) * a; }));
  }

  /// `vector`, of the slots of the operand of `op`, as one of the slots of the result: repeated, or
  /// the mean of its repetitions.
  template <typename Op> Slots viewed(Op op, Slots vector) const {
    int64_t own = op.getResult().getType().getOwnSlots();
    if (own == op.getInput().getType().getOwnSlots())
      return vector;
    size_t length = own ? own : slots, period = vector.size();
    for (size_t i = period; i < length; ++i)
      vector.push_back(vector[i - period]);
    while (vector.size() > length) {
      size_t half = vector.size() / 2;
      for (size_t i = 0; i < half; ++i)
        vector[i] = T(0.5) * (vector[i] + vector[i + half]);
      vector.resize(half);
    }
    return vector;
  }

  mlir::FailureOr<Slots> evaluate(mlir::Operation *op) const {
    using namespace ckks;
    return llvm::TypeSwitch<mlir::Operation *, mlir::FailureOr<Slots>>(op)
        .template Case<AddOp>([&](auto op) { return binary(op, [](T a, T b) { return a + b; }); })
        .template Case<SubOp>([&](auto op) { return binary(op, [](T a, T b) { return a - b; }); })
        .template Case<MulOp>([&](auto op) { return binary(op, [](T a, T b) { return a * b; }); })
        .template Case<NegateOp>([&](auto op) { return unary(op, [](T a) { return -a; }); })
        .template Case<SquareOp>([&](auto op) { return unary(op, [](T a) { return square(a); }); })
        .template Case<RelinearizeOp, RescaleOp, DropLevelOp, AdjustScaleOp, RefreshOp, BootstrapOp,
                       SwitchKeyOp>([&](auto op) { return operand(op, 0); })
        .template Case<ModRaiseOp>([&](auto op) { return modRaise(op); })
        .template Case<ConjugateOp>(
            [&](auto op) { return unary(op, [](T a) { return conjugate(a); }); })
        .template Case<MulByIOp>([&](auto op) { return multiplyByI(op); })
        .template Case<ReinterpretOp>([&](auto op) {
          T factor(op.getFactor().convertToDouble());
          return unary(op, [factor](T a) { return a * factor; });
        })
        .template Case<RotateOp>([&](auto op) { return rotate(op); })
        .template Case<ViewSlotsOp>([&](auto op) { return viewed(op, operand(op, 0)); })
        .template Case<AddPlainOp>(
            [&](auto op) { return withPlain(op, op.getValue(), [](T a, T b) { return a + b; }); })
        .template Case<MulPlainOp>(
            [&](auto op) { return withPlain(op, op.getValue(), [](T a, T b) { return a * b; }); })
        .template Case<AddScalarOp>([&](auto op) {
          T value(op.getValue().convertToDouble());
          return unary(op, [value](T a) { return a + value; });
        })
        .template Case<MulScalarOp>([&](auto op) {
          T value(op.getValue().convertToDouble());
          return unary(op, [value](T a) { return a * value; });
        })
        .template Case<LinearTransformOp>([&](auto op) { return transform(op); })
        .template Case<PolynomialOp>([&](auto op) { return polynomial(op); })
        .Default([](mlir::Operation *op) -> mlir::FailureOr<Slots> {
          op->emitError() << "operation '" << op->getName() << "' does not work on slots";
          return mlir::failure();
        });
  }

  mlir::FailureOr<Slots> multiplyByI(ckks::MulByIOp op) const {
    if constexpr (std::is_same_v<T, Complex>)
      return unary(op, [](T a) { return T(-a.imag(), a.real()); });
    return leavesReals(op);
  }

  mlir::FailureOr<Slots> polynomial(ckks::PolynomialOp op) const {
    Slots result = evaluateAll(toPolynomial(op), operand(op, 0));
    if (!op.isComplex())
      return result;
    if constexpr (std::is_same_v<T, Complex>) {
      Slots imaginary = evaluateAll(toImaginaryPolynomial(op), operand(op, 0));
      for (size_t i = 0; i < result.size(); ++i)
        result[i] += T(0, 1) * imaginary[i];
      return result;
    }
    return leavesReals(op);
  }

  static mlir::LogicalResult leavesReals(mlir::Operation *op) {
    op->emitError() << "operation '" << op->getName()
                    << "' leaves the real numbers, whose ranges alone are analysed; settle levels "
                       "and scales by hand and compile from the settled stage";
    return mlir::failure();
  }

  /// Neighbouring slots often hold the same number, above all in analysis: each run is evaluated
  /// once.
  static Slots evaluateAll(const algorithms::Polynomial &p, const Slots &input) {
    Slots result(input.size());
    for (size_t i = 0; i < input.size(); ++i)
      result[i] =
          i > 0 && input[i] == input[i - 1] ? result[i - 1] : evaluatePolynomial(p, input[i]);
    return result;
  }

  int64_t slots;
  Observer observer;
  llvm::DenseMap<mlir::Value, Slots> values;
};

} // namespace sluice

#endif // SLUICE_PASSES_SLOTEVALUATION_H
