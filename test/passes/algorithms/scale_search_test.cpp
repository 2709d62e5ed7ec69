//===- scale_search_test.cpp - the cheapest adjustments, against all that there are -----------===//
//
// The oracle tries every set of adjusted operands. Whether the scales of one can be made equal it
// decides by itself: the equations have integer coefficients, exponents may be dyadic, so a
// diagonal form of the matrix tells (odd parts of the diagonal must divide the right-hand sides).
//
//===------------------------------------------------------------------------------------------===//

#include "test/passes/algorithms/nested_chain.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <tuple>

namespace sluice::algorithms {
namespace {

using test::nestedChain;
using test::primes;

using Row = std::vector<int64_t>;

/// Whether matrix * u = right-hand sides has solutions u with dyadic entries, one for each column
/// of the right-hand sides. Each row holds its coefficients, then its right-hand sides.
bool hasDyadicSolution(std::vector<Row> rows, size_t unknowns) {
  auto entry = [&](size_t row, size_t column) { return std::abs(rows[row][column]); };
  size_t done = 0;
  auto findPivot = [&] {
    std::pair<size_t, size_t> best{rows.size(), 0};
    for (size_t row = done; row < rows.size(); ++row)
      for (size_t column = done; column < unknowns; ++column)
        if (entry(row, column) != 0 &&
            (best.first == rows.size() || entry(row, column) < entry(best.first, best.second)))
          best = {row, column};
    return best;
  };
  while (true) {
    auto [pivotRow, pivotColumn] = findPivot();
    if (pivotRow == rows.size())
      break;
    std::swap(rows[done], rows[pivotRow]);
    for (Row &row : rows)
      std::swap(row[done], row[pivotColumn]);
    bool isAlone = true;
    int64_t pivot = rows[done][done];
    for (size_t row = done + 1; row < rows.size(); ++row) {
      int64_t quotient = rows[row][done] / pivot;
      for (size_t column = 0; column < rows[row].size(); ++column)
        rows[row][column] -= quotient * rows[done][column];
      isAlone &= rows[row][done] == 0;
    }
    for (size_t column = done + 1; column < unknowns; ++column) {
      int64_t quotient = rows[done][column] / pivot;
      for (Row &row : rows)
        row[column] -= quotient * row[done];
      isAlone &= rows[done][column] == 0;
    }
    done += isAlone;
  }
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t column = unknowns; column < rows[row].size(); ++column) {
      int64_t divisor = row < done ? rows[row][row] : 0;
      while (divisor != 0 && divisor % 2 == 0)
        divisor /= 2;
      if (divisor == 0 ? rows[row][column] != 0 : rows[row][column] % divisor != 0)
        return false;
    }
  return true;
}

/// The equations between scales for one set of adjusted operands.
class Oracle {
public:
  Oracle(const Circuit &circuit, const Adjustments &adjusted)
      : circuit(circuit), adjusted(adjusted), plan(planLevels(circuit, adjusted)) {}

  bool isSolvable() {
    for (unsigned node = 0; node < circuit.nodes.size(); ++node)
      addNode(node);
    std::vector<Row> rows;
    for (const Row &equation : equations) {
      Row row(unknowns + primes.size());
      std::copy(equation.begin() + long(primes.size()), equation.end(), row.begin());
      for (size_t limb = 0; limb < primes.size(); ++limb)
        row[unknowns + limb] = -equation[limb];
      rows.push_back(std::move(row));
    }
    return hasDyadicSolution(rows, unknowns);
  }

private:
  /// Exponents of the limbs, then of the unknowns.
  Row constant() const { return Row(primes.size()); }
  Row unknown() {
    Row row(primes.size() + ++unknowns);
    row.back() = 1;
    return row;
  }
  static Row combine(Row a, const Row &b, int64_t factor) {
    a.resize(std::max(a.size(), b.size()));
    for (size_t i = 0; i < b.size(); ++i)
      a[i] += factor * b[i];
    return a;
  }

  void addNode(unsigned node) {
    const CircuitNode &self = circuit.nodes[node];
    auto factor = [&](unsigned position) {
      return adjusted.contains({node, position}) ? unknown() : scales[self.operands[position]];
    };
    switch (self.kind) {
    case NodeKind::product: {
      Row scale = combine(factor(0), factor(1), 1);
      --scale[plan.level[node] + 1]; // the limb that the rescale drops
      scales.push_back(scale);
      break;
    }
    case NodeKind::sum: {
      bool isFirst = adjusted.contains({node, 0}), isSecond = adjusted.contains({node, 1});
      Row first = scales[self.operands[0]], second = scales[self.operands[1]];
      if (!isFirst && !isSecond)
        equations.push_back(combine(first, second, -1));
      scales.push_back(isFirst ? second : first);
      break;
    }
    case NodeKind::unary:
      scales.push_back(scales[self.operands[0]]);
      break;
    default:
      scales.push_back(unknown());
    }
    for (Row &equation : equations)
      equation.resize(primes.size() + unknowns);
  }

  const Circuit &circuit;
  const Adjustments &adjusted;
  LevelPlan plan;
  size_t unknowns = 0;
  std::vector<Row> scales, equations;
};

/// Levels, then paid adjustments: what the search makes small.
using Cost = std::tuple<unsigned, unsigned>;

Cost costOf(const Circuit &circuit, const Adjustments &adjusted) {
  LevelPlan plan = planLevels(circuit, adjusted);
  unsigned paid = std::ranges::count_if(
      adjusted, [&](OperandUse operand) { return !plan.isFree(circuit, operand); });
  return {plan.height, paid};
}

/// All sets of adjusted operands that are solvable and cost less than `found`.
class CheaperSets {
public:
  CheaperSets(const Circuit &circuit, const Cost &found) : circuit(circuit), found(found) {
    for (unsigned node = 0; node < circuit.nodes.size(); ++node)
      if (circuit.nodes[node].kind == NodeKind::sum ||
          circuit.nodes[node].kind == NodeKind::product)
        for (unsigned position : {0u, 1u})
          operands.push_back({node, position});
  }

  /// One of them, if there is one.
  std::optional<Adjustments> find() { return extend({}, 0); }

private:
  std::optional<Adjustments> extend(const Adjustments &adjusted, size_t next) {
    Cost cost = costOf(circuit, adjusted);
    if (std::get<0>(cost) > std::get<0>(found))
      return std::nullopt; // further adjustments do not lower anything
    if (next == operands.size())
      return cost < found && Oracle(circuit, adjusted).isSolvable() ? std::optional(adjusted)
                                                                    : std::nullopt;
    if (auto without = extend(adjusted, next + 1))
      return without;
    OperandUse operand = operands[next];
    bool isSum = circuit.nodes[operand.node].kind == NodeKind::sum;
    if (isSum && operand.position == 1 && adjusted.contains({operand.node, 0}))
      return std::nullopt; // one operand gives the scale
    Adjustments with = adjusted;
    with.insert(operand);
    return extend(with, next + 1);
  }

  const Circuit &circuit;
  const Cost &found;
  std::vector<OperandUse> operands;
};

struct Counts {
  unsigned circuits = 0, adjusted = 0, paid = 0;
};

std::string describe(const Circuit &circuit, const Adjustments &found, const Adjustments &cheaper) {
  std::string text;
  for (unsigned node = 0; node < circuit.nodes.size(); ++node) {
    static const char *const names[] = {"input", "product", "plain", "sum", "polynomial", "unary"};
    text += "v" + std::to_string(node) + " = " + names[size_t(circuit.nodes[node].kind)];
    for (unsigned operand : circuit.nodes[node].operands)
      text += " v" + std::to_string(operand);
    text += "\n";
  }
  for (const Adjustments *set : {&found, &cheaper}) {
    text += set == &found ? "found:" : "cheaper:";
    for (OperandUse operand : *set)
      text +=
          " operand " + std::to_string(operand.position) + " of v" + std::to_string(operand.node);
    text += "\n";
  }
  return text;
}

/// The levels that a circuit needs without adjustments, and one more for those that cannot do
/// without.
void expectCheapest(const Circuit &circuit, Counts &counts) {
  ScaleChain chain = nestedChain(planLevels(circuit, {}).height + 1);
  auto result = settleScales(circuit, chain, {});
  ASSERT_TRUE(std::holds_alternative<ScaleSettlement>(result));
  const Adjustments &adjusted = std::get<ScaleSettlement>(result).adjusted;
  Cost cost = costOf(circuit, adjusted);
  ++counts.circuits;
  counts.adjusted += !adjusted.empty();
  counts.paid += std::get<1>(cost) > 0;
  EXPECT_TRUE(Oracle(circuit, adjusted).isSolvable());
  if (cost == costOf(circuit, {}))
    return; // adjustments lower nothing
  auto cheaper = CheaperSets(circuit, cost).find();
  EXPECT_FALSE(cheaper) << describe(circuit, adjusted, cheaper.value_or(Adjustments())) << "paid "
                        << std::get<1>(cost) << ", possible "
                        << std::get<1>(costOf(circuit, *cheaper));
}

/// Every circuit of `remaining` more sums and products after `circuit`'s nodes.
void forEachCircuit(Circuit &circuit, unsigned remaining, Counts &counts) {
  if (remaining == 0) {
    circuit.outputs = {unsigned(circuit.nodes.size() - 1)};
    return expectCheapest(circuit, counts);
  }
  unsigned size = circuit.nodes.size();
  for (NodeKind kind : {NodeKind::product, NodeKind::sum})
    for (unsigned a = 0; a < size; ++a)
      for (unsigned b = a; b < size; ++b) {
        circuit.nodes.push_back({.kind = kind, .operands = {a, b}});
        forEachCircuit(circuit, remaining - 1, counts);
        circuit.nodes.pop_back();
      }
}

TEST(ScaleSearch, AllSmallCircuitsAreCheapest) {
  Counts counts;
  for (unsigned inputs : {1u, 2u})
    for (unsigned operations = 1; operations <= 6 - inputs; ++operations) {
      Circuit circuit;
      circuit.nodes.resize(inputs);
      forEachCircuit(circuit, operations, counts);
    }
  // Operation k takes an unordered pair of the values before it, and is one of two kinds.
  unsigned one = 2 * (1 + 6 * (1 + 12 * (1 + 20 * (1 + 30))));
  unsigned two = 6 * (1 + 12 * (1 + 20 * (1 + 30)));
  EXPECT_EQ(counts.circuits, one + two);
  EXPECT_GT(counts.adjusted, 100u);
}

TEST(ScaleSearch, RandomCircuitsOfUpToTenOperationsAreCheapest) {
  std::mt19937 random(7);
  Counts counts;
  for (int round = 0; round < 5000; ++round) {
    Circuit circuit;
    circuit.nodes.resize(1 + random() % 2);
    for (unsigned count = 5 + random() % 6; count > 0; --count) {
      unsigned size = circuit.nodes.size();
      // Recent values more often, so that circuits are deep.
      unsigned a = size - 1 - std::min(random() % size, random() % size), b = random() % size;
      unsigned kind = random() % 8;
      CircuitNode node{.kind = NodeKind::plainProduct, .operands = {a}};
      if (kind < 6)
        node = {.kind = kind < 3 ? NodeKind::sum : NodeKind::product, .operands = {a, b}};
      else if (kind == 6)
        node.kind = NodeKind::unary;
      circuit.nodes.push_back(node);
    }
    circuit.outputs = {unsigned(circuit.nodes.size() - 1)};
    expectCheapest(circuit, counts);
  }
  EXPECT_GT(counts.adjusted, 100u);
  EXPECT_GT(counts.paid, 10u);
}

} // namespace
} // namespace sluice::algorithms
