//===- Pipelines.h - the phases and the passes between them -----------------------------------===//
//
// A program passes through named phases; compilation can stop at the end of any of them and start
// again from its text.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_PIPELINES_H
#define SLUICE_PASSES_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace sluice {

/// The phases, in order. Each names the form that a module has when the phase is reached.
enum class Phase : uint8_t {
  /// Upstream MLIR from Python, ONNX or a file; arguments carry ckks.secret and ckks.range.
  Traced,
  /// The ckks dialect, floating: slots and layouts, no levels, no scales.
  Packed,
  /// The ckks dialect, floating, with parameters on the module.
  Planned,
  /// The ckks dialect, settled: levels and exact scales on every value. Text may still hold
  /// bootstraps, polynomials and linear transforms (buildExpansions).
  Settled,
  /// Residue polynomials in coefficient or evaluation form, digits, keys.
  Rns,
  /// Kernels only, every value at its place in the arena.
  Fused,
  /// The LLVM dialect: calls into the C ABI.
  Llvm,
  /// The .sluice file: code, constants, manifest.
  Artifact,
};

/// All phases, in order.
llvm::ArrayRef<Phase> allPhases();

/// The name used on command lines and in reports: "traced", "packed", ...
llvm::StringRef phaseName(Phase phase);

/// The phase of that name; nothing when there is none.
std::optional<Phase> parsePhase(llvm::StringRef name);

/// What a program can run on.
enum class Target : uint8_t {
  /// Every x86-64 machine.
  Cpu,
  /// CUDA devices too; with the same results, bit for bit.
  Cuda,
};

/// All targets.
llvm::ArrayRef<Target> allTargets();

/// The name used on command lines: "cpu", "cuda".
llvm::StringRef targetName(Target target);

/// The target of that name; nothing when there is none.
std::optional<Target> parseTarget(llvm::StringRef name);

/// What the user may ask of the passes.
struct PipelineOptions {
  /// Bits of precision wanted of every output: -log2 of the standard deviation of the error.
  double precisionBits = 16;
  /// Batch capacity wanted; 0 leaves it to the function's ckks.batch.
  int64_t batch = 0;
  /// log2 of the ring dimension; 0 chooses the smallest that is secure and holds the program.
  int64_t logN = 0;
  /// Part of the largest |a - b| below which a comparison of a and b need not be decided; 0 leaves
  /// it to the precision.
  double comparisonGap = 0;
  /// Bits of precision wanted on top, which noise flooding will take.
  unsigned floodingBits = 0;
  /// Bits added to the scale that the precision asks for.
  unsigned extraScaleBits = 0;
  /// Accept parameters below 128 bits of security (tests).
  bool insecure = false;
  /// With Cuda, loops can run with all positions of a limb at once.
  Target target = Target::Cpu;
};

/// Appends to `passes` (over builtin.module) what turns the phase before `phase` into `phase`.
/// Nothing to do for Traced; the step to Artifact is no pass (driver/Codegen and
/// driver/ArtifactWriter).
void buildPhase(mlir::OpPassManager &passes, Phase phase, const PipelineOptions &options);

/// Appends what writes out the settled operations that are made of others, where there are any.
void buildExpansions(mlir::OpPassManager &passes);

/// Registers every pass, and one pipeline `to-<phase>` a phase, with the global registry of
/// sluice-opt.
void registerSluicePasses();

} // namespace sluice

#endif // SLUICE_PASSES_PIPELINES_H
