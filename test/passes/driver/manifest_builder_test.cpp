//===- manifest_builder_test.cpp - what the llvm phase must say for an artifact ---------------===//

#include "passes/driver/ManifestBuilder.h"

#include "dialects/InitDialects.h"
#include "passes/algorithms/Flooding.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace sluice;

namespace {

/// Attributes of a module that readContents accepts; tests replace one at a time.
std::map<std::string, std::string> goodAttributes() {
  return {
      {"ckks.params",
       "#ckks.params<logN = 13, limbs = [1125899906826241, 1125899906629633, 1099511480321], "
       "special = [0], levels = [[1], [1, 2]], digits = [[1], [2]], slots = 4096>"},
      {"sluice.name", "\"score\""},
      {"sluice.keys", "[{kind = \"galois\", element = 5, limbs = array<i64: 0, 1, 2>, "
                      "digits = [array<i64: 1>, array<i64: 2>]}]"},
      {"sluice.ciphertext_products", "3"},
      {"sluice.key_switches", "4"},
      {"sluice.inputs",
       "[{name = \"x\", type = !ckks.ct<level = 1, scale = 2^40>, polynomials = 2, range = [-8.0, "
       "8.0], layout = #ckks.layout<shape = [30], lanes = 32, batch = 100, batched = true>}]"},
      {"sluice.outputs",
       "[{name = \"y\", type = !ckks.ct<level = 0, scale = 2^80 * q2^-1>, polynomials = 2, "
       "layout = #ckks.layout<shape = [], lanes = 1, batch = 100, batched = true>}]"},
      {"sluice.program",
       "{arena_slots = 9, scratch_slots = 2, inputs = [[array<i64: 0, 1>, array<i64: 2, 3>]], "
       "outputs = [[array<i64: 4>, array<i64: 5>]], constants = ["
       "{values = array<f64: 1.0, 2.0>, scale = array<f64: 32.0, 0.0>, limbs = array<i64: 1>}, "
       "{values = array<f64: 0.0, 1.0>, complex, scale = array<f64: 1.0, 0.0>, "
       "limbs = array<i64: 1, 2>}, "
       "{values = array<f64: 1.0, 2.0>, scale = array<f64: 64.0, 0.0>, limbs = array<i64: 2>}]}"},
  };
}

struct Outcome {
  FailureOr<ArtifactContents> contents = failure();
  std::string messages;
};

Outcome read(const std::map<std::string, std::string> &attributes, const std::string &name = "") {
  DialectRegistry registry;
  registerSluiceDialects(registry);
  MLIRContext context(registry);
  Outcome outcome;
  ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { outcome.messages += diagnostic.str() + "\n"; });
  std::string text = "module attributes {";
  for (const auto &[key, value] : attributes)
    text += (text.back() == '{' ? "" : ", ") + key + " = " + value;
  auto module = parseSourceString<ModuleOp>(text + "} {}", &context);
  if (module)
    outcome.contents = readContents(*module, name);
  return outcome;
}

TEST(ManifestBuilder, CollectsEverything) {
  Outcome outcome = read(goodAttributes());
  ASSERT_TRUE(succeeded(outcome.contents)) << outcome.messages;
  const Manifest &manifest = outcome.contents->manifest;
  EXPECT_EQ(manifest.programName, "score");
  EXPECT_EQ(manifest.logN, 13u);
  EXPECT_EQ(manifest.levels, (std::vector<std::vector<uint16_t>>{{1}, {1, 2}}));
  EXPECT_EQ(manifest.security.bits, 128);
  EXPECT_EQ(manifest.security.limit, 214u);
  EXPECT_NEAR(manifest.security.logQP, 140, 1e-5); // 50 + 50 + 40 bits
  ASSERT_EQ(manifest.inputs.size(), 1u);
  EXPECT_EQ(manifest.inputs[0].rangeLow, -8);
  EXPECT_EQ(manifest.inputs[0].batch, 100u);
  EXPECT_EQ(manifest.inputs[0].level, 1u);
  ASSERT_EQ(manifest.outputs.size(), 1u);
  EXPECT_EQ(manifest.outputs[0].scale.exact, "2^80 * q2^-1");
  EXPECT_EQ(manifest.outputs[0].scale.high, 0x1p80 / 1099511480321.0);
  EXPECT_TRUE(manifest.outputs[0].shape.empty());
  ASSERT_EQ(manifest.evaluationKeys.size(), 1u);
  EXPECT_EQ(manifest.evaluationKeys[0].element, 5u);
  EXPECT_EQ(manifest.forecast.keyBytes, 2u * 3 * 8192 * 8);     // digits, limbs, N, bytes
  EXPECT_EQ(manifest.forecast.arenaBytes, (9u + 2) * 8192 * 8); // with one thread's scratch
  EXPECT_EQ(manifest.forecast.ciphertextProducts, 3u);
  EXPECT_EQ(manifest.forecast.keySwitches, 4u);

  const ProgramSection &program = outcome.contents->program;
  EXPECT_EQ(program.inputs[0].slots, (std::vector<std::vector<uint32_t>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(program.outputs[0].slots, (std::vector<std::vector<uint32_t>>{{4}, {5}}));
  EXPECT_EQ(program.keys, std::vector<uint32_t>{0});
  ASSERT_EQ(program.constants.size(), 3u);
  EXPECT_EQ(program.constants[1].count, 1u); // one pair
  EXPECT_TRUE(program.constants[1].isComplex);
}

TEST(ManifestBuilder, CertifiesEveryKindOfKey) {
  auto attributes = goodAttributes();
  attributes["sluice.log2_failure"] = "-140.5";
  Outcome outcome = read(attributes);
  ASSERT_TRUE(succeeded(outcome.contents)) << outcome.messages;
  const ManifestCertificate &certificate = *outcome.contents->manifest.certificate;
  ASSERT_EQ(certificate.keys.size(), 2u);
  EXPECT_EQ(certificate.keys[0].object, "public_key");
  EXPECT_EQ(certificate.keys[1].object, "galois");
  EXPECT_NEAR(certificate.keys[1].logQP, 140, 1e-5);
  EXPECT_EQ(certificate.keys[1].limit, 214u);
  EXPECT_EQ(certificate.log2Failure, -140.5);
  EXPECT_EQ(certificate.decryptions, 0u);
  EXPECT_TRUE(certificate.outputs.empty()) << "there is no forecast";
}

/// 100 items of deviation 2^-20; the formulas are tested elsewhere.
TEST(ManifestBuilder, CertifiesTheFloodingOfEveryOutput) {
  auto attributes = goodAttributes();
  attributes["sluice.output_deviations"] = "array<f64: 9.5367431640625e-07>";
  attributes["sluice.decryptions"] = "3";
  attributes["sluice.statistical_bits"] = "40.0";
  Outcome outcome = read(attributes);
  ASSERT_TRUE(succeeded(outcome.contents)) << outcome.messages;
  const ManifestCertificate &certificate = *outcome.contents->manifest.certificate;
  EXPECT_EQ(certificate.decryptions, 3u);
  EXPECT_EQ(certificate.statisticalBits, 40);
  ASSERT_EQ(certificate.outputs.size(), 1u);
  const CertifiedOutput &output = certificate.outputs[0];
  EXPECT_EQ(output.name, "y");
  EXPECT_EQ(output.deviation, 0x1p-20);
  EXPECT_EQ(output.errorNorm, algorithms::errorNormBound(0x1p-20, 100, 3, 40));
  EXPECT_NEAR(output.floodingDeviation, 6 * 0x1p20 * output.errorNorm, 1e-9);
}

TEST(ManifestBuilder, EqualValuesStandOnce) {
  Outcome outcome = read(goodAttributes());
  ASSERT_TRUE(succeeded(outcome.contents)) << outcome.messages;
  const std::vector<ProgramConstant> &constants = outcome.contents->program.constants;
  EXPECT_EQ(outcome.contents->constantValues, (std::vector<double>{1, 2, 0, 1}));
  EXPECT_EQ(constants[0].offset, 0u);
  EXPECT_EQ(constants[1].offset, 2u);
  EXPECT_EQ(constants[2].offset, 0u); // another scale, the same values
}

TEST(ManifestBuilder, TheCallersNameWins) {
  EXPECT_EQ(read(goodAttributes(), "mine").contents->manifest.programName, "mine");
}

/// One attribute (removed when `value` is empty) and the message it causes.
struct Refusal {
  const char *attribute, *value, *message;
};

class ManifestBuilderRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(ManifestBuilderRefuses, WithAMessage) {
  std::map<std::string, std::string> attributes = goodAttributes();
  attributes.erase(GetParam().attribute);
  if (*GetParam().value)
    attributes[GetParam().attribute] = GetParam().value;
  Outcome outcome = read(attributes);
  EXPECT_TRUE(failed(outcome.contents));
  // Entries that are missing together are reported together; the first is asserted.
  EXPECT_EQ(outcome.messages.substr(0, outcome.messages.find('\n')), GetParam().message);
}

/// Diagonal 1 of V_1 for two slots is (exp(i pi / 4), 1); rotated by one, the other way around.
std::string diagonalProgram(const std::string &values, const std::string &rotation) {
  return "{arena_slots = 9, inputs = [[array<i64: 0, 1>, array<i64: 2, 3>]], "
         "outputs = [[array<i64: 4>, array<i64: 5>]], constants = ["
         "{values = array<f64: " +
         values +
         ">, complex, slots = 4 : i64, scale = array<f64: 32.0, 0.0>, limbs = array<i64: 1>, "
         "generator = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, "
         "log_slots = 1, first = 1, count = 1, factor = 2.0 : f64>, index = 1, rotation = " +
         rotation + ">}]}";
}

TEST(ManifestBuilder, HoldsGeneratorsInPlaceOfValues) {
  auto attributes = goodAttributes();
  attributes["sluice.program"] =
      diagonalProgram("2.0, 0.0, 1.4142135623730951, 1.4142135623730951", "1");
  Outcome outcome = read(attributes);
  ASSERT_TRUE(succeeded(outcome.contents)) << outcome.messages;
  EXPECT_TRUE(outcome.contents->constantValues.empty());
  const ProgramConstant &constant = outcome.contents->program.constants.at(0);
  EXPECT_EQ(constant.kind, ConstantKind::dftDiagonal);
  EXPECT_EQ(constant.diagonal,
            (DftDiagonal{{{DftDirection::slotsToCoefficients, 1, 1, 1}, 2.0}, 1, 1}));
  EXPECT_EQ(constant.count, 2u);
  EXPECT_EQ(constant.slots, 4u);
  EXPECT_EQ(constant.limbs, std::vector<uint16_t>{1});
}

// Two sources of what a constant is must not differ: by a bit, by the sign of a zero, by a
// rotation.
TEST(ManifestBuilder, RefusesValuesThatTheirGeneratorDoesNotGive) {
  const std::pair<const char *, const char *> others[] = {
      {"2.0, 0.0, 1.4142135623730951, 1.4142135623730954", "1"},
      {"2.0, -0.0, 1.4142135623730951, 1.4142135623730951", "1"},
      {"2.0, 0.0, 1.4142135623730951, 1.4142135623730951", "0"},
      {"2.0, 0.0", "1"}};
  for (const auto &[values, rotation] : others) {
    auto attributes = goodAttributes();
    attributes["sluice.program"] = diagonalProgram(values, rotation);
    Outcome outcome = read(attributes);
    EXPECT_TRUE(failed(outcome.contents)) << values;
    EXPECT_NE(outcome.messages.find("the values of a constant are not those of its generator"),
              std::string::npos)
        << outcome.messages;
  }
}

constexpr const char *shortProgram = "{arena_slots = 9, inputs = [], outputs = [], constants = []}";
#define PROGRAM_WITH_CONSTANTS(text)                                                               \
  "{arena_slots = 9, inputs = [], outputs = [], constants = [" text "]}"

const Refusal refusals[] = {
    {"ckks.params", "", "the module has no 'ckks.params'"},
    {"sluice.name", "", "the module has no 'sluice.name'"},
    {"sluice.keys", "",
     "the module has no 'sluice.keys', the list of evaluation keys that select-key-switching "
     "makes"},
    {"sluice.keys",
     "[{kind = \"relinearize\", limbs = array<i64: 0, 3>, digits = [array<i64: 3>]}]",
     "'sluice.keys' names a limb that is not in the table of 3 limbs"},
    {"ckks.params",
     "#ckks.params<logN = 12, limbs = [1125899906826241, 1125899906629633, 1099511480321], special "
     "= [0], levels = [[1], [1, 2]], digits = [[1], [2]], slots = 2048>",
     "the moduli need log2 PQ = 140 bits, which the security table does not allow for uniform "
     "ternary, N = 2^12; parameters for tests are marked 'security = 0'"},
    {"ckks.params",
     "#ckks.params<logN = 11, limbs = [1125899906826241, 1125899906629633, 1099511480321], special "
     "= [0], levels = [[1], [1, 2]], digits = [[1], [2]], slots = 1024>",
     "the moduli need log2 PQ = 140 bits, which no row of the security table covers; parameters "
     "for tests are marked 'security = 0'"},
    {"sluice.decryptions", "1",
     "decryptions can be shared only of programs with a forecast of their errors: "
     "'sluice.output_deviations', one number an output, which the settled phase gives where inputs "
     "have a ckks.layout and a ckks.range"},
    {"sluice.program", "", "the module has no 'sluice.program', which rns-to-runtime adds"},
    {"sluice.program", "{}", "'sluice.program' has no integer called 'arena_slots'"},
    {"sluice.program", shortProgram,
     "'sluice.inputs' must be an array as long as 'inputs' of 'sluice.program'"},
    {"sluice.program", PROGRAM_WITH_CONSTANTS("1"),
     "a constant of 'sluice.program' is no dictionary"},
    {"sluice.program", PROGRAM_WITH_CONSTANTS("{}"),
     "'sluice.program' has no array of f64 called 'values'"},
    {"sluice.program",
     PROGRAM_WITH_CONSTANTS("{values = array<f64: 1.0>, scale = array<f64: 1.0>, limbs = "
                            "array<i64: 1>}"),
     "a scale of 'sluice.program' is no pair of f64"},
    {"sluice.program", "{arena_slots = 9, inputs = [[\"0\"]], outputs = [], constants = []}",
     "a place in 'sluice.program' is no array of slots"},
    {"sluice.inputs", "[1]", "an entry of 'sluice.inputs' is no dictionary"},
    {"sluice.inputs", "[{}]", "'sluice.inputs' has no string called 'name'"},
    {"sluice.inputs",
     "[{name = \"x\", type = !ckks.ct, layout = #ckks.layout<shape = [], lanes = 1, batch = 1, "
     "batched = false>}]",
     "'sluice.inputs' has the type !ckks.ct for a settled ciphertext of 'ckks.params'"},
    {"sluice.inputs",
     "[{name = \"x\", type = !ckks.ct<level = 1, scale = 2^40>, layout = #ckks.layout<shape = [], "
     "lanes = 1, batch = 1, batched = false>}]",
     "input 'x' has no 'ckks.range': the client must know which values to refuse"},
};

INSTANTIATE_TEST_SUITE_P(Each, ManifestBuilderRefuses, testing::ValuesIn(refusals));

} // namespace
