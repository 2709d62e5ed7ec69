//===- bootstrap_time_test.cpp - how long a bootstrap takes, from its plan --------------------===//

#include "passes/algorithms/BootstrapTime.h"

#include "presets.h"

namespace sluice::algorithms {
namespace {

class BootstrapTime : public testing::Test {
protected:
  double seconds(const BootstrapPlan &plan) {
    return timer.timeNs(plan, makeEvalMod(plan.range, 0x1p-8, plan.degree, plan.doubleAngles,
                                          plan.arcsineDegree, plan.nodes)) *
           1e-9;
  }
  BootstrapTimer timer{genericCosts()};
};

// Seconds measured on another CPU than that of the generic costs, one thread: their ratios hold.
TEST_F(BootstrapTime, OrdersThePresets) {
  const double unit = seconds(preset("set1")) / 2.61;
  EXPECT_NEAR(seconds(preset("sparse_set1")) / unit / 2.10, 1, 0.12);
  EXPECT_NEAR(seconds(preset("insecure_set1")) / unit / 2.44, 1, 0.12);
  EXPECT_NEAR(seconds(preset("insecure_set2")) / unit / 3.30, 1, 0.12);
  EXPECT_NEAR(seconds(preset("insecure_set3")) / unit / 2.81, 1, 0.12);
  EXPECT_NEAR(seconds(preset("insecure_set5")) / unit / 0.95, 1, 0.12);
}

// Key files of the presets, bytes.
TEST_F(BootstrapTime, CountsKeys) {
  EXPECT_NEAR(double(timer.keyBytes(preset("set1"))) / 6.617e9, 1, 0.25);
  EXPECT_NEAR(double(timer.keyBytes(preset("insecure_set3"))) / 5.308e9, 1, 0.25);
}

TEST_F(BootstrapTime, HalfOfEvalModForRealValues) {
  BootstrapPlan plan = preset("set1");
  const EvalMod evalMod = makeEvalMod(plan.range, 0x1p-8, plan.degree, plan.doubleAngles);
  const double complex = timer.evalModNs(plan, evalMod, 1200);
  plan.isReal = true;
  EXPECT_NEAR(timer.evalModNs(plan, evalMod, 1200) / complex, 0.5, 1e-12);
}

} // namespace
} // namespace sluice::algorithms
