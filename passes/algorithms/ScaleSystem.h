//===- ScaleSystem.h - levels and exact scales of a circuit -----------------------------------===//
//
// Gives every value of a circuit a level, its height above the outputs, and an exact scale, such
// that all sums meet equal scales. Where the equations contradict each other, an operand of a sum
// is *adjusted*: multiplied by a large integer one level higher. The set of adjusted operands is
// searched for, cheapest first. Sources: docs/rationale/ckks.md; docs/mathematics.md
// sections 0, 16.2 and 16.3.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_SCALESYSTEM_H
#define SLUICE_PASSES_ALGORITHMS_SCALESYSTEM_H

#include "dialects/CKKS/Scale.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace sluice::algorithms {

/// The modulus chain: the limb table and the limb set of each level, level 0 first. Products of the
/// sets increase.
struct ScaleChain {
  std::vector<uint64_t> primes;
  std::vector<std::vector<int64_t>> levels;
  /// On a chain of one level, where no step says how large scales are: log2 of the scale wanted. 0
  /// when unknown.
  double scaleLog2 = 0;

  unsigned height() const { return levels.size() - 1; }
  /// log2 of the product of a level's limbs.
  double sizeLog2(unsigned level) const;
  /// What a rescale multiplies the scale by: prod(limbs added) / prod(limbs dropped).
  ckks::Scale rescaleFactor(unsigned from, unsigned to) const;
  /// What going down without a product multiplies the scale by: 1 where the lower set is a subset,
  /// else 2^e * rescaleFactor with the e that brings it nearest to 1 (docs/mathematics.md 16.3).
  ckks::Scale dropFactor(unsigned from, unsigned to) const;
  /// e of dropFactor; nothing where the lower set is a subset.
  std::optional<int64_t> dropExponent(unsigned from, unsigned to) const;
  /// log2 of the scale that products reproduce at each level: the size of the step from 1 to 0 at
  /// the bottom, then s_l = (s_{l-1} + size of the step from l to l-1) / 2. A chain of one level,
  /// where nothing is rescaled: scaleLog2, or when that is unknown, all but 12 bits.
  std::vector<double> nominalLog2() const;
};

enum class NodeKind {
  input,        ///< scale free
  product,      ///< of two ciphertexts, rescaled
  plainProduct, ///< by a plaintext whose scale is free, rescaled
  sum,          ///< of two ciphertexts: equal scales
  polynomial,   ///< `levels` levels down, scale free
  unary         ///< keeps level and scale, but for `factor`
};

/// A value of the circuit. Operands come before their users.
struct CircuitNode {
  NodeKind kind = NodeKind::input;
  std::vector<unsigned> operands = {}; ///< none, one or two, as the kind says
  unsigned levels = 0;                 ///< polynomial: depth
  int log2HalfWidth =
      0; ///< polynomial: the operand is divided by 2^this by declaring another scale
  ckks::Scale factor = {};          ///< unary: what the scale is multiplied by
  bool commutesWithRescale = false; ///< unary: cheap before a rescale too (no key switch)
  unsigned leastLevel = 0;          ///< at which the value stands
  /// input: the level and scale that it has, where they are not free.
  std::optional<std::pair<unsigned, ckks::Scale>> given = {};
};

struct Circuit {
  std::vector<CircuitNode> nodes;
  std::vector<unsigned> outputs;
};

/// Operand number `position` of sum or product `node`.
struct OperandUse {
  unsigned node, position;
  auto operator<=>(const OperandUse &) const = default;
};
/// Adjusted operands; at most one of each sum.
using Adjustments = std::set<OperandUse>;

/// Levels and forms of the values, given the adjusted operands. Scales do not enter.
struct LevelPlan {
  /// Level of each value after its rescale.
  std::vector<unsigned> level;
  /// True where the value is made one level higher and rescaled afterwards: products, and sums and
  /// unary operations that a rescale sinks below.
  std::vector<bool> isRaw;
  unsigned height = 0;  ///< the highest level used
  unsigned missing = 0; ///< levels by which a given input stands below a use

  /// The level at which operand `position` of `node` is taken: one higher for an adjusted operand.
  unsigned useLevel(const Circuit &circuit, const Adjustments &adjusted, unsigned node,
                    unsigned position) const;
  /// True for an operand of a sum that is rescaled anyway: adjusted, it needs no rescale of its
  /// own.
  bool isFree(const Circuit &circuit, OperandUse operand) const {
    return circuit.nodes[operand.node].kind == NodeKind::sum && isRaw[operand.node];
  }
};

LevelPlan planLevels(const Circuit &circuit, const Adjustments &adjusted);

struct ScaleOptions {
  double minRatioLog2 = 30; ///< adjusting multiplies by at least 2^this
  double minScaleLog2 = 20; ///< scales of ciphertexts and plaintexts below this are refused
  /// Sets of adjusted operands that are tried in the order of their cost; beyond, the search goes
  /// on greedily from the best set so far.
  unsigned exactTrials = 500;
};

/// A solved circuit.
struct ScaleSettlement {
  Adjustments adjusted;
  LevelPlan levels;
  std::vector<ckks::Scale> scale;      ///< of each value, after its rescale
  std::vector<ckks::Scale> plainScale; ///< of the plaintext of each plainProduct; 1 elsewhere
  /// The scale to which each adjusted operand is multiplied, at its useLevel. Those that are not
  /// free are then rescaled one level down.
  std::map<OperandUse, ckks::Scale> adjustedScale;
};

/// Why there is no settlement.
struct ScaleFailure {
  enum class Reason {
    chainTooShort, ///< the circuit is `height` levels high
    inputTooLow,   ///< a given input stands `height` levels below a use
    contradiction, ///< the scales at sum `node` cannot be made equal
    outOfRange     ///< log2 of a scale at `node` would be scaleLog2, outside [low, high)
  };
  Reason reason;
  unsigned height = 0;
  unsigned node = 0;
  double scaleLog2 = 0, low = 0, high = 0;
};

/// Settles a circuit on a chain. Cost of a set of adjusted operands, smallest first: levels beyond
/// what the circuit needs anyhow, then paid adjustments, then free ones.
std::variant<ScaleSettlement, ScaleFailure>
settleScales(const Circuit &circuit, const ScaleChain &chain, const ScaleOptions &options);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_SCALESYSTEM_H
