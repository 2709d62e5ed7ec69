//===- client.cpp - one client of one program ------------------------------------------------===//
#include "runtime/client/client.h"

#include "runtime/client/secret_key_io.h"

namespace sluice::client {

Expected<Client> Client::create(std::span<const uint8_t> manifest, const std::string &name,
                                const Parameters::Options &options, Entropy entropy) {
  SLUICE_ASSIGN_OR_RETURN(Parameters parameters, Parameters::fromManifest(manifest, name, options));
  return Client(std::move(parameters), entropy);
}

void Client::makeSecretKey() {
  SecretKey key = client::makeSecretKey(params, entropy);
  std::unique_ptr<ShareCounter> fresh;
  if (key.sharing)
    fresh = std::make_unique<ShareCounter>(key.keyId, key.sharing->allowed);
  setSecretKey(std::move(key));
  counter = std::move(fresh);
}

void Client::setSecretKey(SecretKey key) {
  secret = std::move(key);
  counter = nullptr;
  shared = 0;
}

void Client::setSecretKey(SecretKey key, const std::string &path) {
  std::unique_ptr<ShareCounter> beside;
  if (key.sharing)
    beside = std::make_unique<ShareCounter>(key.keyId, key.sharing->allowed, path);
  setSecretKey(std::move(key));
  counter = std::move(beside);
}

Expected<const SecretKey *> Client::requireSecretKey() const {
  if (secret)
    return &*secret;
  if (publicHalf)
    return Status::error(StatusCode::notFound,
                         "the key is a public key, with which one can only encrypt: secret.key is "
                         "needed here");
  return Status::error(StatusCode::notFound, "there is no secret key: make or read one first");
}

Status Client::writeSecretKey(std::unique_ptr<wire::Sink> sink) const {
  SLUICE_ASSIGN_OR_RETURN(const SecretKey *key, requireSecretKey());
  return client::writeSecretKey(*key, manifest(), std::move(sink));
}

Expected<wire::PublicKey> Client::makePublicKey() {
  SLUICE_ASSIGN_OR_RETURN(const SecretKey *key, requireSecretKey());
  return client::makePublicKey(params, *key, entropy);
}

Status Client::makeEvaluationKeys(std::unique_ptr<wire::Sink> sink, const Progress &progress) {
  SLUICE_ASSIGN_OR_RETURN(const SecretKey *key, requireSecretKey());
  return client::makeEvaluationKeys(params, *key, entropy, std::move(sink), progress);
}

Expected<wire::Ciphertext> Client::encrypt(uint32_t inputIndex, const Tensor &values) {
  if (inputIndex >= manifest().inputs.size())
    return Status::error(StatusCode::notFound, "there is no input %u: the program has %zu",
                         inputIndex, manifest().inputs.size());
  if (secret)
    return client::encrypt(params, *secret, inputIndex, values, entropy);
  if (publicHalf)
    return client::encrypt(params, *publicHalf, inputIndex, values, entropy);
  return Status::error(StatusCode::notFound, "there is no key to encrypt with: make or read one");
}

Expected<Tensor> Client::decrypt(const wire::Ciphertext &ciphertext) const {
  SLUICE_ASSIGN_OR_RETURN(const SecretKey *key, requireSecretKey());
  return client::decrypt(params, *key, ciphertext);
}

Expected<Tensor> Client::decryptToShare(const wire::Ciphertext &ciphertext, double leastDeviation) {
  SLUICE_ASSIGN_OR_RETURN(const SecretKey *key, requireSecretKey());
  SLUICE_RETURN_IF_ERROR(checkSharing(params, *key, ciphertext, leastDeviation));
  if (!counter)
    return Status::error(StatusCode::notFound,
                         "the secret key %s was read without the count of "
                         "its shared decryptions: read it from its file",
                         key->keyId.c_str());
  SLUICE_ASSIGN_OR_RETURN(shared, counter->takeOne(manifest()));
  return client::decryptToShare(params, *key, ciphertext, entropy, leastDeviation);
}

Status Client::moveShareCount(const std::string &keyPath) {
  return counter ? counter->moveTo(keyPath, manifest()) : Status();
}

Expected<uint32_t> Client::inputIndex(std::string_view name) const {
  const std::vector<ManifestTensor> &inputs = manifest().inputs;
  std::string names;
  for (uint32_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index].name == name || (name.empty() && inputs.size() == 1))
      return index;
    names += (index ? ", '" : "'") + inputs[index].name + "'";
  }
  if (name.empty())
    return Status::error(StatusCode::notFound, "the program has %zu inputs (%s): name one",
                         inputs.size(), names.c_str());
  return Status::error(StatusCode::notFound, "there is no input '%s'; the program has %s",
                       std::string(name).c_str(), names.c_str());
}

} // namespace sluice::client
