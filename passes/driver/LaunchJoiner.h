//===- LaunchJoiner.h - fewer and larger launches of a GPU program ----------------------------===//
//
// A launch of few limbs leaves most of a GPU idle, and each costs some microseconds. Launches of
// one kernel that do not wait for each other become one.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_DRIVER_LAUNCHJOINER_H
#define SLUICE_PASSES_DRIVER_LAUNCHJOINER_H

#include "runtime/abi/launches.h"

namespace sluice {

/// What a joined launch may be. Larger ones would push what they write out of a device's cache
/// before the next launch reads it; and the rows of keys that one launch reads must fit in its
/// memory together.
struct JoinBounds {
  uint32_t window = 64;    ///< launches that a later one may be moved ahead of
  uint32_t limbs = 256;    ///< limb kernels: limbs; all others: destinations
  uint32_t sources = 128;  ///< of base conversions, which need scratch rows
  uint32_t keyRows = 2048; ///< read, each as often as it is
};

/// Joins launches of `list`. A launch is moved up to the last one before it of the same kind and
/// kernel with which it stays inside of `bounds`, if neither that one nor any between writes what
/// it reads or writes, or reads what it writes; what the one before it reads, a base conversion may
/// write. None is moved past the beginning of a stage. All launches of the list have slots of the
/// arena as operands; what runs one after the other before gives the same words after.
void joinLaunches(LaunchList &list, const JoinBounds &bounds = {});

} // namespace sluice

#endif // SLUICE_PASSES_DRIVER_LAUNCHJOINER_H
