//===- ignored_scales_test.cpp - what exact scales are worth ----------------------------------===//
//
// The shape of table 1 of Bossuat et al., Efficient Bootstrapping for Approximate Homomorphic
// Encryption with Non-Sparse Keys: a Chebyshev interpolant of cos(2 pi (x - 1/4) / 2^r) on
// (-K / 2^r, K / 2^r), then r times cos(2x) = 2 cos(x)^2 - 1, at N = 2^16 with limbs of about 50
// bits. The same operations run twice on raw numbers: with constants encoded at the exact scales,
// and as if every limb were 2^50.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/CKKS/CKKSOps.h"
#include "passes/Passes.h"
#include "passes/algorithms/Chebyshev.h"
#include "passes/algorithms/NoiseModel.h"
#include "test/passes/nested_params.h"
#include "test/passes/settled_interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"

#include <numbers>

using namespace mlir;

namespace sluice {
namespace {

using test::Interpreter;
using test::Real;
using test::slotCount;
using test::Slots;

constexpr unsigned logN = 16, limbBits = 50;

struct Shape {
  int range, degree, doublings;
};

std::vector<double> interpolant(const Shape &shape) {
  double width = double(shape.range) / (1 << shape.doublings);
  auto cosine = [&](double t) {
    return std::cos(2 * std::numbers::pi * (t * width - 0.25 / (1 << shape.doublings)));
  };
  int nodes = shape.degree + 1;
  std::vector<double> coefficients(nodes);
  for (int k = 0; k < nodes; ++k) {
    for (int i = 0; i < nodes; ++i) {
      double angle = std::numbers::pi * (i + 0.5) / nodes;
      coefficients[k] +=
          (k == 0 ? 1.0 : 2.0) / nodes * cosine(std::cos(angle)) * std::cos(k * angle);
    }
  }
  return coefficients;
}

class IgnoredScales : public testing::TestWithParam<Shape> {
protected:
  IgnoredScales() { context.loadDialect<ckks::CKKSDialect, func::FuncDialect>(); }

  func::FuncOp build(ModuleOp module, const Shape &shape) {
    ImplicitLocOpBuilder b(module.getLoc(), &context);
    b.setInsertionPointToEnd(module.getBody());
    auto ct = ckks::CtType::get(&context);
    auto function = func::FuncOp::create(b, "f", b.getFunctionType({ct}, {ct}));
    b.setInsertionPointToEnd(function.addEntryBlock());
    std::vector<double> coefficients = interpolant(shape);
    Value value = ckks::PolynomialOp::create(b, ct, function.getArgument(0), ckks::Basis::Chebyshev,
                                             coefficients, std::pair(-1.0, 1.0));
    for (int doubling = 0; doubling < shape.doublings; ++doubling) {
      value = ckks::SquareOp::create(b, value);
      value = ckks::MulScalarOp::create(b, value, b.getF64FloatAttr(2), ckks::ScaleAttr());
      value = ckks::AddScalarOp::create(b, value, b.getF64FloatAttr(-1));
    }
    func::ReturnOp::create(b, value);
    return function;
  }

  MLIRContext context;
};

/// -log2 of the mean absolute error over runs of random arguments.
double bits(func::FuncOp function, const std::vector<Slots> &inputs,
            const std::vector<Slots> &exact, Interpreter &interpreter) {
  Real sum = 0;
  for (size_t run = 0; run < inputs.size(); ++run) {
    Slots found = interpreter.run(function, {inputs[run]}).front();
    for (int64_t k = 0; k < slotCount; ++k)
      sum += std::abs(found[k] - exact[run][k]);
  }
  return -std::log2(double(sum / Real(inputs.size() * slotCount)));
}

TEST_P(IgnoredScales, CostSixBitsAtLeast) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ckks::ParamsAttr params = test::nestedParams(&context, logN, limbBits, 16, slotCount);
  (*module)->setAttr(ckks::paramsAttrName, params);
  func::FuncOp function = build(*module, GetParam());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Slots> inputs, expected;
  for (int run = 0; run < 64; ++run) {
    inputs.emplace_back(slotCount);
    for (Real &slot : inputs.back())
      slot = uniform(random);
    expected.push_back(Interpreter(params).run(function, {inputs.back()}).front());
  }
  PassManager passes(&context);
  passes.addPass(createSettleScales());
  passes.addPass(createEvaluatePolynomials());
  ASSERT_TRUE(succeeded(passes.run(*module)));

  // Rounding after a rescale, in full slots, for a secret of weight 196 as in the table.
  algorithms::NoiseParameters noise{.logN = logN, .hammingWeight = 196};
  double deviation =
      algorithms::slotDeviation(algorithms::roundingVariance(noise), 1 << (logN - 1));
  Interpreter exact(params), ignoring(params);
  exact.setRounding(deviation, 1);
  ignoring.setRounding(deviation, 1);
  ignoring.assumeLimbs(std::vector<uint64_t>(params.getLimbs().size(), uint64_t(1) << limbBits));
  double exactBits = bits(function, inputs, expected, exact);
  double ignoringBits = bits(function, inputs, expected, ignoring);
  RecordProperty("exact", std::to_string(exactBits));
  RecordProperty("ignoring", std::to_string(ignoringBits));
  EXPECT_GE(exactBits, ignoringBits + 6);
  EXPECT_GT(ignoringBits, 10) << "the circuit with ignored mismatches computes the same function";
}

INSTANTIATE_TEST_SUITE_P(Table1, IgnoredScales,
                         testing::Values(Shape{12, 34, 2}, Shape{15, 40, 2}, Shape{17, 44, 2},
                                         Shape{21, 52, 2}, Shape{257, 250, 3}));

} // namespace
} // namespace sluice
