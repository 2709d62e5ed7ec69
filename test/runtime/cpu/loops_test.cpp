//===- loops_test.cpp - loops over limbs and over their blocks ------------------------------===//
#include "test/runtime/cpu/backend_machine.h"

#include <array>

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

/// Limb `index` of dst = a + b, then of b = (a + b) * a, through a scratch slot.
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
        functions->ntt(context, 1, &loop.limbs[index], &loop.dst[index], &loop.a[index]);
      });
  Status status = machine.machine->finish();
  EXPECT_EQ(status.message(), "ntt was called for a part of a limb, but works on whole ones");
  machine.expectEqualArenas("refused ntt");
}

/// A ring with four blocks a limb, whose residues blocks compute as whole limbs do.
class BlocksTest : public testing::Test {
protected:
  static constexpr unsigned largeLogN = 14;
  static constexpr size_t degree = size_t{1} << largeLogN;

  BlocksTest() : primes(*ring::nttPrimesBelow(largeLogN, 50, 3)) {
    exec::BackendResources resources;
    resources.ring = std::make_shared<const ring::Ring>(*ring::Ring::create(largeLogN, primes));
    resources.arenaSlots = 16;
    resources.scratchSlots = 2;
    auto constant = std::make_shared<exec::EncodedConstant>();
    constant->limbs = {0, 1};
    constant->rows = randomPoly();
    resources.constants = {constant};
    auto key = std::make_shared<exec::EvaluationKey>();
    key->limbs = {0, 1};
    key->digitCount = 1;
    key->degree = degree;
    for (AlignedWords *half : {&key->b, &key->a}) {
      *half = AlignedWords(key->halfWords());
      ring::Poly poly = randomPoly();
      for (size_t row = 0; row < 2; ++row)
        std::copy_n(poly.view().limb(row), degree, half->data() + key->rowOffset(0, row));
    }
    resources.keys = {key};
    backend = *cpu::createBackend(std::move(resources), pool);
    EXPECT_TRUE(backend->write(std::array<uint32_t, 2>{0, 1}, randomPoly().view()).isOk());
    EXPECT_TRUE(backend->write(std::array<uint32_t, 2>{2, 3}, randomPoly().view()).isOk());
  }

  ring::Poly randomPoly() {
    ring::Poly poly(2, degree);
    for (size_t i = 0; i < 2; ++i)
      for (size_t k = 0; k < degree; ++k)
        poly.view().limb(i)[k] = random() % primes[i];
    return poly;
  }

  std::vector<uint64_t> contents(uint32_t first, size_t count) {
    std::vector<uint32_t> slots(count);
    std::iota(slots.begin(), slots.end(), first);
    ring::Poly read(count, degree);
    EXPECT_TRUE(backend->read(slots, read.view()).isOk());
    return {read.view().limb(0), read.view().limb(0) + count * degree};
  }

  /// Slots 4 to 9 after the body ran on both limbs, once by each kind of loop.
  void expectTheSame(sluice_limb_body body) {
    backend->functions().parallel_for(backend->context(), 2, body);
    std::vector<uint64_t> whole = contents(4, 6);
    ring::Poly cleared(6, degree);
    EXPECT_TRUE(backend->write(std::array<uint32_t, 6>{4, 5, 6, 7, 8, 9}, cleared.view()).isOk());
    backend->resetUsage();
    backend->functions().parallel_for_blocks(backend->context(), 2, body);
    EXPECT_EQ(contents(4, 6), whole);
    EXPECT_TRUE(backend->finish().isOk());
  }

  std::vector<uint64_t> primes;
  std::mt19937_64 random{1};
  ThreadPool pool{2};
  std::unique_ptr<exec::CalledBackend> backend;
};

constexpr uint16_t blockLimbs[] = {0, 1}, blockDigit = 0;
constexpr uint64_t blockScalar = 123456789;

TEST_F(BlocksTest, OfArithmetic) {
  expectTheSame([](sluice_context *context, const sluice_functions *functions, uint32_t index,
                   uint32_t scratch) {
    const uint16_t *limb = &blockLimbs[index], *row = limb;
    const uint32_t a = index, b = 2 + index, sum = 4 + index, product = 6 + index;
    const uint32_t last = 8 + index, other = scratch + 1;
    functions->add(context, 1, limb, &scratch, &a, &b);
    functions->mac(context, 1, limb, &sum, &scratch, &a, &b);
    functions->sub_mul_scalar(context, 1, limb, &other, &sum, &scratch, &blockScalar);
    functions->mul_constant(context, 1, limb, &product, &other, 0, row);
    functions->mac_constant(context, 1, limb, &product, &product, &a, 0, row);
    functions->zero(context, 1, limb, &last);
    functions->add_scalar(context, 1, limb, &last, &last, &blockScalar);
    functions->negate(context, 1, limb, &last, &last);
  });
  for (const exec::FunctionUsage &usage : backend->usage())
    if (usage.name == std::string("mac")) {
      EXPECT_EQ(usage.calls, 2u); // a limb in blocks counts once
      EXPECT_EQ(usage.limbs, 2u);
    }
}

TEST_F(BlocksTest, OfAnInnerProductAndRows) {
  expectTheSame([](sluice_context *context, const sluice_functions *functions, uint32_t index,
                   uint32_t scratch) {
    const uint16_t *limb = &blockLimbs[index];
    const uint32_t digit = index, b = 4 + index, a = 6 + index, half = 8 + index;
    functions->copy(context, 1, &scratch, &digit);
    functions->inner_product(context, 1, limb, &b, &a, 1, &scratch, 0, &blockDigit, limb);
    functions->intt_rows(context, 1, limb, &half, &b);
  });
}

TEST_F(BlocksTest, OfTheEndOfATransform) {
  const uint16_t third = 2;
  const uint32_t half[] = {10, 11}, converted = 12;
  const sluice_functions &call = backend->functions();
  const uint32_t source[] = {0, 1};
  call.intt_rows(backend->context(), 2, blockLimbs, half, source);
  call.base_convert_columns(backend->context(), 1, &third, &converted, 2, blockLimbs, half);
  expectTheSame([](sluice_context *context, const sluice_functions *functions, uint32_t index,
                   uint32_t scratch) {
    const uint16_t limb = 2;
    const uint32_t from = 12, to = 4 + index;
    functions->ntt_rows(context, 1, &limb, &scratch, &from);
    functions->copy(context, 1, &to, &scratch);
  });
  EXPECT_NE(contents(4, 1), contents(12, 1));
}

/// sigma_5 of a sum and of an operand, then sigma_-1 of a result, at the blocks that they need.
TEST_F(BlocksTest, OfAutomorphisms) {
  expectTheSame([](sluice_context *context, const sluice_functions *functions, uint32_t index,
                   uint32_t scratch) {
    const uint16_t *limb = &blockLimbs[index];
    const uint32_t a = index, b = 2 + index, last = 4 + index, sum = 6 + index;
    const uint32_t other = scratch + 1, all = 2 * degree - 1;
    functions->select_block(context, all * 5 % (2 * degree));
    functions->add(context, 1, limb, &scratch, &a, &b);
    functions->select_block(context, all);
    functions->automorphism(context, 1, limb, &other, &scratch, 5);
    functions->automorphism(context, 1, limb, &scratch, &a, 5);
    functions->add(context, 1, limb, &other, &other, &scratch);
    functions->copy(context, 1, &sum, &other);
    functions->select_block(context, 1);
    functions->automorphism(context, 1, limb, &scratch, &other, all);
    functions->sub(context, 1, limb, &last, &scratch, &b);
  });
  for (const exec::FunctionUsage &usage : backend->usage())
    if (usage.name == std::string("automorphism")) {
      EXPECT_EQ(usage.calls, 6u); // a limb in blocks counts once
    }
}

TEST_F(BlocksTest, OfAWeightedSum) {
  expectTheSame([](sluice_context *context, const sluice_functions *functions, uint32_t index,
                   uint32_t scratch) {
    const uint16_t *limb = &blockLimbs[index];
    const uint32_t a = index, b = 2 + index, sum0 = 4 + index, sum1 = 6 + index;
    const uint32_t constants[] = {0, 0}, values0[] = {a, scratch}, values1[] = {scratch, b};
    const uint16_t rows[] = {*limb, *limb};
    functions->add(context, 1, limb, &scratch, &a, &b);
    functions->weighted_sum(context, 1, limb, &sum0, &sum1, &a, &b, 2, values0, values1, constants,
                            rows);
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, LoopTest, testing::Values(1u, 2u, 4u),
                         [](const auto &info) { return std::to_string(info.param); });

} // namespace
} // namespace sluice
