//===- program_test.cpp - loading a program -------------------------------------------------===//
#include "runtime/exec/program.h"
#include "runtime/ring/dft_factors.h"
#include "runtime/ring/embedding.h"
#include "test/runtime/exec/sample/sample.h"
#include "test/runtime/exec/sample/sample_parameters.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sluice {
namespace {

Expected<std::shared_ptr<const exec::Program>> load(const std::vector<uint8_t> &file) {
  ThreadPool pool(2);
  return exec::Program::load(wire::Source::fromMemory(file, "a.sluice"), pool);
}

Expected<std::shared_ptr<const exec::Program>>
withConstants(ProgramSection section, std::span<const double> values, unsigned threads) {
  ThreadPool pool(threads);
  return exec::Program::fromFunction(sample::sampleManifest(), std::move(section), values,
                                     sluice_program_run, pool);
}

TEST(Program, LoadsAFile) {
  auto program = load(sample::sampleFile(sample::sampleCode()));
  ASSERT_TRUE(program.isOk()) << program.message();
  const exec::Program &loaded = **program;
  EXPECT_EQ(loaded.manifest().programName, "sample");
  EXPECT_NE(loaded.entry(), nullptr);
  EXPECT_NE(loaded.entry(), &sluice_program_run) << "the file's code, not the test's";
  EXPECT_EQ(loaded.statistics().constants, 1u);
  EXPECT_EQ(loaded.statistics().constantBytes, 2u * 64 * 8);
  EXPECT_GE(loaded.statistics().totalMs, loaded.statistics().encodeMs);
}

TEST(Program, OfCpusAloneRunsOnNoDevice) {
  ThreadPool pool(1);
  const std::vector<uint8_t> file = sample::sampleFile(sample::sampleCode());
  auto program = exec::Program::load(wire::Source::fromMemory(file, "a.sluice"), pool,
                                     exec::ConstantForm::coefficients);
  ASSERT_FALSE(program.isOk());
  EXPECT_EQ(program.status().code(), StatusCode::mismatch);
  EXPECT_EQ(program.message(), "a.sluice: was compiled for CPUs alone: compile it with "
                               "--target=cuda to run it on a GPU, or run it with --device cpu");
}

/// Decoded again, a constant is its values, each stretched over period / count neighbours.
void expectStretched(const exec::Program &program, std::span<const std::complex<double>> values,
                     ring::Scale2 scale, size_t period = sample::slots) {
  const exec::EncodedConstant &constant = *program.constants()[0];
  ring::Poly rows(constant.limbs.size(), program.ring()->degree());
  std::ranges::copy(constant.rows.view().span(), rows.view().span().begin());
  ThreadPool pool(1);
  ring::toCoeffInPlace(*program.ring(), constant.limbs, rows.view(), pool);
  std::vector<std::complex<double>> slots(sample::slots);
  ASSERT_TRUE(ring::decodeSlots(*program.ring(), constant.limbs, rows.view(), scale, slots).isOk());
  for (size_t k = 0; k < slots.size(); ++k)
    EXPECT_LT(std::abs(slots[k] - values[k % period * values.size() / period]), 1e-9)
        << "slot " << k;
}

TEST(Program, ConstantsOfTheirOwnSlotsRepeat) {
  ProgramSection section = sample::sampleSection();
  section.constants[0].slots = 8;
  auto program = withConstants(section, sample::sampleConstants(), 1);
  ASSERT_TRUE(program.isOk()) << program.message();
  expectStretched(**program, std::vector<std::complex<double>>{1.5, -0.5, 2, 0.25},
                  {section.constants[0].scaleHigh, section.constants[0].scaleLow}, 8);
}

TEST(Program, EncodesConstantsStretchedOverTheSlots) {
  ProgramSection section = sample::sampleSection();
  auto program = withConstants(section, sample::sampleConstants(), 1);
  ASSERT_TRUE(program.isOk()) << program.message();
  EXPECT_EQ((*program)->constants()[0]->limbs, (std::vector<uint16_t>{1, 0}));
  expectStretched(**program, std::vector<std::complex<double>>{1.5, -0.5, 2, 0.25},
                  {section.constants[0].scaleHigh, section.constants[0].scaleLow});
}

TEST(Program, EncodesComplexConstants) {
  ProgramSection section = sample::sampleSection();
  section.constants[0] = {ConstantKind::slots, 1, 2, true, 0x1p40, 0, {0}};
  auto program = withConstants(section, std::vector<double>{9, 1, -2, 0.5, 3}, 1);
  ASSERT_TRUE(program.isOk()) << program.message();
  expectStretched(**program, std::vector<std::complex<double>>{{1, -2}, {0.5, 3}}, {0x1p40, 0});
}

// The same bits as the values themselves, stretched over the constant's own slots.
TEST(Program, EncodesDiagonalsAsTheirValues) {
  const DftGroup group = {DftDirection::coefficientsToSlots, 2, 1, 2};
  const DftDiagonal diagonal = {{group, 0.3, DftForm::fromHalves, true}, 6, 3};
  std::vector<double> values;
  for (std::complex<double> value : ring::dftValues(diagonal))
    values.insert(values.end(), {value.real(), value.imag()});
  ASSERT_TRUE(std::ranges::any_of(values, [](double value) { return value != 0; }));

  ProgramSection section = sample::sampleSection();
  section.constants.assign(2, {ConstantKind::slots, 0, 8, true, 0x1p40, 0, {0, 2}, 16});
  section.constants[1].kind = ConstantKind::dftDiagonal;
  section.constants[1].diagonal = diagonal;
  auto program = withConstants(section, values, 2);
  ASSERT_TRUE(program.isOk()) << program.message();
  const auto constants = (*program)->constants();
  EXPECT_TRUE(
      std::ranges::equal(constants[0]->rows.view().span(), constants[1]->rows.view().span()));
}

TEST(Program, EncodesAlikeOnAnyNumberOfThreads) {
  ProgramSection section = sample::sampleSection();
  section.constants.assign(20, section.constants[0]);
  for (size_t c = 0; c < 20; ++c)
    section.constants[c].count = size_t{1} << c % 3;
  auto one = withConstants(section, sample::sampleConstants(), 1);
  auto four = withConstants(section, sample::sampleConstants(), 4);
  ASSERT_TRUE(one.isOk() && four.isOk());
  for (size_t c = 0; c < 20; ++c)
    EXPECT_TRUE(std::ranges::equal((*one)->constants()[c]->rows.view().span(),
                                   (*four)->constants()[c]->rows.view().span()));
}

TEST(Program, RefusesConstantsThatCannotBeEncoded) {
  ProgramSection section = sample::sampleSection();
  auto program = withConstants(section, std::vector<double>{0, 0, 1, std::nan(""), 1, 1}, 2);
  ASSERT_FALSE(program.isOk());
  EXPECT_EQ(program.message().rfind("constant 0: ", 0), 0u) << program.message();
}

TEST(Program, RefusesCodeThatCannotBeLoaded) {
  auto program = load(sample::sampleFile(sample::builtCode("code_calls_puts.so")));
  ASSERT_FALSE(program.isOk());
  EXPECT_EQ(program.message().rfind("a.sluice: code: refers to the symbol 'puts'", 0), 0u)
      << program.message();
}

} // namespace
} // namespace sluice
