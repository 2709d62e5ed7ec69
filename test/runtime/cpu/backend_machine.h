//===- backend_machine.h - a backend beside its oracle --------------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_CPU_BACKEND_MACHINE_H
#define SLUICE_TEST_RUNTIME_CPU_BACKEND_MACHINE_H

#include "runtime/cpu/backend.h"
#include "runtime/ring/primes.h"
#include "test/runtime/cpu/naive_arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace sluice::test {

inline constexpr unsigned logN = 11; // two blocks a limb
inline constexpr uint32_t arenaSlots = 64;
inline constexpr size_t digitCount = 2;

/// Six primes of four widths, the widest of which decides about the kernels.
inline std::vector<uint64_t> testPrimes() {
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
  std::unique_ptr<exec::CalledBackend> machine;

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
    key->b = AlignedWords(key->halfWords());
    key->a = AlignedWords(key->halfWords());
    for (size_t row = 0; row < keyB.rows.size(); ++row) {
      const size_t place = key->rowOffset(row / key->limbs.size(), row % key->limbs.size());
      std::ranges::copy(keyB.rows[row], key->b.data() + place);
      std::ranges::copy(keyA.rows[row], key->a.data() + place);
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

inline const Limbs allLimbs = {4, 0, 3, 1, 5, 2}; // enough work for the threads
inline const Limbs twoLimbs = {2, 3};             // done in the caller's thread
inline const Limbs limbSets[] = {allLimbs, twoLimbs};

/// Every test runs with 1, 2 and 4 threads: each must agree with the oracle, so all agree.
class BackendTest : public testing::TestWithParam<unsigned> {
protected:
  Machine machine{GetParam(), 7};
  NaiveArena &naive = machine.naive;
};

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_CPU_BACKEND_MACHINE_H
