//===- polynomial_sweep_test.cpp - every degree, expanded -------------------------------------===//
//
// evaluate-polynomials on degrees 1 to 255 in both bases, with dense, odd or even, and complex
// coefficients, on nested levels and on levels of which only every other one is: depth, target
// scale, scales of additions and number of products of what it writes, and its value against the
// definition of the polynomial.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/CKKS/CKKSOps.h"
#include "passes/Passes.h"
#include "passes/SlotEvaluation.h"
#include "test/passes/algorithms/dense_products.h"
#include "test/passes/nested_params.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;

namespace sluice {
namespace {

constexpr unsigned maxDegree = 255;

using Coefficients = std::vector<Complex>;

enum class Kind { dense, parity, complex };

/// Absolute values add to at most 2; without zeros, or with zeros at every other place.
Coefficients makeCoefficients(unsigned degree, Kind kind, std::mt19937 &random) {
  std::uniform_real_distribution<double> magnitude(0.25, 1);
  auto number = [&] { return (random() % 2 ? 1 : -1) * magnitude(random) / (degree + 1); };
  Coefficients coefficients(degree + 1);
  for (unsigned i = 0; i <= degree; ++i)
    if (kind != Kind::parity || i % 2 == degree % 2)
      coefficients[i] = {number(), kind == Kind::complex ? number() : 0};
  return coefficients;
}

/// The definition: T_i(t) = cos(i arccos t), or t^i.
Complex evaluateDirectly(const Coefficients &coefficients, ckks::Basis basis, double t) {
  Complex sum = 0;
  for (size_t i = 0; i < coefficients.size(); ++i)
    sum += coefficients[i] * (basis == ckks::Basis::Chebyshev ? std::cos(double(i) * std::acos(t))
                                                              : std::pow(t, double(i)));
  return sum;
}

using Parameters = std::tuple<ckks::Basis, Kind, unsigned>;

class PolynomialSweep : public testing::TestWithParam<Parameters> {
protected:
  PolynomialSweep() { context.loadDialect<ckks::CKKSDialect, func::FuncDialect>(); }

  ckks::Basis basis() const { return std::get<0>(GetParam()); }
  Kind kind() const { return std::get<1>(GetParam()); }
  unsigned lists() const { return std::get<2>(GetParam()); }

  /// One polynomial of an argument at scale 2^45, expanded to `target` at level 0.
  func::FuncOp expand(const Coefficients &coefficients, const ckks::Scale &target) {
    unsigned depth = test::ceilLog2(coefficients.size());
    ImplicitLocOpBuilder builder(UnknownLoc::get(&context), &context);
    module = ModuleOp::create(builder.getLoc());
    module->getOperation()->setAttr(ckks::paramsAttrName,
                                    test::openParams(&context, 10, 45, depth, 2, lists()));
    builder.setInsertionPointToEnd(module->getBody());
    Type from = ckks::CtType::get(&context, depth, ckks::Scale::powerOfTwo(45)),
         to = ckks::CtType::get(&context, 0, target);
    auto function = func::FuncOp::create(builder, "f", builder.getFunctionType({from}, {to}));
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    Value result = ckks::PolynomialOp::create(builder, to, block->getArgument(0), basis(),
                                              ArrayRef(coefficients), std::pair(-1.0, 1.0));
    func::ReturnOp::create(builder, result);
    PassManager passes(&context);
    passes.addPass(createEvaluatePolynomials());
    EXPECT_TRUE(succeeded(passes.run(*module)));
    EXPECT_TRUE(succeeded(verify(*module)));
    return function;
  }

  static ckks::CtType typeOf(Value value) { return cast<ckks::CtType>(value.getType()); }

  /// The largest number of rescales on a way from the argument to the result.
  static unsigned rescalesOnLongestPath(func::FuncOp function) {
    DenseMap<Value, unsigned> rescales;
    for (Operation &op : function.front().without_terminator()) {
      unsigned &count = rescales[op.getResult(0)];
      for (Value operand : op.getOperands())
        count = std::max(count, rescales.lookup(operand));
      count += isa<ckks::RescaleOp>(op);
    }
    return rescales.lookup(function.front().getTerminator()->getOperand(0));
  }

  static void expectEqualScales(func::FuncOp function) {
    for (Operation &op : function.front())
      if (isa<ckks::AddOp, ckks::SubOp>(op)) {
        EXPECT_EQ(typeOf(op.getOperand(0)).getScale(), typeOf(op.getOperand(1)).getScale());
      }
  }

  static unsigned countProducts(func::FuncOp function) {
    return llvm::count_if(function.front(), llvm::IsaPred<ckks::MulOp, ckks::SquareOp>);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_P(PolynomialSweep, EveryDegree) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> point(-1, 1);
  const ckks::Scale target = ckks::Scale::powerOfTwo(87) * ckks::Scale::limb(1, -1);
  for (unsigned degree = 1; degree <= maxDegree; ++degree) {
    SCOPED_TRACE("degree " + std::to_string(degree));
    Coefficients coefficients = makeCoefficients(degree, kind(), random);
    func::FuncOp function = expand(coefficients, target);

    if (lists() == 1) { // elsewhere, level changes rescale too
      EXPECT_EQ(rescalesOnLongestPath(function), test::ceilLog2(degree + 1));
    }
    ckks::CtType result = typeOf(function.front().getTerminator()->getOperand(0));
    EXPECT_EQ(result.getLevel(), 0);
    EXPECT_EQ(result.getScale(), target);
    expectEqualScales(function);
    if (kind() == Kind::parity)
      EXPECT_LE(countProducts(function), test::denseProducts(degree));
    else
      EXPECT_EQ(countProducts(function), test::denseProducts(degree));

    double t = point(random);
    auto value = SlotEvaluator<Complex>(1).run(function, {{t}});
    ASSERT_TRUE(succeeded(value));
    EXPECT_LT(std::abs(value->front()[0] - evaluateDirectly(coefficients, basis(), t)), 1e-11);
  }
}

std::string nameOf(const testing::TestParamInfo<Parameters> &info) {
  const char *kinds[] = {"Dense", "Parity", "Complex"};
  auto [basis, kind, lists] = info.param;
  return (basis == ckks::Basis::Chebyshev ? "Chebyshev" : "Monomial") +
         std::string(kinds[int(kind)]) + (lists == 1 ? "Nested" : "Open");
}

INSTANTIATE_TEST_SUITE_P(, PolynomialSweep,
                         testing::Combine(testing::Values(ckks::Basis::Chebyshev,
                                                          ckks::Basis::Monomial),
                                          testing::Values(Kind::dense, Kind::parity, Kind::complex),
                                          testing::Values(1U, 2U)),
                         nameOf);

} // namespace
} // namespace sluice
