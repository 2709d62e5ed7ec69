//===- limb_views.h - what functions of the backend work on ---------------------------------===//
//
// The state of one backend, and the two ways in which a function sees limbs: whole, cut for the
// threads, or one part of each, in the thread that calls it.
//
//===----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_CPU_LIMB_VIEWS_H
#define SLUICE_RUNTIME_CPU_LIMB_VIEWS_H

#include "runtime/abi/sluice.h"
#include "runtime/cpu/memory.h"
#include "runtime/cpu/stage_clock.h"
#include "runtime/cpu/threads.h"
#include "runtime/exec/backend.h"

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>

namespace sluice::cpu {

using exec::FunctionUsage;
using kernels::PrimeConstants;

enum FunctionNumber : size_t {
#define SLUICE_FUNCTION(name, parameters) number_##name,
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
  functionCount
};

inline constexpr std::array<FunctionUsage, functionCount> unusedFunctions = {{
#define SLUICE_FUNCTION(name, parameters) FunctionUsage{#name},
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
}};

/// What a `sluice_context *` points to on this backend.
struct Context {
  Context(exec::BackendResources resources, Memory memory, ThreadPool &pool)
      : resources(std::move(resources)), memory(std::move(memory)), pool(pool),
        ring(*this->resources.ring), kernel(ring.kernels()), degree(ring.degree()),
        clock(this->resources.stages) {}

  exec::BackendResources resources;
  Memory memory;
  ThreadPool &pool;
  const ring::Ring &ring;
  const kernels::KernelTable &kernel;
  size_t degree;
  StageClock clock;
  Status failure; // of the first call that failed since finish()
  std::mutex failureMutex;
  std::array<FunctionUsage, functionCount> usage =
      unusedFunctions; // changed by std::atomic_ref only

  void fail(Status status) {
    std::lock_guard<std::mutex> lock(failureMutex);
    if (failure.isOk())
      failure = std::move(status);
  }
  uint64_t *slot(uint32_t number) { return memory.slot(number); }
  /// The first scratch slot of a task.
  uint32_t scratchOf(size_t task) const {
    return resources.arenaSlots + static_cast<uint32_t>(task) * resources.scratchSlots;
  }
  const PrimeConstants &prime(uint16_t limb) const { return ring.tables(limb).prime; }
  const uint64_t *constantRow(uint32_t constant, uint16_t row) const {
    return resources.constants[constant]->rows.limb(row);
  }
};

/// What functions called by the program work on: whole limbs, cut for the threads.
class WholeLimbs {
public:
  static constexpr bool isBlock = false;
  static WholeLimbs &of(sluice_context *context) {
    return *reinterpret_cast<WholeLimbs *>(context);
  }
  explicit WholeLimbs(Context &context) : c(context) {}

  uint64_t *slot(uint32_t number) const { return c.slot(number); }
  /// The limb in a slot of which word `first` is needed.
  uint64_t *slotWith(uint32_t number, size_t) const { return c.slot(number); }
  bool isFirst() const { return true; }
  void select(uint32_t) const {}

  /// body(i, prime, begin, words) for every part of every limb.
  template <typename Body>
  void forEachBlock(uint32_t n, const uint16_t *limbs, const Body &body) const {
    forBlocks(c.pool, BlockPlan(n, c.degree), [&](size_t i, size_t begin, size_t words) {
      body(i, c.prime(limbs[i]), begin, words);
    });
  }
  /// body(i, begin, words), parts being whole limbs.
  template <typename Body> void forEachLimb(uint32_t n, const Body &body) const {
    parallelFor(c.pool, n, [&](size_t i) { body(i, size_t{0}, c.degree); });
  }

  Context &c;
};

/// What functions called by a body of parallel_for_blocks work on: one part of every limb. Scratch
/// slots hold no more than such a part, and stand together, where they stay in the cache.
class BlockOfLimbs {
public:
  static constexpr bool isBlock = true;
  static BlockOfLimbs &of(sluice_context *context) {
    return *reinterpret_cast<BlockOfLimbs *>(context);
  }
  /// `firstScratch`: of the task.
  BlockOfLimbs(Context &context, uint32_t firstScratch)
      : c(context), words(std::min(context.degree, blockWords)), firstScratch(firstScratch),
        scratchWords(words + (words < context.degree ? lineWords : 0)) {}

  /// Several operands of so many words stay in the second-level cache, and a call takes much longer
  /// than what surrounds it.
  static constexpr size_t blockWords = 4096;
  static_assert(blockWords % kernels::maxRowWords == 0);

  static size_t blocksPerLimb(const Context &context) {
    return context.degree / std::min(context.degree, blockWords);
  }
  void moveTo(size_t block) { begin = own = block * words; }
  /// Moves to the block that X -> X^element moves to that of moveTo().
  void select(uint32_t element) {
    begin = element == 1 ? own : blockWith(c.memory.permutation(element)[own]);
  }

  /// The limb whose words from `begin` on are the slot's part.
  uint64_t *slot(uint32_t number) const { return slotWith(number, begin); }
  /// The limb of which the slot has the part with word `first`.
  uint64_t *slotWith(uint32_t number, size_t first) const {
    return number < c.resources.arenaSlots
               ? c.slot(number)
               : c.slot(firstScratch) + (number - firstScratch) * scratchWords - blockWith(first);
  }
  bool isFirst() const { return begin == 0; }

  template <typename Body>
  void forEachBlock(uint32_t n, const uint16_t *limbs, const Body &body) const {
    for (uint32_t i = 0; i < n; ++i)
      body(i, c.prime(limbs[i]), begin, words);
  }
  template <typename Body> void forEachLimb(uint32_t n, const Body &body) const {
    for (uint32_t i = 0; i < n; ++i)
      body(i, begin, words);
  }

  Context &c;

private:
  size_t blockWith(size_t word) const { return word & ~(words - 1); }

  size_t own = 0, begin = 0, words;
  uint32_t firstScratch;
  size_t scratchWords;
};

/// Counts and times one call; a limb in blocks counts once.
class Call {
public:
  template <typename View>
  Call(const View &view, FunctionNumber function, uint32_t limbs)
      : usage(view.c.usage[function]), start(std::chrono::steady_clock::now()) {
    if (!view.isFirst())
      return;
    add(usage.calls, 1);
    add(usage.limbs, limbs);
  }
  ~Call() {
    auto elapsed = std::chrono::steady_clock::now() - start;
    add(usage.nanoseconds,
        static_cast<uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count()));
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

private:
  static void add(uint64_t &counter, uint64_t amount) {
    std::atomic_ref(counter).fetch_add(amount, std::memory_order_relaxed);
  }

  FunctionUsage &usage;
  std::chrono::steady_clock::time_point start;
};

} // namespace sluice::cpu

#endif // SLUICE_RUNTIME_CPU_LIMB_VIEWS_H
