//===- launches.h - the section `launches` of a program ---------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_LAUNCHES_H
#define SLUICE_RUNTIME_WIRE_LAUNCHES_H

#include "runtime/abi/launches.h"

#include <cstdint>
#include <vector>

namespace sluice::wire {

/// The words of docs/formats.md, "Launches", for a ring of degree 2^logN. Needs no checks: the
/// compiler made the list. Every launch of a limb kernel has `limbs` times the parameters of its
/// kernel; a transform has as many sources as destinations, of the same limbs; the sizes of base
/// conversions are those of all their limbs.
std::vector<uint64_t> writeLaunches(const LaunchList &list, unsigned logN);

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_LAUNCHES_H
