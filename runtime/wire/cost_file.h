//===- cost_file.h - what kernels cost, as bytes ---------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_COST_FILE_H
#define SLUICE_RUNTIME_WIRE_COST_FILE_H

#include "runtime/abi/costs.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <span>
#include <string>

namespace sluice::wire {

/// Reads and checks a cost file. `name` stands for the file in messages. Guaranteed afterwards: the
/// first table is for one thread, no two for the same number; every time is 0 <= cached <= memory
/// <= limits::costNs; bytes of a reach grow, its shares are in [0, 1] and do not fall; 0 <=
/// launchNs <= limits::launchNs, which only devices have. corruptFile: anything else.
/// unsupportedVersion: a newer version. Unknown fields are ignored.
Expected<Costs> readCosts(std::span<const uint8_t> bytes, const std::string &name);

/// The JSON of docs/formats.md, a line a value.
std::string writeCosts(const Costs &costs);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_COST_FILE_H
