//===- operations_bench.cpp - the time of what circuits are made of -------------------------===//
//
// Sequences of functions.def on the CPU backend, as the compiler emits them: a hybrid key switch, a
// product with relinearisation and rescale, a rotation. Names are operation/log N/limbs of the
// level/limbs of P/threads; every limb has 50 bits, a digit as many limbs as P. Kernels alone are
// timed in bench/kernels.
//
//===----------------------------------------------------------------------------------------===//
#include "runtime/cpu/backend.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/primes.h"

#include <algorithm>
#include <array>
#include <benchmark/benchmark.h>
#include <numeric>
#include <random>
#include <string>

using namespace sluice;

namespace {

using Limbs = std::vector<uint16_t>;
using Slots = std::vector<uint32_t>;

struct Shape {
  unsigned logN;
  uint16_t levelLimbs;
  uint16_t specialLimbs;
};

/// One level and P, a key with random residues, and an arena; limbs of the level come first in the
/// table.
class Machine {
public:
  Machine(Shape shape, unsigned threads) : shape(shape), pool(threads), level(shape.levelLimbs) {
    std::iota(level.begin(), level.end(), uint16_t{0});
    extended = level;
    for (uint16_t i = 0; i < shape.specialLimbs; ++i)
      special.push_back(shape.levelLimbs + i);
    extended.insert(extended.end(), special.begin(), special.end());
    exec::BackendResources resources;
    resources.ring = std::make_shared<const ring::Ring>(
        *ring::Ring::create(shape.logN, *ring::nttPrimesBelow(shape.logN, 50, extended.size())));
    resources.arenaSlots = static_cast<uint32_t>((14 + digitCount()) * extended.size());
    resources.scratchSlots = static_cast<uint32_t>(digitCount());
    resources.keys.push_back(randomKey());
    backend = *cpu::createBackend(std::move(resources), pool);
    fillArena();
    inverses.assign(extended.size(), 12345678901234);
    a = take(2 * level.size()), b = take(2 * level.size());
    d = take(3 * level.size()), rotated = take(2 * level.size());
    rows = take(level.size());
    digits = take(digitCount() * extended.size());
    u = take(extended.size()), v = take(extended.size());
    halves = take(special.size());
    quotients = take(2 * level.size());
    keyDigits.resize(digitCount());
    std::iota(keyDigits.begin(), keyDigits.end(), uint16_t{0});
  }

  std::string description() const { return backend->description(); }

  void keySwitch(const uint32_t *source, const uint32_t *target) {
    uint32_t n = size(level);
    switched = source, sum = target;
    call().intt_rows(context(), n, level.data(), rows.data(), source);
    for (size_t j = 0; j < digitCount(); ++j)
      raiseDigit(j);
    running = this;
    call().parallel_for_blocks(context(), size(extended), multiplyKey);
    divide(u.data() + n, special, quotients.data());
    divide(v.data() + n, special, quotients.data() + n);
    call().parallel_for_blocks(context(), n, addQuotients);
  }

  void product() {
    uint32_t n = size(level);
    call().mul(context(), n, level.data(), d.data(), a.data(), b.data());
    call().mul(context(), n, level.data(), d.data() + n, a.data(), b.data() + n);
    call().mac(context(), n, level.data(), d.data() + n, d.data() + n, a.data() + n, b.data());
    call().mul(context(), n, level.data(), d.data() + 2 * n, a.data() + n, b.data() + n);
    keySwitch(d.data() + 2 * n, d.data());
    Limbs last = {level.back()};
    divide(d.data() + n - 1, last, quotients.data(), n - 1);
    divide(d.data() + 2 * n - 1, last, quotients.data() + n, n - 1);
    running = this;
    call().parallel_for_blocks(context(), n - 1, scaleQuotients);
  }

  void rotate() {
    uint32_t n = size(level), element = ring::rotationElement(shape.logN, 1);
    for (uint32_t half : {0u, n})
      call().automorphism(context(), n, level.data(), rotated.data() + half, a.data() + half,
                          element);
    keySwitch(rotated.data() + n, d.data());
  }

  void switchOnce() { keySwitch(a.data(), d.data()); }

private:
  size_t digitCount() const {
    return (shape.levelLimbs + shape.specialLimbs - 1) / shape.specialLimbs;
  }
  template <typename List> static uint32_t size(const List &list) {
    return static_cast<uint32_t>(list.size());
  }
  const sluice_functions &call() { return backend->functions(); }
  sluice_context *context() { return backend->context(); }

  bool isOwn(size_t limb, size_t j) const {
    return limb < level.size() && limb / shape.specialLimbs == j;
  }

  /// Digit j to every limb that it does not have.
  void raiseDigit(size_t j) {
    size_t first = j * shape.specialLimbs;
    size_t count = std::min<size_t>(shape.specialLimbs, level.size() - first);
    Limbs others;
    Slots slots;
    for (uint16_t limb : extended)
      if (!isOwn(limb, j)) {
        others.push_back(limb);
        slots.push_back(digits[j * extended.size() + limb]);
      }
    call().base_convert_columns(context(), size(others), others.data(), slots.data(),
                                static_cast<uint32_t>(count), level.data() + first,
                                rows.data() + first);
  }

  /// The limbs `by` of a polynomial to the first `kept` of the level, which a loop goes on with.
  void divide(const uint32_t *dropped, const Limbs &by, const uint32_t *target, uint32_t kept = 0) {
    call().intt_rows(context(), size(by), by.data(), halves.data(), dropped);
    call().base_convert_columns(context(), kept ? kept : size(level), level.data(), target,
                                size(by), by.data(), halves.data());
  }

  /// Limb i: the digits' transforms end, and go into the product with the key.
  static void multiplyKey(sluice_context *context, const sluice_functions *functions, uint32_t i,
                          uint32_t scratch) {
    const Machine &m = *running;
    std::array<uint32_t, kernels::maxDigits> used;
    for (size_t j = 0; j < m.digitCount(); ++j) {
      used[j] = m.isOwn(i, j) ? m.switched[i] : scratch + static_cast<uint32_t>(j);
      if (!m.isOwn(i, j))
        functions->ntt_rows(context, 1, &m.extended[i], &used[j],
                            &m.digits[j * m.extended.size() + i]);
    }
    functions->inner_product(context, 1, &m.extended[i], &m.u[i], &m.v[i], size(m.keyDigits),
                             used.data(), 0, m.keyDigits.data(), &m.extended[i]);
  }

  /// Limb i: (u, v) divided by P and added.
  static void addQuotients(sluice_context *context, const sluice_functions *functions, uint32_t i,
                           uint32_t scratch) {
    const Machine &m = *running;
    const uint16_t *limb = &m.level[i];
    const size_t n = m.level.size();
    for (size_t half : {size_t{0}, n}) {
      const uint32_t *value = half ? &m.v[i] : &m.u[i];
      functions->ntt_rows(context, 1, limb, &scratch, &m.quotients[half + i]);
      functions->sub_mul_scalar(context, 1, limb, &scratch, value, &scratch, &m.inverses[i]);
      functions->add(context, 1, limb, &m.sum[half + i], &m.sum[half + i], &scratch);
    }
  }

  /// Limb i of both polynomials of d, divided by the last limb.
  static void scaleQuotients(sluice_context *context, const sluice_functions *functions, uint32_t i,
                             uint32_t scratch) {
    const Machine &m = *running;
    const size_t n = m.level.size();
    for (size_t half : {size_t{0}, n}) {
      functions->ntt_rows(context, 1, &m.level[i], &scratch, &m.quotients[half + i]);
      functions->sub_mul_scalar(context, 1, &m.level[i], &m.d[half + i], &m.d[half + i], &scratch,
                                &m.inverses[i]);
    }
  }

  std::shared_ptr<const exec::EvaluationKey> randomKey() {
    auto key = std::make_shared<exec::EvaluationKey>();
    key->limbs = extended;
    key->digitCount = digitCount();
    key->degree = size_t{1} << shape.logN;
    for (AlignedWords *half : {&key->b, &key->a}) {
      *half = AlignedWords(key->halfWords());
      for (uint64_t &word : half->span())
        word = random() >> 15;
    }
    return key;
  }

  void fillArena() {
    std::vector<uint64_t> words(size_t{1} << shape.logN);
    for (uint64_t &word : words)
      word = random() >> 15;
    for (uint32_t slot = 0; slot < (14 + digitCount()) * extended.size(); ++slot)
      if (!backend->write({&slot, 1}, {words.data(), 1, words.size()}).isOk())
        std::abort();
  }

  Slots take(size_t count) {
    Slots slots(count);
    std::iota(slots.begin(), slots.end(), next);
    next += static_cast<uint32_t>(count);
    return slots;
  }

  Shape shape;
  ThreadPool pool;
  Limbs level, special, extended;
  std::mt19937_64 random{1};
  std::unique_ptr<exec::CalledBackend> backend;
  std::vector<uint64_t> inverses;
  uint32_t next = 0;
  Slots a, b, d, rotated, rows, digits, u, v, halves, quotients;
  Limbs keyDigits;
  const uint32_t *switched = nullptr, *sum = nullptr; // of the key switch under way

  static inline Machine *running = nullptr; // whose loop's body is called
};

void addBenchmark(const char *name, void (Machine::*operation)()) {
  unsigned all = *threadCountFromEnvironment();
  for (Shape shape : {Shape{13, 3, 1}, Shape{14, 7, 1}, Shape{14, 6, 2}, Shape{15, 12, 4},
                      Shape{16, 24, 8}, Shape{16, 24, 6}})
    for (unsigned threads : all > 1 ? std::vector<unsigned>{1, all} : std::vector<unsigned>{1}) {
      std::string label = std::string(name) + "/" + std::to_string(shape.logN) + "/" +
                          std::to_string(shape.levelLimbs) + "/" +
                          std::to_string(shape.specialLimbs) + "/" + std::to_string(threads);
      benchmark::RegisterBenchmark(label.c_str(),
                                   [=](benchmark::State &state) {
                                     Machine machine(shape, threads);
                                     for (auto _ : state)
                                       (machine.*operation)();
                                     state.SetLabel(machine.description());
                                   })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
}

} // namespace

int main(int argc, char **argv) {
  addBenchmark("keySwitch", &Machine::switchOnce);
  addBenchmark("product", &Machine::product);
  addBenchmark("rotate", &Machine::rotate);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
