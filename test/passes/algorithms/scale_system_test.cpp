//===- scale_system_test.cpp - levels and scales of small circuits ----------------------------===//

#include "test/passes/algorithms/nested_chain.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

namespace sluice::algorithms {
namespace {

using ckks::Scale;
using test::nestedChain;
using test::primes;

/// Builds circuits in the notation of a calculator.
class CircuitBuilder {
public:
  unsigned input() { return add({}); }
  unsigned mul(unsigned a, unsigned b) {
    return add({.kind = NodeKind::product, .operands = {a, b}});
  }
  unsigned sum(unsigned a, unsigned b) { return add({.kind = NodeKind::sum, .operands = {a, b}}); }
  unsigned plain(unsigned a) { return add({.kind = NodeKind::plainProduct, .operands = {a}}); }
  unsigned rotate(unsigned a) { return add({.kind = NodeKind::unary, .operands = {a}}); }
  unsigned reinterpret(unsigned a, int bits) {
    return add({.kind = NodeKind::unary,
                .operands = {a},
                .factor = Scale::powerOfTwo(bits),
                .commutesWithRescale = true});
  }
  unsigned polynomial(unsigned a, unsigned levels, int log2HalfWidth) {
    return add({.kind = NodeKind::polynomial,
                .operands = {a},
                .levels = levels,
                .log2HalfWidth = log2HalfWidth});
  }
  unsigned power(unsigned a, unsigned log2Exponent) {
    for (unsigned i = 0; i < log2Exponent; ++i)
      a = mul(a, a);
    return a;
  }
  Circuit outputs(std::vector<unsigned> values) {
    circuit.outputs = std::move(values);
    return circuit;
  }

private:
  unsigned add(CircuitNode node) {
    circuit.nodes.push_back(std::move(node));
    return circuit.nodes.size() - 1;
  }
  Circuit circuit;
};

/// The solution, checked: equal scales at every sum that is not adjusted, exact products, sizes in
/// range.
ScaleSettlement solve(const Circuit &circuit, const ScaleChain &chain) {
  auto result = settleScales(circuit, chain, {});
  if (!std::holds_alternative<ScaleSettlement>(result)) {
    ADD_FAILURE() << "not solved";
    return {};
  }
  ScaleSettlement settled = std::get<ScaleSettlement>(result);
  auto used = [&](unsigned node, unsigned position) {
    unsigned operand = circuit.nodes[node].operands[position];
    unsigned to = settled.levels.useLevel(circuit, settled.adjusted, node, position);
    EXPECT_LE(to, settled.levels.level[operand]);
    auto adjusted = settled.adjustedScale.find({node, position});
    return adjusted == settled.adjustedScale.end()
               ? settled.scale[operand] * chain.dropFactor(settled.levels.level[operand], to)
               : adjusted->second * chain.rescaleFactor(to, to - 1);
  };
  for (unsigned node = 0; node < circuit.nodes.size(); ++node) {
    const CircuitNode &self = circuit.nodes[node];
    unsigned level = settled.levels.level[node];
    if (self.kind == NodeKind::product)
      EXPECT_EQ(settled.scale[node],
                used(node, 0) * used(node, 1) * chain.rescaleFactor(level + 1, level));
    if (self.kind == NodeKind::plainProduct)
      EXPECT_EQ(settled.scale[node],
                used(node, 0) * settled.plainScale[node] * chain.rescaleFactor(level + 1, level));
    if (self.kind == NodeKind::unary)
      EXPECT_EQ(settled.scale[node], used(node, 0) * self.factor);
    for (unsigned position = 0; self.kind == NodeKind::sum && position < 2; ++position)
      EXPECT_EQ(settled.scale[node], used(node, position));
  }
  for (unsigned output : circuit.outputs)
    EXPECT_GE(settled.levels.level[output], 0u);
  return settled;
}

ScaleFailure fail(const Circuit &circuit, const ScaleChain &chain) {
  auto result = settleScales(circuit, chain, {});
  EXPECT_TRUE(std::holds_alternative<ScaleFailure>(result));
  return std::get<ScaleFailure>(result);
}

TEST(ScaleSystem, LevelsAreHeights) {
  CircuitBuilder b;
  unsigned x = b.input(), y = b.input();
  unsigned square = b.mul(x, x), z = b.mul(square, y);
  ScaleSettlement settled = solve(b.outputs({z, square}), nestedChain(3));
  EXPECT_EQ(settled.levels.level, (std::vector<unsigned>{2, 1, 1, 0}));
  EXPECT_EQ(settled.levels.height, 2u);
}

TEST(ScaleSystem, InputsAndPlainProductsReturnToThePowerOfTwo) {
  CircuitBuilder b;
  unsigned x = b.input(), y = b.plain(x), z = b.plain(b.rotate(y));
  ScaleSettlement settled = solve(b.outputs({z}), nestedChain(2));
  EXPECT_EQ(settled.scale[x].str(), "2^45");
  EXPECT_EQ(settled.scale[y].str(), "2^45");
  EXPECT_EQ(settled.scale[z].str(), "2^45");
  EXPECT_EQ(settled.plainScale[y].str(), "q2");
  EXPECT_EQ(settled.plainScale[z].str(), "q1");
}

TEST(ScaleSystem, EighthPowerPlusInputTimesInputNeedsNoAdjustment) {
  CircuitBuilder b;
  unsigned x = b.input(), y = b.input();
  unsigned sum = b.sum(b.power(x, 3), y);
  ScaleSettlement settled = solve(b.outputs({b.mul(sum, y)}), nestedChain(4));
  EXPECT_TRUE(settled.adjusted.empty());
  EXPECT_EQ(settled.scale[x].str(), "2^45");
  // x^8 at level 1: 2^360 / (q4^4 q3^2 q2).
  EXPECT_EQ(settled.scale[y].str(), "2^360 * q2^-1 * q3^-2 * q4^-4");
}

TEST(ScaleSystem, SquarePlusInputFixesTheInputScale) {
  CircuitBuilder b;
  unsigned x = b.input();
  ScaleSettlement settled = solve(b.outputs({b.sum(b.power(x, 1), x)}), nestedChain(1));
  EXPECT_TRUE(settled.adjusted.empty());
  EXPECT_EQ(settled.scale[x].str(), "q1");
}

TEST(ScaleSystem, FourthPowerPlusSquareTakesARoot) {
  CircuitBuilder b;
  unsigned x = b.input(), square = b.power(x, 1);
  ScaleSettlement settled = solve(b.outputs({b.sum(b.power(square, 1), square)}), nestedChain(2));
  EXPECT_TRUE(settled.adjusted.empty());
  EXPECT_EQ(settled.scale[x].str(), "q1^(1/2) * q2^(1/2)");
}

TEST(ScaleSystem, FourthPowerPlusInputIsAFreeAdjustment) {
  // 4 log x - 2 log q2 - log q1 = log x needs a cube root; the input joins before the last rescale.
  CircuitBuilder b;
  unsigned x = b.input(), sum = b.sum(b.power(x, 2), x);
  Circuit circuit = b.outputs({sum});
  ScaleSettlement settled = solve(circuit, nestedChain(2));
  EXPECT_EQ(settled.adjusted, (Adjustments{{sum, 1}}));
  EXPECT_TRUE(settled.levels.isFree(circuit, {sum, 1}));
  EXPECT_EQ(settled.scale[x].str(), "2^45");
}

TEST(ScaleSystem, SumsThatNothingRescalesPay) {
  // The rotation stands between the product and the sum.
  CircuitBuilder b;
  unsigned x = b.input(), sum = b.sum(b.rotate(b.power(x, 2)), x);
  Circuit circuit = b.outputs({sum});
  ScaleSettlement settled = solve(circuit, nestedChain(2));
  EXPECT_EQ(settled.adjusted, (Adjustments{{sum, 1}}));
  EXPECT_FALSE(settled.levels.isFree(circuit, {sum, 1}));
}

TEST(ScaleSystem, AdjustmentNeedsALevel) {
  CircuitBuilder b;
  unsigned x = b.input(), sum = b.sum(x, b.reinterpret(x, 3));
  Circuit circuit = b.outputs({sum});
  ScaleFailure failure = fail(circuit, nestedChain(0));
  EXPECT_EQ(failure.reason, ScaleFailure::Reason::contradiction);
  EXPECT_EQ(failure.node, sum);
  ScaleSettlement settled = solve(circuit, nestedChain(1));
  EXPECT_EQ(settled.adjusted.size(), 1u);
  EXPECT_EQ(settled.levels.height, 1u);
}

TEST(ScaleSystem, AFactorThatIsTakenLowIsAdjustedWithoutALevel) {
  // x^8 + x^4 x: both are three products deep, so neither can be adjusted after. But x enters the
  // last product at level 1.
  CircuitBuilder b;
  unsigned x = b.input(), fourth = b.power(x, 2);
  unsigned fifth = b.mul(fourth, x), sum = b.sum(b.mul(fourth, fourth), fifth);
  ScaleSettlement settled = solve(b.outputs({sum}), nestedChain(3));
  EXPECT_EQ(settled.adjusted, (Adjustments{{fifth, 1}}));
  EXPECT_EQ(settled.levels.height, 3u);
}

TEST(ScaleSystem, RescalesAloneNeverNeedAFurtherLevel) {
  std::mt19937 random(3);
  unsigned adjustments = 0;
  for (int round = 0; round < 300; ++round) {
    CircuitBuilder b;
    std::vector<unsigned> values = {b.input()};
    if (random() % 2)
      values.push_back(b.input());
    for (unsigned count = 2 + random() % 9; count > 0; --count) {
      unsigned back = std::min(random() % values.size(), random() % values.size());
      unsigned x = values[values.size() - 1 - back], y = values[random() % values.size()];
      unsigned kind = random() % 8;
      values.push_back(kind < 3   ? b.sum(x, y)
                       : kind < 6 ? b.mul(x, y)
                       : kind < 7 ? b.rotate(x)
                                  : b.plain(x));
    }
    Circuit circuit = b.outputs({values.back()});
    unsigned height = planLevels(circuit, {}).height;
    ScaleSettlement settled = solve(circuit, nestedChain(height));
    EXPECT_EQ(settled.levels.height, height);
    adjustments += settled.adjusted.size();
  }
  EXPECT_GT(adjustments, 10u); // the sample contains contradictions
}

TEST(ScaleSystem, OneAdjustmentThatSettlesTwoSumsIsFound) {
  // a = b contradicts both 8a = b; adjusting in the first sum is one, greedily it would be two.
  CircuitBuilder b;
  unsigned x = b.input(), y = b.input(), scaled = b.reinterpret(x, 3);
  unsigned first = b.sum(x, y), second = b.sum(scaled, y), third = b.sum(scaled, b.rotate(y));
  Circuit circuit = b.outputs({first, second, third});
  ScaleSettlement settled = solve(circuit, nestedChain(1));
  ASSERT_EQ(settled.adjusted.size(), 1u);
  EXPECT_EQ(settled.adjusted.begin()->node, first);
  // The greedy search settles it too, with more.
  auto greedy = settleScales(circuit, nestedChain(1), {.exactTrials = 0});
  ASSERT_TRUE(std::holds_alternative<ScaleSettlement>(greedy));
  EXPECT_GE(std::get<ScaleSettlement>(greedy).adjusted.size(), 1u);
}

TEST(ScaleSystem, RescaleSinksBelowSumsOfProducts) {
  CircuitBuilder b;
  unsigned x = b.input(), y = b.input();
  unsigned first = b.mul(x, y), second = b.plain(x), sum = b.sum(first, second);
  unsigned shared = b.mul(y, y), other = b.sum(sum, shared);
  ScaleSettlement settled = solve(b.outputs({other, shared}), nestedChain(1));
  EXPECT_TRUE(settled.levels.isRaw[sum]);
  EXPECT_TRUE(
      settled.levels.isRaw[other]); // `shared` is rescaled for the output, `sum` for nothing else
}

TEST(ScaleSystem, PolynomialInputIsEncodedBelowItsHalfWidth) {
  // T_1 = x / 8 shall have the nominal scale, so x has 3 bits less.
  CircuitBuilder b;
  unsigned x = b.input(), y = b.plain(x), p = b.polynomial(y, 3, 3);
  ScaleSettlement settled = solve(b.outputs({p}), nestedChain(4));
  EXPECT_EQ(settled.levels.level, (std::vector<unsigned>{4, 3, 0}));
  EXPECT_EQ(settled.scale[x].str(), "2^45");
  EXPECT_EQ(settled.scale[y].str(), "2^42");
  EXPECT_EQ(settled.scale[p].str(), "2^45");
}

TEST(ScaleSystem, TooHighForTheChain) {
  CircuitBuilder b;
  unsigned x = b.input();
  ScaleFailure failure = fail(b.outputs({b.power(x, 3)}), nestedChain(2));
  EXPECT_EQ(failure.reason, ScaleFailure::Reason::chainTooShort);
  EXPECT_EQ(failure.height, 3u);
}

TEST(ScaleSystem, AdjustsWhereTheExactScaleWouldNotFit) {
  // 2^-10 x^2 / q1 = x has the solution 2^10 q1, above level 0 with its 50 bits.
  CircuitBuilder b;
  unsigned x = b.input(), sum = b.sum(b.reinterpret(b.power(x, 1), -10), x);
  ScaleSettlement settled = solve(b.outputs({sum}), nestedChain(1));
  EXPECT_EQ(settled.adjusted, (Adjustments{{sum, 1}}));
}

TEST(ScaleSystem, RefusesScalesOutsideTheModulus) {
  CircuitBuilder b;
  unsigned x = b.input(), shifted = b.reinterpret(x, 60), back = b.reinterpret(x, -60);
  ScaleFailure failure = fail(b.outputs({shifted, back}), nestedChain(0));
  EXPECT_EQ(failure.reason, ScaleFailure::Reason::outOfRange);
  EXPECT_EQ(failure.node, shifted);
  EXPECT_NEAR(failure.high, 50, 1e-3);
  EXPECT_GT(failure.scaleLog2, 90);
}

TEST(ScaleSystem, LevelsThatAreNotNested) {
  // Level 1 -> 0 drops two limbs and adds one.
  ScaleChain chain{primes, {{0}, {1, 2}}};
  EXPECT_EQ(chain.rescaleFactor(1, 0).str(), "q0 * q1^-1 * q2^-1");
  // Going down: q1 q2 / q0 = 2^40 to the nearest power, so multiply by that first.
  EXPECT_EQ(chain.dropExponent(1, 0), 40);
  EXPECT_EQ(chain.dropFactor(1, 0).str(), "2^40 * q0 * q1^-1 * q2^-1");
  CircuitBuilder b;
  unsigned x = b.input();
  ScaleSettlement settled = solve(b.outputs({b.sum(b.power(x, 1), x)}), chain);
  EXPECT_TRUE(settled.adjusted.empty());
  // x^2 q0/(q1 q2) = x 2^40 q0/(q1 q2).
  EXPECT_EQ(settled.scale[x].str(), "2^40");
}

} // namespace
} // namespace sluice::algorithms
