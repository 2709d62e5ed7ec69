//===- share_counter.h - counts the shared decryptions of a key ------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_SHARE_COUNTER_H
#define SLUICE_RUNTIME_CLIENT_SHARE_COUNTER_H

#include "runtime/client/secret_key.h"
#include "runtime/wire/sharing.h"

#include <mutex>
#include <string>

namespace sluice::client {

/// Where the count of the key in a file is kept: beside the file itself, wherever links lead to it.
std::string countPath(const std::string &keyPath);

/// Counts in memory, for a key that is in no file, or in the file beside the key's. Any number of
/// threads and processes may use one count at once.
class ShareCounter {
public:
  /// For a key that was made just now.
  ShareCounter(std::string keyId, uint64_t allowed) : count{std::move(keyId), allowed, 0} {}
  /// For the key of the file at keyPath, which was read.
  ShareCounter(std::string keyId, uint64_t allowed, const std::string &keyPath)
      : count{std::move(keyId), allowed, 0}, path(countPath(keyPath)) {}

  /// Takes one more decryption and gives the number of those taken with it; when it returns, that
  /// is on the disk. insecure: all that are allowed were taken. notFound, corruptFile, mismatch:
  /// there is no count of this key where it was; it is never made again.
  Expected<uint64_t> takeOne(const Manifest &manifest);

  /// Writes the count beside the key's file, where it is kept from now on. A key that has its count
  /// beside another file takes nothing with it: what is left is for that one.
  Status moveTo(const std::string &keyPath, const Manifest &manifest);

private:
  Expected<uint64_t> takeFromFile(const Manifest &manifest);

  std::mutex mutex;
  wire::ShareCount count; // used: in memory only
  std::string path;       // empty: in memory
};

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_SHARE_COUNTER_H
