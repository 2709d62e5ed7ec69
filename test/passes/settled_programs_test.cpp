//===- settled_programs_test.cpp - random programs keep their values when settled -------------===//
//
// Random floating circuits are settled, their polynomials and linear transforms expanded, and
// verified. Then they run on raw numbers (settled_interpreter.h).
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/CKKS/CKKSOps.h"
#include "passes/LevelChanges.h"
#include "passes/Passes.h"
#include "test/passes/nested_params.h"
#include "test/passes/settled_interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace mlir;

namespace sluice {
namespace {

using test::Interpreter;
using test::Real;
using test::slotCount;
using test::Slots;

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
      return ckks::MulPlainOp::create(b, x, vector(b, {2}), ckks::ScaleAttr(),
                                      ckks::DftDiagonalAttr());
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
                                             vector(b, {3, 4}), ckks::ScaleAttr(),
                                             ckks::DftMatrixAttr());
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
    ckks::ParamsAttr params = test::nestedParams(&context, 10, 45, 45, slotCount);
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
