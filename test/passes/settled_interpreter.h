//===- settled_interpreter.h - floating and settled programs on plain numbers -----------------===//
//
// Settled programs run on *raw* numbers, as ciphertexts do: an input is value * scale, a rescale
// multiplies raw numbers by the ratio of the limbs, constants are rounded integers. Divided by the
// declared scale, the results must be those of the floating circuit on values.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_TEST_PASSES_SETTLED_INTERPRETER_H
#define SLUICE_TEST_PASSES_SETTLED_INTERPRETER_H

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/ScaleValue.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include "gtest/gtest.h"

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace sluice::test {

using namespace mlir;

using Real = long double;
using Slots = std::vector<Real>;

inline constexpr int64_t slotCount = 4;

/// Runs a function on slot vectors: a floating one on values, a settled one on raw numbers.
class Interpreter {
public:
  explicit Interpreter(ckks::ParamsAttr params)
      : params(params), assumedLimbs(params.getLimbs().begin(), params.getLimbs().end()) {}

  /// Scales are computed as if the limbs were these; rescales divide by those that they are.
  void assumeLimbs(std::vector<uint64_t> limbs) {
    assumedLimbs = std::move(limbs);
    values.clear();
  }
  /// Every rescale adds a Gaussian of this standard deviation to the raw numbers.
  void setRounding(Real deviation, unsigned seed) {
    rounding = deviation;
    random.seed(seed);
  }

  /// `arguments` and results are values.
  std::vector<Slots> run(func::FuncOp function, const std::vector<Slots> &arguments) {
    for (auto [argument, slots] : llvm::zip_equal(function.getArguments(), arguments))
      numbers[argument] = times(slots, scaleOf(argument));
    std::vector<Slots> results;
    for (Operation &op : function.getBody().front()) {
      if (isa<func::ReturnOp>(op))
        for (Value operand : op.getOperands())
          results.push_back(times(numbers[operand], 1 / scaleOf(operand)));
      else
        numbers[op.getResult(0)] = evaluate(&op);
    }
    return results;
  }

private:
  /// 1 for floating values.
  Real scaleOf(Value value) const {
    auto type = cast<ckks::CtType>(value.getType());
    return type.isFloating() ? 1 : real(type.getScale());
  }
  static Real real(const ckks::Scale &scale, ArrayRef<uint64_t> limbs) {
    algorithms::DoubleDouble value = algorithms::scaleValue(scale, limbs);
    return Real(value.high) + Real(value.low);
  }
  /// Exact arithmetic on large scales is slow, and programs have few of them.
  Real real(const ckks::Scale &scale) const {
    auto [entry, isNew] = values.try_emplace(scale.str());
    if (isNew)
      entry->second = real(scale, assumedLimbs);
    return entry->second;
  }
  const Slots &operand(Operation *op, unsigned n = 0) { return numbers[op->getOperand(n)]; }

  static Slots times(Slots slots, Real factor) {
    for (Real &slot : slots)
      slot *= factor;
    return slots;
  }
  Slots rounded(Slots slots) {
    for (Real &slot : slots)
      slot += rounding * gaussian(random);
    return slots;
  }
  template <typename F> static Slots zip(Slots a, const Slots &b, F f) {
    for (size_t k = 0; k < a.size(); ++k)
      a[k] = f(a[k], b[k]);
    return a;
  }
  static Slots rotated(const Slots &slots, int64_t by) {
    Slots result;
    for (int64_t k = 0; k < slotCount; ++k)
      result.push_back(slots[llvm::mod(k + by, slotCount)]);
    return result;
  }
  /// A plaintext at `scale`: round(value * scale), stretched; not rounded at scale 1 of the
  /// floating stage.
  template <typename Values> Slots encode(Values values, Real scale, bool isSettled) const {
    Slots result;
    for (int64_t k = 0; k < slotCount; ++k) {
      Real number = values[k * values.size() / slotCount] * scale;
      result.push_back(isSettled ? std::round(number) : number);
    }
    return result;
  }

  Slots evaluate(Operation *op) {
    bool isSettled = cast<ckks::CtType>(op->getResult(0).getType()).isSettled();
    Real inputScale = scaleOf(op->getOperand(0));
    auto plainScale = [&](ckks::ScaleAttr scale) { return scale ? real(scale.getValue()) : 1; };
    return llvm::TypeSwitch<Operation *, Slots>(op)
        .Case<ckks::AddOp>([&](auto) { return zip(operand(op), operand(op, 1), std::plus<>()); })
        .Case<ckks::SubOp>([&](auto) { return zip(operand(op), operand(op, 1), std::minus<>()); })
        .Case<ckks::MulOp>(
            [&](auto) { return zip(operand(op), operand(op, 1), std::multiplies<>()); })
        .Case<ckks::SquareOp>(
            [&](auto) { return zip(operand(op), operand(op), std::multiplies<>()); })
        .Case<ckks::NegateOp>([&](auto) { return times(operand(op), -1); })
        .Case<ckks::RelinearizeOp, ckks::DropLevelOp>([&](auto) { return operand(op); })
        .Case([&](ckks::RescaleOp rescale) {
          ckks::Scale factor = params.getRescaleFactor(rescale.getInput().getType().getLevel(),
                                                       rescale.getResult().getType().getLevel());
          return rounded(times(operand(op), real(factor, params.getLimbs())));
        })
        .Case([&](ckks::AdjustScaleOp adjust) {
          ckks::Scale ratio =
              adjust.getResult().getType().getScale() / adjust.getInput().getType().getScale();
          return times(operand(op), std::round(real(ratio)));
        })
        .Case([&](ckks::ReinterpretOp reinterpret) {
          return isSettled ? operand(op)
                           : times(operand(op), reinterpret.getFactor().convertToDouble());
        })
        .Case([&](ckks::RotateOp rotate) { return rotated(operand(op), rotate.getBy()); })
        .Case([&](ckks::AddPlainOp add) {
          Slots plain = encode(add.getValue().getValues<double>(), inputScale, isSettled);
          return zip(operand(op), plain, std::plus<>());
        })
        .Case([&](ckks::MulPlainOp mul) {
          Slots plain =
              encode(mul.getValue().getValues<double>(), plainScale(mul.getScaleAttr()), isSettled);
          return zip(operand(op), plain, std::multiplies<>());
        })
        .Case([&](ckks::AddScalarOp add) {
          std::vector<double> value = {add.getValue().convertToDouble()};
          return zip(operand(op), encode(value, inputScale, isSettled), std::plus<>());
        })
        .Case([&](ckks::MulScalarOp mul) {
          std::vector<double> value = {mul.getValue().convertToDouble()};
          return zip(operand(op), encode(value, plainScale(mul.getScaleAttr()), isSettled),
                     std::multiplies<>());
        })
        .Case([&](ckks::LinearTransformOp transform) { return evaluateTransform(transform); })
        .Case([&](ckks::PolynomialOp polynomial) { return evaluatePolynomial(polynomial); })
        .Default([](Operation *unknown) {
          ADD_FAILURE() << "no rule for " << unknown->getName().getStringRef().str();
          return Slots(slotCount);
        });
  }

  /// The definition; floating only.
  Slots evaluateTransform(ckks::LinearTransformOp op) {
    auto entries = op.getDiagonals().getValues<double>();
    int64_t length = op.getDiagonals().getType().getDimSize(1);
    Slots result(slotCount);
    for (auto [number, index] : llvm::enumerate(op.getIndices())) {
      Slots turned = rotated(operand(op), index * slotCount / length);
      for (int64_t k = 0; k < slotCount; ++k)
        result[k] += entries[number * length + k * length / slotCount] * turned[k];
    }
    return result;
  }

  /// The definition, T_n by its recurrence; floating only.
  Slots evaluatePolynomial(ckks::PolynomialOp op) {
    auto [low, high] = op.getIntervalBounds().value_or(std::pair(-1.0, 1.0));
    bool isChebyshev = op.getBasis() == ckks::Basis::Chebyshev;
    Slots result;
    for (Real x : operand(op)) {
      Real t = isChebyshev ? (2 * x - low - high) / (high - low) : x;
      Real sum = 0, previous = isChebyshev ? t : 0, current = 1; // T_{-1} = T_1
      for (double coefficient : op.getCoefficients().getValues<double>()) {
        sum += coefficient * current;
        Real next = isChebyshev ? 2 * t * current - previous : t * current;
        previous = current;
        current = next;
      }
      result.push_back(sum);
    }
    return result;
  }

  ckks::ParamsAttr params;
  std::vector<uint64_t> assumedLimbs;
  mutable std::map<std::string, Real> values; ///< of scales
  Real rounding = 0;
  std::mt19937_64 random;
  std::normal_distribution<Real> gaussian;
  DenseMap<Value, Slots> numbers;
};

} // namespace sluice::test

#endif // SLUICE_TEST_PASSES_SETTLED_INTERPRETER_H
