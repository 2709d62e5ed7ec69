//===- presets.h - presets of bootstraps for tests --------------------------------------------===//
#ifndef SLUICE_TEST_PASSES_ALGORITHMS_PRESETS_H
#define SLUICE_TEST_PASSES_ALGORITHMS_PRESETS_H

#include "passes/algorithms/BootstrapPresets.h"

#include <gtest/gtest.h>

namespace sluice::algorithms {

/// The preset of that name, which must be there.
inline BootstrapPlan preset(std::string_view name) {
  const BootstrapPlan *found = findBootstrapPreset(name);
  EXPECT_NE(found, nullptr) << name;
  return found ? *found : BootstrapPlan();
}

} // namespace sluice::algorithms

#endif // SLUICE_TEST_PASSES_ALGORITHMS_PRESETS_H
