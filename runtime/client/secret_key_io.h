//===- secret_key_io.h - the secret key as a file --------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_SECRET_KEY_IO_H
#define SLUICE_RUNTIME_CLIENT_SECRET_KEY_IO_H

#include "runtime/client/secret_key.h"
#include "runtime/wire/stream.h"

#include <memory>
#include <string>

namespace sluice::client {

/// Writes the key to a file that only its owner can read (mode 0600 from the first byte on).
Status writeSecretKey(const SecretKey &key, const Manifest &manifest, const std::string &path);

/// Reads it. insecure: the source is a file to which others than its owner have access. mismatch:
/// another program.
Expected<SecretKey> readSecretKey(std::unique_ptr<wire::Source> source, const Manifest &manifest);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_SECRET_KEY_IO_H
