//===- TerminalSearch.cpp - sizes of the small limbs that levels share ------------------------===//

#include "passes/algorithms/TerminalSearch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

namespace sluice::algorithms {

namespace {

constexpr unsigned largestTerminal = 49; // larger ones would be taken for full limbs
constexpr size_t kept = 60;              // points of the grid that are refined

using Sizes = std::vector<double>;
using Rated = std::pair<double, Sizes>; // a deviation and whose it is

/// The 60 least deviations among all multisets of `count` whole sizes.
class Grid {
public:
  Grid(unsigned least, std::span<const double> targets) : least(least), targets(targets) {}

  std::vector<Rated> best(unsigned count) {
    extend({}, count);
    return std::move(found);
  }

private:
  void extend(const Sizes &sizes, unsigned missing) {
    if (missing == 0)
      return consider(sizes);
    const unsigned smallest = sizes.empty() ? least : static_cast<unsigned>(sizes.back());
    for (unsigned next = smallest; next <= largestTerminal; ++next) {
      Sizes longer = sizes;
      longer.push_back(next);
      extend(longer, missing - 1);
    }
  }

  void consider(const Sizes &sizes) {
    Rated rated(chainDeviation(sizes, targets), sizes);
    if (found.size() == kept && rated >= found.back())
      return;
    found.insert(std::upper_bound(found.begin(), found.end(), rated), rated);
    if (found.size() > kept)
      found.pop_back();
  }

  unsigned least;
  std::span<const double> targets;
  std::vector<Rated> found;
};

/// Walks downhill from `start`, by steps of up to a bit that shrink to a sixteenth.
Sizes refine(Rated start, unsigned least, std::span<const double> targets,
             std::mt19937_64 &random) {
  auto &[deviation, sizes] = start;
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  double step = 1;
  for (unsigned attempt = 0; attempt < 750; ++attempt) {
    if (attempt % 150 == 149)
      step /= 2;
    Sizes moved = sizes;
    for (double &size : moved)
      if (random() % 2)
        size = std::clamp<double>(size + step * uniform(), least, largestTerminal);
    if (const double other = chainDeviation(moved, targets); other < deviation) {
      deviation = other;
      sizes = std::move(moved);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

} // namespace

std::vector<double> subsetSums(std::span<const double> sizes) {
  std::vector<double> sums = {0};
  for (double size : sizes)
    for (size_t i = 0, count = sums.size(); i < count; ++i)
      sums.push_back(sums[i] + size);
  return sums;
}

int topFullLimbs(std::span<const double> sizes, std::span<const double> targets) {
  double left = targets.back();
  for (double size : sizes)
    left -= size;
  return std::max(0, static_cast<int>(std::lround(left / fullLimbBits)));
}

double chainDeviation(std::span<const double> sizes, std::span<const double> targets) {
  // At most four terminals: sums stay off the heap, since the search asks very often.
  std::array<double, 16> sums{};
  size_t count = 1;
  for (double size : sizes) {
    for (size_t i = 0; i < count; ++i)
      sums[count + i] = sums[i] + size;
    count *= 2;
  }
  const double top = topFullLimbs(sizes, targets);
  double most = std::abs(targets.back() - sums[count - 1] - fullLimbBits * top);
  for (double target : targets.first(targets.size() - 1)) {
    double least = target;
    for (size_t b = 0; b < count; ++b) {
      const double left = target - sums[b];
      const double fulls = std::clamp(std::nearbyint(left / fullLimbBits), 0.0, top);
      least = std::min(least, std::abs(left - fullLimbBits * fulls));
    }
    most = std::max(most, least);
  }
  return most;
}

std::vector<std::vector<double>> searchTerminals(unsigned count, unsigned least,
                                                 std::span<const double> targets) {
  std::mt19937_64 random(count);
  std::vector<Sizes> result;
  for (Rated &rated : Grid(least, targets).best(count)) {
    result.push_back(rated.second);
    result.push_back(refine(std::move(rated), least, targets, random));
  }
  return result;
}

} // namespace sluice::algorithms
