//===- functions_test.cpp - the interface between compiled code and the runtime -------------===//

#include "runtime/abi/sluice.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

struct Function {
  const char *name;
  size_t offset; // in sluice_functions
};

const std::vector<Function> functions = {
#define SLUICE_FUNCTION(name, parameters) {#name, offsetof(sluice_functions, name)},
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
};

/// The lines of functions.def, comments included.
std::vector<std::string> allLines() {
  std::ifstream file(SLUICE_FUNCTIONS_DEF);
  EXPECT_TRUE(file.is_open()) << SLUICE_FUNCTIONS_DEF;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

TEST(Functions, NameNoAlgorithm) {
  // The scheme lives in the compiler: what a rotation or a bootstrap is made of is no business of
  // the runtime.
  const std::regex algorithm("bootstrap|poly|chebyshev|linear|transform|key_?switch|eval_?mod|"
                             "coeffs?_to|slots?_to|rescale|rotat|relinear|"
                             "conjugat|decompos|mod_?(up|down|raise|switch)|encrypt|decrypt|encode|"
                             "hoist|giant|baby|trace|lut|lookup",
                             std::regex::icase);
  std::vector<std::string> lines = allLines();
  ASSERT_GE(lines.size(), functions.size());
  for (const std::string &line : lines)
    EXPECT_FALSE(std::regex_search(line, algorithm)) << line;
}

TEST(Functions, AreDeclaredOneALine) {
  size_t declared = 0;
  for (const std::string &line : allLines())
    declared += line.rfind("SLUICE_FUNCTION(", 0) == 0;
  EXPECT_EQ(declared, functions.size());
}

TEST(Functions, StandInTheStructInTheOrderOfTheList) {
  EXPECT_EQ(offsetof(sluice_functions, abiVersion), 0u);
  for (size_t i = 0; i < functions.size(); ++i)
    EXPECT_EQ(functions[i].offset, 8 + i * sizeof(void *)) << functions[i].name;
  EXPECT_EQ(sizeof(sluice_functions), 8 + functions.size() * sizeof(void *));
}

TEST(Functions, AreNamedInSnakeCase) {
  for (const Function &function : functions)
    EXPECT_TRUE(std::regex_match(function.name, std::regex("[a-z]+(_[a-z]+)*"))) << function.name;
}

TEST(Functions, OfEachVersionStandInTheirPlaces) {
  // Compiled code finds a function by its place: what an earlier version has stays where it is.
  const std::vector<std::string> names = {
      // Version 1.
      "ntt", "intt", "copy", "add", "sub", "negate", "mul", "mac", "mul_scalar", "add_scalar",
      "sub_mul_scalar", "add_constant", "mul_constant", "mac_constant", "automorphism",
      "base_convert", "inner_product", "zero", "parallel_for",
      // Version 2.
      "ntt_rows", "intt_rows", "base_convert_columns", "parallel_for_blocks",
      // Version 3.
      "select_block", "weighted_sum",
      // Version 4.
      "begin_stage"};
  ASSERT_EQ(SLUICE_ABI_VERSION, 4u);
  ASSERT_EQ(functions.size(), names.size());
  for (size_t i = 0; i < names.size(); ++i)
    EXPECT_EQ(functions[i].name, names[i]);
}

} // namespace
