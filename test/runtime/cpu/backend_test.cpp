//===- backend_test.cpp - each function of functions.def against its definition -------------===//
#include "runtime/cpu/backend.h"
#include "runtime/ring/primes.h"
#include "test/runtime/cpu/naive_arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

namespace sluice {
namespace {

using namespace test;

constexpr unsigned logN = 11; // two blocks a limb
constexpr uint32_t arenaSlots = 64;
constexpr size_t digitCount = 2;

/// Six primes of four widths, the widest of which decides about the kernels.
std::vector<uint64_t> testPrimes() {
  std::vector<uint64_t> primes;
  for (unsigned bits : {50u, 30u, 50u, 25u, 45u, 45u}) {
    auto found = ring::nttPrimesBelow(logN, bits, 1, primes);
    EXPECT_TRUE(found.isOk()) << found.message();
    primes.push_back(found->front());
  }
  return primes;
}

/// A backend and its oracle with the same random contents. Every step is done on both; the arenas
/// must then agree in every word, so that a stray write shows as well as a wrong result.
class Machine {
public:
  Machine(unsigned threads, unsigned seed) : pool(threads), random(seed) {
    naive = {logN, testPrimes(), {}};
    auto created = ring::Ring::create(logN, naive.primes);
    EXPECT_TRUE(created.isOk()) << created.message();
    exec::BackendResources resources;
    resources.ring = std::make_shared<const ring::Ring>(std::move(*created));
    resources.arenaSlots = arenaSlots;
    resources.scratchSlots = 2;
    Limbs order = {3, 0, 5, 1, 4, 2};
    constant = randomRows(order, 1);
    keyB = randomRows(order, digitCount);
    keyA = randomRows(order, digitCount);
    resources.constants.push_back(encodedConstant());
    resources.keys.push_back(evaluationKey());
    auto backend = cpu::createBackend(std::move(resources), pool);
    EXPECT_TRUE(backend.isOk()) << backend.message();
    machine = std::move(*backend);
    fillArena();
  }

  /// `count` distinct slots in random order; together they never exceed the arena.
  Slots takeSlots(size_t count) {
    if (free.size() < count) {
      ADD_FAILURE() << "the test wants more slots than there are";
      return Slots(count);
    }
    Slots taken(free.end() - static_cast<ptrdiff_t>(count), free.end());
    free.resize(free.size() - count);
    return taken;
  }

  /// Slots that hold residues of `limbs`.
  Slots operand(const Limbs &limbs) {
    Slots slots = takeSlots(limbs.size());
    for (size_t i = 0; i < limbs.size(); ++i)
      setSlot(slots[i], randomWords(naive.q(limbs[i])));
    return slots;
  }

  std::vector<uint64_t> scalars(const Limbs &limbs) {
    std::vector<uint64_t> values;
    for (uint16_t limb : limbs)
      values.push_back(random() % naive.q(limb));
    return values;
  }

  /// The oracle takes over what the backend holds.
  void takeOver(const Slots &slots) {
    for (uint32_t slot : slots)
      naive.slots[slot] = readSlot(slot);
  }

  void expectEqualArenas(const char *what) {
    Status status = machine->finish();
    ASSERT_TRUE(status.isOk()) << what << ": " << status.message();
    for (uint32_t slot = 0; slot < arenaSlots; ++slot)
      ASSERT_EQ(readSlot(slot), naive.slots[slot]) << what << ": slot " << slot;
  }

  sluice_context *context() { return machine->context(); }
  const sluice_functions &call() const { return machine->functions(); }

  ThreadPool pool;
  std::mt19937_64 random;
  NaiveArena naive;
  NaiveRows constant, keyB, keyA;
  std::unique_ptr<exec::Backend> machine;

private:
  Words randomWords(uint64_t q) {
    Words words(naive.degree());
    for (uint64_t &word : words)
      word = random() % q;
    words.front() = 0; // The ends of the range, wherever they matter.
    words.back() = q - 1;
    return words;
  }

  NaiveRows randomRows(const Limbs &limbs, size_t digits) {
    NaiveRows result{limbs, {}};
    for (size_t j = 0; j < digits; ++j)
      for (uint16_t limb : limbs)
        result.rows.push_back(randomWords(naive.q(limb)));
    return result;
  }

  std::shared_ptr<const exec::EncodedConstant> encodedConstant() {
    auto encoded = std::make_shared<exec::EncodedConstant>();
    encoded->limbs = constant.limbs;
    encoded->rows = ring::Poly(constant.limbs.size(), naive.degree());
    for (size_t i = 0; i < constant.limbs.size(); ++i)
      std::ranges::copy(constant.rows[i], encoded->rows.limb(i));
    return encoded;
  }

  std::shared_ptr<const exec::EvaluationKey> evaluationKey() {
    auto key = std::make_shared<exec::EvaluationKey>();
    key->limbs = keyB.limbs;
    key->digitCount = digitCount;
    key->degree = naive.degree();
    key->b = AlignedWords(keyB.rows.size() * naive.degree());
    key->a = AlignedWords(keyA.rows.size() * naive.degree());
    for (size_t row = 0; row < keyB.rows.size(); ++row) {
      std::ranges::copy(keyB.rows[row], key->b.data() + row * naive.degree());
      std::ranges::copy(keyA.rows[row], key->a.data() + row * naive.degree());
    }
    return key;
  }

  void fillArena() {
    naive.slots.resize(arenaSlots);
    for (uint32_t slot = 0; slot < arenaSlots; ++slot)
      setSlot(slot, randomWords(1 << 20));
    free.resize(arenaSlots);
    std::iota(free.begin(), free.end(), 0);
    std::ranges::shuffle(free, random);
  }

  void setSlot(uint32_t slot, Words words) {
    ring::ConstPolyView view{words.data(), 1, words.size()};
    Status status = machine->write({&slot, 1}, view);
    EXPECT_TRUE(status.isOk()) << status.message();
    naive.slots[slot] = std::move(words);
  }

  Words readSlot(uint32_t slot) {
    Words words(naive.degree());
    Status status = machine->read({&slot, 1}, ring::PolyView{words.data(), 1, words.size()});
    EXPECT_TRUE(status.isOk()) << status.message();
    return words;
  }

  Slots free;
};

const Limbs allLimbs = {4, 0, 3, 1, 5, 2}; // enough work for the threads
const Limbs twoLimbs = {2, 3};             // done in the caller's thread
const Limbs limbSets[] = {allLimbs, twoLimbs};

/// Every test runs with 1, 2 and 4 threads: each must agree with the oracle, so all agree.
class BackendTest : public testing::TestWithParam<unsigned> {
protected:
  Machine machine{GetParam(), 7};
  NaiveArena &naive = machine.naive;
};

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

TEST_P(BackendTest, ParallelForRunsEveryLimbWithScratchOfItsThread) {
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

TEST_P(BackendTest, ParallelForBlocksRunsEveryBlockOfEveryLimb) {
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

TEST_P(BackendTest, BlocksRefuseWhatMovesWords) {
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
  static const uint32_t in[] = {0, 1}, half[] = {2, 3}, whole[] = {4, 5}, blocks[] = {6, 7};
  static const uint32_t converted[] = {8}, end[] = {9}, endInBlocks[] = {10};
  static const uint16_t third = 2;
  ThreadPool pool(2);
  exec::BackendResources resources;
  resources.ring = std::make_shared<const ring::Ring>(*ring::Ring::create(largeLogN, primes));
  resources.arenaSlots = 11;
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
