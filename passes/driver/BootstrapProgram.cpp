//===- BootstrapProgram.cpp - a program that is one bootstrap ---------------------------------===//

#include "passes/driver/BootstrapProgram.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace sluice {

namespace {

template <typename T> std::string listText(const std::vector<T> &values) {
  return "[" + join(map_range(values, [](const T &value) { return std::to_string(value); }), ", ") +
         "]";
}

std::string listText(const std::vector<std::vector<int64_t>> &lists) {
  return "[" +
         join(map_range(lists, [](const std::vector<int64_t> &list) { return listText(list); }),
              ",\n    ") +
         "]";
}

class ProgramWriter {
public:
  ProgramWriter(const algorithms::BootstrapPlan &plan, const algorithms::PlannedBootstrap &planned)
      : plan(plan), planned(planned), input(type(planned.inputLevel, planned.inputLogScale)),
        output(type(planned.resultLevel, plan.logScale)) {}

  std::string write(BootstrapValues values) {
    writeParams();
    out << "module attributes {ckks.params = #params} {\n";
    values == BootstrapValues::real ? writeReal() : writeComplex();
    out << "}\n";
    return std::move(text);
  }

private:
  static std::string type(size_t level, unsigned logScale) {
    return formatv("!ckks.ct<level = {0}, scale = 2^{1}>", level, logScale);
  }

  void writeParams() {
    const algorithms::ChainPlan &chain = planned.chain;
    out << formatv("#params = #ckks.params<logN = {0}, limbs = {1},\n  special = {2}, levels = "
                   "{3},\n  digits = {4},\n  slots = {5}, secret = \"{6}\", security = {7}",
                   plan.logN, listText(chain.limbs), listText(chain.special),
                   listText(chain.levels), listText(chain.digits), uint64_t{1} << plan.logSlots,
                   StringRef(secretDistributionName(plan.secret)), plan.isInsecure ? 0 : 128);
    if (plan.hasEphemeral)
      out << formatv(",\n  ephemeral = \"{0}\", ephemeral_special = {1}",
                     StringRef(secretDistributionName(SecretDistribution::ephemeral32)),
                     listText(chain.ephemeralSpecial));
    out << ">\n#layout = #ckks.layout<shape = [" << (uint64_t{1} << plan.logSlots)
        << "], lanes = " << (uint64_t{1} << plan.logSlots) << ", batch = 1, batched = false>\n";
  }

  std::string argument(StringRef name) const {
    return formatv("%{0}: {1} {{ckks.name = \"{0}\", ckks.layout = #layout, ckks.range = [-1.0, "
                   "1.0]}",
                   name, input);
  }

  std::string result(StringRef name) const {
    return formatv("{0} {{ckks.name = \"{1}\", ckks.layout = #layout}", output, name);
  }

  void writeReal() {
    out << formatv("func.func @bootstrap({0}) -> ({1}) {{\n", argument("x"), result("z"));
    writeBootstrap("x", "z");
    out << formatv("  return %z : {0}\n}\n", output);
  }

  void writeComplex() {
    out << formatv("func.func @bootstrap({0},\n                     {1})\n    -> ({2},\n        "
                   "{3}) {{\n",
                   argument("re"), argument("im"), result("re"), result("im"));
    out << formatv("  %i_im = ckks.mul_by_i %im : {0}\n  %x = ckks.add %re, %i_im : {0}\n", input);
    writeBootstrap("x", "z");
    // The imaginary part is the real part of -i z.
    out << formatv("  %i_z = ckks.mul_by_i %z : {0}\n  %z_im = ckks.negate %i_z : {0}\n"
                   "  return %z, %z_im : {0}, {0}\n}\n",
                   output);
  }

  void writeBootstrap(StringRef operand, StringRef name) {
    // Shortest text that reads back as the same number.
    SmallString<32> bound;
    APFloat(planned.messageBound).toString(bound, 17, 0);
    out << formatv("  %{0} = ckks.bootstrap %{1} {{range = {2}.0, message_bound = {3}, degree = "
                   "{4}, double_angles = {5},\n      coefficients_to_slots = {6}, "
                   "slots_to_coefficients = {7}",
                   name, operand, plan.range, bound, plan.degree, plan.doubleAngles,
                   listText(plan.coefficientsToSlots), listText(plan.slotsToCoefficients));
    if (plan.arcsineDegree > 1)
      out << ", arcsine_degree = " << plan.arcsineDegree;
    if (plan.nodes == algorithms::SineNodes::hanKi)
      out << ", nodes = han_ki";
    if (plan.order == algorithms::BootstrapOrder::slotsToCoefficientsFirst)
      out << ", order = slots_to_coefficients_first";
    if (plan.isReal)
      out << ", real";
    if (plan.iterations > 1)
      out << ", iterations = " << plan.iterations << ", log_gain = " << plan.logGain;
    out << formatv("}\n      : {0} -> {1}\n", input, output);
  }

  const algorithms::BootstrapPlan &plan;
  const algorithms::PlannedBootstrap &planned;
  std::string input, output; // types
  std::string text;
  raw_string_ostream out{text};
};

} // namespace

std::string writeBootstrapProgram(const algorithms::BootstrapPlan &plan,
                                  const algorithms::PlannedBootstrap &planned,
                                  BootstrapValues values) {
  return ProgramWriter(plan, planned).write(values);
}

} // namespace sluice
