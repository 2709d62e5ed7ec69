//===- launch_reader.h - reads the section `launches` of a program ----------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_LAUNCH_READER_H
#define SLUICE_RUNTIME_WIRE_LAUNCH_READER_H

#include "runtime/abi/launches.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <span>
#include <string>

namespace sluice::wire {

/// Reads what docs/formats.md, "Launches", says, for a ring of degree 2^logN. `name` stands first
/// in messages. Guaranteed: kernels have fewer outputs than parameters, and at most
/// limits::kernelParameters; kernel numbers are below their count; a launch has 1 to
/// limits::launchLimbs limbs and as many operands as its kind takes, transforms the same limbs
/// twice; a launch of base conversions holds at least one, each has destinations and sources, and
/// together they have all; every parameter is of a known kind. What the numbers name is the
/// caller's to check (exec::checkLaunches).
/// unsupportedVersion: a newer version. mismatch: another ring. corruptFile: anything else.
Expected<LaunchList> readLaunches(std::span<const uint8_t> bytes, const std::string &name,
                                  unsigned logN);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_LAUNCH_READER_H
