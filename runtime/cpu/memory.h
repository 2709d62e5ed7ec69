//===- memory.h - the arena, and the tables that kernels need -------------------------------===//
#ifndef SLUICE_RUNTIME_CPU_MEMORY_H
#define SLUICE_RUNTIME_CPU_MEMORY_H

#include "runtime/base/arena.h"
#include "runtime/base/status.h"
#include "runtime/ring/base_conversion.h"
#include "runtime/ring/ring.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace sluice::cpu {

/// The slots of one arena, and permutations, base conversions and what these need made at their
/// first use and kept: a program's second run allocates nothing. Not for several threads at once,
/// but for permutation().
class Memory {
public:
  /// io: there is not so much memory.
  static Expected<Memory> create(std::shared_ptr<const ring::Ring> ring, uint64_t slots);

  /// Of the limbs that the slots hold.
  size_t bytes() const { return slotCount() * (slotWords - lineWords) * sizeof(uint64_t); }
  uint32_t slotCount() const { return static_cast<uint32_t>(arena.size() / slotWords); }
  uint64_t *slot(uint32_t number) {
    assert(number < slotCount() && "no such slot");
    return arena.data() + number * slotWords;
  }

  /// The gather of X -> X^element in evaluation form; element odd, below 2N.
  const uint32_t *permutation(uint32_t element);
  /// The tables from the product of `source` to each limb of `destination`.
  /// As Basis::create fails.
  Expected<const kernels::ConvertTables *> conversion(std::span<const uint16_t> source,
                                                      std::span<const uint16_t> destination);
  /// `count` pieces of `words` words, of no certain content. io: there is not so much memory.
  Expected<uint64_t *> conversionScratch(size_t count, size_t words);

private:
  Memory() = default;

  struct Conversion {
    std::vector<uint16_t> source, destination;
    ring::BaseConversion tables;
  };

  std::shared_ptr<const ring::Ring> ring;
  size_t slotWords = 0; // from one slot to the next
  AlignedWords arena, scratch;
  std::unique_ptr<std::mutex> permutationsMutex = std::make_unique<std::mutex>();
  std::map<uint32_t, std::vector<uint32_t>> permutations; // entries stay where they are
  std::vector<std::unique_ptr<Conversion>>
      conversions; // few: one for each pair of digits and bases
};

} // namespace sluice::cpu

#endif // SLUICE_RUNTIME_CPU_MEMORY_H
