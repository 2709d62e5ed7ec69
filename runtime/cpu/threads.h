//===- threads.h - how work on limbs is cut for threads -------------------------------------===//
#ifndef SLUICE_RUNTIME_CPU_THREADS_H
#define SLUICE_RUNTIME_CPU_THREADS_H

#include "runtime/base/threads.h"

#include <algorithm>
#include <cstddef>

namespace sluice::cpu {

/// `limbs` x `degree` words cut into blocks of at most blockWords of one limb each: the unit of
/// element-wise work.
class BlockPlan {
public:
  /// A block of each of a product's three operands fits the first-level cache.
  static constexpr size_t maxBlockWords = 1024;
  /// Less work than this is done where it is: waking a thread costs more.
  static constexpr size_t serialWords = 8 * maxBlockWords;

  BlockPlan(size_t limbs, size_t degree);

  size_t blockCount() const { return limbs * blocksPerLimb; }
  size_t blockWords() const { return words; }
  size_t limbOf(size_t block) const { return block / blocksPerLimb; }
  /// First word of the block within its limb.
  size_t beginOf(size_t block) const { return block % blocksPerLimb * words; }
  bool isSerial() const { return limbs * blocksPerLimb * words <= serialWords; }

private:
  size_t limbs, blocksPerLimb, words;
};

/// body(limb, begin, words) for every block, on the pool's threads.
template <typename Body> void forBlocks(ThreadPool &pool, const BlockPlan &plan, const Body &body) {
  auto block = [&](size_t b) { body(plan.limbOf(b), plan.beginOf(b), plan.blockWords()); };
  if (!plan.isSerial())
    return parallelFor(pool, plan.blockCount(), block);
  for (size_t b = 0; b < plan.blockCount(); ++b)
    block(b);
}

} // namespace sluice::cpu

#endif // SLUICE_RUNTIME_CPU_THREADS_H
