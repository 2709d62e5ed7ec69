//===- ParameterSearch.h - the parameters that a leveled program asks for ---------------------===//
//
// From bits to candidates: rings, chains of one limb a level or of full words, numbers of digits
// and of limbs of P, each at the least scale that is precise enough, with what it will take by
// kernel work. Sources: docs/mathematics.md sections 3, 16.1 and 16.4.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_PARAMETERSEARCH_H
#define SLUICE_PASSES_ALGORITHMS_PARAMETERSEARCH_H

#include "passes/algorithms/LevelSearch.h"
#include "passes/algorithms/LevelWork.h"
#include "passes/algorithms/NoiseModel.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::algorithms {

/// What must be known of a circuit to choose parameters for it.
struct CircuitFacts {
  unsigned depth = 0;
  /// log2 of the size that level 0 needs at this scale.
  std::function<double(unsigned scaleLog2)> baseLog2;
  /// log2 of the error of the worst slot for scale 1: a scale has so many bits less of precision.
  std::function<double(const NoiseParameters &)> noiseLog2;
  /// By level of the operands, level `depth` first, level 0 last.
  std::vector<LevelWork> work;
};

/// How levels are made of limbs.
enum class ChainForm : uint8_t {
  nested, ///< one limb of at most 50 bits a level (LevelSearch.h)
  packed  ///< full limbs and a few small ones, which all levels share (ChainPlan.h)
};

/// "one limb a level" or "full words".
const char *chainFormName(ChainForm form);

struct ParameterRequest {
  double bits = 16; ///< -log2 of the error of the worst slot
  /// Added to the scale that the bits ask for.
  unsigned extraScale = 0;
  /// Rings from the smallest up: candidates come from the first so many that have one.
  unsigned smallestLogN = 12, largestLogN = 17, rings = 2;
  /// log2 of the largest modulus in a ring of degree 2^logN.
  std::function<double(unsigned logN)> limitLog2;
};

/// Parameters, and what is expected of them.
struct ParameterCandidate {
  unsigned logN = 12;
  ChainForm form = ChainForm::nested;
  unsigned scaleLog2 = 0;
  std::vector<double> steps; ///< bits that each level adds to the one below it, level 0 first
  size_t digits = 1, special = 1;
  double logQ = 0, logP = 0;
  double bits = 0;   ///< of the worst slot
  double timeNs = 0; ///< one thread, without what key switches of one operand share
  uint64_t keyBytes = 0;
  std::string refusal; ///< why it cannot be; empty where it can

  double logQP() const { return logQ + logP; }
};

/// The candidates: first those that meet the request, by time, among equals by bytes of keys; then
/// those refused. A ring where no number of digits is allowed, or no scale is precise enough, has
/// one that says so.
std::vector<ParameterCandidate> searchParameters(const CircuitFacts &facts,
                                                 const ParameterRequest &request,
                                                 const CostTable &costs);

/// The candidate's chain; nothing, and a refusal, where the primes or the limit do not allow it.
/// That of full words is searched for only here.
std::optional<Chain> makeChain(ParameterCandidate &candidate, const CircuitFacts &facts,
                               const ParameterRequest &request, const PrimeSource &primes);

/// The most whole bits of the worst slot in any of the rings; nothing where no scale fits.
std::optional<int> mostBits(const CircuitFacts &facts, ParameterRequest request,
                            const PrimeSource &primes);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_PARAMETERSEARCH_H
