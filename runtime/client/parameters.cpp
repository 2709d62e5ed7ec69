//===- parameters.cpp - a manifest and its ring ----------------------------------------------===//
#include "runtime/client/parameters.h"

#include "runtime/wire/manifest.h"

namespace sluice::client {

Expected<Parameters> Parameters::fromManifest(std::span<const uint8_t> bytes,
                                              const std::string &name, const Options &options) {
  SLUICE_ASSIGN_OR_RETURN(Manifest manifest, wire::readManifest(bytes, name));
  if (manifest.security.insecure && !options.allowInsecure)
    return Status::error(StatusCode::insecure,
                         "%s: its parameters are marked insecure: a test program, whose keys "
                         "protect nothing. Allow it explicitly if that is what you want",
                         name.c_str());
  SLUICE_ASSIGN_OR_RETURN(ring::Ring ring, ring::Ring::create(manifest.logN, manifest.limbs));
  unsigned threads = options.threads;
  if (threads == 0) {
    SLUICE_ASSIGN_OR_RETURN(threads, threadCountFromEnvironment());
  }
  return Parameters(std::make_unique<Shared>(std::move(manifest), std::move(ring), threads,
                                             wire::hash256(bytes)));
}

} // namespace sluice::client
