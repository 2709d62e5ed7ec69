//===- bootstrap_twin_test.cpp - what expanded bootstraps do to values ------------------------===//
//
// Without noise, and without the integers that ModRaise adds, every form of a bootstrap is the
// identity but for EvalMod's error: the algebra of its transforms, on complex slots.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/driver/Twin.h"
#include "runtime/ring/primes.h"
#include "test/passes/driver/stages.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

using namespace sluice;

namespace {

constexpr unsigned logN = 5;

struct Form {
  unsigned logSlots = 4;
  bool isReal = false, isSlotsFirst = false;
  int iterations = 1;
  /// Factors of both transforms are in two groups where there are so many.
  int groups() const { return logSlots > 1 ? 2 : 1; }
  int operandLevel() const { return (isSlotsFirst ? groups() : 0) + (iterations > 1 ? 1 : 0); }
  int resultLevel() const { return operandLevel() + 1; }
  /// The arcsine of degree 7 and the series of degree 30 with 4 double angles make 12.
  int levels() const { return resultLevel() + groups() * (isSlotsFirst ? 1 : 2) + 12 + 1; }
};

std::string typeAt(const Form &form, int level) {
  return "!ckks.ct<level = " + std::to_string(level) + ", scale = 2^" +
         std::to_string(40 + 10 * (form.iterations - 1)) + ">";
}

/// Real and imaginary part of the bootstrap of %x + i %y, or both the bootstrap of %x.
std::string program(const Form &form) {
  std::string limbs, levels, level;
  for (uint64_t prime : *ring::nttPrimesNear(logN, 50, form.levels()))
    limbs += (limbs.empty() ? "" : ", ") + std::to_string(prime);
  for (int limb = 0; limb < form.levels(); ++limb) {
    level += (limb ? ", " : "") + std::to_string(limb);
    levels += (limb ? ", [" : "[") + level + "]";
  }
  const std::string slots = std::to_string(1 << form.logSlots);
  const std::string operand = typeAt(form, form.operandLevel());
  const std::string result = typeAt(form, form.resultLevel());
  const std::string layout = "{ckks.layout = #ckks.layout<shape = [" + slots +
                             "], lanes = " + slots +
                             ", batch = 1, batched = false>, ckks.range = [-1.0, 1.0]}";
  const std::string factors =
      form.logSlots == 1 ? "[1]" : "[1, " + std::to_string(form.logSlots - 1) + "]";
  std::string attributes = ", arcsine_degree = 7";
  attributes += form.isReal ? ", real" : "";
  attributes += form.isSlotsFirst ? ", order = slots_to_coefficients_first" : "";
  attributes += form.iterations > 1
                    ? ", iterations = " + std::to_string(form.iterations) + ", log_gain = 10"
                    : "";
  std::string text =
      "module attributes {ckks.params = #ckks.params<logN = " + std::to_string(logN) +
      ", limbs = [" + limbs + "], levels = [" + levels + "], slots = " + slots +
      ", security = 0>} {\nfunc.func @f(%x: " + operand + layout + ", %y: " + operand + layout +
      ") -> (" + result + layout + ", " + result + layout + ") {\n";
  text += "%iy = ckks.mul_by_i %y : " + operand + "\n%xy = ckks.add %x, %iy : " + operand + "\n";
  text += "%re = ckks.bootstrap " + std::string(form.isReal ? "%x" : "%xy") +
          " {range = 12.0, message_bound = 0.0009765625, degree = 30, double_angles = 4, "
          "coefficients_to_slots = " +
          factors + ", slots_to_coefficients = " + factors + attributes + "} : " + operand +
          " -> " + result + "\n";
  text += "%i = ckks.mul_by_i %re : " + result + "\n%im = ckks.negate %i : " + result + "\n";
  return text + "return %re, %im : " + result + ", " + result + "\n}\n}\n";
}

struct BootstrapTwin : testing::TestWithParam<std::tuple<unsigned, bool, bool, int>> {
  Form form{std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()),
            std::get<3>(GetParam())};
};

TEST_P(BootstrapTwin, IsTheIdentity) {
  StagedModule module(program(form));
  ASSERT_TRUE(module) << module.messages;
  ASSERT_TRUE(module.run(createExpandBootstraps())) << module.messages;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  TensorItems inputs(2, std::vector<double>(size_t{1} << form.logSlots));
  for (std::vector<double> &input : inputs)
    for (double &number : input)
      number = uniform(random);
  auto exact = simulate(module.get(), inputs);
  auto noisy = simulate(module.get(), inputs, /*noiseSeed=*/1);
  ASSERT_TRUE(succeeded(exact) && succeeded(noisy)) << module.messages;
  if (form.isReal)
    std::ranges::fill(inputs[1], 0.0);
  bool isDisturbed = false;
  for (int part : {0, 1})
    for (size_t k = 0; k < inputs[part].size(); ++k) {
      EXPECT_NEAR((*exact)[part][k], inputs[part][k], 1e-9) << part << " of slot " << k;
      EXPECT_NEAR((*noisy)[part][k], inputs[part][k], 1e-4) << part << " of slot " << k;
      isDisturbed |= (*noisy)[part][k] != (*exact)[part][k];
    }
  EXPECT_TRUE(isDisturbed);
}

TEST(ViewSlots, RepeatsOrTakesTheMean) {
  const std::string four = "!ckks.ct<level = 0, scale = 2^40>";
  const std::string two = "!ckks.ct<level = 0, scale = 2^40, slots = 2>";
  const std::string layout = "{ckks.layout = #ckks.layout<shape = [4], lanes = 4, batch = 1, "
                             "batched = false>, ckks.range = [-9.0, 9.0]}";
  StagedModule module(
      "module attributes {ckks.params = #ckks.params<logN = 5, limbs = [193], "
      "levels = [[0]], slots = 4, security = 0>} {\nfunc.func @f(%x: " +
      four + layout + ") -> (" + four + layout + ") {\n%0 = ckks.view_slots %x : " + four + " -> " +
      two + "\n%1 = ckks.rotate %0 {by = 3} : " + two + "\n%2 = ckks.view_slots %1 : " + two +
      " -> " + four + "\nreturn %2 : " + four + "\n}\n}\n");
  ASSERT_TRUE(module) << module.messages;
  auto outputs = simulate(module.get(), {{1, 2, 4, 8}});
  ASSERT_TRUE(succeeded(outputs)) << module.messages;
  EXPECT_EQ((*outputs)[0], (std::vector<double>{5, 2.5, 5, 2.5}));
}

INSTANTIATE_TEST_SUITE_P(Forms, BootstrapTwin,
                         testing::Combine(testing::Values(1, 2, 3, 4), testing::Bool(),
                                          testing::Bool(), testing::Values(1, 2)));

} // namespace
