//===- ProgramTime.h - the time of a list of kernel calls -------------------------------------===//
//
// What a program will run, call by call, priced by a table of kernel costs (runtime/abi/costs.h).
// An operand costs more the longer ago it was used: for every limb that a call touches, the bytes
// touched since the last time are counted exactly (its reuse distance), and the table says what
// they mean on its machine.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_PROGRAMTIME_H
#define SLUICE_PASSES_ALGORITHMS_PROGRAMTIME_H

#include "runtime/abi/costs.h"

#include <cstdint>
#include <map>
#include <vector>

namespace sluice::algorithms {

/// One limb of something that kernels read or write. Equal numbers are the same N words.
using LimbPlace = uint64_t;

/// An operand that the same block of work used just before: it is in the cache, or in registers.
inline constexpr LimbPlace cachedPlace = UINT64_MAX;

/// `units` times what a family costs for one limb (base_convert_term: pairs of source and
/// destination; all others: 1), on limbs at `places`, in the order in which they are touched.
struct KernelWork {
  KernelFamily family;
  uint32_t units = 1;
  std::vector<LimbPlace> places;
};

/// Reuse distances of a sequence of accesses.
class ReuseDistances {
public:
  static constexpr uint64_t never = UINT64_MAX;

  /// For `accesses` accesses at most.
  explicit ReuseDistances(size_t accesses) : counts(accesses + 1) {}
  /// How many different places, `place` included, were touched since it was last, this time
  /// included; `never` for the first time.
  uint64_t touch(LimbPlace place);

private:
  void add(size_t time, int64_t amount);
  int64_t countUpTo(size_t time) const;

  std::map<LimbPlace, size_t> lastTime;
  std::vector<int64_t> counts; // Fenwick tree: 1 at the last time of every place
  size_t now = 0;
};

/// Nanoseconds of one family, and limbs (pairs of limbs) that it worked on.
struct FamilyTime {
  uint64_t units = 0;
  double ns = 0;
};

/// The time of `works`, one after the other, in a ring of degree 2^logN, by family. A warm run:
/// what was touched last by the run before is where that left it.
std::map<KernelFamily, FamilyTime> programTime(const std::vector<KernelWork> &works, unsigned logN,
                                               const CostTable &costs);

/// Share of the way from cached to memory after `bytes` bytes: piecewise linear between the points,
/// constant outside; 0 without points.
double reachShare(const std::vector<ReachPoint> &reach, uint64_t bytes);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_PROGRAMTIME_H
