//===- ArtifactWriter.h - the bytes of a .sluice file -----------------------------------------===//
//
// Puts a compiled program into the container of docs/formats.md: manifest, program, constants,
// code, and launches and device code where there are. Container and manifest are written by
// runtime/wire, as for every other file; the section `program` is read by
// runtime/exec/artifact_reader, and the two meet only in that page.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_ARTIFACTWRITER_H
#define SLUICE_PASSES_DRIVER_ARTIFACTWRITER_H

#include "runtime/abi/artifact.h"
#include "runtime/abi/manifest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// A compiled program, as plain data.
struct ArtifactContents {
  /// All but programId and compiler, which writeArtifact knows.
  Manifest manifest;
  /// The constants' offsets point into `constantValues`.
  ProgramSection program;
  std::vector<double> constantValues;
  /// The ELF shared object.
  std::string code;
  /// For CUDA devices: words of the launch list (runtime/wire/launches), and a fat binary. Both or
  /// none.
  std::vector<uint64_t> launches;
  std::string deviceCode;
};

/// The two texts of an artifact that other tools read on their own, and the whole file.
struct Artifact {
  std::string manifest; // JSON
  std::string bytes;    // the container
};

/// Serialises `contents`. Equal contents give equal bytes. Needs no checks: the passes verified
/// what they produced.
Artifact writeArtifact(const ArtifactContents &contents);

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_ARTIFACTWRITER_H
