//===- key_files.h - a client's keys in files ------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_KEY_FILES_H
#define SLUICE_RUNTIME_CLIENT_KEY_FILES_H

#include "runtime/client/client.h"

#include <string>

namespace sluice::client {

/// Where writeKeyFiles put the keys, and their name.
struct KeyFiles {
  std::string secret, publicHalf, evaluation; // paths
  std::string keyId;
};

/// Makes the public and the evaluation keys of the client's secret key, which it makes as well if
/// the client has none, and writes secret.key, public.key and eval.keys to `folder`, created with
/// mode 0700 if it is new. All or nothing: no file of the three appears before all are written.
/// Where decryptions may be shared, their count appears beside secret.key, as secret.key.count.
/// invalidArgument: there is a secret key already, and `existing` does not say to replace it.
Expected<KeyFiles> writeKeyFiles(Client &client, const std::string &folder,
                                 wire::Existing existing = wire::Existing::keep,
                                 const Progress &progress = {});

/// What a key is wanted for: a public key can only encrypt.
enum class KeyUse { encrypt, decrypt };

/// Gives the client the key of a file. mismatch: a file of that kind cannot do it; the message says
/// which can.
Status readKeyFile(Client &client, const std::string &path, KeyUse use);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_KEY_FILES_H
