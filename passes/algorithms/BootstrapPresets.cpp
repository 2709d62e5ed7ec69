//===- BootstrapPresets.cpp - bootstraps with names -------------------------------------------===//

#include "passes/algorithms/BootstrapPresets.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace sluice::algorithms {

namespace {

/// Levels as the papers write them, lowest first: {{60, 1}, {40, 9}} is 60 + 9 * 40.
std::vector<double> runs(std::initializer_list<std::pair<double, size_t>> list) {
  std::vector<double> sizes;
  for (const auto &[bits, count] : list)
    sizes.insert(sizes.end(), count, bits);
  return sizes;
}

// --- Bossuat et al. ------------------------------------------------------------------------------

/// What their sets for N = 2^16 and h = 192 have in common: range 25, degree 63, two double angles.
/// Their levels of 60 bits that two steps at scale 2^30 share are two levels here.
BootstrapPlan publishedPlan(const char *name) {
  BootstrapPlan plan;
  plan.name = name;
  plan.isInsecure = true;
  plan.secret = SecretDistribution::sparse192;
  plan.hasEphemeral = false;
  plan.log2FailureTarget = -15;
  plan.coefficientBound = 0.03125; // they measure on coefficients of at most 0.014
  plan.nodes = SineNodes::hanKi;
  plan.coefficientsToSlots = {4, 4, 4, 3};
  plan.slotsToCoefficients = {5, 5, 5};
  plan.range = leastRange(plan);
  return plan;
}

BootstrapPlan insecureSet1() {
  BootstrapPlan plan = publishedPlan("insecure_set1");
  plan.levels = {runs({{60, 1}, {40, 9}}), runs({{39, 3}}), runs({{60, 8}}), runs({{56, 4}})};
  return plan;
}

BootstrapPlan insecureSet2() {
  BootstrapPlan plan = publishedPlan("insecure_set2");
  plan.levels = {runs({{60, 1}, {45, 5}}), runs({{42, 3}}), runs({{60, 11}}), runs({{58, 4}})};
  plan.specialLimbs = 5;
  plan.logScale = 45;
  // Table 6 has these two in the row of set III; set II has the levels of an arcsine.
  plan.logRatio = 2;
  plan.arcsineDegree = 7;
  plan.digitMargin = 10;
  return plan;
}

BootstrapPlan insecureSet3() {
  BootstrapPlan plan = publishedPlan("insecure_set3");
  plan.levels = {runs({{55, 1}, {30, 15}}), runs({{30, 3}}), runs({{55, 8}}), runs({{53, 4}})};
  plan.logScale = 30;
  plan.digitMargin = 10;
  return plan;
}

/// Theirs has h = 2^15; a uniform ternary secret, of weight 2/3 2^16, needs a wider range.
BootstrapPlan insecureSet4() {
  BootstrapPlan plan = publishedPlan("insecure_set4");
  plan.secret = SecretDistribution::uniformTernary;
  plan.levels = {runs({{50, 1}, {40, 9}}), runs({{28, 3}}), runs({{60, 12}}), runs({{53, 4}})};
  plan.specialLimbs = 7;
  plan.range = leastRange(plan);
  plan.degree = 210; // of 255 at most, beyond which nothing improves
  plan.doubleAngles = 4;
  plan.nodes = SineNodes::chebyshev;
  return plan;
}

BootstrapPlan insecureSet5() {
  BootstrapPlan plan = publishedPlan("insecure_set5");
  plan.logN = 15;
  plan.logSlots = 14;
  plan.levels = {runs({{33, 1}, {25, 3}}), runs({{30, 2}}), runs({{50, 8}}), runs({{49, 2}})};
  plan.specialLimbs = 2;
  plan.logScale = 25;
  plan.coefficientsToSlots = {7, 7};
  plan.slotsToCoefficients = {7, 7};
  plan.range = leastRange(plan);
  return plan;
}

// --- Secure ------------------------------------------------------------------------------------

/// What the sets that ship have in common. An ephemeral secret of weight 32 needs a range of 16
/// only; of the even series, degree 56 leaves 2^-49. Sizes that are multiples of five bits are met
/// exactly.
BootstrapPlan securePlan(const char *name) {
  BootstrapPlan plan;
  plan.name = name;
  plan.degree = 56;
  plan.coefficientsToSlots = {4, 4, 4, 3};
  plan.slotsToCoefficients = {5, 5, 5};
  plan.range = leastRange(plan);
  return plan;
}

/// EvalMod's levels with more bits in the upper three: between I = -1 and 1 a rounding of the
/// variable's square counts 2^8 times in the result, one of its fourth power 2^6 times. The bits
/// that a level has beyond the others' raise the scales above it by half as many.
std::vector<double> evalModLevels(double bits, size_t count, size_t larger = 3) {
  return runs({{bits, count - larger}, {bits + 5, larger}});
}

BootstrapPlan set1() {
  BootstrapPlan plan = securePlan("set1");
  plan.levels = {runs({{60, 1}, {40, 13}}), runs({{45, 3}}), evalModLevels(60, 8, 4),
                 runs({{55, 4}})};
  return plan;
}

/// Under a main secret of weight 192, which leaves 4 bits more.
BootstrapPlan sparseSet1() {
  BootstrapPlan plan = securePlan("sparse_set1");
  plan.secret = SecretDistribution::sparse192;
  plan.levels = {runs({{60, 1}, {40, 9}}), runs({{45, 3}}), evalModLevels(60, 8), runs({{55, 4}})};
  plan.specialLimbs = 5;
  return plan;
}

/// The arcsine allows messages of a quarter of Q_0, and the most precision.
BootstrapPlan set2() {
  BootstrapPlan plan = securePlan("set2");
  plan.levels = {runs({{60, 1}, {45, 7}}), runs({{50, 1}, {45, 1}, {50, 1}}), evalModLevels(60, 11),
                 runs({{60, 4}})};
  plan.logScale = 45;
  plan.logRatio = 2;
  plan.coefficientBound = 0.125;
  plan.arcsineDegree = 7;
  plan.digitMargin = 10;
  return plan;
}

BootstrapPlan set3() {
  BootstrapPlan plan = securePlan("set3");
  plan.levels = {runs({{55, 1}, {30, 20}}), runs({{35, 3}}), runs({{55, 8}}), runs({{55, 4}})};
  plan.logScale = 30;
  plan.digitMargin = 10;
  return plan;
}

/// Three matrices each way and fewer digits: fewer, larger steps.
BootstrapPlan set4() {
  BootstrapPlan plan = securePlan("set4");
  plan.levels = {runs({{55, 1}, {45, 11}}), runs({{40, 3}}), runs({{60, 8}}), runs({{60, 3}})};
  plan.specialLimbs = 8;
  plan.logScale = 45;
  plan.coefficientsToSlots = {5, 5, 5};
  return plan;
}

/// A small one: two matrices each way. At a scale of 2^25, as its model has, rounding under a dense
/// secret would leave 11 bits.
BootstrapPlan set5() {
  BootstrapPlan plan = securePlan("set5");
  plan.levels = {runs({{50, 1}, {30, 3}}), runs({{40, 2}}), runs({{55, 8}}), runs({{60, 2}})};
  plan.specialLimbs = 4;
  plan.logScale = 30;
  plan.coefficientsToSlots = {8, 7};
  plan.slotsToCoefficients = {7, 8};
  return plan;
}

// --- For tests ---------------------------------------------------------------------------------

BootstrapPlan tinyPlan(const char *name) {
  BootstrapPlan plan;
  plan.name = name;
  plan.isInsecure = true;
  plan.logN = 9;
  plan.logSlots = 8;
  plan.log2FailureTarget = -15;
  plan.specialLimbs = 3;
  plan.degree = 36;
  plan.coefficientsToSlots = {4, 4};
  plan.slotsToCoefficients = {4, 4};
  return plan;
}

/// One dense secret.
BootstrapPlan insecureTiny() {
  BootstrapPlan plan = tinyPlan("insecure_tiny");
  plan.hasEphemeral = false;
  plan.doubleAngles = 4;
  plan.levels = {runs({{50, 1}, {40, 2}}), runs({{40, 2}}), runs({{50, 10}}), runs({{50, 2}})};
  plan.range = leastRange(plan);
  return plan;
}

/// With an ephemeral secret.
BootstrapPlan insecureTinyEncapsulated() {
  BootstrapPlan plan = tinyPlan("insecure_tiny_encapsulated");
  plan.levels = {runs({{50, 1}, {40, 2}}), runs({{40, 2}}), runs({{50, 8}}), runs({{50, 2}})};
  plan.range = leastRange(plan);
  return plan;
}

} // namespace

std::span<const BootstrapPlan> bootstrapPresets() {
  static const std::vector<BootstrapPlan> presets = {set1(),
                                                     sparseSet1(),
                                                     set2(),
                                                     set3(),
                                                     set4(),
                                                     set5(),
                                                     insecureSet1(),
                                                     insecureSet2(),
                                                     insecureSet3(),
                                                     insecureSet4(),
                                                     insecureSet5(),
                                                     insecureTiny(),
                                                     insecureTinyEncapsulated()};
  return presets;
}

const BootstrapPlan *findBootstrapPreset(std::string_view name) {
  const std::span<const BootstrapPlan> presets = bootstrapPresets();
  const auto found = std::find_if(presets.begin(), presets.end(),
                                  [&](const BootstrapPlan &plan) { return plan.name == name; });
  return found == presets.end() ? nullptr : &*found;
}

} // namespace sluice::algorithms
