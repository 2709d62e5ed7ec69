//===- program.h - a loaded program ---------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_PROGRAM_H
#define SLUICE_RUNTIME_EXEC_PROGRAM_H

#include "runtime/abi/artifact.h"
#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/base/threads.h"
#include "runtime/exec/backend.h"
#include "runtime/exec/shared_object.h"
#include "runtime/wire/stream.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::exec {

/// What loading cost.
struct LoadStatistics {
  size_t constants = 0;
  uint64_t constantBytes = 0; // encoded
  double encodeMs = 0;
  double totalMs = 0;
};

/// Which backends a program is loaded for.
enum class ConstantForm : uint8_t {
  encoded,      // residues, for the CPU
  coefficients, // for devices, which encode them
};

/// A program ready to run: its code in memory, its constants encoded, or their coefficients rounded
/// for a device that encodes them. Immutable, so executors share it.
class Program {
public:
  /// Reads the artifact, loads its code and encodes its constants on the threads of `pool`. Loading
  /// runs nothing of the code, but running it means trusting its author. Fails as readArtifact,
  /// SharedObject::load, Ring::create and encodeSlots do.
  /// mismatch: coefficients are wanted of a program without launches.
  static Expected<std::shared_ptr<const Program>> load(std::unique_ptr<wire::Source> source,
                                                       ThreadPool &pool,
                                                       ConstantForm form = ConstantForm::encoded);

  /// The same with a function of this process in place of code, for tests. The arguments must be as
  /// a reader would return them.
  static Expected<std::shared_ptr<const Program>>
  fromFunction(Manifest manifest, ProgramSection section, std::span<const double> constants,
               sluice_program_run_fn function, ThreadPool &pool);

  const Manifest &manifest() const { return programManifest; }
  const ProgramSection &section() const { return programSection; }
  const std::shared_ptr<const ring::Ring> &ring() const { return programRing; }
  /// In the order of section().constants.
  std::span<const std::shared_ptr<const EncodedConstant>> constants() const { return encoded; }
  /// In their place in a program that was loaded for devices.
  std::span<const std::shared_ptr<const ConstantCoefficients>> coefficients() const {
    return rounded;
  }
  /// Null in a program that was loaded for the CPU.
  const std::shared_ptr<const DeviceProgram> &device() const { return deviceProgram; }
  sluice_program_run_fn entry() const { return function; }
  const LoadStatistics &statistics() const { return loadStatistics; }

private:
  Program() = default;
  Status prepare(std::span<const double> constants, ThreadPool &pool, ConstantForm form);

  Manifest programManifest;
  ProgramSection programSection;
  std::shared_ptr<const ring::Ring> programRing;
  std::vector<std::shared_ptr<const EncodedConstant>> encoded;
  std::vector<std::shared_ptr<const ConstantCoefficients>> rounded;
  std::shared_ptr<const DeviceProgram> deviceProgram;
  std::optional<SharedObject> code; // none in tests
  sluice_program_run_fn function = nullptr;
  LoadStatistics loadStatistics;
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_PROGRAM_H
