//===- ParameterChoice.cpp - the parameters that a packed program may have --------------------===//

#include "passes/ParameterChoice.h"

#include "passes/CircuitWork.h"
#include "passes/CostsAttribute.h"
#include "passes/TracedOps.h"
#include "runtime/abi/security_table.h"
#include "runtime/ring/primes.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace mlir;

namespace sluice {

namespace {

constexpr unsigned smallestSecureLogN = 12, largestRingLogN = 17, smallestInsecureLogN = 10;
/// Of the shallowest chain, for a hint.
constexpr unsigned hintScaleLog2 = 32;
/// The worst slot is predicted for so many runs: in one of about this many an error is larger.
constexpr double runs = 128;

std::vector<uint64_t> ringPrimes(unsigned logN, unsigned bits, size_t count,
                                 std::span<const uint64_t> exclude) {
  auto found = ring::nttPrimesNear(logN, bits, count, exclude);
  return found ? std::move(*found) : std::vector<uint64_t>();
}

/// log2 of the largest modulus for this degree; infinite when insecure parameters are wanted.
double limitLog2(unsigned logN, bool insecure) {
  if (insecure)
    return std::numeric_limits<double>::infinity();
  auto row = findSecurityRow(SecretDistribution::uniformTernary, logN);
  return row ? row->limitBits : 0;
}

LogicalResult emitUnbounded(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return emitError(value.getLoc()) << "input " << argument.getArgNumber()
                                     << " has no ckks.range; sizes cannot be chosen without it";
  return emitError(value.getLoc()) << "this value has no finite bounds";
}

} // namespace

FailureOr<CircuitAnalysis> analyzePacked(ModuleOp module) {
  auto entry = findEntryFunction(module);
  if (failed(entry))
    return failure();
  auto given = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
  auto slots = module->getAttrOfType<IntegerAttr>(ckks::slotsAttrName);
  if (!slots && !given)
    return module.emitError("the module has no ckks.slots; run pack-tensors first");
  auto analysis = CircuitAnalysis::analyze(*entry, slots ? slots.getInt() : given.getSlots());
  if (failed(analysis))
    return failure();
  if (Value unbounded = analysis->findUnbounded())
    return emitUnbounded(unbounded);
  return analysis;
}

FailureOr<ParameterChoice> ParameterChoice::find(ModuleOp module, const ParameterOptions &options) {
  std::vector<algorithms::ParameterCandidate> refused;
  return find(module, options, refused);
}

FailureOr<ParameterChoice>
ParameterChoice::find(ModuleOp module, const ParameterOptions &options,
                      std::vector<algorithms::ParameterCandidate> &refused) {
  FailureOr<CircuitAnalysis> analysis = analyzePacked(module);
  FailureOr<CostTable> costs = readCosts(module);
  if (failed(analysis) || failed(costs))
    return failure();
  ParameterChoice choice(std::move(*analysis), options);
  if (failed(choice.setRings()))
    return failure();
  choice.work = workByLevel(choice.analysis);
  choice.found = algorithms::searchParameters(choice.facts(), choice.request(), *costs);
  if (!choice.found.empty() && choice.found.front().refusal.empty())
    return choice;
  refused = std::move(choice.found);
  return choice.emitUnreachable();
}

LogicalResult ParameterChoice::apply(size_t index, ModuleOp module) {
  algorithms::ParameterCandidate &candidate = found[index];
  if (!candidate.refusal.empty())
    return failure();
  std::optional<algorithms::Chain> chain =
      algorithms::makeChain(candidate, facts(), request(), ringPrimes);
  if (!chain)
    return failure();
  module->removeAttr(ckks::slotsAttrName);
  module->setAttr(ckks::paramsAttrName, toAttribute(*chain));
  // Levels above 0 show the scale by their sizes; for one level it must be said.
  if (chain->levels.size() == 1)
    module->setAttr(ckks::scaleLog2AttrName,
                    Builder(module.getContext()).getI64IntegerAttr(candidate.scaleLog2));
  return success();
}

//===------------------------------------------------------------------------------------------===//
// The search
//===------------------------------------------------------------------------------------------===//

algorithms::CircuitFacts ParameterChoice::facts() const {
  return {.depth = analysis.depth(),
          .baseLog2 = [this](unsigned scaleLog2) { return analysis.baseLog2(scaleLog2); },
          .noiseLog2 =
              [this](const algorithms::NoiseParameters &parameters) {
                const double samples = runs * double(analysis.getSlots());
                return std::log2(analysis.noiseAtScaleOne(parameters) *
                                 algorithms::worstSlotFactor(samples));
              },
          .work = work};
}

algorithms::ParameterRequest ParameterChoice::request() const {
  return {.bits = options.precision,
          .extraScale = options.extraScale,
          .smallestLogN = smallestLogN,
          .largestLogN = largestLogN,
          .limitLog2 = [insecure = options.insecure](unsigned logN) {
            return limitLog2(logN, insecure);
          }};
}

LogicalResult ParameterChoice::setRings() {
  func::FuncOp function = analysis.getFunction();
  if (options.logN > largestRingLogN)
    return function.emitError() << "log-n = " << options.logN << " is too large; the largest is "
                                << largestRingLogN;
  const unsigned least = options.insecure ? smallestInsecureLogN : smallestSecureLogN;
  const int64_t slots = analysis.getSlots();
  smallestLogN = std::max(least, unsigned(std::bit_width(uint64_t(slots))));
  largestLogN = options.logN != 0 ? options.logN : std::min(options.maxLogN, largestRingLogN);
  if (largestLogN < least)
    return function.emitError() << "a ring of N = 2^" << largestLogN
                                << " is too small; the smallest one "
                                << (options.insecure ? "" : "with 128 bits of security ")
                                << "is N = 2^" << least;
  if (smallestLogN > largestLogN)
    return function.emitError() << slots << " slots need N = 2^" << smallestLogN
                                << "; the largest ring allowed is N = 2^" << largestLogN;
  if (options.logN != 0)
    smallestLogN = options.logN;
  return success();
}

//===------------------------------------------------------------------------------------------===//
// Messages
//===------------------------------------------------------------------------------------------===//

/// Says what the largest admitted ring does reach.
LogicalResult ParameterChoice::emitUnreachable() const {
  auto error = analysis.getFunction().emitError();
  error << "no parameters give " << shortNumber(options.precision) << " bits to a program of depth "
        << analysis.depth() << " with N <= 2^" << largestLogN
        << (options.insecure ? "" : " and 128 bits of security");
  if (std::optional<int> most = algorithms::mostBits(facts(), request(), ringPrimes)) {
    error << "; " << *most << " bits are reachable";
    return failure();
  }
  if (const unsigned deepest = findDeepest(); deepest >= analysis.depth())
    error << "; its values need " << unsigned(std::ceil(analysis.baseLog2(hintScaleLog2)))
          << " bits at level 0: narrow the ranges";
  else
    error << "; the deepest program that fits has depth " << deepest
          << ": lower the degrees of polynomials, or split the program";
  return failure();
}

/// Levels above 0 that the smallest scale leaves room for.
unsigned ParameterChoice::findDeepest() const {
  unsigned depth = 0;
  while (algorithms::findChain({largestLogN, depth + 1, hintScaleLog2, hintScaleLog2 + 2},
                               limitLog2(largestLogN, options.insecure), ringPrimes))
    ++depth;
  return depth;
}

//===------------------------------------------------------------------------------------------===//
// The attribute
//===------------------------------------------------------------------------------------------===//

ckks::ParamsAttr ParameterChoice::toAttribute(const algorithms::Chain &chain) const {
  MLIRContext *context = analysis.getFunction().getContext();
  auto indices = [](const std::vector<unsigned> &set) {
    return SmallVector<int64_t>(set.begin(), set.end());
  };
  auto sets = [&](const std::vector<std::vector<unsigned>> &all) {
    SmallVector<DenseI64ArrayAttr> result;
    for (const std::vector<unsigned> &set : all)
      result.push_back(DenseI64ArrayAttr::get(context, indices(set)));
    return result;
  };
  return ckks::ParamsAttr::get(context, chain.logN, chain.limbs, indices(chain.special),
                               sets(chain.levels), sets(chain.digits), analysis.getSlots(),
                               ckks::ParamsAttr::defaultSecret,
                               options.insecure ? 0u : ckks::ParamsAttr::defaultSecurity,
                               /*ephemeral=*/"", /*ephemeralSpecial=*/{});
}

} // namespace sluice
