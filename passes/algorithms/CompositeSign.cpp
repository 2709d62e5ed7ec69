//===- CompositeSign.cpp - the sign function by composed minimax polynomials ------------------===//

#include "passes/algorithms/CompositeSign.h"
#include "passes/algorithms/PolynomialPlan.h"
#include "passes/algorithms/Remez.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numbers>

namespace sluice::algorithms {

namespace {

/// Values between two steps stay inside [-1, 1] by this part of them, which keeps noise from
/// pushing them out. For small errors it is smaller too, or it would be the next step's largest
/// error.
double marginFor(double error) { return std::clamp(error / 16, 0x1p-14, 0x1p-8); }

/// The error that values of [1 - error, 1 + error] have after scaling to [-1, 1] with the margin:
/// that of an interval with the same ratio of its ends.
double withMargin(double error) {
  double margin = marginFor(error);
  return (2 * error + margin * (1 + error)) / (2 + margin * (1 + error));
}

double sign(double x) { return x < 0 ? -1 : 1; }

/// An odd degree that a step may have, with the cost of evaluating it.
struct StepKind {
  unsigned degree, depth, products;
};

/// The degrees up to a largest one that are worth considering.
std::vector<StepKind> stepKindsUpTo(unsigned largest) {
  std::vector<StepKind> result;
  for (unsigned degree = 3; degree <= largest; degree += 2) {
    std::vector<Coefficient> odd(degree + 1, 0.0);
    for (unsigned i = 1; i <= degree; i += 2)
      odd[i] = 1.0 / i;
    result.push_back({degree, polynomialDepth(degree),
                      planPolynomial(odd, Basis::chebyshev).ciphertextProducts()});
  }
  // At one depth and number of products the largest degree is best.
  std::erase_if(result, [all = result](const StepKind &kind) {
    return std::ranges::any_of(all, [&](const StepKind &other) {
      return other.degree > kind.degree && other.depth == kind.depth &&
             other.products <= kind.products;
    });
  });
  return result;
}

/// The best odd polynomial of this degree for the sign on low <= |t| <= 1.
std::optional<Minimax> bestStep(unsigned degree, double low) {
  std::vector<Interval> domain{{-1, -low}, {low, 1}};
  return remez(sign, domain, degree, {-1, 1}, Parity::odd);
}

/// A measure of an error e in (0, 1) that resolves both ends: log2((1 - e) / e). Positive values
/// from [1 - e, 1 + e] have an inner end of `innerEnd` parts of the outer one.
double toBits(double error) { return std::log2((1 - error) / error); }
double toError(double bits) { return 1 / (1 + std::exp2(bits)); }
double innerEnd(double bits) { return std::exp2(bits) / (2 + std::exp2(bits)); }

/// What one step makes of the error of the ones before. Exact at whole bits, where
/// Remez's exchange runs on demand; a cubic through four of them between.
class StepTable {
public:
  explicit StepTable(unsigned largestDegree)
      : stepKinds(stepKindsUpTo(largestDegree)), nodes(stepKinds.size()) {}

  const std::vector<StepKind> &kinds() const { return stepKinds; }

  double bitsAfter(size_t kind, double bits) {
    double position = bits / spacing, base = std::floor(position), t = position - base;
    double before = node(kind, int(base) - 1), low = node(kind, int(base));
    double high = node(kind, int(base) + 1), after = node(kind, int(base) + 2);
    return low * (1 - t) + high * t +
           t * (1 - t) / 6 *
               ((t - 2) * (before - 2 * low + high) - (t + 1) * (low - 2 * high + after));
  }

private:
  static constexpr double spacing = 1;

  double node(size_t kind, int index) {
    auto [place, isNew] = nodes[kind].try_emplace(index);
    if (isNew) {
      auto best = bestStep(stepKinds[kind].degree, innerEnd(index * spacing));
      // Where rounding hides the error it is far below all that is asked for.
      place->second = best ? toBits(best->levelledError) : 46;
    }
    return place->second;
  }

  std::vector<StepKind> stepKinds;
  std::vector<std::map<int, double>> nodes; ///< by kind
};

/// Finds degrees. After some levels and products the most bits are best, since more bits before a
/// step are more after it.
class DegreeSearch {
public:
  explicit DegreeSearch(CompositeLimits limits)
      : maxDepth(limits.depth), table(limits.stepDegree) {}

  /// Degrees of least depth, then of fewest products; nothing beyond maxDepth.
  std::optional<std::vector<unsigned>> run(double gap, double tolerance) {
    double wanted = toBits(tolerance);
    std::vector<Front> fronts(maxDepth + 1);
    fronts[0][0] = {toBits((1 - gap) / (1 + gap)), {}};
    for (unsigned depth = 0; depth <= maxDepth; ++depth) {
      for (const auto &[products, state] : fronts[depth])
        if (state.bits >= wanted && !state.degrees.empty())
          return state.degrees; // by products, fewest first
      for (const auto &[products, state] : fronts[depth])
        extend(fronts, depth, products, state);
    }
    return std::nullopt;
  }

private:
  struct State {
    double bits;
    std::vector<unsigned> degrees;
  };
  /// States of one depth by products; more products have more bits.
  using Front = std::map<unsigned, State>;

  void extend(std::vector<Front> &fronts, unsigned depth, unsigned products, const State &state) {
    double before = state.degrees.empty() ? state.bits : toBits(withMargin(toError(state.bits)));
    for (size_t k = 0; k < table.kinds().size(); ++k) {
      const StepKind &kind = table.kinds()[k];
      if (depth + kind.depth > maxDepth)
        continue;
      State next{table.bitsAfter(k, before), state.degrees};
      next.degrees.push_back(kind.degree);
      insert(fronts[depth + kind.depth], products + kind.products, std::move(next));
    }
  }

  static void insert(Front &front, unsigned products, State state) {
    auto above = front.upper_bound(products);
    if (above != front.begin() && std::prev(above)->second.bits >= state.bits)
      return;
    auto from = front.lower_bound(products), to = from;
    while (to != front.end() && to->second.bits <= state.bits)
      ++to;
    front.erase(from, to);
    front.emplace(products, std::move(state));
  }

  unsigned maxDepth;
  StepTable table;
};

/// max |value - sign(x)| for |x| in [gap, halfWidth], densest at the gap.
double measureSign(const CompositeSign &composite) {
  double error = 0, ratio = composite.halfWidth() / composite.gap;
  constexpr int points = 1 << 14;
  for (int i = 0; i <= points; ++i) {
    double x = composite.gap * std::pow(ratio, double(i) / points);
    error = std::max(error, std::fabs(composite(std::min(x, composite.halfWidth())) - 1));
  }
  return error;
}

/// max |x (sign(x) - value)| on [0, halfWidth].
double measureAbsolute(const CompositeSign &composite) {
  double error = 0, smallest = composite.gap / 64;
  double ratio = composite.halfWidth() / smallest;
  constexpr int points = 1 << 14;
  for (int i = 0; i <= points; ++i) {
    double x = std::min(smallest * std::pow(ratio, double(i) / points), composite.halfWidth());
    error = std::max(error, std::fabs(x * (1 - composite(x))));
  }
  return error;
}

/// The composition with these degrees.
std::optional<CompositeSign> compose(const std::vector<unsigned> &degrees, double halfWidth,
                                     double gap) {
  CompositeSign result;
  result.gap = gap;
  double low = gap / halfWidth;
  for (size_t i = 0; i < degrees.size(); ++i) {
    auto step = bestStep(degrees[i], low);
    if (!step)
      return std::nullopt;
    Polynomial p = step->polynomial;
    if (i == 0)
      p.interval = {-halfWidth, halfWidth};
    if (i + 1 < degrees.size()) {
      double size = (1 + step->levelledError) * (1 + marginFor(step->levelledError));
      for (double &coefficient : p.coefficients)
        coefficient /= size;
      low = (1 - step->levelledError) / size;
    }
    std::vector<Coefficient> coefficients(p.coefficients.begin(), p.coefficients.end());
    result.depth += polynomialDepth(p.degree());
    result.products += planPolynomial(coefficients, Basis::chebyshev).ciphertextProducts();
    result.steps.push_back(std::move(p));
  }
  result.maxError = measureSign(result);
  return result;
}

/// Degrees and polynomials. The search interpolates, and coefficients are rounded: where that
/// misses the tolerance by a hair, it asks for a little more.
std::optional<CompositeSign> findComposite(DegreeSearch &search, double halfWidth, double gap,
                                           double tolerance) {
  assert(0 < gap && gap < halfWidth && 0 < tolerance && tolerance < 1);
  for (double aimed : {tolerance, 0.99 * tolerance, 0.9 * tolerance}) {
    auto degrees = search.run(gap / halfWidth, aimed);
    auto found = degrees ? compose(*degrees, halfWidth, gap) : std::nullopt;
    if (found && found->maxError <= tolerance)
      return found;
  }
  return std::nullopt;
}

} // namespace

double CompositeSign::operator()(double x) const {
  for (const Polynomial &step : steps)
    x = step(x);
  return x;
}

std::optional<CompositeSign> approximateSign(double halfWidth, double gap, double tolerance,
                                             CompositeLimits limits) {
  DegreeSearch search(limits);
  return findComposite(search, halfWidth, gap, tolerance);
}

std::optional<CompositeSign> approximateSignForAbsolute(double halfWidth, double tolerance,
                                                        CompositeLimits limits) {
  DegreeSearch search(limits);
  // Outside of the gap |x| <= halfWidth. Inside, the values lie between the signs: a gap of the
  // tolerance would do, and since they rise from 0 on, a wider one often does. Wide ones are cheap.
  double outside = std::min(tolerance / halfWidth, 0.5);
  double factor = 64;
  for (int step = 0; step <= 12; ++step, factor /= std::numbers::sqrt2) { // the last: factor 1
    double gap = factor * tolerance;
    if (gap > halfWidth / 2 && factor > 1.1)
      continue;
    auto found = findComposite(search, halfWidth, std::min(gap, halfWidth / 2), outside);
    if (found && measureAbsolute(*found) <= tolerance)
      return found;
  }
  return std::nullopt;
}

} // namespace sluice::algorithms
