//===- loops_test.cpp - loops over limbs and over their blocks ------------------------------===//
#include "test/runtime/cpu/backend_machine.h"

#include <span>

namespace sluice {
namespace {

using namespace test;

class LoopTest : public BackendTest {};

/// Limb `index` of dst = sigma_5(a + b) * (a + b), through both scratch slots.
struct LoopOperands {
  Limbs limbs;
  Slots dst, a, b;
} loop;

void loopBody(sluice_context *context, const sluice_functions *functions, uint32_t index,
              uint32_t scratch) {
  const uint32_t sum = scratch, turned = scratch + 1;
  const uint16_t *limb = &loop.limbs[index];
  functions->add(context, 1, limb, &sum, &loop.a[index], &loop.b[index]);
  functions->automorphism(context, 1, limb, &turned, &sum, 5);
  functions->mul(context, 1, limb, &loop.dst[index], &turned, &sum);
}

TEST_P(LoopTest, ParallelForRunsEveryLimbWithScratchOfItsThread) {
  for (int round = 0; round < 20; ++round) {
    loop.limbs = allLimbs;
    if (round == 0) {
      loop.a = machine.operand(allLimbs);
      loop.b = machine.operand(allLimbs);
      loop.dst = machine.takeSlots(allLimbs.size());
    }
    machine.call().parallel_for(machine.context(), static_cast<uint32_t>(allLimbs.size()),
                                loopBody);
    if (round == 0) {
      Slots sum = machine.takeSlots(allLimbs.size()), turned = machine.takeSlots(allLimbs.size());
      std::vector<Words> kept = naive.slots;
      naive.map(allLimbs, sum, [&](size_t i, size_t k, uint64_t q) {
        return (kept[loop.a[i]][k] + kept[loop.b[i]][k]) % q;
      });
      naive.automorphism(allLimbs, turned, sum, 5);
      naive.map(allLimbs, loop.dst, [&](size_t i, size_t k, uint64_t q) {
        return test::mulModulo(naive.slots[turned[i]][k], naive.slots[sum[i]][k], q);
      });
      for (const Slots &used : {sum, turned}) // only the oracle used these
        for (uint32_t slot : used)
          naive.slots[slot] = kept[slot];
    }
    ASSERT_NO_FATAL_FAILURE(machine.expectEqualArenas("parallel_for"));
  }
  for (const exec::FunctionUsage &usage : machine.machine->usage())
    if (usage.name == std::string("mul"))
      EXPECT_EQ(usage.calls, 20 * allLimbs.size());
}

/// Limb `index` of dst = (a + b) * a, in place of b, through a scratch slot; a transform's rows go
/// there and back.
void blockBody(sluice_context *context, const sluice_functions *functions, uint32_t index,
               uint32_t scratch) {
  const uint16_t *limb = &loop.limbs[index];
  functions->add(context, 1, limb, &scratch, &loop.a[index], &loop.b[index]);
  functions->mul(context, 1, limb, &loop.b[index], &scratch, &loop.a[index]);
  functions->copy(context, 1, &loop.dst[index], &scratch);
}

TEST_P(LoopTest, ParallelForBlocksRunsEveryBlockOfEveryLimb) {
  loop.limbs = allLimbs;
  loop.a = machine.operand(allLimbs);
  loop.b = machine.operand(allLimbs);
  loop.dst = machine.takeSlots(allLimbs.size());
  machine.call().parallel_for_blocks(machine.context(), static_cast<uint32_t>(allLimbs.size()),
                                     blockBody);
  naive.map(allLimbs, loop.dst, [&](size_t i, size_t k, uint64_t q) {
    return (naive.slots[loop.a[i]][k] + naive.slots[loop.b[i]][k]) % q;
  });
  naive.map(allLimbs, loop.b, [&](size_t i, size_t k, uint64_t q) {
    return test::mulModulo(naive.slots[loop.dst[i]][k], naive.slots[loop.a[i]][k], q);
  });
  machine.expectEqualArenas("parallel_for_blocks");
  for (const exec::FunctionUsage &usage : machine.machine->usage())
    if (usage.name == std::string("mul")) {
      EXPECT_EQ(usage.calls, allLimbs.size());
      EXPECT_EQ(usage.limbs, allLimbs.size());
    }
}

TEST_P(LoopTest, BlocksRefuseWhatMovesWords) {
  loop.limbs = allLimbs;
  loop.a = machine.operand(allLimbs);
  loop.dst = machine.takeSlots(allLimbs.size());
  machine.call().parallel_for_blocks(
      machine.context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t index, uint32_t) {
        functions->automorphism(context, 1, &loop.limbs[index], &loop.dst[index], &loop.a[index],
                                5);
      });
  Status status = machine.machine->finish();
  EXPECT_EQ(status.message(),
            "automorphism was called for a part of a limb, but works on whole ones");
  machine.expectEqualArenas("refused automorphism");
}

/// A ring with several blocks a limb: rows of transforms and inner products in blocks give what
/// they give on whole limbs.
TEST(Blocks, OfALargeRingGiveWhatWholeLimbsGive) {
  constexpr unsigned largeLogN = 14;
  const std::vector<uint64_t> primes = *ring::nttPrimesBelow(largeLogN, 50, 3);
  static const uint16_t limbs[] = {0, 1};
  static const uint32_t in[] = {0, 1}, whole[] = {2, 3}, blocks[] = {4, 5};
  static const uint32_t converted[] = {6}, end[] = {7}, endInBlocks[] = {8};
  static const uint16_t third = 2;
  ThreadPool pool(2);
  exec::BackendResources resources;
  resources.ring = std::make_shared<const ring::Ring>(*ring::Ring::create(largeLogN, primes));
  resources.arenaSlots = 9;
  resources.scratchSlots = 1;
  auto backend = *cpu::createBackend(std::move(resources), pool);
  std::mt19937_64 random(1);
  ring::Poly poly(2, size_t{1} << largeLogN);
  for (size_t i = 0; i < 2; ++i)
    for (size_t k = 0; k < size_t{1} << largeLogN; ++k)
      poly.view().limb(i)[k] = random() % primes[i];
  ASSERT_TRUE(backend->write(in, poly.view()).isOk());
  const sluice_functions &call = backend->functions();
  call.intt_rows(backend->context(), 2, limbs, whole, in);
  call.parallel_for_blocks(backend->context(), 2,
                           [](sluice_context *context, const sluice_functions *functions,
                              uint32_t index, uint32_t scratch) {
                             functions->copy(context, 1, &scratch, &in[index]);
                             functions->intt_rows(context, 1, &limbs[index], &blocks[index],
                                                  &scratch);
                           });
  call.base_convert_columns(backend->context(), 1, &third, converted, 2, limbs, blocks);
  call.ntt_rows(backend->context(), 1, &third, end, converted);
  call.parallel_for_blocks(
      backend->context(), 1,
      [](sluice_context *context, const sluice_functions *functions, uint32_t, uint32_t) {
        functions->ntt_rows(context, 1, &third, endInBlocks, converted);
      });
  ASSERT_TRUE(backend->finish().isOk());
  auto contents = [&](std::span<const uint32_t> slots) {
    ring::Poly read(slots.size(), size_t{1} << largeLogN);
    EXPECT_TRUE(backend->read(slots, read.view()).isOk());
    return std::vector<uint64_t>(read.view().limb(0),
                                 read.view().limb(0) + (slots.size() << largeLogN));
  };
  EXPECT_EQ(contents(blocks), contents(whole));
  EXPECT_EQ(contents(endInBlocks), contents(end));
  EXPECT_NE(contents(end), contents(converted));
}

INSTANTIATE_TEST_SUITE_P(Threads, LoopTest, testing::Values(1u, 2u, 4u),
                         [](const auto &info) { return std::to_string(info.param); });

} // namespace
} // namespace sluice
