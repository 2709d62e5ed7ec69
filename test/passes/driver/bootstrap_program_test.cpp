#include "passes/driver/BootstrapProgram.h"

#include "dialects/CKKS/CKKSOps.h"
#include "passes/algorithms/BootstrapPresets.h"
#include "passes/algorithms/BootstrapVariation.h"
#include "passes/driver/Compile.h"

#include "stages.h"

#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::algorithms;

namespace {

constexpr BootstrapProgramForm real, complex{.isComplex = true};
constexpr BootstrapProgramForm repeatable{.isComplex = true, .isRepeatable = true};

std::string programOf(const BootstrapPlan &plan, BootstrapProgramForm form) {
  const auto planned = planBootstrap(plan);
  EXPECT_TRUE(planned) << planned.message();
  return planned ? writeBootstrapProgram(plan, *planned, form) : std::string();
}

} // namespace

// The text of every preset is a module that its verifiers accept, and which says what the plan
// says.
TEST(BootstrapProgram, EveryPresetVerifies) {
  for (const BootstrapPlan &plan : bootstrapPresets())
    for (BootstrapProgramForm form : {real, complex, repeatable}) {
      SCOPED_TRACE(plan.name);
      StagedModule module(programOf(plan, form));
      ASSERT_TRUE(module) << module.messages;
      unsigned bootstraps = 0;
      module.get().walk([&](ckks::BootstrapOp op) {
        ++bootstraps;
        EXPECT_EQ(op.getRange().convertToDouble(), plan.range);
        EXPECT_EQ(op.getDegree(), plan.degree);
        EXPECT_EQ(op.getDoubleAngles(), plan.doubleAngles);
        EXPECT_EQ(op.getArcsineDegree(), plan.arcsineDegree);
      });
      EXPECT_EQ(bootstraps, 1u);
      auto params = module.get()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
      ASSERT_TRUE(params);
      EXPECT_EQ(params.getSlots(), int64_t(1) << plan.logSlots);
      EXPECT_EQ(params.hasEphemeral(), plan.hasEphemeral);
      EXPECT_EQ(params.getSecurity(), plan.isInsecure ? 0u : 128u);
    }
}

// Forms that no preset has: the operand of SlotsToCoeffs stands above level 0, and so does that of
// the first of two rounds.
TEST(BootstrapProgram, FormsVerify) {
  const BootstrapPlan *tiny = findBootstrapPreset("insecure_tiny");
  ASSERT_NE(tiny, nullptr);
  BootstrapPlan slotsFirst = *tiny;
  slotsFirst.order = BootstrapOrder::slotsToCoefficientsFirst;
  slotsFirst.isReal = true;
  StagedModule first(programOf(slotsFirst, real));
  ASSERT_TRUE(first) << first.messages;
  first.get().walk([&](ckks::BootstrapOp op) {
    EXPECT_EQ(op.getOrder(), ckks::BootstrapOrder::SlotsToCoefficientsFirst);
    EXPECT_TRUE(op.getReal());
    EXPECT_EQ(op.getInput().getType().getLevel(), 2);
  });
  BootstrapPlan rounds = *tiny;
  rounds.levels.residual = {50, 40, 40, 40};
  rounds.logScale = 60;
  rounds.iterations = 2;
  rounds.logGain = 18;
  rounds.range = leastRange(rounds);
  StagedModule twice(programOf(rounds, complex));
  ASSERT_TRUE(twice) << twice.messages;
  twice.get().walk([&](ckks::BootstrapOp op) {
    EXPECT_EQ(op.getIterations(), 2);
    EXPECT_EQ(op.getInput().getType().getLevel(), 1);
  });
}

// Whatever a variation makes of a preset, the operation's verifier agrees that it can be.
TEST(BootstrapProgram, VariationsVerify) {
  BootstrapVariation slotsFirst, reals;
  slotsFirst.order = BootstrapOrder::slotsToCoefficientsFirst;
  slotsFirst.slots = 64;
  slotsFirst.rounds = 2;
  reals.isReal = true;
  reals.rounds = 3;
  for (const BootstrapPlan &preset : bootstrapPresets())
    for (const BootstrapVariation &variation : {slotsFirst, reals}) {
      SCOPED_TRACE(preset.name);
      const auto plan = varyBootstrap(preset, variation);
      ASSERT_TRUE(plan) << plan.message();
      StagedModule module(programOf(*plan, repeatable));
      ASSERT_TRUE(module) << module.messages;
      module.get().walk([&](ckks::BootstrapOp op) {
        EXPECT_EQ(op.getIterations(), variation.rounds);
        EXPECT_EQ(op.getReal(), variation.isReal);
      });
    }
}

// What it gives is what it takes.
TEST(BootstrapProgram, RepeatableFormsTakeWhatTheyGive) {
  for (const BootstrapPlan &plan : bootstrapPresets()) {
    SCOPED_TRACE(plan.name);
    StagedModule module(programOf(plan, repeatable));
    ASSERT_TRUE(module) << module.messages;
    module.get().walk([&](mlir::func::FuncOp function) {
      EXPECT_EQ(function.getArgumentTypes(), function.getResultTypes());
      EXPECT_TRUE(function.getArgAttr(0, ckks::complexAttrName));
      EXPECT_TRUE(function.getResultAttr(0, ckks::complexAttrName));
    });
  }
}

// From its text alone to an artifact: what is left to write out is written out first.
TEST(BootstrapProgram, CompilesFromTheSettledPhase) {
  const BootstrapPlan *plan = findBootstrapPreset("insecure_tiny");
  ASSERT_NE(plan, nullptr);
  CompileOptions options;
  options.from = Phase::Settled;
  options.to = Phase::Fused;
  options.keepStages = true;
  const CompileResult result = compileModule(programOf(*plan, complex), "tiny.mlir", options);
  ASSERT_TRUE(result.succeeded) << formatDiagnostic(result.diagnostics.back());
  const std::string &settled = result.stages.front().second;
  EXPECT_EQ(settled.find("ckks.bootstrap"), std::string::npos);
  EXPECT_EQ(settled.find("ckks.polynomial"), std::string::npos);
  EXPECT_NE(settled.find("ckks.mod_raise"), std::string::npos);
}
