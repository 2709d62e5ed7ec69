//===- secret_key_io.h - the secret key as a file --------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_SECRET_KEY_IO_H
#define SLUICE_RUNTIME_CLIENT_SECRET_KEY_IO_H

#include "runtime/client/secret_key.h"
#include "runtime/wire/stream.h"

#include <memory>
#include <string>

namespace sluice::client {

/// A file for a secret key, which only its owner can read (mode 0600 from the first byte on).
/// invalidArgument: there is one already, and it is to be kept: losing a secret key loses all that
/// was encrypted under it, so only who says Existing::replace replaces it.
Expected<std::unique_ptr<wire::Sink>>
createSecretKeyFile(const std::string &path, wire::Existing existing = wire::Existing::keep);

/// Writes the key, and commits.
Status writeSecretKey(const SecretKey &key, const Manifest &manifest,
                      std::unique_ptr<wire::Sink> sink);

/// Reads it. insecure: the source is a file to which others than its owner have access. mismatch:
/// another program.
Expected<SecretKey> readSecretKey(std::unique_ptr<wire::Source> source, const Manifest &manifest);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_SECRET_KEY_IO_H
