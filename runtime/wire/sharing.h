//===- sharing.h - what files say of decryptions that may be shared --------------------------===//
//
// A secret key says how many of its decryptions may be shared, under which manifest; a file beside
// it counts them.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_SHARING_H
#define SLUICE_RUNTIME_WIRE_SHARING_H

#include "runtime/wire/hash.h"
#include "runtime/wire/object_header.h"

#include <optional>

namespace sluice::wire {

/// Recorded in a secret key when it is made, since a manifest that comes later may promise less.
struct Sharing {
  Hash manifest; // of the bytes of the manifest that the key was made for
  uint64_t allowed = 0;

  bool operator==(const Sharing &) const = default;
};

/// The header of a secret key's file.
struct SecretKeyHeader {
  std::string keyId;
  std::optional<Sharing> sharing; // none: no decryption may be shared
};

/// mismatch: another program.
Expected<SecretKeyHeader> readSecretKeyHeader(const SectionReader &reader,
                                              const Manifest &manifest);
std::string secretKeyHeaderText(const Manifest &manifest, const SecretKeyHeader &header);

/// How many decryptions of a key were shared.
struct ShareCount {
  std::string keyId;
  uint64_t allowed = 0, used = 0; // used <= allowed
};

/// insecure: a file to which others than its owner have access. mismatch: another program.
Expected<ShareCount> readShareCount(std::unique_ptr<Source> source, const Manifest &manifest);
Status writeShareCount(const ShareCount &count, const Manifest &manifest,
                       std::unique_ptr<Sink> sink);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_SHARING_H
