//===- Compile.h - from source text to an artifact --------------------------------------------===//
//
// The one entry into the compiler: the command line, the Python package and the tests call
// compileModule.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_COMPILE_H
#define SLUICE_PASSES_DRIVER_COMPILE_H

#include "passes/Pipelines.h"
#include "passes/driver/CertificateBuilder.h"
#include "passes/driver/CudaSource.h"
#include "passes/driver/Diagnostics.h"
#include "passes/driver/Report.h"
#include "passes/driver/Twin.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

struct CompileOptions {
  /// Name of the program in the manifest; empty takes the name of the public function.
  std::string name;
  /// The phase that the source text is in, and the phase to stop at (from < to).
  Phase from = Phase::Traced;
  Phase to = Phase::Artifact;
  /// Keep the text of every phase reached, not only of the last.
  bool keepStages = false;
  /// Path of a cost file (docs/formats.md); empty keeps the costs that the source carries, or takes
  /// the generic ones.
  std::string costsFile;
  /// How many decryptions may be shared, if any: the precision then holds after noise flooding.
  SharingRequest sharing;
  PipelineOptions pipeline;
};

struct CompileResult {
  /// False when a diagnostic of severity Error was given; then only `diagnostics` and `stages` mean
  /// anything.
  bool succeeded = false;
  /// The artifact's bytes and its manifest (JSON); empty unless `to` is Artifact.
  std::string artifact, manifest;
  /// Where phase llvm was reached for target cuda: what runs on devices, before nvcc compiles it.
  std::optional<CudaProgram> deviceProgram;
  /// Text of the phases reached, in order: all with keepStages, else the last textual one when `to`
  /// is not Artifact.
  std::vector<std::pair<Phase, std::string>> stages;
  std::vector<Diagnostic> diagnostics;
  Report report;
};

/// Compiles `source`, MLIR text of phase `options.from`, which messages name `fileName`. Never
/// prints; every problem is in the result's diagnostics.
CompileResult compileModule(llvm::StringRef source, llvm::StringRef fileName,
                            const CompileOptions &options);

struct SimulationResult {
  /// False when a diagnostic of severity Error was given.
  bool succeeded = false;
  TensorItems outputs;
  std::vector<Diagnostic> diagnostics;
};

/// Compiles `source` up to `options.to`, or takes it as it is if that is its phase, and runs it in
/// the clear: driver/Twin. Never prints.
SimulationResult simulateModule(llvm::StringRef source, llvm::StringRef fileName,
                                const CompileOptions &options, const TensorItems &inputs,
                                std::optional<uint64_t> noiseSeed = std::nullopt);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_COMPILE_H
