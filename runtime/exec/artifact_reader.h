//===- artifact_reader.h - .sluice files as bytes -------------------------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_ARTIFACT_READER_H
#define SLUICE_RUNTIME_EXEC_ARTIFACT_READER_H

#include "runtime/abi/artifact.h"
#include "runtime/abi/launches.h"
#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"
#include "runtime/wire/stream.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::exec {

/// A .sluice file, read and checked; nothing of it was run.
struct Artifact {
  std::string name; // of the file, for messages
  Manifest manifest;
  ProgramSection program;
  std::vector<double> constants;
  std::vector<uint8_t> code; // an ELF shared object, not yet looked at
  // Of a program that was compiled for CUDA too: what it does there, checked, and a fat binary.
  std::optional<LaunchList> launches;
  std::vector<uint8_t> deviceCode;
};

/// Reads a whole artifact. Guaranteed: what readManifest, readProgramSection and, where there are
/// launches, wire::readLaunches and checkLaunches guarantee, and that
/// the manifest's program id is the hash of the other sections. corruptFile, unsupportedVersion,
/// insecure: as those; mismatch: the manifest is of another program.
Expected<Artifact> readArtifact(std::unique_ptr<wire::Source> source);

/// Reads and checks the section `program`. `name` stands first in messages; `constantCount` is the
/// number of doubles in section `constant`. Guaranteed: target and ABI are this runtime's; arena,
/// constants and their encodings are within sluice::limits; every slot is below arena_slots, every
/// limb, level, key and value within its table; inputs and outputs are the manifest's, with a slot
/// for each limb of their level, and no slot holds two inputs.
/// unsupportedVersion: a newer version, another ABI or target. corruptFile: anything else.
Expected<ProgramSection> readProgramSection(std::span<const uint8_t> bytes, const std::string &name,
                                            const Manifest &manifest, uint64_t constantCount);

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_ARTIFACT_READER_H
