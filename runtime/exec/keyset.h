//===- keyset.h - the evaluation keys that a program runs with ------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_KEYSET_H
#define SLUICE_RUNTIME_EXEC_KEYSET_H

#include "runtime/exec/program.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sluice::exec {

/// A client's evaluation keys in memory, both halves expanded. Immutable, so executors share it.
class KeySet {
public:
  /// Reads a file of evaluation keys, one key at a time, and expands the uniform halves on the
  /// threads of `pool`. Fails as wire::EvaluationKeysReader does: mismatch for keys of another
  /// program, notFound for a missing one; io if there is no memory for them.
  static Expected<std::shared_ptr<const KeySet>> load(std::unique_ptr<wire::Source> source,
                                                      const Program &program, ThreadPool &pool);

  /// The secret key that they belong to: 32 hexadecimal digits.
  const std::string &keyId() const { return id; }
  /// The program that they were made for: 64 hexadecimal digits.
  const std::string &programId() const { return program; }
  /// In the order of the manifest's evaluation_keys.
  std::span<const std::shared_ptr<const EvaluationKey>> keys() const { return evaluationKeys; }
  uint64_t bytes() const;
  double loadMs() const { return loadTimeMs; }

private:
  KeySet() = default;

  std::string id, program;
  std::vector<std::shared_ptr<const EvaluationKey>> evaluationKeys;
  double loadTimeMs = 0;
};

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_KEYSET_H
