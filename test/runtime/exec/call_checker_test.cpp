//===- call_checker_test.cpp - every mistake that compiled code can make --------------------===//
#include "runtime/cpu/backend.h"
#include "runtime/exec/call_checker.h"
#include "test/runtime/exec/sample/sample.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// A program of the sample's shape: level 2 in slots 40, 1, 2 (x0) ... 9, 10, 11 (y1), all eval
/// form, and 60 slots.
class CallCheckerTest : public testing::Test {
protected:
  CallCheckerTest() : manifest(sample::sampleManifest()), section(sample::sampleSection()) {
    auto ring = ring::Ring::create(manifest.logN, manifest.limbs);
    EXPECT_TRUE(ring.isOk());
    exec::BackendResources resources;
    resources.ring = std::make_shared<const ring::Ring>(std::move(*ring));
    resources.arenaSlots = section.arenaSlots;
    resources.scratchSlots = 1;
    resources.stages = 2;
    auto constant = std::make_shared<exec::EncodedConstant>();
    constant->limbs = {1, 0};
    constant->rows = ring::Poly(2, 64);
    resources.constants = {constant};
    auto key = std::make_shared<exec::EvaluationKey>();
    key->limbs = {3, 4, 0, 1, 2};
    key->digitCount = 2;
    key->degree = 64;
    key->b = AlignedWords(key->halfWords());
    key->a = AlignedWords(key->halfWords());
    resources.keys = {key};
    auto created = cpu::createBackend(resources, pool);
    EXPECT_TRUE(created.isOk());
    backend = std::move(*created);
    checker = std::make_unique<exec::CallChecker>(std::move(resources), *backend);
    checker->begin(manifest, section);
  }

  const sluice_functions &call() { return checker->functions(); }
  sluice_context *context() { return checker->context(); }
  std::string mistake() { return checker->finish(manifest, section).message(); }

  Manifest manifest;
  ProgramSection section;
  ThreadPool pool{1};
  std::unique_ptr<exec::CalledBackend> backend;
  std::unique_ptr<exec::CallChecker> checker;

  const uint16_t limbs[3] = {0, 1, 2};
  const uint32_t x0[3] = {40, 1, 2}, x1[3] = {3, 4, 5}, y0[3] = {6, 7, 8};
  const uint32_t out[3] = {44, 45, 46}, temporary[3] = {50, 51, 52};
  const uint64_t scalars[3] = {1, 2, 3};
  const uint16_t rows[2] = {1, 0};
};

TEST_F(CallCheckerTest, FollowsARealProgramToItsFirstMistake) {
  EXPECT_EQ(sluice_program_run(context(), &call()), 0);
  // The sample uses two keys, and this checker has one: the second is the first mistake.
  EXPECT_EQ(mistake(), "call 36, inner_product: there is no key of this number");
}

TEST_F(CallCheckerTest, MissesOutputs) {
  EXPECT_EQ(mistake(),
            "after the last call: output 'result': slot 44 does not hold limb 0 in eval form");
}

TEST_F(CallCheckerTest, SlotOutsideTheArena) {
  const uint32_t outside[] = {60};
  call().negate(context(), 1, limbs, outside, x0);
  EXPECT_EQ(mistake(), "call 1, negate: dst[0] is slot 60, but the arena has 60");
}

TEST_F(CallCheckerTest, OperandOutsideTheArena) {
  const uint32_t outside[] = {0xFFFFFFFF};
  call().copy(context(), 1, out, outside);
  EXPECT_EQ(mistake(), "call 1, copy: src[0] is slot 4294967295, but the arena has 60");
}

// Bodies of loops over limbs: limb `index` of 0, 1, 2, which stand in slots 40, 1, 2.

const uint16_t bodyLimbs[3] = {0, 1, 2};
const uint32_t bodyInput[3] = {40, 1, 2}, bodyOutput[3] = {44, 45, 46};

void negateTwice(sluice_context *context, const sluice_functions *functions, uint32_t index,
                 uint32_t scratch) {
  functions->negate(context, 1, bodyLimbs + index, &scratch, bodyInput + index);
  functions->negate(context, 1, bodyLimbs + index, bodyOutput + index, &scratch);
}

TEST_F(CallCheckerTest, FollowsABody) {
  call().parallel_for(context(), 3, negateTwice);
  call().add(context(), 3, limbs, out, out, x0);
  call().negate(context(), 3, bodyLimbs, out, out);
  EXPECT_EQ(mistake(),
            "after the last call: output 'result': slot 46 does not hold limb 0 in eval form");
}

TEST_F(CallCheckerTest, ScratchOutsideOfABody) {
  const uint32_t scratch[] = {60};
  call().negate(context(), 1, limbs, scratch, x0);
  EXPECT_EQ(mistake(), "call 1, negate: dst[0] is slot 60, but the arena has 60");
}

TEST_F(CallCheckerTest, BodyReadsWhatAnotherLimbLeft) {
  call().parallel_for(context(), 3,
                      [](sluice_context *context, const sluice_functions *functions, uint32_t index,
                         uint32_t scratch) {
                        if (index == 0)
                          functions->negate(context, 1, bodyLimbs, &scratch, bodyInput);
                        functions->negate(context, 1, bodyLimbs, bodyOutput, &scratch);
                      });
  EXPECT_EQ(mistake(), "call 4, negate: a[0] is slot 60, which nothing was written to");
}

TEST_F(CallCheckerTest, BodyWorksOnSeveralLimbs) {
  call().parallel_for(
      context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t) {
        functions->negate(context, 3, bodyLimbs, bodyOutput, bodyInput);
      });
  EXPECT_EQ(mistake(),
            "call 2, negate: works on 3 limbs in a body of parallel_for, whose calls work on 1");
}

TEST_F(CallCheckerTest, BodyInABody) {
  call().parallel_for(context(), 1,
                      [](sluice_context *context, const sluice_functions *functions, uint32_t,
                         uint32_t) { functions->parallel_for(context, 3, negateTwice); });
  EXPECT_EQ(mistake(), "call 2, parallel_for: stands in a body of parallel_for");
}

TEST_F(CallCheckerTest, FollowsABodyInBlocks) {
  call().parallel_for_blocks(context(), 3, negateTwice);
  call().negate(context(), 3, bodyLimbs, out, bodyOutput);
  EXPECT_EQ(mistake().rfind("after the last call: output 'result'", 0), 0u) << mistake();
}

TEST_F(CallCheckerTest, BodyInBlocksMovesWords) {
  call().parallel_for_blocks(
      context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t) {
        functions->intt(context, 1, bodyLimbs, bodyOutput, bodyInput);
      });
  EXPECT_EQ(mistake(), "call 2, intt: moves words across a limb, but stands in a body of "
                       "parallel_for_blocks");
}

TEST_F(CallCheckerTest, FollowsAutomorphismsInBlocks) {
  call().parallel_for_blocks(
      context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t scratch) {
        functions->select_block(context, 5);
        functions->negate(context, 1, bodyLimbs, &scratch, bodyInput);
        functions->select_block(context, 1);
        functions->automorphism(context, 1, bodyLimbs, bodyOutput, &scratch, 5);
      });
  EXPECT_EQ(mistake().rfind("after the last call: output 'result': slot 46", 0), 0u) << mistake();
}

TEST_F(CallCheckerTest, AutomorphismReadsTheWrongBlockOfScratch) {
  call().parallel_for_blocks(
      context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t scratch) {
        functions->negate(context, 1, bodyLimbs, &scratch, bodyInput);
        functions->automorphism(context, 1, bodyLimbs, bodyOutput, &scratch, 5);
      });
  EXPECT_EQ(mistake(),
            "call 3, automorphism: slot 60, of scratch, holds the block of element 1, not 5");
}

TEST_F(CallCheckerTest, BlocksOverwriteWhatAnotherBlockReads) {
  call().parallel_for_blocks(
      context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t scratch) {
        functions->automorphism(context, 1, bodyLimbs, &scratch, bodyInput, 5);
        functions->negate(context, 1, bodyLimbs, bodyInput, &scratch);
      });
  EXPECT_EQ(mistake(), "call 3, negate: slot 40 is written, but used at several blocks, in one "
                       "parallel_for_blocks");
}

TEST_F(CallCheckerTest, SelectsABlockByAnEvenElement) {
  call().select_block(context(), 6);
  EXPECT_EQ(mistake(), "call 1, select_block: the element is not an odd number below 2N");
}

TEST_F(CallCheckerTest, BeginsAStageThatIsNotThere) {
  call().begin_stage(context(), 1);
  call().begin_stage(context(), 2);
  EXPECT_EQ(mistake(), "call 2, begin_stage: there is no stage of that number");
}

TEST_F(CallCheckerTest, BeginsAStageInABody) {
  call().parallel_for(context(), 1,
                      [](sluice_context *context, const sluice_functions *functions, uint32_t,
                         uint32_t) { functions->begin_stage(context, 0); });
  EXPECT_EQ(mistake(), "call 2, begin_stage: stands in a body of parallel_for");
}

TEST_F(CallCheckerTest, WeightedSumOfNoTerms) {
  const uint32_t constants[] = {0};
  call().weighted_sum(context(), 2, limbs, out, temporary, x0, x1, 0, x0, x1, constants, rows);
  EXPECT_EQ(mistake(), "call 1, weighted_sum: has no terms or too many");
}

TEST_F(CallCheckerTest, WeightedSumInPlaceOfItsStart) {
  const uint32_t constants[] = {0};
  call().weighted_sum(context(), 2, limbs, x0, x1, x0, x1, 1, y0, y0, constants, rows);
  EXPECT_EQ(mistake().rfind("after the last call: output 'result'", 0), 0u) << mistake();
}

TEST_F(CallCheckerTest, WeightedSumWithAnotherConstant) {
  const uint32_t constants[] = {1};
  call().weighted_sum(context(), 2, limbs, out, temporary, x0, x1, 1, y0, y0, constants, rows);
  EXPECT_EQ(mistake(), "call 1, weighted_sum: there is no constant of this number");
}

TEST_F(CallCheckerTest, BlocksOverwriteAHalfForm) {
  // Another block may still read there.
  call().intt_rows(context(), 1, bodyLimbs, temporary, x0);
  call().parallel_for_blocks(
      context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t) {
        functions->intt_rows(context, 1, bodyLimbs, bodyOutput, bodyInput);
        functions->negate(context, 1, bodyLimbs, bodyInput, bodyInput);
        functions->copy(context, 1, bodyOutput, bodyInput);
      });
  EXPECT_EQ(mistake(), "call 5, copy: slot 44 is in a half form once and not another time in one "
                       "parallel_for_blocks");
}

TEST_F(CallCheckerTest, HalfFormInScratchOfBlocks) {
  call().parallel_for_blocks(
      context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t scratch) {
        functions->intt_rows(context, 1, bodyLimbs, &scratch, bodyInput);
      });
  EXPECT_EQ(mistake(), "call 2, intt_rows: slot 60, of scratch, cannot hold a half form in a body "
                       "of parallel_for_blocks");
}

TEST_F(CallCheckerTest, AddsHalfForms) {
  call().intt_rows(context(), 3, limbs, out, x0);
  call().add(context(), 3, limbs, out, out, out);
  EXPECT_EQ(mistake(), "call 2, add: cannot compute with a half form");
}

TEST_F(CallCheckerTest, EndsATransformThatNothingBegan) {
  call().intt_rows(context(), 3, limbs, out, x0);
  call().ntt_rows(context(), 3, limbs, temporary, out);
  EXPECT_EQ(mistake(),
            "call 2, ntt_rows: src[0] is slot 44, which is in half_intt form, not half_ntt form");
}

TEST_F(CallCheckerTest, ZeroIsWritten) {
  call().zero(context(), 3, limbs, out);
  const uint32_t outside[] = {61};
  call().zero(context(), 1, limbs, outside);
  EXPECT_EQ(mistake(), "call 2, zero: dst[0] is slot 61, but the arena has 60");
}

TEST_F(CallCheckerTest, LimbOutsideTheTable) {
  const uint16_t outside[] = {5};
  call().negate(context(), 1, outside, out, x0);
  EXPECT_EQ(mistake(), "call 1, negate: limb 0 of the call is number 5, but there are 5");
}

TEST_F(CallCheckerTest, NoLimbs) {
  call().add(context(), 0, limbs, out, x0, x1);
  EXPECT_EQ(mistake(), "call 1, add: has no limbs");
}

TEST_F(CallCheckerTest, ReadsWhatNothingWrote) {
  call().add(context(), 3, limbs, out, x0, temporary);
  EXPECT_EQ(mistake(), "call 1, add: b[0] is slot 50, which nothing was written to");
}

TEST_F(CallCheckerTest, ReadsAnotherLimb) {
  const uint32_t mixed[] = {40, 2, 1};
  call().mul(context(), 3, limbs, out, x0, mixed);
  EXPECT_EQ(mistake(), "call 1, mul: b[1] is slot 2, which holds limb 2, not limb 1");
}

TEST_F(CallCheckerTest, MixesForms) {
  call().intt(context(), 3, limbs, temporary, x0);
  call().add(context(), 3, limbs, out, x1, temporary);
  EXPECT_EQ(mistake(), "call 2, add: b[0] is slot 50, which is in coeff form, not eval form");
}

TEST_F(CallCheckerTest, TransformsTwice) {
  call().ntt(context(), 3, limbs, temporary, x0);
  EXPECT_EQ(mistake(), "call 1, ntt: src[0] is slot 40, which is in eval form, not coeff form");
}

TEST_F(CallCheckerTest, MultipliesCoefficients) {
  call().intt(context(), 3, limbs, x0, x0);
  call().intt(context(), 3, limbs, x1, x1);
  call().mul(context(), 3, limbs, out, x0, x1);
  EXPECT_EQ(mistake(), "call 3, mul: a[0] is slot 40, which is in coeff form, not eval form");
}

TEST_F(CallCheckerTest, OverwritesAnOperandThatIsStillRead) {
  const uint16_t same[] = {0, 0};
  const uint32_t a[] = {40, 3}, b[] = {6, 9}, crossed[] = {3, 40};
  call().add(context(), 2, same, crossed, a, b);
  EXPECT_EQ(mistake(), "call 1, add: dst[0] is slot 3, which is still read at position 1");
}

TEST_F(CallCheckerTest, WritesTwice) {
  const uint16_t same[] = {0, 0};
  const uint32_t a[] = {40, 3}, twice[] = {50, 50};
  call().negate(context(), 2, same, twice, a);
  EXPECT_EQ(mistake(), "call 1, negate: dst[1] is slot 50, which the call writes twice");
}

TEST_F(CallCheckerTest, PermutesInPlace) {
  call().automorphism(context(), 3, limbs, x0, x0, 5);
  EXPECT_EQ(mistake(),
            "call 1, automorphism: dst[0] is slot 40, which is still read at position 0");
}

TEST_F(CallCheckerTest, EvenElement) {
  call().automorphism(context(), 3, limbs, out, x0, 4);
  EXPECT_EQ(mistake(), "call 1, automorphism: the element is not an odd number below 2N");
}

TEST_F(CallCheckerTest, ElementAbove2N) {
  call().automorphism(context(), 3, limbs, out, x0, 129);
  EXPECT_EQ(mistake(), "call 1, automorphism: the element is not an odd number below 2N");
}

TEST_F(CallCheckerTest, ScalarAboveItsLimb) {
  const uint64_t large[] = {1, manifest.limbs[1], 3};
  call().mul_scalar(context(), 3, limbs, out, x0, large);
  EXPECT_EQ(mistake(), "call 1, mul_scalar: scalars[1] is not below its limb");
}

TEST_F(CallCheckerTest, UnknownConstant) {
  call().mul_constant(context(), 2, limbs, out, x0, 1, rows);
  EXPECT_EQ(mistake(), "call 1, mul_constant: there is no constant of this number");
}

TEST_F(CallCheckerTest, RowOfAnotherLimb) {
  const uint16_t swapped[] = {0, 1};
  call().add_constant(context(), 2, limbs, out, x0, 0, swapped);
  EXPECT_EQ(mistake(),
            "call 1, add_constant: rows[0] is row 0 of the constant, which is limb 1, not limb 0");
}

TEST_F(CallCheckerTest, RowOutsideTheConstant) {
  const uint16_t outside[] = {1, 2};
  call().mac_constant(context(), 2, limbs, out, x0, x1, 0, outside);
  EXPECT_EQ(mistake(), "call 1, mac_constant: rows[1] is 2, but the constant has 2");
}

TEST_F(CallCheckerTest, ConvertsEvaluationForm) {
  call().base_convert(context(), 1, limbs, out, 1, limbs + 1, x0 + 1);
  EXPECT_EQ(mistake(), "call 1, base_convert: src[0] is slot 1, which is in eval form, not coeff "
                       "form");
}

TEST_F(CallCheckerTest, ConvertsOntoItsSource) {
  call().intt(context(), 3, limbs, temporary, x0);
  call().base_convert(context(), 1, limbs, temporary + 1, 1, limbs + 1, temporary + 1);
  EXPECT_EQ(mistake(),
            "call 2, base_convert: dst[0] is slot 51, which is still read at position 0");
}

TEST_F(CallCheckerTest, ConvertsFromNothing) {
  call().base_convert(context(), 1, limbs, out, 0, limbs, x0);
  EXPECT_EQ(mistake(), "call 1, base_convert: has no source limbs or too many");
}

TEST_F(CallCheckerTest, KeyDigitOutsideTheKey) {
  const uint16_t keyRows[] = {2, 3, 4}, keyDigits[] = {2};
  call().inner_product(context(), 3, limbs, out, temporary, 1, x0, 0, keyDigits, keyRows);
  EXPECT_EQ(mistake(), "call 1, inner_product: the key has no digit of this number");
}

TEST_F(CallCheckerTest, KeyRowOfAnotherLimb) {
  const uint16_t keyRows[] = {0, 3, 4}, keyDigits[] = {0};
  call().inner_product(context(), 3, limbs, out, temporary, 1, x0, 0, keyDigits, keyRows);
  EXPECT_EQ(mistake(),
            "call 1, inner_product: rows[0] is row 0 of the key, which is limb 3, not limb 0");
}

TEST_F(CallCheckerTest, BothHalvesIntoTheSameSlots) {
  const uint16_t keyRows[] = {2, 3, 4}, keyDigits[] = {1};
  call().inner_product(context(), 3, limbs, out, out, 1, x0, 0, keyDigits, keyRows);
  EXPECT_EQ(mistake(), "call 1, inner_product: dst1[0] is slot 44, which the call writes twice");
}

TEST_F(CallCheckerTest, NothingIsDoneAfterAMistake) {
  call().add(context(), 3, limbs, out, x0, temporary);
  call().add(context(), 3, limbs, out, x0, x1);
  EXPECT_EQ(checker->contents()[44].isSet, false);
  for (const exec::FunctionUsage &usage : backend->usage())
    EXPECT_EQ(usage.calls, 0u) << usage.name;
  EXPECT_EQ(mistake(), "call 1, add: b[0] is slot 50, which nothing was written to");
}

TEST_F(CallCheckerTest, CarriesOutWhatIsRight) {
  call().mul(context(), 3, limbs, out, x0, y0);
  call().sub_mul_scalar(context(), 3, limbs, x1, x1, out, scalars);
  call().intt(context(), 3, limbs, x1, x1);
  call().ntt(context(), 3, limbs, x1, x1);
  const uint32_t result[] = {46};
  call().copy(context(), 1, result, x1);
  EXPECT_EQ(mistake(), "");
  uint64_t calls = 0;
  for (const exec::FunctionUsage &usage : backend->usage())
    calls += usage.calls;
  EXPECT_EQ(calls, 5u);
}

} // namespace
} // namespace sluice
