//===- builders_test.cpp - the C++ interface of the ckks dialect ------------------------------===//
//
// Builders without a result type infer the settled one; the chain answers questions about levels.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/CKKSOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace sluice::ckks;

namespace {

/// A module with a chain whose levels are not nested: {0}, {0, 1}, {2}, {0, 2}.
class BuildersTest : public testing::Test {
protected:
  BuildersTest() {
    context.loadDialect<CKKSDialect>();
    // Toy scales of limbs; 1873 > 17 * 97.
    params = cast<ParamsAttr>(parseAttribute(
        "#ckks.params<logN = 3, limbs = [17, 97, 1873], levels = [[0], [0, 1], [2], [0, 2]]>",
        &context));
    module = ModuleOp::create(builder.getUnknownLoc());
    (*module)->setAttr(paramsAttrName, params);
    builder.setInsertionPointToEnd(module->getBody());
  }

  Value value(CtType type) {
    return UnrealizedConversionCastOp::create(builder, builder.getUnknownLoc(), type, ValueRange())
        .getResult(0);
  }
  template <typename OpTy, typename... Arguments> Value make(Arguments &&...arguments) {
    return OpTy::create(builder, builder.getUnknownLoc(), std::forward<Arguments>(arguments)...);
  }
  CtType settled(int64_t level, std::string_view scale, unsigned size = 2) {
    return CtType::get(&context, level, Scale::parse(scale).value()).withSize(size);
  }

  MLIRContext context;
  OpBuilder builder{&context};
  OwningOpRef<ModuleOp> module;
  ParamsAttr params;
};

/// What the parser never hands on, C++ may: the verifier of the type refuses it.
TEST_F(BuildersTest, TypesAreCheckedWithoutText) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { message = diagnostic.str(); });
  auto emit = [&] { return emitError(builder.getUnknownLoc()); };
  Scale scale = Scale::parse("2^45").value();
  EXPECT_FALSE(succeeded(CtType::verify(emit, CtType::floatingLevel, scale, 2u, Secret::Main, 0)));
  EXPECT_EQ(message, "a ciphertext with a scale or a size needs a level too");
  EXPECT_FALSE(
      succeeded(CtType::verify(emit, CtType::floatingLevel, Scale(), 3u, Secret::Main, 0)));
  EXPECT_EQ(message, "a ciphertext with a scale or a size needs a level too");
  EXPECT_FALSE(succeeded(CtType::verify(emit, -2, scale, 2u, Secret::Main, 0)));
  EXPECT_EQ(message, "level must not be negative; found -2");
}

TEST_F(BuildersTest, SettledTypesAreInferred) {
  Value a = value(settled(3, "2^45")), b = value(settled(3, "2^40 * q0"));
  Value product = make<MulOp>(a, b);
  EXPECT_EQ(product.getType(), settled(3, "2^85 * q0", 3));
  EXPECT_EQ(make<SquareOp>(b).getType(), settled(3, "2^80 * q0^2", 3));
  EXPECT_EQ(make<RelinearizeOp>(product).getType(), settled(3, "2^85 * q0"));
  EXPECT_EQ(make<AddOp>(product, product).getType(), product.getType());
  EXPECT_EQ(make<NegateOp>(product).getType(), product.getType());
  EXPECT_EQ(make<RotateOp>(a, -3).getType(), a.getType());

  auto values =
      DenseElementsAttr::get(RankedTensorType::get({2}, builder.getF64Type()), {0.5, 1.5});
  auto scale = ScaleAttr::get(&context, Scale::limb(2));
  EXPECT_EQ(make<MulPlainOp>(a, values, scale, DftDiagonalAttr()).getType(),
            settled(3, "2^45 * q2"));
  EXPECT_EQ(make<AddPlainOp>(a, values).getType(), a.getType());
  EXPECT_EQ(make<MulScalarOp>(a, builder.getF64FloatAttr(0.1), scale).getType(),
            settled(3, "2^45 * q2"));
  EXPECT_EQ(make<ReinterpretOp>(a, builder.getF64FloatAttr(0.25)).getType(), settled(3, "2^47"));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, FloatingStaysFloating) {
  CtType floating = CtType::get(&context);
  Value a = value(floating);
  auto values =
      DenseElementsAttr::get(RankedTensorType::get({1, 2}, builder.getF64Type()), {0.5, 1.5});
  for (Value result :
       {make<MulOp>(a, a), make<SquareOp>(a), make<SubOp>(a, a), make<ConjugateOp>(a),
        make<MulScalarOp>(a, builder.getF64FloatAttr(0.1), ScaleAttr()),
        make<LinearTransformOp>(a, ArrayRef<int64_t>{1}, values, ScaleAttr(), DftMatrixAttr())})
    EXPECT_EQ(result.getType(), floating);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, LevelsChangeAsTheChainSays) {
  Value a = value(settled(3, "2^45"));
  EXPECT_EQ(make<RescaleOp>(a, 2, params).getType(), settled(2, "2^45 * q0^-1"));
  // From {0, 2} to {0, 1}: limb 0 cancels.
  EXPECT_EQ(make<RescaleOp>(a, 1, params).getType(), settled(1, "2^45 * q1 * q2^-1"));
  EXPECT_EQ(make<DropLevelOp>(a, 0).getType(), settled(0, "2^45"));
  EXPECT_EQ(make<AdjustScaleOp>(a, Scale::powerOfTwo(80)).getType(), settled(3, "2^80"));
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, PolynomialTellsItsDegreeAndInterval) {
  Value a = value(settled(3, "2^45"));
  auto op =
      PolynomialOp::create(builder, builder.getUnknownLoc(), settled(1, "2^40"), a,
                           Basis::Chebyshev, ArrayRef<double>{1, 2, 3, 4}, std::pair(-8.0, 8.0));
  EXPECT_EQ(op.getDegree(), 3);
  EXPECT_EQ(op.getDepth(), 2);
  EXPECT_EQ(op.getIntervalBounds(), std::pair(-8.0, 8.0));
  EXPECT_TRUE(succeeded(verify(*module)));
  EXPECT_FALSE(op.isComplex());
  // ceil(log2(d + 1))
  const std::pair<int64_t, int64_t> depths[] = {{0, 0}, {1, 1}, {2, 2}, {3, 2},
                                                {4, 3}, {7, 3}, {8, 4}, {63, 6}};
  for (auto [degree, depth] : depths)
    EXPECT_EQ(getPolynomialDepth(degree), depth) << degree;
}

TEST_F(BuildersTest, PolynomialIsComplexOnlyIfACoefficientIs) {
  using Coefficients = std::vector<std::complex<double>>;
  for (bool isComplex : {false, true}) {
    Coefficients coefficients = {1, {2, isComplex ? 3.0 : 0.0}};
    auto op = PolynomialOp::create(builder, builder.getUnknownLoc(), settled(1, "2^40"),
                                   value(settled(2, "2^45")), Basis::Monomial,
                                   ArrayRef(coefficients), std::nullopt);
    EXPECT_EQ(op.isComplex(), isComplex);
    EXPECT_EQ(op.getComplexCoefficients(), ArrayRef(coefficients));
    EXPECT_EQ(op.getDegree(), 1);
  }
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, ChainAnswersAboutLevels) {
  Operation *op = value(CtType::get(&context)).getDefiningOp();
  EXPECT_EQ(findParams(op), params);
  EXPECT_EQ(params.getRingDegree(), 8);
  EXPECT_EQ(params.getSlots(), 4);
  EXPECT_EQ(params.getNumLevels(), 4);
  EXPECT_EQ(params.getLevel(3), (ArrayRef<int64_t>{0, 2}));
  EXPECT_EQ(params.getPrimes({2, 0}), (SmallVector<uint64_t>{1873, 17}));
  EXPECT_EQ(params.getRescaleFactor(2, 1).str(), "q0 * q1 * q2^-1");
}

TEST_F(BuildersTest, EqualScalesMakeOneType) {
  EXPECT_EQ(settled(1, "2^45 * q1"), settled(1, "q1 * 2^(90/2)"));
  EXPECT_NE(settled(1, "2^45"), settled(1, "2^46"));
  EXPECT_EQ(settled(1, "2^45").withLevel(0).withSize(3).withScale(Scale()), settled(0, "2^0", 3));
}

} // namespace
