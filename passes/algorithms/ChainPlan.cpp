//===- ChainPlan.cpp - chains of full words ---------------------------------------------------===//

#include "passes/algorithms/ChainPlan.h"

#include "passes/algorithms/TerminalSearch.h"
#include "runtime/kernels/kernels.h"
#include "runtime/ring/primes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace sluice::algorithms {

namespace {

constexpr unsigned fullBits = kernels::maxPrimeBits;
static_assert(fullBits == fullLimbBits);

/// Deviations that differ by less, in bits, are taken for equal.
constexpr double deviationTolerance = 0.02;

/// Primes of a chain before its levels are chosen.
struct Terminals {
  std::vector<uint64_t> primes; // ascending
  std::vector<double> sizes;    // their logarithms
  double deviation = 0;
};

/// A level as a choice: all terminals with a set bit and the first full limbs.
struct LevelChoice {
  unsigned terminals = 0;
  int fulls = 0;
  double bits = 0, deviation = 0;

  int limbs() const { return std::popcount(terminals) + fulls; }
};

/// Limbs that `from` has and `to` has not.
int missing(const LevelChoice &from, const LevelChoice &to) {
  return std::popcount(from.terminals & ~to.terminals) + std::max(0, from.fulls - to.fulls);
}

/// The prime = 1 mod 2N nearest to 2^bits that is none of `exclude`; nothing where none is within a
/// factor of two.
std::optional<uint64_t> nearestPrime(unsigned logN, double bits,
                                     const std::vector<uint64_t> &exclude) {
  const uint64_t step = uint64_t{2} << logN;
  const auto target = static_cast<uint64_t>(std::exp2(bits));
  const auto isFree = [&](uint64_t q) {
    return ring::isNttPrime(logN, q) &&
           std::find(exclude.begin(), exclude.end(), q) == exclude.end();
  };
  const uint64_t centre = (target + step / 2) / step * step + 1;
  for (uint64_t distance = 0; distance < target / 2; distance += step) {
    if (isFree(centre + distance))
      return centre + distance;
    if (distance < centre && isFree(centre - distance))
      return centre - distance;
  }
  return std::nullopt;
}

class ChainPlanner {
public:
  explicit ChainPlanner(const ChainPlanRequest &request) : request(request) {
    double sum = 0;
    for (double step : request.steps)
      targets.push_back(sum += step);
  }

  Expected<ChainPlan> plan() {
    SLUICE_RETURN_IF_ERROR(check());
    if (request.isNested)
      return planNested();
    const std::optional<Terminals> terminals = chooseTerminals();
    if (!terminals)
      return Status::error(StatusCode::outOfRange,
                           "the ring of degree 2^%u has too few primes for terminal limbs",
                           request.logN);
    SLUICE_ASSIGN_OR_RETURN(const ChainPlan limbs, layOutLimbs(*terminals));
    return layOutLevels(limbs, *terminals);
  }

private:
  Status check() const {
    if (request.logN < kernels::minLogN || request.logN > kernels::maxLogN)
      return Status::error(StatusCode::outOfRange, "log N is %u; %u to %u are right", request.logN,
                           kernels::minLogN, kernels::maxLogN);
    if (request.steps.empty() || request.maxTerminals > 4 || request.specialLimbs == 0)
      return Status::error(StatusCode::invalidArgument,
                           "a chain has a level, a special limb, and at most 4 terminal limbs");
    for (double step : request.steps)
      if (!(step >= 1 && step <= 1000))
        return Status::error(StatusCode::outOfRange, "a level adds %g bits; 1 to 1000 are right",
                             step);
    if (targets.front() < kernels::minPrimeBits)
      return Status::error(StatusCode::outOfRange, "level 0 has %g bits; a limb has at least %u",
                           targets.front(), kernels::minPrimeBits);
    const unsigned bits = request.ephemeralBits;
    if (bits != 0 && (bits < kernels::minPrimeBits || bits > fullBits))
      return Status::error(StatusCode::outOfRange,
                           "the ephemeral special limb has %u bits; %u to %u are right", bits,
                           kernels::minPrimeBits, fullBits);
    return {};
  }

  // --- Terminals -------------------------------------------------------------------------------

  /// The primes nearest to these sizes, all different.
  std::optional<Terminals> snap(const std::vector<double> &sizes) const {
    Terminals result;
    for (double size : sizes) {
      const std::optional<uint64_t> prime = nearestPrime(request.logN, size, result.primes);
      if (!prime)
        return std::nullopt;
      result.primes.push_back(*prime);
    }
    std::sort(result.primes.begin(), result.primes.end());
    for (uint64_t prime : result.primes)
      result.sizes.push_back(std::log2(static_cast<double>(prime)));
    result.deviation = chainDeviation(result.sizes, targets);
    return result;
  }

  /// The fewest terminals of which no more would bring the levels closer to their targets.
  std::optional<Terminals> chooseTerminals() const {
    // Below, primes are too rare to have a usable resolution.
    const unsigned least = std::max(kernels::minPrimeBits, request.logN + 7);
    std::optional<Terminals> best;
    for (unsigned count = 0; count <= request.maxTerminals; ++count) {
      std::optional<Terminals> own;
      for (const std::vector<double> &sizes : searchTerminals(count, least, targets))
        if (std::optional<Terminals> found = snap(sizes);
            found && (!own || found->deviation < own->deviation))
          own = std::move(found);
      if (own && (!best || own->deviation < best->deviation - deviationTolerance))
        best = std::move(own);
    }
    return best;
  }

  // --- Limbs -----------------------------------------------------------------------------------

  /// The limb table, P and the ephemeral special limb; P has the largest full limbs, so that it
  /// exceeds any digit of as many.
  Expected<ChainPlan> layOutLimbs(const Terminals &terminals) const {
    const bool isEphemeralFull = request.ephemeralBits == fullBits;
    const size_t fulls = topFullLimbs(terminals.sizes, targets);
    SLUICE_ASSIGN_OR_RETURN(
        const std::vector<uint64_t> primes,
        ring::nttPrimesBelow(request.logN, fullBits,
                             request.specialLimbs + (isEphemeralFull ? 1 : 0) + fulls,
                             terminals.primes));
    ChainPlan plan;
    const auto append = [&](uint64_t prime, std::vector<int64_t> *list) {
      if (list)
        list->push_back(static_cast<int64_t>(plan.limbs.size()));
      plan.limbs.push_back(prime);
    };
    auto next = primes.begin();
    for (unsigned i = 0; i < request.specialLimbs; ++i)
      append(*next++, &plan.special);
    if (isEphemeralFull) {
      append(*next++, &plan.ephemeralSpecial);
    } else if (request.ephemeralBits != 0) {
      std::vector<uint64_t> taken = primes;
      taken.insert(taken.end(), terminals.primes.begin(), terminals.primes.end());
      SLUICE_ASSIGN_OR_RETURN(const std::vector<uint64_t> own,
                              ring::nttPrimesBelow(request.logN, request.ephemeralBits, 1, taken));
      append(own.front(), &plan.ephemeralSpecial);
    }
    for (uint64_t prime : terminals.primes)
      append(prime, nullptr);
    for (; next != primes.end(); ++next)
      append(*next, nullptr);
    return plan;
  }

  // --- Levels ----------------------------------------------------------------------------------

  /// Everything within the terminals' deviation of a level's target.
  std::vector<LevelChoice> choices(size_t level, const Terminals &terminals) const {
    const std::vector<double> sums = subsetSums(terminals.sizes);
    const int top = topFullLimbs(terminals.sizes, targets);
    const bool isTop = level + 1 == targets.size();
    std::vector<LevelChoice> result;
    for (unsigned b = isTop ? static_cast<unsigned>(sums.size()) - 1 : 0; b < sums.size(); ++b)
      for (int fulls = isTop ? top : 0; fulls <= top; ++fulls) {
        const double bits = sums[b] + fullLimbBits * fulls, deviation = bits - targets[level];
        const LevelChoice choice = {b, fulls, bits, deviation};
        if (choice.limbs() > 0 && std::abs(deviation) <= terminals.deviation + 1e-6)
          result.push_back(choice);
      }
    return result;
  }

  /// The sequence of least cost: limbs of the levels, limbs dropped, half of those added.
  std::vector<LevelChoice> shortestPath(const Terminals &terminals) const {
    struct Node {
      LevelChoice choice;
      double cost = 0;
      size_t before = 0;
    };
    std::vector<std::vector<Node>> nodes;
    for (size_t level = 0; level < targets.size(); ++level) {
      std::vector<Node> own;
      for (const LevelChoice &choice : choices(level, terminals)) {
        Node node = {choice, level ? std::numeric_limits<double>::infinity() : 0, 0};
        for (size_t i = 0; level && i < nodes.back().size(); ++i) {
          const LevelChoice &below = nodes.back()[i].choice;
          if (choice.bits < below.bits + 0.5) // a rescale that divides by nothing
            continue;
          const double cost =
              nodes.back()[i].cost + missing(choice, below) + 0.5 * missing(below, choice);
          if (cost < node.cost) {
            node.cost = cost;
            node.before = i;
          }
        }
        // Of equally many limbs, those nearer to the target.
        node.cost += choice.limbs() + 0.01 * std::abs(choice.deviation);
        if (std::isfinite(node.cost))
          own.push_back(node);
      }
      if (own.empty())
        return {};
      nodes.push_back(std::move(own));
    }
    std::vector<LevelChoice> path;
    size_t at = 0; // the top level has one choice
    for (size_t level = nodes.size(); level-- > 0; at = nodes[level][at].before)
      path.push_back(nodes[level][at].choice);
    std::reverse(path.begin(), path.end());
    return path;
  }

  Expected<ChainPlan> layOutLevels(ChainPlan plan, const Terminals &terminals) const {
    const std::vector<LevelChoice> path = shortestPath(terminals);
    if (path.empty())
      return Status::error(StatusCode::outOfRange,
                           "no chain of the ring of degree 2^%u has levels near these sizes",
                           request.logN);
    const auto firstTerminal =
        static_cast<int64_t>(plan.special.size() + plan.ephemeralSpecial.size());
    const auto firstFull = firstTerminal + static_cast<int64_t>(terminals.primes.size());
    for (const LevelChoice &choice : path) {
      std::vector<int64_t> level;
      for (int64_t i = firstTerminal; i < firstFull; ++i)
        if (choice.terminals >> (i - firstTerminal) & 1)
          level.push_back(i);
      for (int64_t i = 0; i < choice.fulls; ++i)
        level.push_back(firstFull + i);
      plan.levels.push_back(std::move(level));
    }
    return finish(std::move(plan));
  }

  /// P, the ephemeral special limb and the limbs of the levels from the lowest up.
  Expected<ChainPlan> planNested() const {
    SLUICE_ASSIGN_OR_RETURN(ChainPlan plan, layOutLimbs({}));
    plan.limbs.resize(plan.special.size() + plan.ephemeralSpecial.size());
    std::vector<int64_t> level;
    for (double step : request.steps) {
      const unsigned parts = step > fullBits ? 2 : 1;
      for (unsigned part = 0; part < parts; ++part) {
        // Not beyond what kernels take, where full limbs are the sizes asked for.
        const double bits = std::min(step / parts, fullBits - 0.01);
        const std::optional<uint64_t> prime = nearestPrime(request.logN, bits, plan.limbs);
        if (!prime || *prime >> fullBits != 0)
          return Status::error(StatusCode::outOfRange,
                               "the ring of degree 2^%u has too few primes near 2^%g", request.logN,
                               bits);
        level.push_back(static_cast<int64_t>(plan.limbs.size()));
        plan.limbs.push_back(*prime);
      }
      plan.levels.push_back(level);
    }
    return finish(std::move(plan));
  }

  ChainPlan finish(ChainPlan plan) const {
    plan.logP = plan.log2Product(plan.special);
    plan.logQ = plan.log2Product(plan.levels.back());
    measure(plan);
    cutDigits(plan);
    return plan;
  }

  void measure(ChainPlan &plan) const {
    for (size_t level = 0; level < targets.size(); ++level) {
      const double bits = plan.log2Product(plan.levels[level]);
      plan.maxDeviation = std::max(plan.maxDeviation, std::abs(bits - targets[level]));
      const auto least = static_cast<size_t>(std::ceil(bits / fullLimbBits));
      plan.maxExcess =
          std::max(plan.maxExcess, static_cast<unsigned>(plan.levels[level].size() - least));
    }
  }

  /// The top level in its order, each digit as long as P and the margin allow.
  void cutDigits(ChainPlan &plan) const {
    for (int64_t limb : plan.levels.back()) {
      std::vector<int64_t> longer =
          plan.digits.empty() ? std::vector<int64_t>{} : plan.digits.back();
      longer.push_back(limb);
      if (!plan.digits.empty() && plan.log2Product(longer) <= plan.logP - request.digitMargin)
        plan.digits.back() = std::move(longer);
      else
        plan.digits.push_back({limb});
    }
  }

  const ChainPlanRequest &request;
  std::vector<double> targets; // log2 Q_l
};

} // namespace

size_t ChainPlan::sumOfLimbs() const {
  size_t sum = 0;
  for (const std::vector<int64_t> &level : levels)
    sum += level.size();
  return sum;
}

double ChainPlan::log2Product(const std::vector<int64_t> &indices) const {
  long double sum = 0;
  for (int64_t index : indices)
    sum += std::log2(static_cast<long double>(limbs[static_cast<size_t>(index)]));
  return static_cast<double>(sum);
}

Expected<ChainPlan> planChain(const ChainPlanRequest &request) {
  return ChainPlanner(request).plan();
}

} // namespace sluice::algorithms
