//===- bootstrap.cpp - presets of bootstraps for Python ---------------------------------------===//

#include "frontend/bindings/bootstrap.h"

#include "passes/algorithms/BootstrapPresets.h"
#include "passes/algorithms/BootstrapSearch.h"
#include "passes/algorithms/BootstrapVariation.h"
#include "passes/driver/BootstrapProgram.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace sluice::python {
namespace {

/// A preset, a variation of one or what a search found, with what follows from it.
struct Bootstrap {
  algorithms::BootstrapPlan plan;
  algorithms::PlannedBootstrap planned;

  /// The models judge one round.
  bool hasForecast() const { return plan.iterations == 1; }
};

SecretDistribution secretNamed(const std::string &name) {
  for (SecretDistribution secret :
       {SecretDistribution::uniformTernary, SecretDistribution::sparse192})
    if (secretDistributionName(secret) == name)
      return secret;
  throw std::invalid_argument("there is no main secret '" + name +
                              "'; uniform-ternary and, by name only, sparse-192 are");
}

constexpr std::pair<std::string_view, algorithms::BootstrapOrder> orders[] = {
    {"mod_raise_first", algorithms::BootstrapOrder::modRaiseFirst},
    {"slots_to_coefficients_first", algorithms::BootstrapOrder::slotsToCoefficientsFirst}};

algorithms::BootstrapOrder orderNamed(const std::string &name) {
  for (const auto &[own, order] : orders)
    if (own == name)
      return order;
  throw std::invalid_argument("there is no order '" + name +
                              "'; mod_raise_first and slots_to_coefficients_first are right");
}

std::string orderName(const Bootstrap &self) {
  return std::string(std::find_if(std::begin(orders), std::end(orders), [&](const auto &known) {
                       return known.second == self.plan.order;
                     })->first);
}

Bootstrap planPreset(const std::string &name, std::optional<int64_t> slots,
                     const std::optional<std::string> &order, bool isReal, int64_t rounds,
                     std::optional<int64_t> arcsineDegree, bool isNested) {
  const algorithms::BootstrapPlan *preset = algorithms::findBootstrapPreset(name);
  if (!preset)
    throw std::invalid_argument("there is no bootstrap preset '" + name + "'");
  algorithms::BootstrapVariation variation;
  variation.slots = slots;
  if (order)
    variation.order = orderNamed(*order);
  variation.isReal = isReal;
  variation.rounds = rounds;
  variation.arcsineDegree = arcsineDegree;
  variation.isNested = isNested;
  nb::gil_scoped_release released;
  Expected<algorithms::BootstrapPlan> plan = algorithms::varyBootstrap(*preset, variation);
  if (!plan)
    throw std::invalid_argument(plan.message());
  Expected<algorithms::PlannedBootstrap> planned = algorithms::planBootstrap(*plan);
  if (!planned)
    throw std::invalid_argument(planned.message());
  return {*std::move(plan), *std::move(planned)};
}

algorithms::BootstrapRequest requestOf(double bits, uint64_t slots, double log2Failure,
                                       unsigned logN, const std::string &secret, bool isReal,
                                       size_t leastLevels) {
  if (!(bits > 0 && bits <= 64))
    throw std::invalid_argument("bits must be more than 0 and at most 64");
  if (!std::has_single_bit(slots) || slots < 32 || slots > (uint64_t{1} << 16))
    throw std::invalid_argument("slots must be a power of two from 32 to 65536");
  if (!(log2Failure <= -128))
    throw std::invalid_argument("log2_failure must be -128 or less: presets that fail more often "
                                "are for comparisons");
  if (leastLevels < 1 || leastLevels > 100)
    throw std::invalid_argument("levels must be from 1 to 100");
  return {.bits = bits,
          .logSlots = static_cast<unsigned>(std::countr_zero(slots)),
          .log2FailureTarget = log2Failure,
          .logN = logN,
          .secret = secretNamed(secret),
          .isReal = isReal,
          .leastLevels = leastLevels};
}

std::vector<Bootstrap> searchPlans(double bits, uint64_t slots, double log2Failure, unsigned logN,
                                   const std::string &secret, bool isReal, size_t leastLevels,
                                   size_t count) {
  const algorithms::BootstrapRequest request =
      requestOf(bits, slots, log2Failure, logN, secret, isReal, leastLevels);
  nb::gil_scoped_release released;
  std::vector<Bootstrap> found;
  for (algorithms::BootstrapCandidate &candidate :
       algorithms::searchBootstraps(request, algorithms::genericCosts(), count))
    if (Expected<algorithms::PlannedBootstrap> planned = algorithms::planBootstrap(candidate.plan))
      found.push_back({std::move(candidate.plan), *std::move(planned)});
  return found;
}

unsigned mostBits(uint64_t slots, double log2Failure, unsigned logN, const std::string &secret,
                  bool isReal, size_t leastLevels) {
  const algorithms::BootstrapRequest request =
      requestOf(1, slots, log2Failure, logN, secret, isReal, leastLevels);
  nb::gil_scoped_release released;
  return algorithms::mostBits(request, algorithms::genericCosts());
}

std::optional<double> expectedBits(const Bootstrap &self) {
  if (!self.hasForecast())
    return std::nullopt;
  return algorithms::bootstrapNoise(self.plan).bits();
}

std::optional<double> approximationBits(const Bootstrap &self) {
  if (!self.hasForecast())
    return std::nullopt;
  return -std::log2(algorithms::bootstrapNoise(self.plan).approximation) / 2;
}

std::optional<double> expectedMs(const Bootstrap &self) {
  if (!self.hasForecast())
    return std::nullopt;
  algorithms::BootstrapTimer timer(algorithms::genericCosts());
  return timer.timeNs(self.plan, algorithms::makeEvalMod(self.plan)) * 1e-6;
}

uint64_t expectedKeyBytes(const Bootstrap &self) {
  return algorithms::BootstrapTimer(algorithms::genericCosts()).keyBytes(self.plan);
}

std::map<std::string, std::vector<double>> levelBits(const Bootstrap &self) {
  const algorithms::BootstrapLevels &levels = self.plan.levels;
  return {{"residual", levels.residual},
          {"slots_to_coefficients", levels.slotsToCoefficients},
          {"eval_mod", levels.evalMod},
          {"coefficients_to_slots", levels.coefficientsToSlots}};
}

std::vector<std::string> presetNames() {
  std::vector<std::string> names;
  for (const algorithms::BootstrapPlan &plan : algorithms::bootstrapPresets())
    names.push_back(plan.name);
  return names;
}

std::optional<std::string> rowName(const std::optional<SecurityRow> &row) {
  return row ? std::optional<std::string>(row->name) : std::nullopt;
}

std::vector<size_t> limbCounts(const Bootstrap &self) {
  std::vector<size_t> counts;
  counts.reserve(self.planned.chain.levels.size());
  for (const std::vector<int64_t> &level : self.planned.chain.levels)
    counts.push_back(level.size());
  return counts;
}

} // namespace

void bindBootstrap(nb::module_ &m) {
  m.def("bootstrap_presets", &presetNames, "The names of the presets.");
  m.def(
      "plan_bootstrap", &planPreset, "preset"_a, nb::kw_only(), "slots"_a = nb::none(),
      "order"_a = nb::none(), "real"_a = false, "rounds"_a = 1, "arcsine_degree"_a = nb::none(),
      "nested"_a = false,
      "A preset with its chain, varied. Raises ValueError for an unknown name and for what cannot "
      "be.");
  m.def("search_bootstraps", &searchPlans, nb::kw_only(), "bits"_a, "slots"_a,
        "log2_failure"_a = -128.0, "log_n"_a = 0, "secret"_a = "uniform-ternary", "real"_a = false,
        "levels"_a = 1, "count"_a = 8,
        "Plans that are precise enough, the best one first. Raises ValueError for what is no "
        "request.");
  m.def("most_bits", &mostBits, nb::kw_only(), "slots"_a, "log2_failure"_a = -128.0, "log_n"_a = 0,
        "secret"_a = "uniform-ternary", "real"_a = false, "levels"_a = 1,
        "The most whole bits for which there is a plan.");
  nb::class_<Bootstrap>(m, "Bootstrap", "What fixes a bootstrap, and what follows from it.")
      .def_prop_ro("name", [](const Bootstrap &self) { return self.plan.name; })
      .def_prop_ro("insecure", [](const Bootstrap &self) { return self.plan.isInsecure; })
      .def_prop_ro("log_n", [](const Bootstrap &self) { return self.plan.logN; })
      .def_prop_ro("slots", [](const Bootstrap &self) { return uint64_t{1} << self.plan.logSlots; })
      .def_prop_ro("secret",
                   [](const Bootstrap &self) {
                     return std::string(secretDistributionName(self.plan.secret));
                   })
      .def_prop_ro("has_ephemeral", [](const Bootstrap &self) { return self.plan.hasEphemeral; })
      .def_prop_ro("log_scale", [](const Bootstrap &self) { return self.plan.logScale; })
      .def_prop_ro("order", &orderName)
      .def_prop_ro("real", [](const Bootstrap &self) { return self.plan.isReal; })
      .def_prop_ro("rounds", [](const Bootstrap &self) { return self.plan.iterations; })
      .def_prop_ro(
          "log_gain", [](const Bootstrap &self) { return self.plan.logGain; },
          "Bits that each round but the first adds.")
      .def_prop_ro("arcsine_degree", [](const Bootstrap &self) { return self.plan.arcsineDegree; })
      .def_prop_ro("degree", [](const Bootstrap &self) { return self.plan.degree; })
      .def_prop_ro("double_angles", [](const Bootstrap &self) { return self.plan.doubleAngles; })
      .def_prop_ro("log_ratio", [](const Bootstrap &self) { return self.plan.logRatio; })
      .def_prop_ro("digit_margin", [](const Bootstrap &self) { return self.plan.digitMargin; })
      .def_prop_ro("level_bits", &levelBits, "Bits of the levels, by what they are for.")
      .def_prop_ro("expected_bits", &expectedBits,
                   "-log2 of the error's standard deviation, by the model of plans; None for "
                   "several rounds and for slots_to_coefficients_first.")
      .def_prop_ro("approximation_bits", &approximationBits,
                   "The part of EvalMod's sine and series, which forecasts of programs leave out; "
                   "None likewise.")
      .def_prop_ro("expected_ms", &expectedMs,
                   "A warm run on one thread of a generic CPU, likewise.")
      .def_prop_ro("expected_key_bytes", &expectedKeyBytes)
      .def_prop_ro("input_level", [](const Bootstrap &self) { return self.planned.inputLevel; })
      .def_prop_ro("result_level", [](const Bootstrap &self) { return self.planned.resultLevel; })
      .def_prop_ro("range", [](const Bootstrap &self) { return self.plan.range; })
      .def_prop_ro("depth", [](const Bootstrap &self) { return self.plan.depth(); })
      .def_prop_ro("log2_failure", [](const Bootstrap &self) { return self.planned.log2Failure; })
      .def_prop_ro("message_bound", [](const Bootstrap &self) { return self.planned.messageBound; })
      .def_prop_ro("levels_left", [](const Bootstrap &self) { return self.planned.levelsLeft; })
      .def_prop_ro("log_q_left", [](const Bootstrap &self) { return self.planned.logQLeft; })
      .def_prop_ro("log_qp", [](const Bootstrap &self) { return self.planned.chain.logQP(); })
      .def_prop_ro("security_row", [](const Bootstrap &self) { return rowName(self.planned.row); })
      .def_prop_ro("ephemeral_log_qp",
                   [](const Bootstrap &self) { return self.planned.ephemeralLogQP; })
      .def_prop_ro("ephemeral_security_row",
                   [](const Bootstrap &self) { return rowName(self.planned.ephemeralRow); })
      .def_prop_ro("limbs", &limbCounts, "Limbs of each level, level 0 first.")
      .def_prop_ro("nested", [](const Bootstrap &self) { return self.plan.isNested; })
      .def_prop_ro("special_limbs", [](const Bootstrap &self) { return self.plan.specialLimbs; })
      .def_prop_ro("digits", [](const Bootstrap &self) { return self.planned.chain.digits.size(); })
      .def_prop_ro("max_deviation",
                   [](const Bootstrap &self) { return self.planned.chain.maxDeviation; })
      .def(
          "program",
          [](const Bootstrap &self, bool complexValues, bool isRepeatable) {
            return writeBootstrapProgram(self.plan, self.planned, {complexValues, isRepeatable});
          },
          nb::kw_only(), "complex_values"_a, "repeatable"_a, "MLIR text of the settled phase.");
}

} // namespace sluice::python
