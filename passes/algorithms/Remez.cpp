//===- Remez.cpp - best uniform approximation by polynomials ----------------------------------===//

#include "passes/algorithms/Remez.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace sluice::algorithms {

namespace {

using Real = long double;

/// A closed interval of the variable u.
struct Segment {
  Real low, high;
};

/// One point of the reference, or a local extremum of the error.
struct Point {
  Real u, error;
};

/// The approximation problem in one variable u: find q of degree m with the least
/// max |F(u) - w(u) q(u)|. With t in [-1, 1] over the basis interval, a parity makes u = t^2, and
/// odd polynomials t q(t^2) have w(u) = sqrt(u); without one u = t and w = 1.
class Problem {
public:
  Problem(const RealFunction &f, std::span<const Interval> domain, unsigned degree, Interval basis,
          Parity parity)
      : f(f), parity(parity), centre((Real(basis.low) + basis.high) / 2),
        halfWidth((Real(basis.high) - basis.low) / 2) {
    innerDegree = parity == Parity::none ? degree : (degree - (parity == Parity::odd ? 1 : 0)) / 2;
    if (parity == Parity::none) {
      for (Interval part : domain)
        segments.push_back({toUnit(part.low), toUnit(part.high)});
      return;
    }
    Real inner = domain.size() == 2 ? toUnit(domain.back().low) : 0;
    Real outer = toUnit(domain.back().high);
    segments.push_back({inner * inner, outer * outer});
  }

  Real toUnit(Real x) const { return (x - centre) / halfWidth; }
  /// The point of the basis interval that u stands for, on its right half when there is a parity.
  Real toArgument(Real u) const {
    return centre + halfWidth * (parity == Parity::none ? u : std::sqrt(u));
  }
  Real target(Real u) const { return f(static_cast<double>(toArgument(u))); }
  Real weight(Real u) const { return parity == Parity::odd ? std::sqrt(u) : Real(1); }

  const RealFunction &f;
  Parity parity;
  Real centre, halfWidth;
  unsigned innerDegree = 0; ///< m
  std::vector<Segment> segments;
};

/// The polynomial q that a reference of m + 2 points defines, by barycentric interpolation.
class Interpolant {
public:
  Interpolant(const Problem &problem, std::vector<Real> reference)
      : nodes(std::move(reference)), weights(nodes.size()), values(nodes.size()) {
    for (size_t k = 0; k < nodes.size(); ++k) {
      Real product = 1;
      for (size_t j = 0; j < nodes.size(); ++j)
        if (j != k)
          product *= 2 * (nodes[k] - nodes[j]);
      weights[k] = 1 / product;
    }
    // F_k - w_k q_k = (-1)^k h, and the divided difference of the q_k over all nodes is 0.
    Real numerator = 0, denominator = 0;
    std::vector<Real> targets, factors;
    for (size_t k = 0; k < nodes.size(); ++k) {
      targets.push_back(problem.target(nodes[k]));
      factors.push_back(problem.weight(nodes[k]));
      largest = std::max(largest, std::fabs(targets[k]));
      Real sign = k % 2 == 0 ? 1 : -1;
      numerator += weights[k] * targets[k] / factors[k];
      denominator += sign * weights[k] / factors[k];
    }
    levelled = numerator / denominator;
    for (size_t k = 0; k < nodes.size(); ++k)
      values[k] = (targets[k] - (k % 2 == 0 ? levelled : -levelled)) / factors[k];
  }

  Real operator()(Real u) const {
    Real numerator = 0, denominator = 0;
    for (size_t k = 0; k < nodes.size(); ++k) {
      Real distance = u - nodes[k];
      if (distance == 0)
        return values[k];
      Real term = weights[k] / distance;
      numerator += term * values[k];
      denominator += term;
    }
    return numerator / denominator;
  }

  const std::vector<Real> &reference() const { return nodes; }
  Real levelledError() const { return std::fabs(levelled); }
  /// The largest |F| on the reference.
  Real magnitude() const { return largest; }

private:
  std::vector<Real> nodes, weights, values;
  Real levelled = 0, largest = 0;
};

/// Point i of n + 1 Chebyshev extrema of the segment, ascending.
Real clusteredPoint(Segment segment, size_t i, size_t n) {
  if (i == 0 || i == n) // exactly, since the ends are often extrema
    return i == 0 ? segment.low : segment.high;
  Real t = -std::cos(std::numbers::pi_v<Real> * i / n);
  return (segment.low + segment.high) / 2 + t * (segment.high - segment.low) / 2;
}

/// Runs the exchange on one problem.
class Exchange {
public:
  explicit Exchange(const Problem &problem) : problem(problem) {}

  std::optional<Interpolant> run() {
    // A reference with a symmetry that the error does not share has no levelled error at all.
    for (Real skew : {0.0L, 0.15L, -0.2L})
      if (auto q = runFrom(firstReference(skew)))
        return q;
    return std::nullopt;
  }

private:
  std::optional<Interpolant> runFrom(std::vector<Real> reference) {
    constexpr int maxExchanges = 60;
    for (int count = 0; count < maxExchanges; ++count) {
      Interpolant q(problem, reference);
      std::vector<Point> extrema = findExtrema(q);
      // Below some 2^-46 of the function the rounding of its values hides the error.
      if (!(q.levelledError() > 0x1p-46L * q.magnitude()) || extrema.size() < reference.size())
        return std::nullopt;
      Real largest = 0;
      for (Point point : extrema)
        largest = std::max(largest, std::fabs(point.error));
      if (largest - q.levelledError() <= 0x1p-24L * largest)
        return q;
      select(extrema, reference.size());
      std::vector<Real> next;
      next.reserve(extrema.size());
      for (Point point : extrema)
        next.push_back(point.u);
      if (next == reference) // at the limits of the function's own rounding
        return largest - q.levelledError() <= 0x1p-20L * largest ? std::optional(q) : std::nullopt;
      reference = std::move(next);
    }
    return std::nullopt;
  }

  Real error(const Interpolant &q, Real u) const {
    return problem.target(u) - problem.weight(u) * q(u);
  }

  /// Chebyshev extrema of each segment, as many as its share of the length; pulled towards an end
  /// by `skew`.
  std::vector<Real> firstReference(Real skew) const {
    size_t count = problem.innerDegree + 2;
    if (problem.segments.size() == 1)
      return spread(problem.segments.front(), count, skew);
    Real first = problem.segments[0].high - problem.segments[0].low;
    Real second = problem.segments[1].high - problem.segments[1].low;
    auto share = static_cast<size_t>(std::lround(count * first / (first + second)));
    share = std::clamp<size_t>(share, 1, count - 1);
    std::vector<Real> result = spread(problem.segments[0], share, skew);
    for (Real u : spread(problem.segments[1], count - share, skew))
      result.push_back(u);
    return result;
  }

  std::vector<Real> spread(Segment segment, size_t count, Real skew) const {
    std::vector<Real> result;
    for (size_t i = 0; i < count; ++i) {
      Real t = count == 1 ? 0 : clusteredPoint({-1, 1}, i, count - 1);
      t += skew * (1 - t * t);
      result.push_back((segment.low + segment.high) / 2 + t * (segment.high - segment.low) / 2);
    }
    if (problem.parity == Parity::odd && result.front() <= 0)
      result.front() = result[1] / 4; // odd functions have no error at 0
    return result;
  }

  /// The points where the error has its largest size between two changes of sign, ascending. The
  /// grid holds the reference, where signs alternate: there are as many points at least.
  std::vector<Point> findExtrema(const Interpolant &q) const {
    std::vector<Point> extrema;
    for (Segment segment : problem.segments) {
      std::vector<Point> samples = sample(q, segment);
      for (size_t i = 0; i < samples.size();) {
        size_t peak = i;
        bool isNegative = samples[i].error < 0;
        for (; i < samples.size() && (samples[i].error < 0) == isNegative; ++i)
          if (std::fabs(samples[i].error) > std::fabs(samples[peak].error))
            peak = i;
        bool isInside = peak > 0 && peak + 1 < samples.size();
        Point best = isInside ? refine(q, samples[peak - 1], samples[peak], samples[peak + 1])
                              : samples[peak];
        // A run may go on beyond a gap of the domain.
        if (extrema.empty() || (extrema.back().error < 0) != isNegative)
          extrema.push_back(best);
        else if (std::fabs(best.error) > std::fabs(extrema.back().error))
          extrema.back() = best;
      }
    }
    return extrema;
  }

  /// Errors on a grid that is as fine as the reference is dense.
  std::vector<Point> sample(const Interpolant &q, Segment segment) const {
    constexpr size_t pointsBetween = 8;
    std::vector<Real> ends{segment.low};
    for (Real u : q.reference())
      if (segment.low < u && u < segment.high)
        ends.push_back(u);
    ends.push_back(segment.high);
    std::vector<Point> samples;
    for (size_t part = 0; part + 1 < ends.size(); ++part)
      for (size_t i = 0; i < pointsBetween; ++i) {
        Real u = clusteredPoint({ends[part], ends[part + 1]}, i, pointsBetween);
        samples.push_back({u, error(q, u)});
      }
    samples.push_back({segment.high, error(q, segment.high)});
    return samples;
  }

  /// Successive vertices of the parabola through a peak of the grid and its neighbours. Few
  /// suffice: the next exchange has its grid about this point.
  Point refine(const Interpolant &q, Point left, Point peak, Point right) const {
    constexpr int steps = 3;
    for (int step = 0; step < steps; ++step) {
      Real a = peak.u - left.u, b = right.u - peak.u;
      Real before = (peak.error - left.error) / a, after = (right.error - peak.error) / b;
      Real u = peak.u - (before * b + after * a) / (2 * (after - before));
      if (!(left.u < u && u < right.u) || u == peak.u)
        break;
      Point vertex{u, error(q, u)};
      bool isHigher = std::fabs(vertex.error) > std::fabs(peak.error);
      Point &bound = (u < peak.u) == isHigher ? right : left;
      bound = isHigher ? peak : vertex;
      if (isHigher)
        peak = vertex;
    }
    return peak;
  }

  /// Keeps `count` extrema with alternating signs, among them the largest: drops the smallest with
  /// its smaller neighbour, or an end alone.
  static void select(std::vector<Point> &extrema, size_t count) {
    auto size = [&](size_t i) { return std::fabs(extrema[i].error); };
    while (extrema.size() > count) {
      size_t last = extrema.size() - 1, smallest = size(0) <= size(last) ? 0 : last;
      if (extrema.size() > count + 1)
        for (size_t i = 0; i <= last; ++i)
          if (size(i) < size(smallest))
            smallest = i;
      auto from = extrema.begin() + smallest;
      if (smallest == 0 || smallest == last)
        extrema.erase(from);
      else if (size(smallest - 1) < size(smallest + 1))
        extrema.erase(from - 1, from + 1);
      else
        extrema.erase(from, from + 2);
    }
  }

  const Problem &problem;
};

/// The extrema in terms of x, with their mirror images when there is a parity.
std::vector<double> toArguments(const Problem &problem, const std::vector<Real> &reference) {
  std::vector<double> result;
  result.reserve(reference.size());
  for (Real u : reference)
    result.push_back(static_cast<double>(problem.toArgument(u)));
  if (problem.parity == Parity::none)
    return result;
  std::vector<double> mirrored;
  for (double x : result)
    if (auto image = static_cast<double>(2 * problem.centre - x); image != x)
      mirrored.push_back(image);
  std::ranges::reverse(mirrored);
  mirrored.insert(mirrored.end(), result.begin(), result.end());
  return mirrored;
}

} // namespace

std::optional<Minimax> remez(const RealFunction &f, std::span<const Interval> domain,
                             unsigned degree, Interval basis, Parity parity) {
  assert(!domain.empty() && domain.size() <= 2);
  bool isOdd = parity == Parity::odd;
  if (isOdd && degree == 0)
    return std::nullopt; // the zero polynomial
  if (parity != Parity::none && (degree % 2 == 1) != isOdd)
    --degree;
  Problem problem(f, domain, degree, basis, parity);
  std::optional<Interpolant> q = Exchange(problem).run();
  if (!q)
    return std::nullopt;
  Minimax result;
  result.levelledError = static_cast<double>(q->levelledError());
  result.extrema = toArguments(problem, q->reference());
  auto value = [&](double x) {
    Real t = problem.toUnit(x);
    Real u = parity == Parity::none ? t : t * t;
    return static_cast<double>((isOdd ? t : Real(1)) * (*q)(u));
  };
  result.polynomial = interpolate(value, basis, degree);
  if (parity != Parity::none)
    for (size_t i = isOdd ? 0 : 1; i <= degree; i += 2)
      result.polynomial.coefficients[i] = 0;
  return result;
}

} // namespace sluice::algorithms
