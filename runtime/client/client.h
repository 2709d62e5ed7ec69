//===- client.h - one client of one program --------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_CLIENT_H
#define SLUICE_RUNTIME_CLIENT_CLIENT_H

#include "runtime/client/decryptor.h"
#include "runtime/client/encryptor.h"
#include "runtime/client/key_generator.h"
#include "runtime/client/share_counter.h"

#include <memory>
#include <optional>
#include <string_view>

namespace sluice::client {

/// The client's side of a program, from its manifest: keys, encryption, decryption. Move-only. The
/// functions it calls stand alone in the headers above.
class Client {
public:
  /// Errors: as Parameters::fromManifest. `entropy` other than the system's is for tests.
  static Expected<Client> create(std::span<const uint8_t> manifest, const std::string &name,
                                 const Parameters::Options &options,
                                 Entropy entropy = Entropy::fromSystem());

  const Parameters &parameters() const { return params; }
  const Manifest &manifest() const { return params.manifest(); }

  /// Makes a fresh secret key, or takes one that was made before for this program.
  void makeSecretKey();
  void setSecretKey(SecretKey key);
  /// The same, with the count of its shared decryptions beside the file that it was read from.
  void setSecretKey(SecretKey key, const std::string &path);
  /// Enough to encrypt, without the secret.
  void setPublicKey(wire::PublicKey key) { publicHalf = std::move(key); }
  bool hasKey() const { return secret.has_value() || publicHalf.has_value(); }

  // notFound: there is no secret key.
  Status writeSecretKey(std::unique_ptr<wire::Sink> sink) const;
  Expected<wire::PublicKey> makePublicKey();
  Status makeEvaluationKeys(std::unique_ptr<wire::Sink> sink, const Progress &progress = {});

  /// Encrypts with the secret key if there is one, else with the public key. notFound: neither.
  Expected<wire::Ciphertext> encrypt(uint32_t inputIndex, const Tensor &values);
  /// notFound: there is no secret key; others as client::decrypt.
  Expected<Tensor> decrypt(const wire::Ciphertext &ciphertext) const;

  /// An output's values with noise that lets them be shown to whoever has the ciphertexts
  /// (docs/security.md, "Sharing decrypted results"): flooded as the certificate says, or by
  /// `leastDeviation` where that is more. Counts before it decrypts, also what then fails. Errors:
  /// as checkSharing and ShareCounter::takeOne. notFound: a secret key without a count.
  Expected<Tensor> decryptToShare(const wire::Ciphertext &ciphertext, double leastDeviation = 0);
  /// How many decryptions were shared, as of the last one by this client.
  uint64_t sharedCount() const { return shared; }
  /// Keeps the count beside the key's file from now on (ShareCounter::moveTo); nothing to do where
  /// none may be shared.
  Status moveShareCount(const std::string &keyPath);

  /// The index of the input of this name; an empty name means the only input. notFound: there is no
  /// such input, or it is not the only one; the message lists them.
  Expected<uint32_t> inputIndex(std::string_view name) const;

private:
  Client(Parameters parameters, Entropy entropy)
      : params(std::move(parameters)), entropy(entropy) {}
  Expected<const SecretKey *> requireSecretKey() const;

  Parameters params;
  Entropy entropy;
  std::optional<SecretKey> secret;
  std::unique_ptr<ShareCounter> counter; // of `secret`, if that may share decryptions
  uint64_t shared = 0;
  std::optional<wire::PublicKey> publicHalf;
};

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_CLIENT_H
