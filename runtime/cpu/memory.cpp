//===- memory.cpp - the arena, and the tables that kernels need -----------------------------===//
#include "runtime/cpu/memory.h"

#include "runtime/ring/basis.h"
#include "runtime/ring/galois.h"

#include <algorithm>

namespace sluice::cpu {

Expected<Memory> Memory::create(std::shared_ptr<const ring::Ring> ring, uint64_t slots) {
  Memory memory;
  memory.slotWords = ring->degree() + lineWords;
  SLUICE_ASSIGN_OR_RETURN(memory.arena, AlignedWords::tryAllocate(slots * memory.slotWords));
  memory.ring = std::move(ring);
  return memory;
}

const uint32_t *Memory::permutation(uint32_t element) {
  std::lock_guard<std::mutex> lock(*permutationsMutex);
  auto found = permutations.find(element);
  if (found == permutations.end())
    found = permutations.emplace(element, ring::evalPermutation(ring->logN(), element)).first;
  return found->second.data();
}

Expected<const kernels::ConvertTables *> Memory::conversion(std::span<const uint16_t> source,
                                                            std::span<const uint16_t> destination) {
  for (const auto &known : conversions)
    if (std::ranges::equal(known->source, source) &&
        std::ranges::equal(known->destination, destination))
      return &known->tables.tables();
  SLUICE_ASSIGN_OR_RETURN(ring::Basis from, ring::Basis::create(*ring, source));
  SLUICE_ASSIGN_OR_RETURN(ring::Basis to, ring::Basis::create(*ring, destination));
  conversions.push_back(
      std::make_unique<Conversion>(Conversion{{source.begin(), source.end()},
                                              {destination.begin(), destination.end()},
                                              ring::BaseConversion(from, to)}));
  return &conversions.back()->tables.tables();
}

Expected<uint64_t *> Memory::conversionScratch(size_t count, size_t words) {
  if (scratch.size() < count * words) {
    SLUICE_ASSIGN_OR_RETURN(scratch, AlignedWords::tryAllocate(count * words));
  }
  return scratch.data();
}

} // namespace sluice::cpu
