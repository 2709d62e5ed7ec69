//===- settled_programs_test.cpp - random programs keep their values when settled -------------===//
//
// Random floating circuits are settled, their polynomials and linear transforms expanded, and
// verified. Then they run on *raw* numbers, as ciphertexts do: an input is value * scale, a rescale
// multiplies raw numbers by the ratio of the limbs, constants are rounded integers. Divided by the
// declared scale, the results must be those of the floating circuit on values.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/CKKS/CKKSOps.h"
#include "passes/LevelChanges.h"
#include "passes/Passes.h"
#include "passes/algorithms/ScaleValue.h"
#include "runtime/ring/primes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace mlir;

namespace sluice {
namespace {

using Real = long double;
using Slots = std::vector<Real>;

constexpr int64_t slotCount = 4;

//===------------------------------------------------------------------------------------------===//
// Two interpreters
//===------------------------------------------------------------------------------------------===//

/// Runs a function on slot vectors: a floating one on values, a settled one on raw numbers.
class Interpreter {
public:
  explicit Interpreter(ckks::ParamsAttr params) : params(params) {}

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
  Real real(const ckks::Scale &scale) const {
    algorithms::DoubleDouble value = algorithms::scaleValue(scale, params.getLimbs());
    return Real(value.high) + Real(value.low);
  }
  const Slots &operand(Operation *op, unsigned n = 0) { return numbers[op->getOperand(n)]; }

  static Slots times(Slots slots, Real factor) {
    for (Real &slot : slots)
      slot *= factor;
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
          return times(operand(op),
                       real(params.getRescaleFactor(rescale.getInput().getType().getLevel(),
                                                    rescale.getResult().getType().getLevel())));
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
  DenseMap<Value, Slots> numbers;
};

//===------------------------------------------------------------------------------------------===//
// Random circuits
//===------------------------------------------------------------------------------------------===//

class RandomProgram {
public:
  RandomProgram(MLIRContext &context, unsigned seed)
      : random(seed), loc(UnknownLoc::get(&context)) {
    module = ModuleOp::create(loc);
    auto ct = ckks::CtType::get(&context);
    unsigned inputs = 1 + (random() % 4 == 0);
    ImplicitLocOpBuilder builder(loc, &context);
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(
        builder, "f", builder.getFunctionType(SmallVector<Type>(inputs, ct), {ct, ct}));
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    values.assign(block->args_begin(), block->args_end());
    for (unsigned count = 1 + random() % 10; count > 0; --count)
      values.push_back(makeOp(builder));
    func::ReturnOp::create(builder, ValueRange{values.back(), pick()});
  }

  OwningOpRef<ModuleOp> module;

private:
  /// Recent values more often, so that circuits get deep.
  Value pick() {
    size_t back = std::min<size_t>(random() % values.size(), random() % values.size());
    return values[values.size() - 1 - back];
  }
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  DenseElementsAttr vector(Builder &builder, ArrayRef<int64_t> shape) {
    SmallVector<double> entries(
        std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>()));
    for (double &entry : entries)
      entry = number();
    return DenseElementsAttr::get(RankedTensorType::get(shape, builder.getF64Type()),
                                  ArrayRef(entries));
  }

  Value makeOp(ImplicitLocOpBuilder &b) {
    Value x = pick(), y = pick();
    auto ct = ckks::CtType::get(b.getContext());
    switch (random() % 20) {
    case 0:
    case 1:
    case 2:
    case 16:
    case 17:
      return ckks::AddOp::create(b, x, y);
    case 3:
      return ckks::SubOp::create(b, x, y);
    case 4:
    case 5:
    case 6:
    case 18:
    case 19:
      return ckks::MulOp::create(b, x, y);
    case 7:
      return ckks::SquareOp::create(b, x);
    case 8:
      return ckks::MulPlainOp::create(b, x, vector(b, {2}), ckks::ScaleAttr());
    case 9:
      return ckks::AddPlainOp::create(b, x, vector(b, {4}));
    case 10:
      return ckks::MulScalarOp::create(b, x, b.getF64FloatAttr(random() % 2 ? 3 : number()),
                                       ckks::ScaleAttr());
    case 11:
      return ckks::AddScalarOp::create(b, x, b.getF64FloatAttr(number()));
    case 12:
      return ckks::RotateOp::create(b, x, int64_t(random() % 7) - 3);
    case 13:
      return random() % 2 ? Value(ckks::NegateOp::create(b, x))
                          : Value(ckks::ReinterpretOp::create(b, x, b.getF64FloatAttr(0.5)));
    case 14:
      return ckks::LinearTransformOp::create(b, x, b.getDenseI64ArrayAttr({0, 1, 3}),
                                             vector(b, {3, 4}), ckks::ScaleAttr());
    default: {
      SmallVector<double> coefficients(2 + random() % 8);
      for (double &coefficient : coefficients)
        coefficient = number();
      if (random() % 2)
        return ckks::PolynomialOp::create(b, ct, x, ckks::Basis::Monomial, coefficients,
                                          std::nullopt);
      return ckks::PolynomialOp::create(b, ct, x, ckks::Basis::Chebyshev, coefficients,
                                        std::pair(-2.0, random() % 4 ? 2.0 : 3.0));
    }
    }
  }

  std::mt19937 random;
  Location loc;
  std::vector<Value> values;
};

/// Levels of 45 bits above a bottom of two limbs (90 bits).
ckks::ParamsAttr makeParams(MLIRContext *context, unsigned height) {
  constexpr unsigned logN = 10;
  std::vector<uint64_t> limbs = *ring::nttPrimesNear(logN, 45, height + 2);
  std::vector<int64_t> set = {0};
  std::vector<DenseI64ArrayAttr> levels;
  for (unsigned level = 0; level <= height; ++level) {
    set.push_back(level + 1);
    levels.push_back(DenseI64ArrayAttr::get(context, set));
  }
  return ckks::ParamsAttr::get(context, logN, limbs, {}, levels, {}, slotCount,
                               ckks::ParamsAttr::defaultSecret, 0);
}

class SettledPrograms : public testing::Test {
protected:
  SettledPrograms() {
    context.loadDialect<ckks::CKKSDialect, func::FuncDialect>();
    // Remarks about adjustments are not the subject here.
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        lastError = diagnostic.str();
    });
  }

  std::vector<Slots> randomArguments(func::FuncOp function, std::mt19937 &random) {
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<Slots> arguments(function.getNumArguments(), Slots(slotCount));
    for (Slots &slots : arguments)
      for (Real &slot : slots)
        slot = value(random);
    return arguments;
  }

  MLIRContext context;
  std::string lastError;
};

TEST_F(SettledPrograms, KeepTheirValues) {
  constexpr unsigned programs = 1000;
  std::mt19937 random(5);
  unsigned adjusted = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    RandomProgram program(context, seed);
    ModuleOp module = *program.module;
    ckks::ParamsAttr params = makeParams(&context, 45);
    module->setAttr(ckks::paramsAttrName, params);
    auto function = *module.getOps<func::FuncOp>().begin();
    ASSERT_TRUE(succeeded(verify(module)));
    std::vector<Slots> arguments = randomArguments(function, random);
    std::vector<Slots> expected = Interpreter(params).run(function, arguments);

    PassManager passes(&context);
    passes.addPass(createSettleScales());
    passes.addPass(createEvaluatePolynomials());
    passes.addPass(createLowerLinearTransforms());
    ASSERT_TRUE(succeeded(passes.run(module))) << "seed " << seed << ": " << lastError;

    function.walk([&](ckks::AdjustScaleOp) { ++adjusted; });
    std::vector<Slots> found = Interpreter(params).run(function, arguments);
    for (unsigned result = 0; result < expected.size(); ++result)
      for (int64_t k = 0; k < slotCount; ++k)
        EXPECT_NEAR(found[result][k], expected[result][k],
                    std::ldexp(1 + std::abs(double(expected[result][k])), -18))
            << "seed " << seed;
  }
  EXPECT_GT(adjusted, 50u); // the sample contains circuits that need them
}

} // namespace
} // namespace sluice
