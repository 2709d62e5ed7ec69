//===- BsgsPlan.cpp - baby steps and giant steps of a matrix-vector product -------------------===//

#include "passes/algorithms/BsgsPlan.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace sluice::algorithms {

namespace {

/// More baby steps are not tried: their rotations alone would cost more than any split with fewer.
constexpr int64_t maxBabySteps = 1024;

int64_t floorMod(int64_t a, int64_t b) { return ((a % b) + b) % b; }
int64_t floorDiv(int64_t a, int64_t b) { return (a - floorMod(a, b)) / b; }

/// The representative in (-size/2, size/2].
int64_t centred(int64_t index, int64_t size) {
  int64_t residue = floorMod(index, size);
  return residue > size / 2 ? residue - size : residue;
}

/// The indices as offset + stride * u: the circle modulo `size` is cut at its largest gap.
struct Progression {
  int64_t stride = 1;
  int64_t offset = 0;             ///< in [0, stride)
  std::vector<int64_t> positions; ///< u of each index, in the order given

  int64_t span() const {
    auto [low, high] = std::minmax_element(positions.begin(), positions.end());
    return *high - *low + 1;
  }
};

/// The first index after the largest gap of the circle (0 when several gaps tie and 0 is among the
/// firsts).
int64_t startAfterLargestGap(std::vector<int64_t> sorted, int64_t size) {
  int64_t start = sorted.front(), largest = sorted.front() + size - sorted.back();
  for (size_t n = 1; n < sorted.size(); ++n)
    if (sorted[n] - sorted[n - 1] > largest) {
      largest = sorted[n] - sorted[n - 1];
      start = sorted[n];
    }
  return start;
}

Progression findProgression(std::span<const int64_t> indices, int64_t size) {
  std::vector<int64_t> sorted;
  for (int64_t index : indices)
    sorted.push_back(floorMod(index, size));
  std::sort(sorted.begin(), sorted.end());
  assert(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() && "repeated diagonal");

  // Unrolled, the indices run from `start` to below start + size; a start past the middle is a
  // negative index.
  int64_t start = startAfterLargestGap(sorted, size);
  Progression progression;
  progression.stride = 0;
  for (int64_t index : indices)
    progression.stride = std::gcd(progression.stride, floorMod(index - start, size));
  if (progression.stride == 0)
    progression.stride = 1; // a single diagonal
  int64_t first = start > size / 2 ? start - size : start;
  progression.offset = floorMod(first, progression.stride);
  for (int64_t index : indices)
    progression.positions.push_back((first + floorMod(index - start, size) - progression.offset) /
                                    progression.stride);
  return progression;
}

/// The number of distinct non-trivial rotations of a plan, without building it.
struct StepCount {
  unsigned babies = 0, giants = 0;
};

double rotationCost(StepCount count, const KeySwitchShape &shape) {
  unsigned rotations = count.babies + count.giants;
  if (rotations == 0)
    return 0;
  double decompositions = (count.babies > 0 ? 1 : 0) + count.giants;
  return rotations * innerProductCost(shape) + decompositions * decomposeCost(shape) +
         (count.giants / 2.0 + 1) * modDownCost(shape);
}

/// How a position u is split: u = steps * giant + baby with first <= baby < first + steps.
struct Split {
  int64_t steps = 1;
  int64_t first = 0;

  int64_t giant(int64_t position) const { return floorDiv(position - first, steps); }
  int64_t baby(int64_t position) const { return position - steps * giant(position); }
};

StepCount countSteps(const Progression &progression, Split split) {
  auto [low, high] =
      std::minmax_element(progression.positions.begin(), progression.positions.end());
  int64_t firstGiant = split.giant(*low);
  std::vector<bool> babies(split.steps), giants(split.giant(*high) - firstGiant + 1);
  StepCount count;
  for (int64_t position : progression.positions) {
    int64_t baby = split.baby(position), giant = split.giant(position);
    bool isTrivialBaby = baby == 0 && progression.offset == 0;
    if (!babies[baby - split.first] && !isTrivialBaby)
      ++count.babies;
    if (!giants[giant - firstGiant] && giant != 0)
      ++count.giants;
    babies[baby - split.first] = giants[giant - firstGiant] = true;
  }
  return count;
}

BsgsPlan buildPlan(const Progression &progression, int64_t size, Split split,
                   const KeySwitchShape &shape) {
  BsgsPlan plan;
  plan.stride = progression.stride;
  plan.babySteps = split.steps;
  plan.cost = rotationCost(countSteps(progression, split), shape);
  std::map<int64_t, unsigned> babyOf;                  // baby step -> position in plan.babies
  std::map<int64_t, std::vector<BsgsTerm>> giantTerms; // giant step -> terms
  for (unsigned n = 0; n < progression.positions.size(); ++n) {
    int64_t step = split.baby(progression.positions[n]);
    auto [entry, isNew] = babyOf.try_emplace(step, plan.babies.size());
    if (isNew)
      plan.babies.push_back(centred(progression.offset + progression.stride * step, size));
    giantTerms[split.giant(progression.positions[n])].push_back({n, entry->second});
  }
  for (auto &[step, terms] : giantTerms)
    plan.giants.push_back(
        {centred(progression.stride * split.steps * step, size), std::move(terms)});
  return plan;
}

/// Where baby steps may start: at 0, centred around 0, or at the least index, so that one giant
/// step can hold all.
std::array<int64_t, 3> firstBabies(const Progression &progression, int64_t steps) {
  return {0, -(steps / 2),
          *std::min_element(progression.positions.begin(), progression.positions.end())};
}

/// A split with what decides for or against it.
struct Candidate {
  Split split;
  StepCount count;
  double cost = 0;

  /// Fewer keys, then cheaper, then fewer giant steps, whose rotations cannot share a
  /// decomposition.
  bool operator<(const Candidate &other) const {
    return std::tuple(count.babies + count.giants, cost, count.giants) <
           std::tuple(other.count.babies + other.count.giants, other.cost, other.count.giants);
  }
};

void addCandidates(std::vector<Candidate> &candidates, const Progression &progression,
                   int64_t steps, const KeySwitchShape &shape) {
  for (int64_t first : firstBabies(progression, steps)) {
    Split split{steps, first};
    StepCount count = countSteps(progression, split);
    candidates.push_back({split, count, rotationCost(count, shape)});
  }
}

/// The least of those that cost at most `tolerance` more than the cheapest.
Split choose(const std::vector<Candidate> &candidates, double tolerance) {
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate &candidate : candidates)
    least = std::min(least, candidate.cost);
  const Candidate *best = nullptr;
  for (const Candidate &candidate : candidates)
    if (candidate.cost <= least * (1 + tolerance) && (!best || candidate < *best))
      best = &candidate;
  return best->split;
}

} // namespace

/// Of one residue polynomial, for each of its coefficients.
static double transformCost(const KeySwitchShape &shape) {
  return shape.butterfly * shape.logN / 2;
}

double decomposeCost(const KeySwitchShape &shape) {
  double n = static_cast<double>(uint64_t(1) << shape.logN), transform = transformCost(shape);
  double nttIn = n * transform * shape.limbs;
  return nttIn +
         shape.digits * n * (shape.specialLimbs + shape.limbs * (transform + shape.specialLimbs));
}

double innerProductCost(const KeySwitchShape &shape) {
  double n = static_cast<double>(uint64_t(1) << shape.logN);
  return 2.0 * shape.digits * n * (shape.limbs + shape.specialLimbs);
}

double modDownCost(const KeySwitchShape &shape) {
  double n = static_cast<double>(uint64_t(1) << shape.logN), transform = transformCost(shape);
  return 2 * n *
         (shape.limbs * (shape.specialLimbs + transform + 1) +
          shape.specialLimbs * (transform + 1));
}

unsigned BsgsPlan::rotations() const {
  auto isRotation = [](int64_t by) { return by != 0; };
  return std::count_if(babies.begin(), babies.end(), isRotation) +
         std::count_if(giants.begin(), giants.end(),
                       [&](const BsgsGiant &giant) { return isRotation(giant.rotation); });
}

unsigned BsgsPlan::keys() const {
  std::set<int64_t> distinct(babies.begin(), babies.end());
  for (const BsgsGiant &giant : giants)
    distinct.insert(giant.rotation);
  return distinct.size() - distinct.contains(0);
}

BsgsPlan planBsgs(std::span<const int64_t> indices, int64_t size, int64_t babySteps,
                  const KeySwitchShape &shape) {
  Progression progression = findProgression(indices, size);
  std::vector<Candidate> candidates;
  addCandidates(candidates, progression, babySteps, shape);
  return buildPlan(progression, size, choose(candidates, 0), shape);
}

BsgsPlan planBsgs(std::span<const int64_t> indices, int64_t size, const KeySwitchShape &shape,
                  double keyTolerance) {
  Progression progression = findProgression(indices, size);
  std::vector<Candidate> candidates;
  int64_t limit = std::min(progression.span(), maxBabySteps);
  for (int64_t steps = 1; steps <= limit; ++steps)
    addCandidates(candidates, progression, steps, shape);
  return buildPlan(progression, size, choose(candidates, keyTolerance), shape);
}

} // namespace sluice::algorithms
