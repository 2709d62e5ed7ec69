//===- ParameterSearch.cpp - the parameters that a leveled program asks for -------------------===//

#include "passes/algorithms/ParameterSearch.h"

#include "passes/algorithms/ChainPlan.h"
#include "passes/algorithms/TerminalSearch.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace sluice::algorithms {

namespace {

/// adjust_scale multiplies by an integer of at least 2^30 (docs/rationale/ckks.md), which one level
/// must provide.
constexpr unsigned smallestScaleLog2 = 32;
/// One limb a level; and what doubles still tell apart.
constexpr unsigned largestNestedLog2 = 50, largestPackedLog2 = 60;
/// Sizes that chains of full words meet exactly are multiples of five bits.
constexpr unsigned packedStep = 5;
/// Limbs that a rescale of such a chain drops, of which it adds about one.
constexpr unsigned packedDrop = 2;
/// Bits that level 0 may lack: part of the margin in what it needs.
constexpr double baseSlack = 0.5;

unsigned roundUp(double bits) { return packedStep * unsigned(std::ceil(bits / packedStep)); }

[[gnu::format(printf, 1, 2)]] std::string format(const char *text, ...) {
  char buffer[160];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(buffer, sizeof(buffer), text, arguments);
  va_end(arguments);
  return buffer;
}

/// Shapes of a candidate that has no primes yet.
struct Sketch {
  std::vector<OperandSize> sizes; ///< by level, the top one first
  std::vector<double> digitsLog2; ///< of the top level
};

/// The search in one ring.
class RingSketches {
public:
  RingSketches(const CircuitFacts &facts, const ParameterRequest &request, unsigned logN)
      : facts(facts), request(request), logN(logN), limit(request.limitLog2(logN)) {}

  /// Candidates of a form at the least scale that is precise enough: for each number of limbs of P
  /// the one with the fewest digits that is allowed.
  std::vector<ParameterCandidate> all(ChainForm form) const {
    std::vector<ParameterCandidate> found;
    for (size_t share : sharesOf(form, std::min(leastScale(guess()), mostLog2(form)))) {
      std::optional<ParameterCandidate> one = atLeastScale(form, share);
      const auto isNoBetter = [&](const ParameterCandidate &before) {
        return before.refusal.empty() && before.special == one->special;
      };
      if (one && std::none_of(found.begin(), found.end(), isNoBetter))
        found.push_back(std::move(*one));
    }
    if (found.empty()) {
      ParameterCandidate none = begin(form, 0);
      none.refusal = format("no scale up to 2^%u gives %g bits", mostLog2(form), request.bits);
      found.push_back(std::move(none));
    }
    return found;
  }

  /// What is expected of a form at a scale with so many limbs of P (packed), or digits (nested).
  ParameterCandidate sketch(ChainForm form, unsigned scaleLog2, size_t share) const {
    ParameterCandidate one = begin(form, scaleLog2);
    const Sketch shape =
        form == ChainForm::nested ? shapeNested(one, share) : shapePacked(one, share);
    one.bits = scaleLog2 - facts.noiseLog2(noiseOf(one, shape));
    if (one.logQP() > limit)
      one.refusal = format("log QP %.0f is over the %.0f that N = 2^%u allows",
                           std::ceil(one.logQP()), limit, logN);
    return one;
  }

  void price(ParameterCandidate &one, const KernelCosts &costs) const {
    ParameterCandidate same = one;
    const Sketch shape = one.form == ChainForm::nested ? shapeNested(same, one.digits)
                                                       : shapePacked(same, one.special);
    const bool isNested = one.form == ChainForm::nested;
    const LevelSteps steps = {isNested ? 1U : packedDrop, isNested};
    one.timeNs = 0;
    for (size_t i = 0; i < facts.work.size(); ++i)
      one.timeNs += latencyNs(facts.work[i], shape.sizes[i], steps, costs);
    one.keyBytes = algorithms::keyBytes(facts.work, shape.sizes, costs);
  }

  /// Fewer limbs than one a level.
  bool isPackedShorter() const {
    ParameterCandidate nested = begin(ChainForm::nested, leastScale(guess()));
    ParameterCandidate packed = begin(ChainForm::packed, roundUp(leastScale(guess())));
    return facts.depth > 0 &&
           std::ceil(sumOf(packed.steps) / fullLimbBits) + 1 < double(nestedSizes(nested).size());
  }

  unsigned leastScale(const NoiseParameters &noise) const {
    const double bits = std::ceil(facts.noiseLog2(noise) + request.bits);
    return unsigned(std::max(bits, double(smallestScaleLog2))) + request.extraScale;
  }

  /// What no chain is below: with a P so large that only roundings are left.
  NoiseParameters guess() const {
    constexpr double largeLog2 = 500;
    NoiseParameters noise;
    noise.logN = logN;
    noise.hammingWeight = uniformTernaryWeight(logN);
    noise.specialLog2 = largeLog2;
    return noise;
  }

  /// The limbs of level 0 may be smaller than the scale.
  unsigned mostLog2(ChainForm form) const {
    return form == ChainForm::nested && facts.depth > 0 ? largestNestedLog2 : largestPackedLog2;
  }

  /// Numbers of digits (nested), the fewest first, or of limbs of P (packed), the most first.
  std::vector<size_t> sharesOf(ChainForm form, unsigned scaleLog2) const {
    const ParameterCandidate one = begin(form, scaleLog2);
    std::vector<size_t> shares;
    if (form == ChainForm::nested) {
      shares.resize(nestedSizes(one).size());
      std::iota(shares.begin(), shares.end(), size_t{1});
      return shares;
    }
    const auto top = size_t(std::ceil(sumOf(one.steps) / fullLimbBits));
    for (size_t digits = 1; digits <= top; ++digits)
      if (const size_t special = (top + digits - 1) / digits;
          shares.empty() || special != shares.back())
        shares.push_back(special);
    return shares;
  }

private:
  static double sumOf(const std::vector<double> &bits) {
    return std::accumulate(bits.begin(), bits.end(), 0.0);
  }

  ParameterCandidate begin(ChainForm form, unsigned scaleLog2) const {
    ParameterCandidate one;
    one.logN = logN;
    one.form = form;
    one.scaleLog2 = scaleLog2;
    const double base = std::ceil(facts.baseLog2(scaleLog2));
    one.steps.assign(facts.depth + 1, scaleLog2);
    one.steps.front() = form == ChainForm::nested ? base : roundUp(base);
    return one;
  }

  std::optional<ParameterCandidate> atLeastScale(ChainForm form, size_t share) const {
    const auto rounded = [&](unsigned scale) {
      return form == ChainForm::nested ? scale : roundUp(scale);
    };
    for (unsigned scale = rounded(leastScale(guess())); scale <= mostLog2(form);) {
      ParameterCandidate one = sketch(form, scale, share);
      if (!one.refusal.empty() || one.bits + 1e-9 >= request.bits + request.extraScale)
        return one;
      scale = std::max(scale + 1, rounded(unsigned(std::ceil(scale + request.bits +
                                                             request.extraScale - one.bits))));
    }
    return std::nullopt;
  }

  /// Bits of the limbs of a chain with one limb a level.
  static std::vector<double> nestedSizes(const ParameterCandidate &one) {
    const double limbs = std::ceil(one.steps.front() / fullLimbBits);
    std::vector<double> sizes(size_t(limbs), one.steps.front() / limbs);
    sizes.insert(sizes.end(), one.steps.begin() + 1, one.steps.end());
    return sizes;
  }

  Sketch shapeNested(ParameterCandidate &one, size_t digits) const {
    const std::vector<double> limbs = nestedSizes(one);
    Sketch shape;
    std::vector<size_t> firsts; // limbs that digits begin with
    size_t next = 0;
    for (size_t length : cutEvenly(limbs, digits)) {
      firsts.push_back(next);
      shape.digitsLog2.push_back(std::accumulate(limbs.begin() + ptrdiff_t(next),
                                                 limbs.begin() + ptrdiff_t(next + length), 0.0));
      next += length;
    }
    const double largest = *std::max_element(shape.digitsLog2.begin(), shape.digitsLog2.end());
    one.digits = shape.digitsLog2.size();
    // The largest limbs are taken by the levels: P of as many falls short of them.
    one.special = size_t(std::floor(largest / fullLimbBits)) + 1;
    one.logQ = sumOf(limbs);
    const double each = std::ceil((largest + specialMarginBits) / double(one.special));
    one.logP = double(one.special) * std::min(fullLimbBits, each);
    for (size_t below = 0; below <= facts.depth; ++below) {
      const size_t alive = limbs.size() - below;
      shape.sizes.push_back({logN, unsigned(alive),
                             unsigned(std::count_if(firsts.begin(), firsts.end(),
                                                    [&](size_t f) { return f < alive; })),
                             unsigned(one.special)});
    }
    return shape;
  }

  Sketch shapePacked(ParameterCandidate &one, size_t special) const {
    Sketch shape;
    const double size = fullLimbBits * double(special);
    one.special = special;
    one.logQ = sumOf(one.steps);
    one.logP = size;
    const auto digits = size_t(std::ceil(one.logQ / size));
    for (size_t digit = 0; digit < digits; ++digit)
      shape.digitsLog2.push_back(std::min(one.logQ - double(digit) * size, size));
    one.digits = shape.digitsLog2.size();
    double bits = one.logQ;
    for (size_t below = 0; below <= facts.depth; ++below) {
      shape.sizes.push_back({logN, unsigned(std::ceil(bits / fullLimbBits)),
                             unsigned(std::ceil(bits / size)), unsigned(special)});
      bits -= one.steps[facts.depth - below];
    }
    return shape;
  }

  NoiseParameters noiseOf(const ParameterCandidate &one, const Sketch &shape) const {
    NoiseParameters noise = guess();
    noise.specialLog2 = one.logP;
    noise.digitsLog2 = shape.digitsLog2;
    return noise;
  }

  const CircuitFacts &facts;
  const ParameterRequest &request;
  const unsigned logN;
  const double limit;
};

bool isAllowed(const ParameterCandidate &one) { return one.refusal.empty(); }

/// Of those that are refused, only the one that comes closest stays, behind the others.
void keepNearest(std::vector<ParameterCandidate> &found) {
  std::optional<ParameterCandidate> nearest;
  for (const ParameterCandidate &one : found)
    if (!isAllowed(one) && (!nearest || one.logQP() < nearest->logQP()))
      nearest = one;
  std::erase_if(found, [](const ParameterCandidate &one) { return !isAllowed(one); });
  if (nearest)
    found.push_back(std::move(*nearest));
}

Chain chainOf(const ChainPlan &plan, unsigned logN) {
  const auto narrow = [](const std::vector<int64_t> &set) {
    return std::vector<unsigned>(set.begin(), set.end());
  };
  Chain chain;
  chain.logN = logN;
  chain.limbs = plan.limbs;
  chain.special = narrow(plan.special);
  for (const std::vector<int64_t> &level : plan.levels)
    chain.levels.push_back(narrow(level));
  for (const std::vector<int64_t> &digit : plan.digits)
    chain.digits.push_back(narrow(digit));
  chain.logQ = plan.logQ;
  chain.logP = plan.logP;
  return chain;
}

} // namespace

const char *chainFormName(ChainForm form) {
  return form == ChainForm::nested ? "one limb a level" : "full words";
}

std::vector<ParameterCandidate> searchParameters(const CircuitFacts &facts,
                                                 const ParameterRequest &request,
                                                 const CostTable &costs) {
  std::vector<ParameterCandidate> all;
  unsigned rings = 0;
  for (unsigned logN = request.smallestLogN; logN <= request.largestLogN && rings < request.rings;
       ++logN) {
    const RingSketches ring(facts, request, logN);
    std::vector<ParameterCandidate> found = ring.all(ChainForm::nested);
    keepNearest(found);
    const bool isTooSmall = !isAllowed(found.front()) && found.front().scaleLog2 > 0;
    if (facts.depth > 0 && !isTooSmall && (!isAllowed(found.front()) || ring.isPackedShorter())) {
      std::vector<ParameterCandidate> packed = ring.all(ChainForm::packed);
      keepNearest(packed);
      std::move(packed.begin(), packed.end(), std::back_inserter(found));
    }
    const KernelCosts prices = kernelCosts(costs, logN);
    for (ParameterCandidate &one : found)
      if (isAllowed(one))
        ring.price(one, prices);
    rings += std::any_of(found.begin(), found.end(), isAllowed);
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
    const auto rank = [](const ParameterCandidate &one) {
      return std::tuple(!isAllowed(one), one.timeNs, one.keyBytes, one.logN, one.form, one.digits);
    };
    return rank(a) < rank(b);
  });
  return all;
}

std::optional<Chain> makeChain(ParameterCandidate &candidate, const CircuitFacts &facts,
                               const ParameterRequest &request, const PrimeSource &primes) {
  std::optional<Chain> chain;
  if (candidate.form == ChainForm::nested) {
    chain = buildChain(
        {candidate.logN, facts.depth, candidate.scaleLog2, unsigned(candidate.steps.front())},
        candidate.digits, primes);
  } else if (Expected<ChainPlan> plan = planChain({.logN = candidate.logN,
                                                   .steps = candidate.steps,
                                                   .specialLimbs = unsigned(candidate.special)})) {
    chain = chainOf(*plan, candidate.logN);
    if (plan->log2Product(plan->levels.front()) < facts.baseLog2(candidate.scaleLog2) - baseSlack) {
      candidate.refusal = "no level 0 of full words has the bits that the values need";
      return std::nullopt;
    }
  }
  if (!chain) {
    candidate.refusal = "the ring has too few primes of these sizes";
    return std::nullopt;
  }
  candidate.digits = chain->digits.size();
  candidate.special = chain->special.size();
  candidate.logQ = chain->logQ;
  candidate.logP = chain->logP;
  const double limit = request.limitLog2(candidate.logN);
  if (chain->logQP() <= limit)
    return chain;
  candidate.refusal = format("log QP %.1f is over the %.0f that N = 2^%u allows", chain->logQP(),
                             limit, candidate.logN);
  return std::nullopt;
}

std::optional<int> mostBits(const CircuitFacts &facts, ParameterRequest request,
                            const PrimeSource &primes) {
  request.bits = 1;
  std::vector<ParameterCandidate> best; // of each ring, at its largest scale
  for (unsigned logN = request.smallestLogN; logN <= request.largestLogN; ++logN) {
    const RingSketches ring(facts, request, logN);
    for (unsigned scale = largestPackedLog2; scale >= smallestScaleLog2; --scale) {
      const bool isNested = scale <= ring.mostLog2(ChainForm::nested);
      const ChainForm form = isNested ? ChainForm::nested : ChainForm::packed;
      if (!isNested && scale % packedStep != 0)
        continue;
      const size_t before = best.size();
      for (size_t share : ring.sharesOf(form, scale))
        if (ParameterCandidate one = ring.sketch(form, scale, share); isAllowed(one))
          best.push_back(std::move(one));
      if (best.size() > before)
        break;
    }
  }
  std::sort(best.begin(), best.end(), [](const auto &a, const auto &b) { return a.bits > b.bits; });
  for (ParameterCandidate &one : best)
    if (makeChain(one, facts, request, primes))
      return int(std::floor(one.bits));
  return std::nullopt;
}

} // namespace sluice::algorithms
