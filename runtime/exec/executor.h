//===- executor.h - runs a program on ciphertexts -------------------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_EXECUTOR_H
#define SLUICE_RUNTIME_EXEC_EXECUTOR_H

#include "runtime/exec/backend.h"
#include "runtime/exec/call_checker.h"
#include "runtime/exec/keyset.h"
#include "runtime/exec/program.h"
#include "runtime/wire/ciphertext.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sluice::exec {

/// Where a program runs: "cpu", or what cuda::openDevice takes.
inline bool isCpu(const std::string &device) { return device == "cpu"; }
/// What a program has to be loaded for.
inline ConstantForm constantFormFor(const std::string &device) {
  return isCpu(device) ? ConstantForm::encoded : ConstantForm::coefficients;
}

struct ExecutorOptions {
  /// Check every call that the code makes before it is carried out (call_checker.h): for work on
  /// compilers.
  bool checkCalls = false;
  /// "cpu", "cuda", or for tests "emulated:PATH" (cuda/device.h). The program must have been loaded
  /// with constantFormFor(device).
  std::string device = "cpu";
  /// On a device: run one kernel after the other and time each, for Backend::usage().
  bool timesKernels = false;
};

/// What the last run cost.
struct RunStatistics {
  double totalMs = 0;   // of run()
  double computeMs = 0; // of the code alone
};

/// A program, keys and an arena. Owns all memory that a run needs: the first run of a program fills
/// tables and allocates the outputs, later ones into the same outputs allocate nothing. For one run
/// at a time.
class Executor {
public:
  /// `keys` may be null for a program without keys. `pool` must outlive the executor.
  /// mismatch: the keys are of another program. notFound: the program needs keys and there are
  /// none. io: no memory. invalidArgument: calls are to be checked on a device, which has none.
  /// Also fails as cuda::openDevice and cuda::createBackend do.
  static Expected<Executor> create(std::shared_ptr<const Program> program,
                                   std::shared_ptr<const KeySet> keys, ThreadPool &pool,
                                   const ExecutorOptions &options = {});

  /// Runs the program on one ciphertext for each of its inputs, in any order, and leaves its
  /// outputs in the manifest's order. An output of an earlier run is the input of its name, if both
  /// have one shape, level and scale. `outputs` may be empty or what an earlier run left there.
  /// mismatch: a ciphertext of another key or level, or inputs with different numbers of items.
  /// notFound: an input is missing. invalidArgument: an input stands twice, or is an output
  /// that is no input.
  /// internal: the program itself failed.
  Status run(std::span<const wire::Ciphertext> inputs, std::vector<wire::Ciphertext> &outputs);

  const Program &program() const { return *loaded; }
  const Backend &backend() const { return *machine; }
  const RunStatistics &statistics() const { return lastRun; }
  /// Names and milliseconds of the program's stages in the last run.
  std::vector<std::pair<std::string, double>> stagesMs() const;

private:
  Executor() = default;
  /// The number of the input that it is.
  Expected<uint32_t> checkInput(const wire::Ciphertext &input) const;
  Status orderInputs(std::span<const wire::Ciphertext> inputs);
  Status callProgram();
  Status readOutputs(std::vector<wire::Ciphertext> &outputs) const;

  std::shared_ptr<const Program> loaded;
  std::shared_ptr<const KeySet> keySet;
  std::unique_ptr<Backend> machine;
  std::unique_ptr<CallChecker> checker;          // only if asked for
  std::vector<const wire::Ciphertext *> ordered; // inputs of the current run by index
  RunStatistics lastRun;
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_EXECUTOR_H
