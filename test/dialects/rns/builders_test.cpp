//===- builders_test.cpp - the C++ interface of the rns dialect -------------------------------===//
//
// Builders that infer limbs and forms, and the questions that passes ask of the types.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/RNS/RNSOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace sluice::rns;

namespace {

class BuildersTest : public testing::Test {
protected:
  BuildersTest() {
    context.loadDialect<RNSDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  PolyType poly(ArrayRef<int64_t> limbs, Form form = Form::Eval) {
    return PolyType::get(&context, limbs, form);
  }
  Value value(Type type) {
    return UnrealizedConversionCastOp::create(builder, builder.getUnknownLoc(), type, ValueRange())
        .getResult(0);
  }
  template <typename OpTy, typename... Arguments> Value make(Arguments &&...arguments) {
    return OpTy::create(builder, builder.getUnknownLoc(), std::forward<Arguments>(arguments)...);
  }
  DenseI64ArrayAttr list(ArrayRef<int64_t> values) { return builder.getDenseI64ArrayAttr(values); }

  MLIRContext context;
  OpBuilder builder{&context};
  OwningOpRef<ModuleOp> module;
};

TEST_F(BuildersTest, TypesAreInferred) {
  Value a = value(poly({0, 1, 3})), b = value(poly({2}));
  Value coeff = make<InttOp>(a);
  EXPECT_EQ(coeff.getType(), poly({0, 1, 3}, Form::Coeff));
  EXPECT_EQ(make<NttOp>(coeff).getType(), a.getType());
  EXPECT_EQ(make<DropOp>(a, ArrayRef<int64_t>{3, 0}).getType(), poly({3, 0}));
  EXPECT_EQ(make<ConcatOp>(ValueRange{b, a}).getType(), poly({2, 0, 1, 3}));
  EXPECT_EQ(make<ModDownOp>(a, ArrayRef<int64_t>{1}).getType(), poly({0, 3}));
  EXPECT_EQ(make<DecomposeOp>(a).getType(), DigitsType::get(&context, {0, 1, 3}));
  EXPECT_EQ(make<AddOp>(a, a).getType(), a.getType());
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, InnerProductHasTwoResultsAndKnowsItsKeyDigits) {
  auto key = KeyType::get(&context, {3, 0, 1}, {list({0}), list({1})});
  Value digit = value(poly({0, 1, 3}));
  auto op = InnerProductOp::create(builder, builder.getUnknownLoc(), poly({0, 1, 3}),
                                   ValueRange{digit}, value(key), list({1}));
  EXPECT_EQ(op.getNumResults(), 2u);
  EXPECT_EQ(op.getA().getType(), poly({0, 1, 3}));
  EXPECT_EQ(op.getKeyDigit(0), 1);
  EXPECT_EQ(countResultLimbs(op), 6u);
  auto both = InnerProductOp::create(builder, builder.getUnknownLoc(), poly({0, 1, 3}),
                                     {digit, digit}, value(key));
  EXPECT_EQ(both.getKeyDigit(1), 1);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(BuildersTest, TypesSayWhetherTheyAreChosen) {
  auto abstractDigits = DigitsType::get(&context, {0, 1});
  auto chosen = DigitsType::get(&context, {0, 1}, {list({0}), list({1})}, {0, 1, 2});
  EXPECT_TRUE(abstractDigits.isAbstract());
  EXPECT_TRUE(chosen.isChosen());
  EXPECT_EQ(chosen.getDigitType(), poly({0, 1, 2}));
  EXPECT_TRUE(KeyType::get(&context).isAbstract());
  auto key = KeyType::get(&context, {5, 3, 0, 1}, {list({0}), list({1})});
  EXPECT_TRUE(key.isChosen());
  EXPECT_EQ(key.getSpecial(), (ArrayRef<int64_t>{5, 3}));
}

TEST_F(BuildersTest, RingIsFoundFromInside) {
  auto ring = RingAttr::get(&context, 3, {17, 97});
  Operation *op = value(poly({0})).getDefiningOp();
  EXPECT_EQ(findRing(op), RingAttr());
  (*module)->setAttr(ringAttrName, ring);
  EXPECT_EQ(findRing(op), ring);
  EXPECT_EQ(ring.getRingDegree(), 8);
  EXPECT_EQ(countResultLimbs(op), 1u);
}

} // namespace
