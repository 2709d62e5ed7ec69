//===- sample.h - a small program made by hand, and its file --------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_EXEC_SAMPLE_SAMPLE_H
#define SLUICE_TEST_RUNTIME_EXEC_SAMPLE_SAMPLE_H

#include "runtime/abi/artifact.h"
#include "runtime/abi/launches.h"
#include "runtime/abi/manifest.h"
#include "runtime/abi/sluice.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

extern "C" int32_t sluice_program_run(sluice_context *context, const sluice_functions *call);

namespace sluice::sample {

/// Inputs x (4 numbers, batched by 8) and y (4 numbers), one output: c * rotate(x * y), where
/// rotate moves every element to the place before it. Keys: relinearisation, rotation. Its id is
/// that of sampleFile with the code `code`.
Manifest sampleManifest(std::span<const uint8_t> code = {});
ProgramSection sampleSection();
/// c.
const std::vector<double> &sampleConstants();

/// The section `program`.
std::string sampleSectionJson();
/// A whole .sluice file with `code` as code section.
std::vector<uint8_t> sampleFile(std::span<const uint8_t> code);
/// The same with sections `launches` and `device`.
std::vector<uint8_t> sampleFileForDevices(std::span<const uint8_t> code,
                                          std::span<const uint8_t> launches,
                                          std::span<const uint8_t> deviceCode);
/// A launch list that is right for the sample, with every kind of launch and of parameter; it
/// computes nothing of use.
LaunchList sampleLaunches();
/// The code section as it was built beside the tests (sample_code.cpp).
std::vector<uint8_t> sampleCode();
/// The same of another name there: one that is not as it should be.
std::vector<uint8_t> builtCode(const std::string &name);

/// A container file of kind program with these sections, in the order of the file; `others` are
/// those that follow code.
std::vector<uint8_t> programFile(const std::string &manifest, const std::string &program,
                                 std::span<const uint8_t> constants, std::span<const uint8_t> code,
                                 std::vector<std::span<const uint8_t>> others = {});
/// The bytes of doubles, as section `constant` holds them.
std::vector<uint8_t> doubleBytes(std::span<const double> values);

} // namespace sluice::sample

#endif // SLUICE_TEST_RUNTIME_EXEC_SAMPLE_SAMPLE_H
