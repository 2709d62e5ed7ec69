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
  ProgramWriter(const algorithms::BootstrapPlan &plan, const algorithms::PlannedBootstrap &planned,
                BootstrapProgramForm form)
      : plan(plan), planned(planned), form(form),
        operand(type(planned.inputLevel, planned.inputLogScale)),
        result(type(planned.resultLevel, plan.logScale)) {}

  std::string write() {
    writeParams();
    out << "module attributes {ckks.params = #params} {\n";
    const StringRef complex = form.isComplex ? ", ckks.complex" : "";
    out << formatv("func.func @bootstrap(%z: {0} {{ckks.name = \"z\", ckks.layout = #layout{1}, "
                   "ckks.range = [-1.0, 1.0]})\n    -> ({2} {{ckks.name = \"z\", ckks.layout = "
                   "#layout{1}}) {{\n",
                   form.isRepeatable ? result : operand, complex, result);
    writeBootstrap(form.isRepeatable ? writeDescent("z") : "z", "raised");
    out << formatv("  return %raised : {0}\n}\n}\n", result);
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

  /// Takes a result of the program down to where a bootstrap begins; gives the name of what that
  /// is. Its level mostly has limbs of its own: one rational rescale leads there, from the scale
  /// that makes it the operand's.
  StringRef writeDescent(StringRef name) {
    const std::vector<int64_t> &from = planned.chain.levels[planned.resultLevel],
                               &to = planned.chain.levels[planned.inputLevel];
    std::string larger =
        formatv("!ckks.ct<level = {0}, scale = 2^{1}", planned.resultLevel, planned.inputLogScale);
    for (int64_t limb : from)
      if (!is_contained(to, limb))
        larger += formatv(" * q{0}", limb);
    for (int64_t limb : to)
      if (!is_contained(from, limb))
        larger += formatv(" * q{0}^-1", limb);
    larger += ">";
    out << formatv("  %larger = ckks.adjust_scale %{0} : {1} -> {2}\n", name, result, larger)
        << formatv("  %low = ckks.rescale %larger : {0} -> {1}\n", larger, operand);
    return "low";
  }

  void writeBootstrap(StringRef input, StringRef name) {
    // Shortest text that reads back as the same number.
    SmallString<32> bound;
    APFloat(planned.messageBound).toString(bound, 17, 0);
    out << formatv("  %{0} = ckks.bootstrap %{1} {{range = {2}.0, message_bound = {3}, degree = "
                   "{4}, double_angles = {5},\n      coefficients_to_slots = {6}, "
                   "slots_to_coefficients = {7}",
                   name, input, plan.range, bound, plan.degree, plan.doubleAngles,
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
    out << formatv("}\n      : {0} -> {1}\n", operand, result);
  }

  const algorithms::BootstrapPlan &plan;
  const algorithms::PlannedBootstrap &planned;
  const BootstrapProgramForm form;
  const std::string operand, result; // types of the bootstrap
  std::string text;
  raw_string_ostream out{text};
};

} // namespace

std::string writeBootstrapProgram(const algorithms::BootstrapPlan &plan,
                                  const algorithms::PlannedBootstrap &planned,
                                  BootstrapProgramForm form) {
  return ProgramWriter(plan, planned, form).write();
}

} // namespace sluice
