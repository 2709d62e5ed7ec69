//===- EvalModNoise.cpp - the errors of EvalMod in a chain ------------------------------------===//

#include "passes/algorithms/EvalModNoise.h"

#include "passes/algorithms/PolynomialPlan.h"

#include <array>
#include <cassert>
#include <cmath>
#include <map>
#include <utility>

namespace sluice::algorithms {

namespace {

/// A value of the circuit: what it is made of, and the scale at which it was rounded.
struct Node {
  double value = 0;
  std::vector<std::pair<size_t, double>> operands; ///< with the derivatives by them
  double scaleLog2 = 0;
  bool isRounded = true;
};

/// EvalMod's circuit on one number.
class Circuit {
public:
  Circuit(const EvalMod &plan, const EvalModPlace &place) : plan(plan), place(place) {}

  void run(double x) {
    nodes.clear();
    size_t level = 0;
    const unsigned seriesDepth = polynomialDepth(plan.cosine.degree());
    nodes.push_back({(x - 0.25) / plan.halfWidth, {}, variableLog2(levels(0, seriesDepth)), false});
    // Backwards from the last scale, each is the root of what its square has before the rescale.
    const size_t arcsineLevel = seriesDepth + plan.doubleAngles;
    std::vector<double> targets = {
        plan.hasArcsine()
            ? variableLog2(levels(arcsineLevel, place.rescaleLog2.size() - arcsineLevel))
            : place.targetLog2};
    for (unsigned i = plan.doubleAngles; i-- > 0;)
      targets.push_back((targets.back() + place.rescaleLog2[seriesDepth + i]) / 2);
    size_t value = polynomial(0, plan.cosine, level, targets.back());
    targets.pop_back();
    for (double subtrahend : plan.subtrahends) {
      const double v = nodes[value].value;
      nodes.push_back({2 * v * v - subtrahend, {{value, 4 * v}}, targets.back()});
      targets.pop_back();
      value = nodes.size() - 1;
    }
    if (plan.hasArcsine())
      polynomial(value, plan.arcsine, arcsineLevel, place.targetLog2);
  }

  /// The derivative of the last value by the first one, and the mean square of its error.
  std::pair<double, double> backward() const {
    std::vector<double> slopes(nodes.size());
    slopes.back() = 1;
    double squares = 0;
    for (size_t i = nodes.size(); i-- > 0;) {
      for (const auto &[operand, derivative] : nodes[i].operands)
        slopes[operand] += slopes[i] * derivative;
      if (!nodes[i].isRounded)
        continue;
      const double error = slopes[i] * place.rounding * std::exp2(-nodes[i].scaleLog2);
      squares += error * error;
    }
    return {slopes.front() / plan.halfWidth, squares};
  }

private:
  std::span<const double> levels(size_t first, size_t count) const {
    return std::span(place.rescaleLog2).subspan(first, count);
  }

  /// `p` of the node `variable`, which stands at `level`; gives the node of its value.
  size_t polynomial(size_t variable, const Polynomial &p, size_t level, double targetLog2) {
    const std::vector<Coefficient> coefficients(p.coefficients.begin(), p.coefficients.end());
    const PolynomialPlan steps = planPolynomial(coefficients, p.basis);
    const bool isChebyshev = p.basis == Basis::chebyshev;
    std::map<unsigned, size_t> powers = {{1, variable}};
    for (const PowerStep &step : steps.powers) {
      const Node &high = nodes[powers[step.high]], &low = nodes[powers[step.low]];
      const double twice = isChebyshev ? 2 : 1;
      const unsigned rest = step.high - step.low;
      Node node{twice * high.value * low.value,
                {{powers[step.high], twice * low.value}, {powers[step.low], twice * high.value}},
                high.scaleLog2 + low.scaleLog2 -
                    place.rescaleLog2[level + powerDepth(step.index) - 1]};
      if (isChebyshev && rest > 0)
        node.operands.emplace_back(powers[rest], -1);
      if (isChebyshev)
        node.value -= rest > 0 ? nodes[powers[rest]].value : 1;
      powers[step.index] = nodes.size();
      nodes.push_back(std::move(node));
    }
    return blocks(steps, powers, level, targetLog2);
  }

  size_t blocks(const PolynomialPlan &steps, std::map<unsigned, size_t> &powers, size_t level,
                double targetLog2) {
    // A child's scale is such that its product comes out at its parent's: the root knows its own.
    std::vector<double> scales(steps.blocks.size());
    scales.back() = targetLog2;
    for (size_t i = steps.blocks.size(); i-- > 0;)
      for (const BlockProduct &product : steps.blocks[i].products)
        scales[product.child] = scales[i] + place.rescaleLog2[level + steps.blocks[i].below - 1] -
                                nodes[powers[product.power]].scaleLog2;
    std::vector<size_t> places;
    for (size_t i = 0; i < steps.blocks.size(); ++i) {
      const PolynomialBlock &block = steps.blocks[i];
      Node node{block.constant.real(), {}, scales[i]};
      for (const BlockProduct &product : block.products) {
        const size_t child = places[product.child], power = powers[product.power];
        node.value += nodes[child].value * nodes[power].value;
        node.operands.emplace_back(child, nodes[power].value);
        node.operands.emplace_back(power, nodes[child].value);
      }
      for (const BlockTerm &term : block.terms) {
        node.value += term.coefficient.real() * nodes[powers[term.power]].value;
        node.operands.emplace_back(powers[term.power], term.coefficient.real());
      }
      node.isRounded = !node.operands.empty();
      places.push_back(nodes.size());
      nodes.push_back(std::move(node));
    }
    return places.back();
  }

  const EvalMod &plan;
  const EvalModPlace &place;
  std::vector<Node> nodes; // operands first
};

/// Places and weights of the mean over a normal variable (Gauss, Hermite), exact up to the ninth
/// power.
constexpr std::array<std::pair<double, double>, 5> normalPlaces = {
    {{-2.856970013872806, 0.01125741132772069},
     {-1.355626179974266, 0.2220759220056126},
     {0, 0.5333333333333333},
     {1.355626179974266, 0.2220759220056126},
     {2.856970013872806, 0.01125741132772069}}};

} // namespace

double variableLog2(std::span<const double> rescaleLog2) {
  const size_t squares = rescaleLog2.size() - 1;
  double scale = rescaleLog2.back();
  for (size_t i = squares; i-- > 0;)
    scale = (scale + rescaleLog2[i]) / 2;
  return scale;
}

namespace {

/// Places of m in standard deviations, and how likely they are.
std::vector<std::pair<double, double>> placesOf(const EvalModPlace &place) {
  if (!place.isUniform)
    return {std::begin(normalPlaces), std::end(normalPlaces)};
  constexpr int count = 16;
  std::vector<std::pair<double, double>> places;
  places.reserve(count);
  for (int i = 0; i < count; ++i)
    places.emplace_back(std::sqrt(3) * (2 * (i + 0.5) / count - 1), 1.0 / count);
  return places;
}

} // namespace

EvalModError evalModError(const EvalMod &plan, const EvalModPlace &place) {
  assert(place.rescaleLog2.size() == plan.depth() && "a size for each level");
  Circuit circuit(plan, place);
  double weights = 0, slopes = 0, roundings = 0, approximations = 0;
  const auto range = static_cast<int64_t>(plan.range);
  for (int64_t integer = -range; integer <= range; ++integer) {
    const double deviations = double(integer) / place.integers;
    const double weight = std::exp(-deviations * deviations / 2);
    if (weight < 1e-6)
      continue;
    circuit.run(double(integer));
    const auto [slope, squares] = circuit.backward();
    weights += weight;
    slopes += weight * slope * slope;
    roundings += weight * squares;
    for (const auto &[deviation, share] : placesOf(place)) {
      const double m = deviation * place.message;
      const auto error = static_cast<double>(
          plan(static_cast<long double>(integer) + static_cast<long double>(m)) - m);
      approximations += weight * share * error * error;
    }
  }
  return {std::sqrt(slopes / weights), std::sqrt(roundings / weights),
          std::sqrt(approximations / weights)};
}

} // namespace sluice::algorithms
