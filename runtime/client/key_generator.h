//===- key_generator.h - the keys that a manifest lists, and no more -------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_KEY_GENERATOR_H
#define SLUICE_RUNTIME_CLIENT_KEY_GENERATOR_H

#include "runtime/client/secret_key.h"
#include "runtime/wire/evaluation_keys.h"
#include "runtime/wire/public_key.h"

#include <functional>

namespace sluice::client {

/// Called after each evaluation key with the number made and the number of all.
using Progress = std::function<void(size_t done, size_t total)>;

/// A fresh uniform ternary secret with a fresh name.
SecretKey makeSecretKey(const Parameters &parameters, Entropy &entropy);

/// (-a*s + e, a) over P and the top level. insecure: its modulus is beyond the security table.
Expected<wire::PublicKey> makePublicKey(const Parameters &parameters, const SecretKey &key,
                                        Entropy &entropy);

/// Makes the `b` halves of evaluation keys. Holds the secret modulo all limbs, and references to
/// the parameters.
class EvaluationKeyMaker {
public:
  /// insecure: the modulus of one of the manifest's keys is beyond the security table.
  static Expected<EvaluationKeyMaker> create(const Parameters &parameters, const SecretKey &key);

  /// All digits of one of the manifest's keys in the order of the file, wire::keyWords words.
  /// Errors come from streams firstStream + j, the `a` halves from the seed.
  void make(const ManifestKey &what, const wire::Seed &seed, const SecretRoot &root,
            uint64_t firstStream, std::span<uint64_t> out) const;

private:
  struct Task;
  EvaluationKeyMaker(const Parameters &parameters, const SecretKey &key);
  void makeSecrets(const Task &task, uint16_t limb, uint64_t *minusS, uint64_t *source) const;
  void makeRows(const Task &task, size_t i, SecretRows &scratch, std::span<uint64_t> out) const;

  const Parameters &parameters;
  SecretRows s;
};

/// Makes the manifest's evaluation keys one at a time and writes each before the next.
/// insecure: a key's modulus is beyond the security table; then no key is made.
Status makeEvaluationKeys(const Parameters &parameters, const SecretKey &key, Entropy &entropy,
                          std::unique_ptr<wire::Sink> sink, const Progress &progress = {});

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_KEY_GENERATOR_H
