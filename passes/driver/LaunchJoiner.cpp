//===- LaunchJoiner.cpp - fewer and larger launches of a GPU program --------------------------===//

#include "passes/driver/LaunchJoiner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace sluice {

namespace {

/// Slots that a launch reads and writes, each any number of times.
struct SlotUses {
  llvm::SmallVector<uint32_t> reads, writes;
};

LaunchParameterKind kindOf(uint64_t word) {
  return static_cast<LaunchParameterKind>(word >> launchParameterShift);
}

SlotUses slotUsesOf(const Launch &launch, const LaunchList &list) {
  SlotUses uses;
  for (LaunchLimb limb : launch.sources)
    uses.reads.push_back(limb.slot);
  for (LaunchLimb limb : launch.destinations)
    uses.writes.push_back(limb.slot);
  for (auto [position, word] : llvm::enumerate(launch.parameters))
    if (kindOf(word) == LaunchParameterKind::slot) {
      const LimbKernel &kernel = list.kernels[launch.number];
      bool isOutput = position % kernel.parameters <= kernel.outputs;
      (isOutput ? uses.writes : uses.reads).push_back(static_cast<uint32_t>(word));
    }
  return uses;
}

size_t limbsOf(const Launch &launch) {
  return launch.kind == LaunchKind::limbKernel ? launch.limbs : launch.destinations.size();
}

size_t keyRowsOf(const Launch &launch) {
  return llvm::count_if(launch.parameters, [](uint64_t word) {
    return kindOf(word) == LaunchParameterKind::keyRowB ||
           kindOf(word) == LaunchParameterKind::keyRowA;
  });
}

template <typename T> void append(std::vector<T> &all, const std::vector<T> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

class Joiner {
public:
  Joiner(const LaunchList &list, const JoinBounds &bounds) : list(list), bounds(bounds) {}

  void add(const Launch &launch) {
    if (launch.kind == LaunchKind::beginStage) {
      joined.push_back(launch);
      stageBegin = joined.size();
      return;
    }
    SlotUses uses = slotUsesOf(launch, list);
    size_t position = joined.size();
    for (size_t first = firstPosition(launch, uses); position > first;)
      if (canJoin(joined[--position], launch)) {
        join(joined[position], launch);
        return note(uses, position);
      }
    joined.push_back(launch);
    note(uses, joined.size() - 1);
  }

  std::vector<Launch> take() { return std::move(joined); }

private:
  /// Where a slot was used last, as a number of launches up to there.
  struct LastUse {
    size_t read = 0, written = 0;
  };

  LastUse &lastUse(uint32_t slot) {
    if (slot >= lastUses.size())
      lastUses.resize(slot + 1);
    return lastUses[slot];
  }

  /// Of the launches that `launch` may become part of.
  size_t firstPosition(const Launch &launch, const SlotUses &uses) {
    size_t first =
        std::max(stageBegin, joined.size() - std::min<size_t>(joined.size(), bounds.window));
    for (uint32_t slot : uses.reads)
      first = std::max(first, lastUse(slot).written);
    for (uint32_t slot : uses.writes) {
      LastUse last = lastUse(slot);
      // Sources of a joined conversion are read before it writes anything.
      size_t read = isConversion(launch.kind) && last.read > 0 ? last.read - 1 : last.read;
      first = std::max({first, last.written, read});
    }
    return first;
  }

  bool canJoin(const Launch &before, const Launch &launch) const {
    return before.kind == launch.kind && before.number == launch.number &&
           limbsOf(before) + limbsOf(launch) <= bounds.limbs &&
           (!isConversion(launch.kind) ||
            before.sources.size() + launch.sources.size() <= bounds.sources) &&
           keyRowsOf(before) + keyRowsOf(launch) <= bounds.keyRows;
  }

  static void join(Launch &before, const Launch &launch) {
    before.limbs += launch.limbs;
    append(before.parameters, launch.parameters);
    append(before.destinations, launch.destinations);
    append(before.sources, launch.sources);
    append(before.conversions, launch.conversions);
  }

  /// Uses of a launch that is now, or is now part of, the one at `position`.
  void note(const SlotUses &uses, size_t position) {
    for (uint32_t slot : uses.reads)
      lastUse(slot).read = std::max(lastUse(slot).read, position + 1);
    for (uint32_t slot : uses.writes)
      lastUse(slot).written = position + 1;
  }

  const LaunchList &list;
  const JoinBounds &bounds;
  std::vector<Launch> joined;
  std::vector<LastUse> lastUses; // by slot
  size_t stageBegin = 0;
};

} // namespace

void joinLaunches(LaunchList &list, const JoinBounds &bounds) {
  Joiner joiner(list, bounds);
  for (const Launch &launch : list.launches)
    joiner.add(launch);
  list.launches = joiner.take();
}

} // namespace sluice
