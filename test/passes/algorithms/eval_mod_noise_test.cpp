//===- eval_mod_noise_test.cpp - the errors of EvalMod against evaluations with errors --------===//

#include "passes/algorithms/EvalModNoise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sluice::algorithms {
namespace {

EvalModPlace placeOf(const EvalMod &plan, double bits) {
  EvalModPlace place;
  place.rescaleLog2.assign(plan.depth(), bits);
  place.targetLog2 = bits;
  place.rounding = 1;
  place.integers = 1.66;
  return place;
}

// One double angle and a series of degree 2 in t = (x - 1/4) / w: by hand, T_2 = 2 t^2 - 1, g = c_0
// + c_2 T_2, sine = 2 g^2 - s.
TEST(EvalModNoise, ByHand) {
  EvalMod plan;
  plan.range = 1;
  plan.doubleAngles = 1;
  plan.halfWidth = 1.5;
  plan.cosine = {Basis::chebyshev, {0.25, 0, 0.5}, {-1, 1}};
  plan.subtrahends = {0.125};
  EvalModPlace place = placeOf(plan, 40);
  place.integers = 1e-9; // I = 0 alone
  const double t = -0.25 / 1.5, g = 0.25 + 0.5 * (2 * t * t - 1);
  const double ofSquare = 4 * g * 0.5, ofSeries = 4 * g, unit = std::exp2(-40);
  const EvalModError error = evalModError(plan, place);
  EXPECT_NEAR(error.rounding / (unit * std::sqrt(ofSquare * ofSquare + ofSeries * ofSeries + 1)), 1,
              1e-9);
  EXPECT_NEAR(error.slope, std::abs(ofSquare * 4 * t / 1.5), 1e-12);
  EXPECT_NEAR(error.approximation, std::abs(2 * g * g - 0.125), 1e-12);
}

// The sine is steep as the identity is at integers, whatever makes it.
TEST(EvalModNoise, SlopeIsOne) {
  for (unsigned doubleAngles : {2U, 4U})
    for (unsigned arcsine : {1U, 7U}) {
      const EvalMod plan = makeEvalMod(16, 0x1p-8, 63, doubleAngles, arcsine);
      EXPECT_NEAR(evalModError(plan, placeOf(plan, 50)).slope, 1, 1e-6);
    }
}

// sin(2 pi m) / 2 pi - m is -(2 pi)^2 m^3 / 6; of a normal m with deviation d, 15 d^6 is the mean
// of m^6.
TEST(EvalModNoise, TheSinesThirdPower) {
  const EvalMod plan = makeEvalMod(16, 0x1p-6, 63, 3);
  EvalModPlace place = placeOf(plan, 50);
  place.message = 0x1p-12;
  const double third = 4 * std::numbers::pi * std::numbers::pi / 6 * std::sqrt(15.0) * 0x1p-36;
  EXPECT_NEAR(evalModError(plan, place).approximation / third, 1, 1e-3);
  const EvalMod inverted = makeEvalMod(16, 0x1p-6, 63, 3, 5);
  place.rescaleLog2.assign(inverted.depth(), 50);
  EXPECT_LT(evalModError(inverted, place).approximation, third / 100);
}

// Larger levels at the top raise the scales of all powers, and with them their share.
TEST(EvalModNoise, LargerUpperLevels) {
  const EvalMod plan = makeEvalMod(16, 0x1p-8, 63, 2);
  EvalModPlace place = placeOf(plan, 50);
  const double even = evalModError(plan, place).rounding;
  place.rescaleLog2[0] = place.rescaleLog2[1] = place.rescaleLog2[2] = 55;
  EXPECT_LT(evalModError(plan, place).rounding, even / 4);
}

} // namespace
} // namespace sluice::algorithms
