//===- ScaleSystem.cpp - levels and exact scales of a circuit ---------------------------------===//

#include "passes/algorithms/ScaleSystem.h"

#include "passes/algorithms/ScaleEquations.h"
#include "passes/algorithms/ScaleValue.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <queue>
#include <tuple>

using sluice::ckks::Scale;

namespace sluice::algorithms {

//===------------------------------------------------------------------------------------------===//
// The chain
//===------------------------------------------------------------------------------------------===//

double ScaleChain::sizeLog2(unsigned level) const {
  return algorithms::scaleLog2(Scale::limbs(levels[level]), primes);
}

Scale ScaleChain::rescaleFactor(unsigned from, unsigned to) const {
  return Scale::limbs(levels[to]) / Scale::limbs(levels[from]);
}

std::optional<int64_t> ScaleChain::dropExponent(unsigned from, unsigned to) const {
  auto isKept = [&](int64_t limb) { return std::ranges::count(levels[from], limb) > 0; };
  if (std::ranges::all_of(levels[to], isKept))
    return std::nullopt;
  return std::llround(-algorithms::scaleLog2(rescaleFactor(from, to), primes));
}

Scale ScaleChain::dropFactor(unsigned from, unsigned to) const {
  std::optional<int64_t> exponent = dropExponent(from, to);
  return exponent ? Scale::powerOfTwo(*exponent) * rescaleFactor(from, to) : Scale();
}

std::vector<double> ScaleChain::nominalLog2() const {
  constexpr double valueBits = 12;
  if (height() == 0)
    return {scaleLog2 > 0 ? scaleLog2 : sizeLog2(0) - valueBits};
  std::vector<double> nominal = {sizeLog2(1) - sizeLog2(0)};
  for (unsigned level = 1; level < levels.size(); ++level)
    nominal.push_back((nominal.back() + sizeLog2(level) - sizeLog2(level - 1)) / 2);
  return nominal;
}

//===------------------------------------------------------------------------------------------===//
// Levels
//===------------------------------------------------------------------------------------------===//

unsigned LevelPlan::useLevel(const Circuit &circuit, const Adjustments &adjusted, unsigned node,
                             unsigned position) const {
  unsigned above = 0;
  switch (circuit.nodes[node].kind) {
  case NodeKind::input:
  case NodeKind::unary:
  case NodeKind::sum:
    break;
  case NodeKind::product:
  case NodeKind::plainProduct:
    above = 1;
    break;
  case NodeKind::polynomial:
    above = circuit.nodes[node].levels;
  }
  return level[node] + above + adjusted.contains({node, position});
}

/// Number of operands and outputs that are each value.
static std::vector<unsigned> countUses(const Circuit &circuit) {
  std::vector<unsigned> uses(circuit.nodes.size());
  for (const CircuitNode &node : circuit.nodes)
    for (unsigned operand : node.operands)
      ++uses[operand];
  for (unsigned output : circuit.outputs)
    ++uses[output];
  return uses;
}

/// A rescale sinks below `node` if its operands that are not adjusted are raw at its own level, and
/// at least one of them needs no rescale of its own (so that the number of rescales does not grow).
static bool canBeRaw(const Circuit &circuit, const Adjustments &adjusted, const LevelPlan &plan,
                     const std::vector<unsigned> &uses, unsigned node) {
  const CircuitNode &self = circuit.nodes[node];
  bool saves = false;
  for (unsigned position = 0; position < self.operands.size(); ++position) {
    unsigned operand = self.operands[position];
    if (adjusted.contains({node, position}))
      continue;
    if (!plan.isRaw[operand] || plan.level[operand] != plan.level[node])
      return false;
    saves |= uses[operand] == 1;
  }
  return saves;
}

LevelPlan planLevels(const Circuit &circuit, const Adjustments &adjusted) {
  LevelPlan plan;
  for (const CircuitNode &node : circuit.nodes)
    plan.level.push_back(node.leastLevel);
  for (unsigned node = circuit.nodes.size(); node-- > 0;)
    for (unsigned position = 0; position < circuit.nodes[node].operands.size(); ++position) {
      unsigned &level = plan.level[circuit.nodes[node].operands[position]];
      level = std::max(level, plan.useLevel(circuit, adjusted, node, position));
    }
  for (unsigned node = 0; node < circuit.nodes.size(); ++node)
    if (const auto &given = circuit.nodes[node].given) {
      if (plan.level[node] > given->first)
        plan.missing = std::max(plan.missing, plan.level[node] - given->first);
      plan.level[node] = given->first;
    }

  std::vector<unsigned> uses = countUses(circuit);
  for (unsigned node = 0; node < circuit.nodes.size(); ++node) {
    const CircuitNode &self = circuit.nodes[node];
    bool isProduct = self.kind == NodeKind::product || self.kind == NodeKind::plainProduct;
    bool commutes =
        self.kind == NodeKind::sum || (self.kind == NodeKind::unary && self.commutesWithRescale);
    plan.isRaw.push_back(isProduct || (commutes && canBeRaw(circuit, adjusted, plan, uses, node)));
    plan.height = std::max(plan.height, plan.level[node]);
  }
  return plan;
}

//===------------------------------------------------------------------------------------------===//
// One attempt: the scales for given adjustments
//===------------------------------------------------------------------------------------------===//

namespace {

class Attempt {
public:
  Attempt(const Circuit &circuit, const ScaleChain &chain, const ScaleOptions &options,
          Adjustments adjusted)
      : circuit(circuit), chain(chain), options(options), nominal(chain.nominalLog2()) {
    result.levels = planLevels(circuit, adjusted);
    result.adjusted = std::move(adjusted);
  }

  /// True when solved; otherwise failure and conflict say why not.
  bool run() {
    if (result.levels.missing > 0) {
      failure = {ScaleFailure::Reason::inputTooLow, result.levels.missing};
      return false;
    }
    if (result.levels.height > chain.height()) {
      failure = {ScaleFailure::Reason::chainTooShort, result.levels.height};
      return false;
    }
    for (unsigned node = 0; node < circuit.nodes.size(); ++node)
      if (!addNode(node))
        return false;
    equations.chooseFree(chain.primes);
    for (unsigned node = 0; node < circuit.nodes.size(); ++node)
      finishNode(node);
    for (unsigned node = 0; node < circuit.nodes.size(); ++node)
      if (!checkNode(node))
        return false;
    return true;
  }

  ScaleSettlement result;
  ScaleFailure failure;
  /// Sums whose equations made the attempt fail.
  ScaleEquations::Labels conflict;

private:
  unsigned level(unsigned node) const { return result.levels.level[node]; }
  unsigned useLevel(unsigned node, unsigned position) const {
    return result.levels.useLevel(circuit, result.adjusted, node, position);
  }
  bool isAdjusted(unsigned node, unsigned position) const {
    return result.adjusted.contains({node, position});
  }
  /// Scale of an operand where it is taken, before an adjustment.
  ScaleExpression sourceScale(unsigned node, unsigned position) const {
    unsigned operand = circuit.nodes[node].operands[position];
    return expressions[operand] * chain.dropFactor(level(operand), useLevel(node, position));
  }
  /// Scale of an operand as `node` meets it. (An adjusted operand of a sum gets the other's.)
  ScaleExpression operandScale(unsigned node, unsigned position) const {
    auto adjusted = adjustedScales.find({node, position});
    return adjusted == adjustedScales.end() ? sourceScale(node, position) : adjusted->second;
  }
  /// Factor of the rescale that ends a product or a raw sum.
  Scale rescaleTo(unsigned level) const { return chain.rescaleFactor(level + 1, level); }

  /// Fixes the expression of a node and its equation; false on a contradiction.
  bool addNode(unsigned node) {
    const CircuitNode &self = circuit.nodes[node];
    switch (self.kind) {
    case NodeKind::input:
    case NodeKind::plainProduct:
    case NodeKind::polynomial:
      if (self.given) {
        expressions.push_back(self.given->second);
        return true;
      }
      expressions.push_back(equations.addUnknown(nominal[level(node)]));
      break;
    case NodeKind::product:
      addAdjustedFactors(node);
      expressions.push_back(operandScale(node, 0) * operandScale(node, 1) * rescaleTo(level(node)));
      break;
    case NodeKind::unary:
      expressions.push_back(operandScale(node, 0) * self.factor);
      return true; // no preference: the operand has it already
    case NodeKind::sum:
      return addSum(node);
    }
    equations.prefer(expressions[node], nominal[level(node)]);
    if (self.kind == NodeKind::polynomial)
      preferPowers(node);
    return true;
  }

  /// An adjusted factor may have any scale.
  void addAdjustedFactors(unsigned node) {
    for (unsigned position : {0u, 1u}) {
      if (!isAdjusted(node, position))
        continue;
      double target = nominal[level(node) + 1];
      adjustedScales[{node, position}] = equations.addUnknown(target);
      equations.prefer(adjustedScales[{node, position}], target);
    }
  }

  bool addSum(unsigned node) {
    assert(!(isAdjusted(node, 0) && isAdjusted(node, 1)) && "one operand gives the scale");
    expressions.push_back(operandScale(node, isAdjusted(node, 0) ? 1 : 0));
    if (isAdjusted(node, 0) || isAdjusted(node, 1))
      return true;
    auto labels = equations.require(expressions[node], operandScale(node, 1), node);
    if (!labels)
      return true;
    failure = {ScaleFailure::Reason::contradiction, 0, node};
    conflict = std::move(*labels);
    return false;
  }

  /// Scales of the powers T_1, T_2, T_4 ... of a polynomial's variable.
  std::vector<ScaleExpression> powerScales(unsigned node) const {
    const CircuitNode &self = circuit.nodes[node];
    std::vector<ScaleExpression> scales;
    ScaleExpression scale = operandScale(node, 0) * Scale::powerOfTwo(self.log2HalfWidth);
    for (unsigned depth = 0; depth < self.levels; ++depth) {
      scales.push_back(scale);
      scale = scale.pow(2) * rescaleTo(level(node) + self.levels - depth - 1);
    }
    return scales;
  }

  /// Deviations double from power to power, so the variable's scale matters more than its
  /// operand's.
  void preferPowers(unsigned node) {
    constexpr double weight = 8;
    unsigned top = level(node) + circuit.nodes[node].levels;
    for (const ScaleExpression &scale : powerScales(node))
      equations.prefer(scale, nominal[top--], weight);
  }

  void finishNode(unsigned node) {
    const CircuitNode &self = circuit.nodes[node];
    result.scale.push_back(equations.value(expressions[node]));
    result.plainScale.push_back({});
    if (self.kind == NodeKind::plainProduct)
      result.plainScale.back() =
          result.scale[node] / rescaleTo(level(node)) / equations.value(operandScale(node, 0));
    for (unsigned position = 0; position < self.operands.size(); ++position)
      if (isAdjusted(node, position)) {
        Scale target = self.kind == NodeKind::sum ? result.scale[node]
                                                  : equations.value(operandScale(node, position));
        result.adjustedScale[{node, position}] = target / rescaleTo(useLevel(node, position) - 1);
      }
  }

  bool checkNode(unsigned node) {
    unsigned at = level(node);
    const CircuitNode &self = circuit.nodes[node];
    const Scale &scale = result.scale[node];
    if (!checkScale(node, scale, at))
      return false;
    if (result.levels.isRaw[node] && !checkScale(node, scale / rescaleTo(at), at + 1))
      return false;
    if (self.kind == NodeKind::plainProduct && !checkScale(node, result.plainScale[node], at + 1))
      return false;
    if (self.kind == NodeKind::polynomial)
      for (unsigned top = at + self.levels; const ScaleExpression &power : powerScales(node))
        if (!checkScale(node, equations.value(power), top--))
          return false;
    for (unsigned position = 0; position < self.operands.size(); ++position)
      if (!checkOperand(node, position))
        return false;
    return true;
  }

  bool checkOperand(unsigned node, unsigned position) {
    Scale source = equations.value(sourceScale(node, position));
    unsigned at = useLevel(node, position);
    if (!isAdjusted(node, position))
      return checkScale(node, source, at);
    const Scale &target = result.adjustedScale.at({node, position});
    return checkScale(node, target, at) &&
           checkRange(node, target / source, options.minRatioLog2, chain.sizeLog2(at));
  }

  bool checkScale(unsigned node, const Scale &scale, unsigned level) {
    return checkRange(node, scale, options.minScaleLog2, chain.sizeLog2(level));
  }

  bool checkRange(unsigned node, const Scale &scale, double low, double high) {
    double value = scaleLog2(scale, chain.primes);
    if (low <= value && value < high)
      return true;
    failure = {ScaleFailure::Reason::outOfRange, 0, node, value, low, high};
    equations.resolve(expressions[node], &conflict);
    for (unsigned position = 0; position < circuit.nodes[node].operands.size(); ++position)
      equations.resolve(sourceScale(node, position), &conflict);
    return false;
  }

  const Circuit &circuit;
  const ScaleChain &chain;
  const ScaleOptions &options;
  std::vector<double> nominal;
  ScaleEquations equations;
  std::vector<ScaleExpression> expressions;             ///< of each node's value after its rescale
  std::map<OperandUse, ScaleExpression> adjustedScales; ///< of adjusted factors of products
};

//===------------------------------------------------------------------------------------------===//
// The search for the cheapest adjustments
//===------------------------------------------------------------------------------------------===//

/// A set of adjustments with its cost, to be tried.
struct Candidate {
  unsigned height, paid, free;
  Adjustments adjusted;

  std::tuple<unsigned, unsigned> price() const { return {height, paid}; }
  auto cost() const { return std::tie(height, paid, free, adjusted); }
  bool operator>(const Candidate &other) const { return cost() > other.cost(); }
};

Candidate priced(const Circuit &circuit, Adjustments adjusted) {
  LevelPlan plan = planLevels(circuit, adjusted);
  unsigned free = std::ranges::count_if(
      adjusted, [&](OperandUse operand) { return plan.isFree(circuit, operand); });
  unsigned paid = adjusted.size() - free;
  return {plan.height, paid, free, std::move(adjusted)};
}

class Search {
public:
  /// Which operands a contradiction leads to. Narrow: those whose adjustment takes one of its
  /// equations away or loosens it. Wide: also those whose adjustment raises a value of these
  /// equations to another level, which changes what rescales make of its scale.
  enum class Width { narrow, wide };

  Search(const Circuit &circuit, const ScaleChain &chain, const ScaleOptions &options, Width width)
      : circuit(circuit), chain(chain), options(options), width(width) {}

  /// The first settlement, in the order of costs, that costs less than `bound`, if there is one;
  /// beyond exactTrials the narrow search goes on greedily and the wide one stops.
  std::variant<ScaleSettlement, ScaleFailure> run(const Candidate *bound = nullptr) {
    std::optional<ScaleFailure> firstFailure;
    push({});
    for (unsigned trial = 0; !queue.empty(); ++trial) {
      Candidate candidate = queue.top();
      queue.pop();
      if (bound && candidate.price() >= bound->price())
        break;
      Attempt attempt(circuit, chain, options, candidate.adjusted);
      if (attempt.run())
        return std::move(attempt.result);
      if (!firstFailure)
        firstFailure = attempt.failure;
      if (trial >= options.exactTrials) {
        if (width == Width::wide)
          break;
        queue = {}; // greedy: only the children of this one
      }
      branch(candidate.adjusted, attempt.conflict);
    }
    return *firstFailure;
  }

private:
  using Queue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

  void branch(const Adjustments &adjusted, const ScaleEquations::Labels &conflict) {
    LevelPlan plan = planLevels(circuit, adjusted);
    std::vector<unsigned> below = levelsBelow(adjusted, plan);
    std::vector<bool> leads = leadingTo(conflict);
    // Raising a value raises what it is made of: all that contains a leading one counts.
    std::vector<bool> contains = leads;
    for (unsigned node = 0; node < circuit.nodes.size(); ++node)
      for (unsigned position = 0; position < circuit.nodes[node].operands.size(); ++position) {
        unsigned operand = circuit.nodes[node].operands[position];
        contains[node] = contains[node] || contains[operand];
        bool isProduct = circuit.nodes[node].kind == NodeKind::product;
        bool isSum = circuit.nodes[node].kind == NodeKind::sum;
        bool isLow =
            plan.useLevel(circuit, adjusted, node, position) + 1 + below[operand] <= plan.height;
        bool isWide = width == Width::wide && contains[operand];
        if (conflict.contains(node) || (isProduct && isLow && (leads[node] || isWide)) ||
            (isSum && isWide))
          pushExtended(adjusted, {node, position});
      }
  }

  /// The sums of a conflict and everything that they are made of.
  std::vector<bool> leadingTo(const ScaleEquations::Labels &conflict) const {
    std::vector<bool> leads(circuit.nodes.size());
    for (unsigned node : conflict)
      leads[node] = true;
    for (unsigned node = circuit.nodes.size(); node-- > 0;)
      if (leads[node])
        for (unsigned operand : circuit.nodes[node].operands)
          leads[operand] = true;
    return leads;
  }

  /// The levels that each value uses up on the longest path from an input.
  std::vector<unsigned> levelsBelow(const Adjustments &adjusted, const LevelPlan &plan) const {
    std::vector<unsigned> below(circuit.nodes.size());
    for (unsigned node = 0; node < circuit.nodes.size(); ++node)
      for (unsigned position = 0; position < circuit.nodes[node].operands.size(); ++position) {
        unsigned step = plan.useLevel(circuit, adjusted, node, position) - plan.level[node];
        below[node] = std::max(below[node], below[circuit.nodes[node].operands[position]] + step);
      }
    return below;
  }

  void pushExtended(const Adjustments &adjusted, OperandUse operand) {
    bool isSum = circuit.nodes[operand.node].kind == NodeKind::sum;
    if (isSum && adjusted.contains({operand.node, 1 - operand.position}))
      return; // the other operand gives the scale
    Adjustments extended = adjusted;
    if (extended.insert(operand).second)
      push(std::move(extended));
  }

  void push(Adjustments adjusted) {
    bool isRoot = adjusted.empty(); // tried even when too high, to say so
    Candidate candidate = priced(circuit, std::move(adjusted));
    if ((candidate.height <= chain.height() || isRoot) && seen.insert(candidate.adjusted).second)
      queue.push(std::move(candidate));
  }

  const Circuit &circuit;
  const ScaleChain &chain;
  const ScaleOptions &options;
  Width width;
  Queue queue;
  std::set<Adjustments> seen;
};

} // namespace

std::variant<ScaleSettlement, ScaleFailure>
settleScales(const Circuit &circuit, const ScaleChain &chain, const ScaleOptions &options) {
  using Width = Search::Width;
  auto narrow = Search(circuit, chain, options, Width::narrow).run();
  auto *found = std::get_if<ScaleSettlement>(&narrow);
  if (!found && std::get<ScaleFailure>(narrow).reason == ScaleFailure::Reason::chainTooShort)
    return narrow;
  if (found && found->adjusted.empty())
    return narrow;
  std::optional<Candidate> bound;
  if (found)
    bound = priced(circuit, found->adjusted);
  // Adjustments lower nothing: without any, nothing can be cheaper.
  if (bound && bound->price() == priced(circuit, {}).price())
    return narrow;
  auto wide = Search(circuit, chain, options, Width::wide).run(bound ? &*bound : nullptr);
  return std::holds_alternative<ScaleSettlement>(wide) ? std::move(wide) : std::move(narrow);
}

} // namespace sluice::algorithms
