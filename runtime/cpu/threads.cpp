//===- threads.cpp - how work on limbs is cut for threads -----------------------------------===//
#include "runtime/cpu/threads.h"

#include <cassert>

namespace sluice::cpu {

BlockPlan::BlockPlan(size_t limbs, size_t degree)
    : limbs(limbs), words(std::min(degree, maxBlockWords)) {
  assert(degree % words == 0 && "degrees and blocks are powers of two");
  blocksPerLimb = degree / words;
}

} // namespace sluice::cpu
