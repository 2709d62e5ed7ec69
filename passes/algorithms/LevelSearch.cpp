//===- LevelSearch.cpp - limbs of a leveled chain ---------------------------------------------===//

#include "passes/algorithms/LevelSearch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace sluice::algorithms {

static constexpr unsigned maxLimbBits = 50;

std::vector<double> Chain::digitsLog2() const {
  std::vector<double> result;
  for (const std::vector<unsigned> &digit : digits) {
    double sum = 0;
    for (unsigned limb : digit)
      sum += std::log2(double(limbs[limb]));
    result.push_back(sum);
  }
  return result;
}

/// Lengths of the runs of a greedy cut in which no run's sum exceeds `capacity` (>= every size).
static std::vector<size_t> cutGreedily(std::span<const double> sizes, double capacity) {
  std::vector<size_t> lengths;
  double sum = 0;
  for (double size : sizes) {
    if (lengths.empty() || sum + size > capacity) {
      lengths.push_back(0);
      sum = 0;
    }
    sum += size;
    ++lengths.back();
  }
  return lengths;
}

std::vector<size_t> cutEvenly(std::span<const double> sizes, size_t count) {
  assert(!sizes.empty() && count >= 1);
  // The least capacity is the sum of some run; a greedy cut with it uses the fewest runs.
  double largest = *std::max_element(sizes.begin(), sizes.end());
  std::vector<double> capacities;
  for (size_t begin = 0; begin < sizes.size(); ++begin) {
    double sum = 0;
    for (size_t end = begin; end < sizes.size(); ++end) {
      sum += sizes[end];
      // Slack against different orders of summation.
      if (sum >= largest)
        capacities.push_back(sum * (1 + 0x1p-40));
    }
  }
  std::sort(capacities.begin(), capacities.end());
  auto fits = [&](double capacity, size_t wanted) {
    return cutGreedily(sizes, capacity).size() > wanted;
  };
  auto best = std::lower_bound(capacities.begin(), capacities.end(), count, fits);
  return cutGreedily(sizes, *best);
}

/// Appends `count` primes near 2^bits (or a little larger, where there are too few) to `limbs`.
static bool appendLimbs(std::vector<uint64_t> &limbs, unsigned logN, unsigned bits, size_t count,
                        const PrimeSource &primes) {
  for (; bits <= maxLimbBits; ++bits) {
    std::vector<uint64_t> found = primes(logN, bits, count, limbs);
    if (found.size() < count)
      continue;
    limbs.insert(limbs.end(), found.begin(), found.begin() + count);
    return true;
  }
  return false;
}

double sumLog2(std::span<const uint64_t> limbs) {
  double sum = 0;
  for (uint64_t limb : limbs)
    sum += std::log2(double(limb));
  return sum;
}

/// Appends limbs of P with a product of at least 2^floorLog2: as few as possible, and no larger
/// than specialMarginBits over what is needed.
static bool appendSpecial(Chain &chain, double floorLog2, const PrimeSource &primes) {
  size_t first = chain.limbs.size();
  for (size_t count = size_t(std::ceil(floorLog2 / maxLimbBits)); count <= first + 1; ++count) {
    // Primes lie a little above or below their sizes.
    double wanted = (floorLog2 + specialMarginBits) / double(count) - 0.01;
    unsigned bits = std::min<unsigned>(maxLimbBits, unsigned(std::ceil(wanted)));
    if (!appendLimbs(chain.limbs, chain.logN, bits, count, primes))
      return false;
    chain.logP = sumLog2(std::span(chain.limbs).subspan(first));
    if (chain.logP >= floorLog2) {
      chain.special.resize(count);
      std::iota(chain.special.begin(), chain.special.end(), unsigned(first));
      return true;
    }
    chain.limbs.resize(first);
  }
  return false;
}

std::optional<Chain> buildChain(const ChainRequest &request, size_t digitCount,
                                const PrimeSource &primes) {
  Chain chain;
  chain.logN = request.logN;
  size_t baseCount = (request.baseLog2 + maxLimbBits - 1) / maxLimbBits;
  unsigned baseBits = unsigned((request.baseLog2 + baseCount - 1) / baseCount);
  if (!appendLimbs(chain.limbs, request.logN, baseBits, baseCount, primes) ||
      (request.height > 0 &&
       !appendLimbs(chain.limbs, request.logN, request.scaleLog2, request.height, primes)))
    return std::nullopt;
  for (unsigned level = 0; level <= request.height; ++level) {
    chain.levels.emplace_back(baseCount + level);
    std::iota(chain.levels.back().begin(), chain.levels.back().end(), 0u);
  }
  chain.logQ = sumLog2(chain.limbs);

  std::vector<double> sizes;
  sizes.reserve(chain.limbs.size());
  for (uint64_t limb : chain.limbs)
    sizes.push_back(std::log2(double(limb)));
  unsigned next = 0;
  for (size_t length : cutEvenly(sizes, digitCount)) {
    chain.digits.emplace_back(length);
    std::iota(chain.digits.back().begin(), chain.digits.back().end(), next);
    next += unsigned(length);
  }
  std::vector<double> digits = chain.digitsLog2();
  if (!appendSpecial(chain, *std::max_element(digits.begin(), digits.end()), primes))
    return std::nullopt;
  return chain;
}

std::optional<Chain> findChain(const ChainRequest &request, double limitLog2,
                               const PrimeSource &primes) {
  size_t topLimbs = (request.baseLog2 + maxLimbBits - 1) / maxLimbBits + request.height;
  for (size_t digitCount = 1; digitCount <= topLimbs; ++digitCount) {
    std::optional<Chain> chain = buildChain(request, digitCount, primes);
    if (!chain || chain->logQ > limitLog2)
      return std::nullopt;
    if (chain->logQP() <= limitLog2)
      return chain;
  }
  return std::nullopt;
}

} // namespace sluice::algorithms
