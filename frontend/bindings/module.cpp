//===- module.cpp - the extension module sluice._sluice: client and server, no compiler -------===//

#include "frontend/bindings/module.h"
#include "frontend/bindings/errors.h"

#include "runtime/wire/manifest.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sluice::python {

nb::bytes asBytes(std::span<const uint8_t> bytes) { return nb::bytes(bytes.data(), bytes.size()); }

std::unique_ptr<wire::Source> memorySource(const nb::bytes &content, const std::string &name) {
  return wire::Source::fromMemory(
      {reinterpret_cast<const uint8_t *>(content.data()), content.size()}, name);
}

} // namespace sluice::python

using namespace sluice;
using namespace sluice::python;

NB_MODULE(_sluice, m) {
  m.doc() =
      "The Sluice runtime: keys, encryption and decryption for clients, execution for servers.";

  m.def(
      "read_manifest",
      [](const std::string &path) {
        return asBytes(unwrap(wire::readManifestBytes(unwrap(wire::Source::openFile(path)))));
      },
      "path"_a, "The manifest in a .sluice file or in a JSON file of its own.");
  m.def(
      "program_manifest",
      [](const nb::bytes &artifact, const std::string &name) {
        return asBytes(unwrap(wire::readManifestBytes(memorySource(artifact, name))));
      },
      "artifact"_a, "name"_a, "The manifest in the bytes of a .sluice file.");

  bindClient(m);
  bindServer(m);
  bindCalibrate(m);
}
