//===- SelectParameters.cpp - ring, limbs, levels and digits of a leveled program -------------===//

#include "passes/CircuitAnalysis.h"
#include "passes/Passes.h"
#include "passes/TracedOps.h"
#include "passes/algorithms/LevelSearch.h"
#include "runtime/abi/security_table.h"
#include "runtime/ring/primes.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_SELECTPARAMETERS
#include "passes/Passes.h.inc"

namespace {

constexpr unsigned smallestSecureLogN = 12, largestLogN = 17, smallestInsecureLogN = 10;
/// adjust_scale multiplies by an integer of at least 2^30 (docs/rationale/ckks.md), which one level
/// must provide.
constexpr unsigned smallestScaleLog2 = 32;
/// One limb a level.
constexpr unsigned largestScaleLog2 = 50;
/// The worst slot is predicted for so many runs: in one of about this many an error is larger.
constexpr double runs = 128;

std::vector<uint64_t> ringPrimes(unsigned logN, unsigned bits, size_t count,
                                 std::span<const uint64_t> exclude) {
  auto found = ring::nttPrimesNear(logN, bits, count, exclude);
  return found ? std::move(*found) : std::vector<uint64_t>();
}

algorithms::NoiseParameters noiseOf(const algorithms::Chain &chain) {
  algorithms::NoiseParameters parameters;
  parameters.logN = chain.logN;
  parameters.hammingWeight = algorithms::uniformTernaryWeight(chain.logN);
  parameters.specialLog2 = chain.logP;
  parameters.digitsLog2 = chain.digitsLog2();
  return parameters;
}

/// A chain for one ring degree, with the scale it was made for.
struct Candidate {
  algorithms::Chain chain;
  unsigned scaleLog2 = 0;
};

struct SelectParameters : impl::SelectParametersBase<SelectParameters> {
  using SelectParametersBase::SelectParametersBase;

  void runOnOperation() override {
    auto entry = findEntryFunction(getOperation());
    if (failed(entry) || failed(select(*entry)))
      signalPassFailure();
  }

private:
  LogicalResult select(func::FuncOp function) {
    auto given = getOperation()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    auto slotsAttr = getOperation()->getAttrOfType<IntegerAttr>(ckks::slotsAttrName);
    if (!slotsAttr && !given)
      return getOperation().emitError("the module has no ckks.slots; run pack-tensors first");
    int64_t slots = slotsAttr ? slotsAttr.getInt() : given.getSlots();
    auto found = CircuitAnalysis::analyze(function, slots);
    if (failed(found))
      return failure();
    if (Value unbounded = found->findUnbounded())
      return emitUnbounded(unbounded);
    getOperation()->removeAttr(ckks::slotsAttrName);
    if (given)
      return check(function, given, slots, *found);
    FailureOr<Candidate> candidate = search(function, slots, *found);
    if (failed(candidate))
      return failure();
    getOperation()->setAttr(ckks::paramsAttrName, toAttribute(candidate->chain, slots));
    if (candidate->chain.levels.size() == 1)
      setScale(candidate->scaleLog2);
    chosenLogN = candidate->chain.logN;
    chosenLevels = candidate->chain.levels.size();
    logQP = unsigned(std::ceil(candidate->chain.logQP()));
    return success();
  }

  /// Levels above 0 show the scale by their sizes; for one level it must be said.
  void setScale(int64_t scaleLog2) {
    getOperation()->setAttr(ckks::scaleLog2AttrName,
                            Builder(&getContext()).getI64IntegerAttr(scaleLog2));
  }

  LogicalResult emitUnbounded(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return emitError(value.getLoc()) << "input " << argument.getArgNumber()
                                       << " has no ckks.range; sizes cannot be chosen without it";
    return emitError(value.getLoc()) << "this value has no finite bounds";
  }

  //===--------------------------------------------------------------------===//
  // Search
  //===--------------------------------------------------------------------===//

  /// log2 of the largest modulus for this degree; infinite when insecure parameters are wanted.
  double limitLog2(unsigned degreeLog2) const {
    if (insecure)
      return std::numeric_limits<double>::infinity();
    auto row = findSecurityRow(SecretDistribution::uniformTernary, degreeLog2);
    return row ? row->limitBits : 0;
  }

  /// Bits that the scale must have over the precision: the noise of the worst slot at scale 1.
  double noiseBits(const CircuitAnalysis &analysis,
                   const algorithms::NoiseParameters &parameters) const {
    double samples = runs * double(analysis.getSlots());
    return std::log2(analysis.noiseAtScaleOne(parameters) * algorithms::worstSlotFactor(samples));
  }

  algorithms::ChainRequest request(const CircuitAnalysis &analysis, unsigned degreeLog2,
                                   unsigned scaleLog2) const {
    return {degreeLog2, analysis.depth(), scaleLog2,
            unsigned(std::ceil(analysis.baseLog2(scaleLog2)))};
  }

  /// The chain of least scale that reaches the precision at this degree; nothing when no scale
  /// does.
  std::optional<Candidate> searchAt(const CircuitAnalysis &analysis, unsigned degreeLog2) const {
    algorithms::NoiseParameters guess;
    guess.logN = degreeLog2;
    guess.hammingWeight = algorithms::uniformTernaryWeight(degreeLog2);
    auto scaleFor = [&](const algorithms::NoiseParameters &parameters) {
      double bits = std::ceil(noiseBits(analysis, parameters) + precision);
      return unsigned(std::max(bits, double(smallestScaleLog2))) + extraScale;
    };
    // Key-switch noise depends on the chain: start without it.
    for (unsigned scale = scaleFor(guess); scale <= largestScaleLog2;) {
      auto chain = algorithms::findChain(request(analysis, degreeLog2, scale),
                                         limitLog2(degreeLog2), ringPrimes);
      if (!chain)
        return std::nullopt;
      unsigned needed = scaleFor(noiseOf(*chain));
      if (needed <= scale)
        return Candidate{*chain, scale};
      scale = needed;
    }
    return std::nullopt;
  }

  FailureOr<Candidate> search(func::FuncOp function, int64_t slots,
                              const CircuitAnalysis &analysis) {
    if (logN > largestLogN)
      return function.emitError() << "log-n = " << logN.getValue()
                                  << " is too large; the largest is " << largestLogN,
             failure();
    unsigned least = insecure ? smallestInsecureLogN : smallestSecureLogN;
    unsigned smallest = std::max(least, unsigned(std::bit_width(uint64_t(slots))));
    unsigned largest = logN != 0 ? logN : std::min<unsigned>(maxLogN, largestLogN);
    if (largest < least)
      return function.emitError() << "a ring of N = 2^" << largest
                                  << " is too small; the smallest one "
                                  << (insecure ? "" : "with 128 bits of security ") << "is N = 2^"
                                  << least,
             failure();
    if (smallest > largest)
      return function.emitError() << slots << " slots need N = 2^" << smallest
                                  << "; the largest ring allowed is N = 2^" << largest,
             failure();
    if (logN != 0)
      smallest = logN;
    for (unsigned degreeLog2 = smallest; degreeLog2 <= largest; ++degreeLog2)
      if (auto candidate = searchAt(analysis, degreeLog2))
        return *candidate;
    return emitUnreachable(function, largest, analysis);
  }

  /// Says what the largest admitted ring does reach.
  FailureOr<Candidate> emitUnreachable(func::FuncOp function, unsigned degreeLog2,
                                       const CircuitAnalysis &analysis) {
    auto error = function.emitError();
    error << "no parameters give " << shortNumber(precision) << " bits to a program of depth "
          << analysis.depth() << " with N <= 2^" << degreeLog2
          << (insecure ? "" : " and 128 bits of security");
    for (unsigned scale = largestScaleLog2; scale >= smallestScaleLog2; --scale) {
      auto chain = algorithms::findChain(request(analysis, degreeLog2, scale),
                                         limitLog2(degreeLog2), ringPrimes);
      if (!chain)
        continue;
      int reached = int(std::floor(scale - noiseBits(analysis, noiseOf(*chain))));
      error << "; " << reached << " bits are reachable";
      return failure();
    }
    unsigned deepest = findDeepest(degreeLog2);
    if (deepest >= analysis.depth())
      error << "; its values need " << unsigned(std::ceil(analysis.baseLog2(smallestScaleLog2)))
            << " bits at level 0: narrow the ranges";
    else
      error << "; the deepest program that fits has depth " << deepest
            << ": lower the degrees of polynomials, or split the program";
    return failure();
  }

  /// Levels above 0 that the smallest scale leaves room for.
  unsigned findDeepest(unsigned degreeLog2) const {
    unsigned depth = 0;
    while (algorithms::findChain({degreeLog2, depth + 1, smallestScaleLog2, smallestScaleLog2 + 2},
                                 limitLog2(degreeLog2), ringPrimes))
      ++depth;
    return depth;
  }

  //===--------------------------------------------------------------------===//
  // The attribute
  //===--------------------------------------------------------------------===//

  ckks::ParamsAttr toAttribute(const algorithms::Chain &chain, int64_t slots) {
    MLIRContext *context = &getContext();
    auto indices = [](const std::vector<unsigned> &set) {
      return SmallVector<int64_t>(set.begin(), set.end());
    };
    auto sets = [&](const std::vector<std::vector<unsigned>> &all) {
      SmallVector<DenseI64ArrayAttr> result;
      for (const std::vector<unsigned> &set : all)
        result.push_back(DenseI64ArrayAttr::get(context, indices(set)));
      return result;
    };
    return ckks::ParamsAttr::get(
        context, chain.logN, chain.limbs, indices(chain.special), sets(chain.levels),
        sets(chain.digits), slots, ckks::ParamsAttr::defaultSecret,
        insecure ? 0u : ckks::ParamsAttr::defaultSecurity, /*ephemeral=*/"",
        /*ephemeralSpecial=*/{});
  }

  /// Level 0 must hold the values at the scale that settle-scales will choose: the size of the step
  /// above it, or what is left of a single level.
  LogicalResult checkBase(func::FuncOp function, ckks::ParamsAttr given,
                          const CircuitAnalysis &analysis) {
    auto size = [&](int64_t level) {
      return algorithms::sumLog2(given.getPrimes(given.getLevel(level)));
    };
    double base = size(0);
    bool isFlat = given.getNumLevels() == 1;
    double scale = isFlat ? std::max(1.0, std::floor(base - analysis.baseLog2(0))) : size(1) - base;
    double needed = analysis.baseLog2(unsigned(scale));
    if (needed > base)
      return function.emitError() << "the given level 0 has " << unsigned(base)
                                  << " bits; the values need " << unsigned(std::ceil(needed))
                                  << ": give it more, or narrow the ranges";
    if (isFlat)
      setScale(int64_t(scale));
    return success();
  }

  /// Parameters that were given by hand must hold the program and what they say about security.
  LogicalResult check(func::FuncOp function, ckks::ParamsAttr given, int64_t slots,
                      const CircuitAnalysis &analysis) {
    if (given.getSlots() != slots)
      return function.emitError() << "the given parameters have " << given.getSlots()
                                  << " slots; the packing needs " << slots;
    if (given.getNumLevels() <= int64_t(analysis.depth()))
      return function.emitError() << "the given parameters have " << given.getNumLevels()
                                  << " levels; the program needs " << analysis.depth() + 1;
    if (failed(checkBase(function, given, analysis)))
      return failure();
    double sum = algorithms::sumLog2(given.getLimbs());
    auto row = findSecurityRow(SecretDistribution::uniformTernary, given.getLogN());
    if (given.getSecurity() != 0 && (!row || !isWithin(*row, sum)))
      return function.emitError() << "the given parameters have log2(PQ) = "
                                  << shortNumber(std::round(sum * 10) / 10) << " at N = 2^"
                                  << given.getLogN() << ": 128 bits of security allow "
                                  << (row ? row->limitBits : 0);
    return success();
  }
};

} // namespace
} // namespace sluice
