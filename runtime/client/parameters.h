//===- parameters.h - a manifest and its ring ------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_PARAMETERS_H
#define SLUICE_RUNTIME_CLIENT_PARAMETERS_H

#include "runtime/abi/manifest.h"
#include "runtime/base/threads.h"
#include "runtime/ring/ring.h"
#include "runtime/wire/hash.h"

#include <memory>
#include <span>
#include <string>

namespace sluice::client {

/// All that the client's operations share: the checked manifest, the ring over its limbs, threads.
/// Immutable, but for the threads. Move-only; references into it survive a move.
class Parameters {
public:
  struct Options {
    /// Accept parameters that the manifest itself calls insecure: for tests.
    bool allowInsecure = false;
    /// 0: as SLUICE_THREADS says, else all hardware threads.
    unsigned threads = 0;
  };

  /// Reads and checks a manifest (wire::readManifest). insecure: it admits to be insecure and that
  /// was not allowed.
  static Expected<Parameters> fromManifest(std::span<const uint8_t> bytes, const std::string &name,
                                           const Options &options);

  const Manifest &manifest() const { return shared->manifest; }
  const ring::Ring &ring() const { return shared->ring; }
  ThreadPool &threads() const { return shared->threads; }
  /// BLAKE2b-256 of the manifest's bytes.
  const wire::Hash &manifestHash() const { return shared->hash; }

  size_t degree() const { return ring().degree(); }
  /// The limbs of a level.
  const std::vector<uint16_t> &level(uint32_t level) const { return manifest().levels[level]; }

private:
  struct Shared {
    Shared(Manifest manifest, ring::Ring ring, unsigned threads, wire::Hash hash)
        : manifest(std::move(manifest)), ring(std::move(ring)), threads(threads), hash(hash) {}
    Manifest manifest;
    ring::Ring ring;
    ThreadPool threads;
    wire::Hash hash;
  };
  explicit Parameters(std::unique_ptr<Shared> shared) : shared(std::move(shared)) {}

  std::unique_ptr<Shared> shared;
};

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_PARAMETERS_H
