//===- backend_test.cpp - each function of functions.def against its definition -------------===//
#include "test/runtime/cpu/backend_machine.h"

namespace sluice {
namespace {

using namespace test;

using BinaryFunction = decltype(sluice_functions::add);
using NaiveBinary = uint64_t (*)(uint64_t, uint64_t, uint64_t);

/// Into fresh slots, into those of a, into those of b.
void checkBinary(Machine &machine, BinaryFunction function, NaiveBinary expected) {
  NaiveArena &naive = machine.naive;
  for (const Limbs &limbs : limbSets) {
    Slots a = machine.operand(limbs), b = machine.operand(limbs);
    for (const Slots &dst : {machine.takeSlots(limbs.size()), a, b}) {
      function(machine.context(), static_cast<uint32_t>(limbs.size()), limbs.data(), dst.data(),
               a.data(), b.data());
      naive.map(limbs, dst, [&](size_t i, size_t k, uint64_t q) {
        return expected(naive.slots[a[i]][k], naive.slots[b[i]][k], q);
      });
      ASSERT_NO_FATAL_FAILURE(machine.expectEqualArenas("binary"));
    }
  }
}

TEST_P(BackendTest, Add) {
  checkBinary(machine, machine.call().add,
              [](uint64_t a, uint64_t b, uint64_t q) { return (a + b) % q; });
}

TEST_P(BackendTest, Sub) {
  checkBinary(machine, machine.call().sub,
              [](uint64_t a, uint64_t b, uint64_t q) { return (a + q - b) % q; });
}

TEST_P(BackendTest, Mul) { checkBinary(machine, machine.call().mul, mulModulo); }

TEST_P(BackendTest, Negate) {
  for (const Limbs &limbs : limbSets) {
    Slots a = machine.operand(limbs);
    for (const Slots &dst : {machine.takeSlots(limbs.size()), a}) {
      machine.call().negate(machine.context(), static_cast<uint32_t>(limbs.size()), limbs.data(),
                            dst.data(), a.data());
      naive.map(limbs, dst,
                [&](size_t i, size_t k, uint64_t q) { return (q - naive.slots[a[i]][k]) % q; });
      machine.expectEqualArenas("negate");
    }
  }
}

TEST_P(BackendTest, Mac) {
  const Limbs &limbs = allLimbs;
  Slots acc = machine.operand(limbs), a = machine.operand(limbs), b = machine.operand(limbs);
  for (const Slots &dst : {machine.takeSlots(limbs.size()), acc, a, b}) {
    machine.call().mac(machine.context(), static_cast<uint32_t>(limbs.size()), limbs.data(),
                       dst.data(), acc.data(), a.data(), b.data());
    naive.map(limbs, dst, [&](size_t i, size_t k, uint64_t q) {
      Wide product = Wide{naive.slots[a[i]][k]} * naive.slots[b[i]][k];
      return static_cast<uint64_t>((product + naive.slots[acc[i]][k]) % q);
    });
    machine.expectEqualArenas("mac");
  }
}

TEST_P(BackendTest, ScalarFunctions) {
  for (const Limbs &limbs : limbSets) {
    uint32_t n = static_cast<uint32_t>(limbs.size());
    Slots a = machine.operand(limbs), b = machine.operand(limbs);
    std::vector<uint64_t> scalars = machine.scalars(limbs);
    machine.call().mul_scalar(machine.context(), n, limbs.data(), a.data(), a.data(),
                              scalars.data());
    naive.map(limbs, a, [&](size_t i, size_t k, uint64_t q) {
      return mulModulo(naive.slots[a[i]][k], scalars[i], q);
    });
    machine.expectEqualArenas("mul_scalar");
    machine.call().add_scalar(machine.context(), n, limbs.data(), b.data(), a.data(),
                              scalars.data());
    naive.map(limbs, b, [&](size_t i, size_t k, uint64_t q) {
      return (naive.slots[a[i]][k] + scalars[i]) % q;
    });
    machine.expectEqualArenas("add_scalar");
    machine.call().sub_mul_scalar(machine.context(), n, limbs.data(), b.data(), a.data(), b.data(),
                                  scalars.data());
    naive.map(limbs, b, [&](size_t i, size_t k, uint64_t q) {
      return mulModulo((naive.slots[a[i]][k] + q - naive.slots[b[i]][k]) % q, scalars[i], q);
    });
    machine.expectEqualArenas("sub_mul_scalar");
  }
}

TEST_P(BackendTest, ConstantFunctions) {
  for (const Limbs &limbs : limbSets) {
    uint32_t n = static_cast<uint32_t>(limbs.size());
    std::vector<uint16_t> rows; // where the constant has these limbs
    for (uint16_t limb : limbs)
      rows.push_back(static_cast<uint16_t>(std::ranges::find(machine.constant.limbs, limb) -
                                           machine.constant.limbs.begin()));
    auto value = [&](size_t i, size_t k) { return machine.constant.rows[rows[i]][k]; };
    Slots a = machine.operand(limbs), b = machine.operand(limbs);
    machine.call().add_constant(machine.context(), n, limbs.data(), b.data(), a.data(), 0,
                                rows.data());
    naive.map(limbs, b, [&](size_t i, size_t k, uint64_t q) {
      return (naive.slots[a[i]][k] + value(i, k)) % q;
    });
    machine.expectEqualArenas("add_constant");
    machine.call().mac_constant(machine.context(), n, limbs.data(), b.data(), b.data(), a.data(), 0,
                                rows.data());
    naive.map(limbs, b, [&](size_t i, size_t k, uint64_t q) {
      return (naive.slots[b[i]][k] + mulModulo(naive.slots[a[i]][k], value(i, k), q)) % q;
    });
    machine.expectEqualArenas("mac_constant");
    machine.call().mul_constant(machine.context(), n, limbs.data(), a.data(), a.data(), 0,
                                rows.data());
    naive.map(limbs, a, [&](size_t i, size_t k, uint64_t q) {
      return mulModulo(naive.slots[a[i]][k], value(i, k), q);
    });
    machine.expectEqualArenas("mul_constant");
  }
}

TEST_P(BackendTest, Ntt) {
  Slots src = machine.operand(twoLimbs), dst = machine.takeSlots(2);
  machine.call().ntt(machine.context(), 2, twoLimbs.data(), dst.data(), src.data());
  naive.ntt(twoLimbs, dst, src);
  machine.expectEqualArenas("ntt");
}

TEST_P(BackendTest, InttInPlace) {
  Slots a = machine.operand(twoLimbs);
  machine.call().intt(machine.context(), 2, twoLimbs.data(), a.data(), a.data());
  naive.intt(twoLimbs, a, a);
  machine.expectEqualArenas("intt");
}

TEST_P(BackendTest, NttUndoesInttOnEveryLimb) {
  Slots a = machine.operand(allLimbs);
  machine.call().intt(machine.context(), 6, allLimbs.data(), a.data(), a.data());
  machine.call().ntt(machine.context(), 6, allLimbs.data(), a.data(), a.data());
  machine.expectEqualArenas("ntt and intt");
}

TEST_P(BackendTest, Copy) {
  Slots src = machine.operand(allLimbs), dst = machine.takeSlots(6);
  dst[2] = src[2]; // a slot may stay where it is
  machine.call().copy(machine.context(), 6, dst.data(), src.data());
  naive.map(allLimbs, dst, [&](size_t i, size_t k, uint64_t) { return naive.slots[src[i]][k]; });
  machine.expectEqualArenas("copy");
}

TEST_P(BackendTest, Automorphism) {
  Slots src = machine.operand(allLimbs), dst = machine.takeSlots(6);
  for (uint32_t element : {5u, (1u << (logN + 1)) - 1, 1u, 3125u % (1u << (logN + 1)), 5u}) {
    machine.call().automorphism(machine.context(), 6, allLimbs.data(), dst.data(), src.data(),
                                element);
    naive.automorphism(allLimbs, dst, src, element);
    machine.expectEqualArenas("automorphism");
  }
}

TEST_P(BackendTest, BaseConvert) {
  // Two pairs of bases in turn, so that neither takes the other's tables.
  Limbs sources[] = {{4, 1, 3}, {0}}, destinations[] = {{2, 0}, {3, 5, 4}};
  for (int round = 0; round < 4; ++round) {
    const Limbs &from = sources[round % 2], &to = destinations[round % 2];
    Slots src = machine.operand(from), dst = machine.takeSlots(to.size());
    machine.call().base_convert(machine.context(), static_cast<uint32_t>(to.size()), to.data(),
                                dst.data(), static_cast<uint32_t>(from.size()), from.data(),
                                src.data());
    naive.baseConvert(to, dst, from, src);
    machine.expectEqualArenas("base_convert");
  }
}

/// What base_convert_columns does between intt_rows and ntt_rows is the conversion of the same
/// values. What they leave in between is the backend's own; the oracle takes it over.
TEST_P(BackendTest, BaseConvertColumns) {
  Limbs sources[] = {{4, 1, 3}, {0}}, destinations[] = {{2, 0}, {3, 5, 4}};
  for (int round = 0; round < 2; ++round) {
    const Limbs &from = sources[round], &to = destinations[round];
    const uint32_t nFrom = static_cast<uint32_t>(from.size()),
                   nTo = static_cast<uint32_t>(to.size());
    Slots src = machine.operand(from), half = machine.takeSlots(from.size());
    Slots converted = machine.takeSlots(to.size()), dst = machine.takeSlots(to.size());
    machine.call().intt_rows(machine.context(), nFrom, from.data(), half.data(), src.data());
    machine.call().base_convert_columns(machine.context(), nTo, to.data(), converted.data(), nFrom,
                                        from.data(), half.data());
    machine.call().ntt_rows(machine.context(), nTo, to.data(), dst.data(), converted.data());
    naive.intt(from, half, src);
    naive.baseConvert(to, converted, from, half);
    naive.ntt(to, dst, converted);
    machine.takeOver(half);
    machine.takeOver(converted);
    machine.expectEqualArenas("base_convert_columns");
  }
}

TEST_P(BackendTest, BaseConvertReportsALimbThatStandsTwice) {
  Limbs from = {1, 1}, to = {0};
  Slots slots = machine.takeSlots(3);
  machine.call().base_convert(machine.context(), 1, to.data(), slots.data(), 2, from.data(),
                              slots.data() + 1);
  Status status = machine.machine->finish();
  EXPECT_FALSE(status.isOk());
  EXPECT_EQ(status.message().rfind("base_convert: ", 0), 0u) << status.message();
  machine.expectEqualArenas("refused base_convert");
}

TEST_P(BackendTest, InnerProduct) {
  for (const Limbs &limbs : limbSets) {
    uint32_t n = static_cast<uint32_t>(limbs.size());
    Limbs twice = limbs;
    twice.insert(twice.end(), limbs.begin(), limbs.end());
    Slots digits = machine.operand(twice), dst0 = machine.takeSlots(n), dst1 = machine.takeSlots(n);
    std::vector<uint16_t> keyDigits = {1, 0}, rows;
    for (uint16_t limb : limbs)
      rows.push_back(static_cast<uint16_t>(std::ranges::find(machine.keyB.limbs, limb) -
                                           machine.keyB.limbs.begin()));
    machine.call().inner_product(machine.context(), n, limbs.data(), dst0.data(), dst1.data(), 2,
                                 digits.data(), 0, keyDigits.data(), rows.data());
    for (const auto &[dst, half] : {std::pair{dst0, &machine.keyB}, std::pair{dst1, &machine.keyA}})
      naive.map(limbs, dst, [&](size_t i, size_t k, uint64_t q) {
        uint64_t sum = 0;
        for (size_t j = 0; j < 2; ++j)
          sum += mulModulo(naive.slots[digits[j * n + i]][k],
                           half->rows[keyDigits[j] * half->limbs.size() + rows[i]][k], q);
        return sum % q;
      });
    machine.expectEqualArenas("inner_product");
  }
}

TEST_P(BackendTest, WeightedSum) {
  for (const Limbs &limbs : limbSets) {
    uint32_t n = static_cast<uint32_t>(limbs.size());
    Limbs twice = limbs;
    twice.insert(twice.end(), limbs.begin(), limbs.end());
    Slots values0 = machine.operand(twice), values1 = machine.operand(twice);
    Slots sum0 = machine.operand(limbs), sum1 = machine.operand(limbs);
    const uint32_t constants[] = {0, 0};
    std::vector<uint16_t> rows;
    for (uint16_t limb : twice)
      rows.push_back(static_cast<uint16_t>(std::ranges::find(machine.constant.limbs, limb) -
                                           machine.constant.limbs.begin()));
    machine.call().weighted_sum(machine.context(), n, limbs.data(), sum0.data(), sum1.data(),
                                sum0.data(), sum1.data(), 2, values0.data(), values1.data(),
                                constants, rows.data());
    for (const auto &[sum, values] : {std::pair{sum0, values0}, std::pair{sum1, values1}})
      naive.map(limbs, sum, [&](size_t i, size_t k, uint64_t q) {
        uint64_t total = naive.slots[sum[i]][k];
        for (size_t j = 0; j < 2; ++j)
          total +=
              mulModulo(naive.slots[values[j * n + i]][k], machine.constant.rows[rows[i]][k], q);
        return total % q;
      });
    machine.expectEqualArenas("weighted_sum");
  }
}

TEST_P(BackendTest, UsageCountsCallsAndLimbs) {
  Slots a = machine.operand(twoLimbs);
  machine.machine->resetUsage();
  for (int call = 0; call < 3; ++call)
    machine.call().add(machine.context(), 2, twoLimbs.data(), a.data(), a.data(), a.data());
  for (const exec::FunctionUsage &usage : machine.machine->usage()) {
    bool isAdd = usage.name == std::string("add");
    EXPECT_EQ(usage.calls, isAdd ? 3u : 0u) << usage.name;
    EXPECT_EQ(usage.limbs, isAdd ? 6u : 0u) << usage.name;
  }
}

TEST_P(BackendTest, Zero) {
  for (const Limbs &limbs : limbSets) {
    Slots dst = machine.takeSlots(limbs.size());
    machine.call().zero(machine.context(), static_cast<uint32_t>(limbs.size()), limbs.data(),
                        dst.data());
    naive.map(limbs, dst, [](size_t, size_t, uint64_t) { return uint64_t{0}; });
    ASSERT_NO_FATAL_FAILURE(machine.expectEqualArenas("zero"));
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, BackendTest, testing::Values(1u, 2u, 4u),
                         [](const auto &info) { return std::to_string(info.param); });

TEST(CreateBackend, RefusesAnArenaThatDoesNotFit) {
  auto created =
      ring::Ring::create(17, std::vector<uint64_t>{ring::nttPrimesBelow(17, 50, 1)->front()});
  ASSERT_TRUE(created.isOk());
  ThreadPool pool(1);
  exec::BackendResources resources;
  resources.ring = std::make_shared<const ring::Ring>(std::move(*created));
  resources.arenaSlots = UINT32_MAX; // 4 PiB
  EXPECT_FALSE(cpu::createBackend(std::move(resources), pool).isOk());
}

} // namespace
} // namespace sluice
