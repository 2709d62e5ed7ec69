//===- launch_check.h - checks of a launch list against its program ---------------------------===//
#ifndef SLUICE_RUNTIME_EXEC_LAUNCH_CHECK_H
#define SLUICE_RUNTIME_EXEC_LAUNCH_CHECK_H

#include "runtime/abi/artifact.h"
#include "runtime/abi/launches.h"
#include "runtime/abi/manifest.h"
#include "runtime/base/status.h"

#include <string>

namespace sluice::exec {

/// Checks a list that wire::readLaunches gave: parameter 0 of a kernel is a limb and its outputs
/// are slots; every limb, slot, constant, key, digit, row and stage is one of the program's;
/// scalars are below 2^50; a conversion has distinct limbs, at most kernels::maxConvertSources
/// sources, and reads nothing that it or an earlier one of its launch writes; nothing that a launch
/// writes is written twice or, but for sources of conversions, read for another limb. corruptFile,
/// with the launch's number, otherwise; `name` stands first.
Status checkLaunches(const LaunchList &list, const ProgramSection &program,
                     const Manifest &manifest, const std::string &name);

} // namespace sluice::exec

#endif // SLUICE_RUNTIME_EXEC_LAUNCH_CHECK_H
