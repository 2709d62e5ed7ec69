//===- forecast_test.cpp - forecasts against formulas and against what was asked for ----------===//

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/NoiseModel.h"
#include "passes/algorithms/ScaleValue.h"
#include "passes/driver/Forecast.h"
#include "passes/driver/Twin.h"
#include "test/passes/driver/stages.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace sluice;

namespace {

const char *identity = R"(
func.func @f(%x: tensor<32xf64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> tensor<32xf64>
    attributes {ckks.batch = 64 : i64} {
  return %x : tensor<32xf64>
}
)";

const char *logistic = R"(
func.func @f(%x: tensor<8xf64> {ckks.secret, ckks.range = [-4.0, 4.0]}) -> tensor<f64>
    attributes {ckks.batch = 64 : i64} {
  %w = arith.constant dense<[1.0, -0.5, 0.25, 2.0, -1.5, 0.125, 0.75, -0.25]> : tensor<8xf64>
  %one = arith.constant dense<1.0> : tensor<f64>
  %zero = arith.constant dense<0.0> : tensor<f64>
  %0 = linalg.dot ins(%w, %x : tensor<8xf64>, tensor<8xf64>) outs(%zero : tensor<f64>) {ckks.range = [-8.0, 8.0]}
       -> tensor<f64>
  %1 = arith.negf %0 : tensor<f64>
  %2 = math.exp %1 : tensor<f64>
  %3 = arith.addf %2, %one : tensor<f64>
  %4 = arith.divf %one, %3 : tensor<f64>
  return %4 : tensor<f64>
}
)";

bool settle(StagedModule &module, double precisionBits) {
  PipelineOptions options;
  options.precisionBits = precisionBits;
  return module.advance(Phase::Packed, options) && module.advance(Phase::Planned, options) &&
         module.advance(Phase::Settled, options);
}

TEST(Forecast, EncryptionAloneIsTheFormula) {
  StagedModule module(identity);
  ASSERT_TRUE(settle(module, 16)) << module.messages;
  auto forecast = computeForecast(module.get());
  ASSERT_TRUE(succeeded(forecast)) << module.messages;
  auto params = module.get()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
  auto function = *module.get().getOps<mlir::func::FuncOp>().begin();
  auto type = mlir::cast<ckks::CtType>(function.getArgumentTypes().front());
  algorithms::NoiseParameters parameters{.logN = params.getLogN(),
                                         .hammingWeight =
                                             algorithms::uniformTernaryWeight(params.getLogN()),
                                         .specialLog2 = 40};
  double scaleLog2 = algorithms::scaleLog2(type.getScale(), params.getLimbs());
  double deviation = algorithms::slotDeviation(algorithms::encryptionVariance(parameters),
                                               double(params.getSlots()));
  EXPECT_NEAR(forecast->precisionBits, scaleLog2 - std::log2(deviation), 0.1);
  EXPECT_GE(forecast->worstSlotBits, 16) << "a chain of one level has the scale asked for";
  EXPECT_EQ(forecast->levels, 0u);
  EXPECT_EQ(forecast->keySwitches, 0u);
  EXPECT_EQ(forecast->keyBytes, 0u);
}

TEST(Forecast, WhatWasAskedForIsReached) {
  for (double precision : {12.0, 20.0}) {
    StagedModule module(logistic);
    ASSERT_TRUE(settle(module, precision)) << module.messages;
    auto forecast = computeForecast(module.get());
    ASSERT_TRUE(succeeded(forecast)) << module.messages;
    EXPECT_GE(forecast->worstSlotBits, precision);
    EXPECT_GE(forecast->precisionBits, forecast->worstSlotBits);
    if (precision > 15) // no smaller scale is possible for less
      EXPECT_LE(forecast->worstSlotBits, precision + 8) << "levels are wider than they need be";
  }
}

TEST(Forecast, SaysTheErrorsOfEveryOutput) {
  StagedModule module(identity);
  ASSERT_TRUE(settle(module, 16)) << module.messages;
  auto forecast = computeForecast(module.get());
  ASSERT_TRUE(succeeded(forecast)) << module.messages;
  ASSERT_EQ(forecast->outputs.size(), 1u);
  EXPECT_NEAR(-std::log2(forecast->outputs[0].deviation), forecast->precisionBits, 1e-9);
  EXPECT_EQ(forecast->outputs[0].numbers, 64u * 32);
}

const char *steep = R"(
func.func @f(%x: tensor<f64> {ckks.secret, ckks.range = [-1.0, 1.0]}) -> tensor<f64>
    attributes {ckks.batch = 64 : i64} {
  %0 = arith.mulf %x, %x : tensor<f64>
  %1 = arith.mulf %0, %0 : tensor<f64>
  %2 = arith.mulf %1, %1 : tensor<f64>
  return %2 : tensor<f64>
}
)";

/// An error of x is multiplied by 8 x^7: by 8 at either end, by 8 / sqrt(15) in the mean square.
TEST(Forecast, FindsInputsWithLargerErrorsThanTheAverage) {
  StagedModule module(steep);
  ASSERT_TRUE(settle(module, 16)) << module.messages;
  auto average = computeForecast(module.get()), worst = computeForecast(module.get(), true);
  ASSERT_TRUE(succeeded(average) && succeeded(worst)) << module.messages;
  double ratio = worst->outputs[0].deviation / average->outputs[0].deviation;
  EXPECT_GT(ratio, 2);
  EXPECT_LT(ratio, 5);
  EXPECT_EQ(worst->precisionBits, average->precisionBits);
}

TEST(Forecast, CountsWhatStandsInTheProgram) {
  StagedModule module(logistic);
  ASSERT_TRUE(settle(module, 16)) << module.messages;
  auto forecast = computeForecast(module.get());
  ASSERT_TRUE(succeeded(forecast));
  uint64_t products = 0, switches = 0;
  module.get().walk([&](mlir::Operation *op) {
    products += mlir::isa<ckks::MulOp, ckks::SquareOp>(op);
    switches += mlir::isa<ckks::RelinearizeOp, ckks::RotateOp>(op);
  });
  EXPECT_EQ(forecast->ciphertextProducts, products);
  EXPECT_EQ(forecast->keySwitches, switches);
  EXPECT_GT(forecast->keyBytes, 0u);
}

TEST(Forecast, BrokenPromisesAreSeen) {
  // w . (4, -4, 4, ...) = 4 * 6.375 is outside of the promised [-8, 8], a quarter of it inside.
  StagedModule module(logistic);
  ASSERT_TRUE(settle(module, 16)) << module.messages;
  std::vector<double> item{1, -1, 1, 1, -1, 1, 1, -1};
  auto respected = respectsRanges(module.get(), {item});
  ASSERT_TRUE(succeeded(respected));
  EXPECT_TRUE(*respected);
  for (double &number : item)
    number *= 4;
  respected = respectsRanges(module.get(), {item});
  ASSERT_TRUE(succeeded(respected));
  EXPECT_FALSE(*respected);
}

TEST(Forecast, NeedsTheSettledStage) {
  StagedModule module(logistic);
  EXPECT_TRUE(failed(computeForecast(module.get())));
  EXPECT_EQ(module.messages, "a forecast needs levels and scales: a module of the settled stage\n");
}

/// A settled function of one encrypted vector at level 0, in the ring of 2^13.
std::string settledFunction(const std::string &body, const std::string &attributes) {
  return R"(
#params = #ckks.params<logN = 13, limbs = [1125899904679937, 1125899903827969], special = [0], levels = [[1]],
                       digits = [[1]], slots = 4096, security = 0>
!ct = !ckks.ct<level = 0, scale = 2^40>
module attributes {ckks.params = #params} {
  func.func @f(%x: !ct )" +
         attributes + ") -> (!ct " + attributes + ") {\n" + body + "\n}\n}\n";
}

const std::string fullVector =
    "{ckks.layout = #ckks.layout<shape = [4096], lanes = 4096, batch = 1, batched = false>, "
    "ckks.range = [-1.0, 1.0]}";

TEST(Forecast, NeedsLayoutsAndRanges) {
  StagedModule module(settledFunction("return %x : !ct", "{ckks.range = [-1.0, 1.0]}"));
  ASSERT_TRUE(module) << module.messages;
  EXPECT_TRUE(failed(computeForecast(module.get())));
  EXPECT_EQ(module.messages, "argument 0 has no ckks.layout or no ckks.range\n");
}

TEST(Forecast, ValuesThatWrapAroundAreRefused) {
  // 1000 at scale 2^40 has 49.97 bits, with its sign 51: one more than the limb of level 0.
  StagedModule module(settledFunction(
      "%0 = ckks.add_scalar %x {value = 1000.0} : !ct\n return %0 : !ct", fullVector));
  ASSERT_TRUE(module) << module.messages;
  EXPECT_TRUE(failed(computeForecast(module.get())));
  EXPECT_EQ(module.messages, "a value of 1001 at scale 2^40 needs 51 bits with its sign; level 0 "
                             "has 49: give level 0 more bits, or narrow the ranges\n");
}

TEST(Forecast, ErrorsAreComplexWhereSlotsAre) {
  // The real part of i (x + e) is an imaginary part of e: as large as the real one.
  StagedModule plain(settledFunction("return %x : !ct", fullVector));
  StagedModule turned(settledFunction("%0 = ckks.mul_by_i %x : !ct\nreturn %0 : !ct", fullVector));
  StagedModule conjugated(
      settledFunction("%0 = ckks.conjugate %x : !ct\nreturn %0 : !ct", fullVector));
  ASSERT_TRUE(plain && turned && conjugated);
  auto expected = computeForecast(plain.get()), found = computeForecast(turned.get()),
       switched = computeForecast(conjugated.get());
  ASSERT_TRUE(succeeded(expected) && succeeded(found) && succeeded(switched));
  EXPECT_NEAR(found->precisionBits, expected->precisionBits, 0.1);
  EXPECT_EQ(found->keySwitches, 0u);
  EXPECT_LT(switched->precisionBits, expected->precisionBits);
  EXPECT_EQ(switched->keySwitches, 1u);
  EXPECT_GT(switched->keyBytes, 0u);
}

TEST(SlotNoise, HasTheDeviationOfTheModelAndTheTailOfTheSecret) {
  StagedModule module(identity);
  ASSERT_TRUE(settle(module, 16)) << module.messages;
  TensorItems zeros{std::vector<double>(64 * 32, 0.0)};
  double squares = 0, worst = 0, count = 0;
  for (uint64_t seed = 0; seed < 16; ++seed) {
    auto outputs = simulate(module.get(), zeros, seed);
    ASSERT_TRUE(succeeded(outputs));
    for (double error : outputs->front()) {
      squares += error * error;
      worst = std::max(worst, std::fabs(error));
      ++count;
    }
  }
  // 2^15 samples of a Laplace distribution reach ln(2^15) / sqrt(2) = 7.4 deviations; Gaussian ones
  // would reach 4.2.
  double ratio = worst / std::sqrt(squares / count);
  EXPECT_NEAR(ratio, algorithms::worstSlotFactor(count), 2.2);
}

} // namespace
