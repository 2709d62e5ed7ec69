//===- Pipelines.cpp - the phases and the passes between them ---------------------------------===//

#include "passes/Pipelines.h"

#include "passes/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace sluice {

namespace {

struct PhaseInfo {
  Phase phase;
  llvm::StringLiteral name;
};

constexpr PhaseInfo phaseTable[] = {
    {Phase::Traced, "traced"},   {Phase::Packed, "packed"},     {Phase::Planned, "planned"},
    {Phase::Settled, "settled"}, {Phase::Rns, "rns"},           {Phase::Fused, "fused"},
    {Phase::Llvm, "llvm"},       {Phase::Artifact, "artifact"},
};

constexpr Phase phaseList[] = {Phase::Traced, Phase::Packed, Phase::Planned, Phase::Settled,
                               Phase::Rns,    Phase::Fused,  Phase::Llvm,    Phase::Artifact};

constexpr Target targetList[] = {Target::Cpu, Target::Cuda};

void buildPacked(OpPassManager &passes, const PipelineOptions &options) {
  // Before ranges, which each copy of a body has for itself.
  passes.addPass(createUnrollLoops());
  // Ranges next: they decide intervals of approximation, and what the client refuses to encrypt.
  InferRangesOptions ranges;
  ranges.batch = options.batch;
  passes.addPass(createInferRanges(ranges));
  // On tensors, where the function is still the user's: what this leaves is the twin.
  ApproximateNonlinearOptions approximate;
  approximate.precision = options.precisionBits;
  approximate.comparisonGap = options.comparisonGap;
  passes.addPass(createApproximateNonlinear(approximate));
  // Layouts need to see whole tensors; every later pass sees slots.
  PackTensorsOptions pack;
  pack.batch = options.batch;
  passes.addPass(createPackTensors(pack));
}

void buildPlanned(OpPassManager &passes, const PipelineOptions &options) {
  // Parameters need depth and ranges, which packed operations show; levels need parameters.
  SelectParametersOptions select;
  select.precision = options.precisionBits + options.floodingBits;
  select.logN = static_cast<unsigned>(options.logN);
  select.extraScale = options.extraScaleBits;
  select.insecure = options.insecure;
  passes.addPass(createSelectParameters(select));
}

void buildSettled(OpPassManager &passes) {
  // Whole polynomials and transforms are single equations between scales; expanded ones would be
  // hundreds.
  passes.addPass(createSettleScales());
  buildExpansions(passes);
}

void buildRns(OpPassManager &passes) {
  // Equal subexpressions are cheapest to find while one operation is one line.
  passes.addPass(createCSEPass());
  passes.addPass(createCKKSToRNS());
  // Rotations of one ciphertext now decompose the same polynomial.
  passes.addPass(createHoist());
  // Two key switches of one polynomial share its decomposition.
  passes.addPass(createCSEPass());
  // With sums as large as they get; before rescales are expanded, which it merges with.
  passes.addPass(createSinkDivisions());
  // Transforms of one operand share what was lifted for each.
  passes.addPass(createCSEPass());
  // After the rewrites that remove key switches: keys are listed for those that remain.
  passes.addPass(createSelectKeySwitching());
}

void buildFused(OpPassManager &passes, const PipelineOptions &options) {
  // Fusion and the memory plan must see every temporary of a change of base.
  passes.addPass(createExpandBaseChanges());
  // Sees which transforms stand beside a conversion; fusion sees their halves.
  passes.addPass(createSplitTransforms());
  // Both repeat what two users of one decomposition share, and make views of views.
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  // Products meet their sums; loops are then ordered around what uses many values at once.
  passes.addPass(createFuseProducts());
  // Sees every element-wise operation that a change of base ends in; decides what is alive for a
  // limb only.
  FuseLimbLoopsOptions loops;
  loops.atOnce = options.target == Target::Cuda;
  passes.addPass(createFuseLimbLoops(loops));
  // Last, since it fixes the order of operations.
  PlanMemoryOptions memory;
  memory.atOnce = options.target == Target::Cuda;
  passes.addPass(createPlanMemory(memory));
}

} // namespace

llvm::ArrayRef<Phase> allPhases() { return phaseList; }

llvm::StringRef phaseName(Phase phase) { return phaseTable[static_cast<size_t>(phase)].name; }

std::optional<Phase> parsePhase(llvm::StringRef name) {
  for (const PhaseInfo &info : phaseTable)
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

llvm::ArrayRef<Target> allTargets() { return targetList; }

llvm::StringRef targetName(Target target) { return target == Target::Cuda ? "cuda" : "cpu"; }

std::optional<Target> parseTarget(llvm::StringRef name) {
  for (Target target : targetList)
    if (targetName(target) == name)
      return target;
  return std::nullopt;
}

void buildPhase(OpPassManager &passes, Phase phase, const PipelineOptions &options) {
  switch (phase) {
  case Phase::Traced:
  case Phase::Artifact:
    return;
  case Phase::Packed:
    return buildPacked(passes, options);
  case Phase::Planned:
    return buildPlanned(passes, options);
  case Phase::Settled:
    return buildSettled(passes);
  case Phase::Rns:
    return buildRns(passes);
  case Phase::Fused:
    return buildFused(passes, options);
  case Phase::Llvm:
    passes.addPass(createRNSToRuntime());
    return;
  }
}

void buildExpansions(OpPassManager &passes) {
  // Makes polynomials and transforms of its own.
  passes.addPass(createExpandBootstraps());
  // Each now has its exact target scale and level, so that the expansion is without scale error.
  passes.addPass(createEvaluatePolynomials());
  // After polynomials only because both orders give the same: neither contains the other.
  passes.addPass(createLowerLinearTransforms());
}

void registerSluicePasses() {
  registerSluiceSinglePasses();
  for (Phase phase : allPhases()) {
    if (phase == Phase::Traced || phase == Phase::Artifact)
      continue;
    std::string name = ("to-" + phaseName(phase)).str();
    std::string description = ("From the phase before to phase " + phaseName(phase)).str();
    PassPipelineRegistration<>(name, description, [phase](OpPassManager &passes) {
      buildPhase(passes, phase, PipelineOptions());
    });
  }
}

} // namespace sluice
