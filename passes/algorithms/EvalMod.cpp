//===- EvalMod.cpp - the remainder modulo 1, by a cosine and double angles --------------------===//

#include "passes/algorithms/EvalMod.h"

#include "passes/algorithms/HanKiNodes.h"
#include "passes/algorithms/PolynomialPlan.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace sluice::algorithms {

namespace {

constexpr long double twoPi = 2 * std::numbers::pi_v<long double>;

/// Clenshaw's rule, in long double.
long double chebyshevSum(const std::vector<double> &coefficients, long double t) {
  long double next = 0, afterNext = 0;
  for (size_t i = coefficients.size(); i-- > 1;) {
    const long double own = coefficients[i] + 2 * t * next - afterNext;
    afterNext = next;
    next = own;
  }
  return coefficients[0] + t * next - afterNext;
}

/// a cos(w t) = a (J_0(w) + 2 sum_k (-1)^k J_2k(w) T_2k(t)), cut off after `degree`.
Polynomial cosineSeries(long double a, long double w, unsigned degree) {
  std::vector<double> coefficients(degree + 1);
  for (unsigned k = 0; k <= degree; k += 2) {
    const long double bessel = std::cyl_bessel_j(static_cast<long double>(k), w);
    const long double sign = k % 4 ? -1 : 1, factor = k ? 2 : 1;
    coefficients[k] = static_cast<double>(a * sign * factor * bessel);
  }
  return {Basis::chebyshev, std::move(coefficients), {-1, 1}};
}

/// The polynomial that is a cos(frequency (x - 1/4)) near the integers.
Polynomial cosineNearIntegers(const EvalMod &plan, double messageBound, long double a,
                              long double frequency, unsigned degree) {
  const std::vector<unsigned> distribution =
      distributeNodes(static_cast<unsigned>(plan.range), messageBound, degree + 1);
  return {Basis::chebyshev,
          interpolateCosine(hanKiNodes(distribution, messageBound), a, frequency, plan.halfWidth),
          {-1, 1}};
}

/// arcsin(s) / (2 pi), cut off after `degree`: C(2k, k) / (4^k (2k + 1)) s^(2k+1).
Polynomial arcsineSeries(unsigned degree) {
  std::vector<double> coefficients(degree + 1);
  long double binomial = 1; // C(2k, k) / 4^k
  for (unsigned k = 0; 2 * k + 1 <= degree; ++k) {
    coefficients[2 * k + 1] = static_cast<double>(binomial / (2 * k + 1) / twoPi);
    binomial *= static_cast<long double>(2 * k + 1) / (2 * k + 2);
  }
  return {Basis::monomial, std::move(coefficients), {-1, 1}};
}

/// The largest error(x, m) over x = I + m: all integers where they are few, and 33 places of m.
template <typename Error> double largest(const EvalMod &plan, double messageBound, Error error) {
  const auto range = static_cast<int64_t>(plan.range);
  const int64_t step = std::max<int64_t>(1, range / 512);
  double most = 0;
  for (int64_t i = -range; i <= range; i += (i + step > range && i < range) ? range - i : step)
    for (int j = -16; j <= 16; ++j) {
      const long double m = static_cast<long double>(messageBound) * j / 16;
      most =
          std::max(most, static_cast<double>(std::abs(error(static_cast<long double>(i) + m, m))));
    }
  return most;
}

/// The plan of least degree with these nodes and double angles that meets the tolerance.
std::optional<EvalMod> leastDegreeThatMeets(const EvalModRequest &request, SineNodes nodes,
                                            unsigned doubleAngles) {
  // The error falls with the degree, once it falls at all: by halving. Even series have even
  // degrees.
  const unsigned step = nodes == SineNodes::chebyshev ? 2 : 1;
  const auto make = [&](unsigned steps) {
    return makeEvalMod(request.range, request.messageBound, steps * step, doubleAngles,
                       request.arcsineDegree, nodes);
  };
  const auto meets = [&](const EvalMod &plan) {
    return measureApproximationError(plan, request.messageBound) <= request.tolerance;
  };
  unsigned low = leastDegree(request.range, nodes) / step - 1, high = request.maxDegree / step;
  if (high <= low || !meets(make(high)))
    return std::nullopt;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (meets(make(middle)) ? high : low) = middle;
  }
  return make(high);
}

} // namespace

unsigned EvalMod::depth() const {
  return polynomialDepth(cosine.degree()) + doubleAngles +
         (hasArcsine() ? polynomialDepth(arcsine.degree()) : 0);
}

long double EvalMod::operator()(long double x) const {
  long double value = chebyshevSum(cosine.coefficients, (x - 0.25L) / halfWidth);
  for (double subtrahend : subtrahends)
    value = 2 * value * value - subtrahend;
  if (!hasArcsine())
    return value;
  long double sum = 0;
  for (size_t i = arcsine.coefficients.size(); i-- > 0;)
    sum = sum * value + arcsine.coefficients[i];
  return sum;
}

unsigned arcsineDepth(unsigned degree) { return degree > 1 ? polynomialDepth(degree) : 0; }

unsigned leastDegree(double range, SineNodes nodes) {
  return nodes == SineNodes::hanKi ? 2 * static_cast<unsigned>(range) : 2;
}

EvalMod makeEvalMod(double range, double messageBound, unsigned degree, unsigned doubleAngles,
                    unsigned arcsineDegree, SineNodes nodes) {
  EvalMod plan;
  plan.range = range;
  plan.nodes = nodes;
  plan.doubleAngles = doubleAngles;
  plan.halfWidth = range + messageBound + 0.25;
  const bool hasArcsine = arcsineDegree > 1;
  const long double last = hasArcsine ? 1 : 1 / twoPi; // what the sine is multiplied by
  const auto rootOfLast = [&](unsigned steps) {
    return std::pow(last, 1 / static_cast<long double>(uint64_t{1} << steps));
  };
  const long double frequency = twoPi / static_cast<long double>(uint64_t{1} << doubleAngles);
  plan.cosine =
      nodes == SineNodes::hanKi
          ? cosineNearIntegers(plan, messageBound, rootOfLast(doubleAngles), frequency, degree)
          : cosineSeries(rootOfLast(doubleAngles), frequency * plan.halfWidth, degree);
  for (unsigned i = 0; i < doubleAngles; ++i)
    plan.subtrahends.push_back(static_cast<double>(rootOfLast(doubleAngles - 1 - i)));
  if (hasArcsine)
    plan.arcsine = arcsineSeries(arcsineDegree);
  return plan;
}

double measureApproximationError(const EvalMod &plan, double messageBound) {
  if (plan.hasArcsine())
    return measureError(plan, messageBound);
  return largest(plan, messageBound, [&](long double x, long double m) {
    return plan(x) - std::sin(twoPi * m) / twoPi;
  });
}

double measureError(const EvalMod &plan, double messageBound) {
  return largest(plan, messageBound, [&](long double x, long double m) { return plan(x) - m; });
}

std::optional<EvalMod> planEvalMod(const EvalModRequest &request) {
  std::optional<EvalMod> best;
  std::tuple<unsigned, unsigned, unsigned> bestCost;
  for (SineNodes nodes : request.nodes)
    for (unsigned r = request.minDoubleAngles; r <= request.maxDoubleAngles; ++r) {
      std::optional<EvalMod> plan = leastDegreeThatMeets(request, nodes, r);
      if (!plan)
        continue;
      const std::vector<Coefficient> series(plan->cosine.coefficients.begin(),
                                            plan->cosine.coefficients.end());
      const PolynomialPlan evaluation = planPolynomial(series, Basis::chebyshev);
      const std::tuple cost(plan->depth(), evaluation.ciphertextProducts() + r,
                            evaluation.constantProducts());
      if (!best || cost < bestCost) {
        best = std::move(plan);
        bestCost = cost;
      }
    }
  return best;
}

} // namespace sluice::algorithms
