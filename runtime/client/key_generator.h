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

/// A fresh secret of the manifest's distribution with a fresh name; it records how many decryptions
/// the manifest lets share.
SecretKey makeSecretKey(const Parameters &parameters, Entropy &entropy);

/// (-a*s + e, a) over P and the top level. insecure: its modulus is beyond the security table.
Expected<wire::PublicKey> makePublicKey(const Parameters &parameters, const SecretKey &key,
                                        Entropy &entropy);

/// Makes the `b` halves of evaluation keys. Holds the secret modulo all limbs, the ephemeral one if
/// the manifest has one, and references to the parameters.
class EvaluationKeyMaker {
public:
  /// Draws the ephemeral secret, which lives no longer than the maker: keys that belong together
  /// come from one maker. insecure: the modulus of one of the manifest's keys is beyond the
  /// security table.
  static Expected<EvaluationKeyMaker> create(const Parameters &parameters, const SecretKey &key,
                                             Entropy &entropy);

  /// All digits of one of the manifest's keys in the order of the file, wire::keyWords words.
  /// Errors come from streams firstStream + j, the `a` halves from the seed.
  void make(const ManifestKey &what, const wire::Seed &seed, const SecretRoot &root,
            uint64_t firstStream, std::span<uint64_t> out) const;

private:
  struct Task;
  EvaluationKeyMaker(const Parameters &parameters, const SecretKey &key,
                     const SmallPoly &ephemeral);
  /// The main secret, or the ephemeral one, modulo a limb.
  const uint64_t *row(bool isEphemeral, uint16_t limb) const {
    return (isEphemeral ? ephemeral : s).row(limb);
  }
  void makeSecrets(const Task &task, uint16_t limb, uint64_t *minusS, uint64_t *source) const;
  void makeRows(const Task &task, size_t i, SecretRows &scratch, std::span<uint64_t> out) const;

  const Parameters &parameters;
  SecretRows s, ephemeral; // no rows of the latter where the manifest has none
};

/// Makes the manifest's evaluation keys one at a time and writes each before the next.
/// insecure: a key's modulus is beyond the security table; then no key is made.
Status makeEvaluationKeys(const Parameters &parameters, const SecretKey &key, Entropy &entropy,
                          std::unique_ptr<wire::Sink> sink, const Progress &progress = {});

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_KEY_GENERATOR_H
