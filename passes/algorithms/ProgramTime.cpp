//===- ProgramTime.cpp - the time of a list of kernel calls -----------------------------------===//

#include "passes/algorithms/ProgramTime.h"

#include <cassert>
#include <cmath>

namespace sluice::algorithms {

void ReuseDistances::add(size_t time, int64_t amount) {
  for (; time < counts.size(); time += time & -time)
    counts[time] += amount;
}

int64_t ReuseDistances::countUpTo(size_t time) const {
  int64_t sum = 0;
  for (; time > 0; time -= time & -time)
    sum += counts[time];
  return sum;
}

uint64_t ReuseDistances::touch(LimbPlace place) {
  ++now;
  assert(now < counts.size() && "more accesses than were announced");
  auto [last, isFirst] = lastTime.try_emplace(place, now);
  uint64_t distance = never;
  if (!isFirst) {
    // Every place has its 1 at its last time: those from this place's own on were touched since.
    distance = static_cast<uint64_t>(countUpTo(now) - countUpTo(last->second - 1));
    add(last->second, -1);
    last->second = now;
  }
  add(now, 1);
  return distance;
}

double reachShare(const std::vector<ReachPoint> &reach, uint64_t bytes) {
  if (reach.empty())
    return 0;
  auto above = std::find_if(reach.begin(), reach.end(),
                            [&](const ReachPoint &point) { return point.bytes >= bytes; });
  if (above == reach.end())
    return reach.back().share;
  if (above == reach.begin())
    return above->share;
  const ReachPoint &below = *(above - 1);
  double part = double(bytes - below.bytes) / double(above->bytes - below.bytes);
  return below.share + part * (above->share - below.share);
}

/// What a unit of `family` is in units of the table: butterflies for transforms, else residues.
static double tableUnits(KernelFamily family, unsigned logN) {
  bool isTransform = family == KernelFamily::ntt || family == KernelFamily::intt;
  return std::ldexp(isTransform ? logN / 2.0 : 1, int(logN));
}

std::map<KernelFamily, FamilyTime> programTime(const std::vector<KernelWork> &works, unsigned logN,
                                               const CostTable &costs) {
  size_t accesses = 0;
  for (const KernelWork &work : works)
    accesses += work.places.size();
  ReuseDistances distances(2 * accesses);
  for (const KernelWork &work : works) // the run before
    for (LimbPlace place : work.places)
      if (place != cachedPlace)
        distances.touch(place);

  const std::vector<ReachPoint> &reach = costs.reach[CostTable::degreeIndex(logN)];
  std::map<KernelFamily, FamilyTime> times;
  for (const KernelWork &work : works) {
    double shares = 0;
    for (LimbPlace place : work.places)
      if (place != cachedPlace)
        shares += reachShare(reach, (distances.touch(place) * sizeof(uint64_t)) << logN);
    double share = work.places.empty() ? 0 : shares / double(work.places.size());
    const KernelTime &time = costs.time(logN, work.family);
    FamilyTime &sum = times[work.family];
    sum.units += work.units;
    sum.ns += work.units * tableUnits(work.family, logN) *
              (time.cached + share * (time.memory - time.cached));
  }
  return times;
}

} // namespace sluice::algorithms
