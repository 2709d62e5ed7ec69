//===- HanKiNodes.cpp - a cosine by its values near integers ----------------------------------===//

#include "passes/algorithms/HanKiNodes.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace sluice::algorithms {

namespace {

// The polynomial may be far larger between the integers than near them, and neighbouring nodes
// stand close: differences of 53 bits would leave nothing.
using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>,
                                           boost::multiprecision::et_off>;

/// Newton's divided differences of the values, in place.
void divideDifferences(std::vector<Real> &values, const std::vector<double> &nodes) {
  for (size_t order = 1; order < nodes.size(); ++order)
    for (size_t i = nodes.size() - 1; i >= order; --i)
      values[i] = (values[i] - values[i - 1]) / (Real(nodes[i]) - nodes[i - order]);
}

Real evaluateNewton(const std::vector<Real> &differences, const std::vector<double> &nodes,
                    const Real &x) {
  Real sum = 0;
  for (size_t i = nodes.size(); i-- > 0;)
    sum = sum * (x - nodes[i]) + differences[i];
  return sum;
}

/// cos(pi (k + 1/2) / count), k < count: the roots of T_count.
std::vector<Real> chebyshevRoots(size_t count) {
  const Real pi = acos(Real(-1));
  std::vector<Real> roots;
  roots.reserve(count);
  for (size_t k = 0; k < count; ++k)
    roots.push_back(cos(pi * (2 * k + 1) / (2 * count)));
  return roots;
}

/// The Chebyshev coefficients of the polynomial with these values at the roots of T_count:
/// c_j = (2 - [j = 0]) / count sum_k values[k] T_j(roots[k]).
std::vector<double> chebyshevCoefficients(const std::vector<Real> &values,
                                          const std::vector<Real> &roots) {
  const size_t count = roots.size();
  std::vector<Real> sums(count, 0);
  for (size_t k = 0; k < count; ++k) {
    Real own = values[k], next = own * roots[k]; // values[k] T_j and its successor
    for (Real &sum : sums) {
      sum += own;
      Real afterNext = 2 * roots[k] * next - own;
      own = std::exchange(next, afterNext);
    }
  }
  std::vector<double> coefficients;
  coefficients.reserve(count);
  for (size_t j = 0; j < count; ++j)
    coefficients.push_back(static_cast<double>(Real(sums[j] * (j ? 2 : 1) / count)));
  return coefficients;
}

} // namespace

std::vector<unsigned> distributeNodes(unsigned range, double radius, unsigned count) {
  const size_t intervals = 2 * size_t{range} + 1;
  std::vector<unsigned> nodes(intervals, 1);
  // log of a bound on the product of the distances from a point of each interval to all nodes
  std::vector<double> distances(intervals);
  const auto distance = [&](size_t i, size_t j) {
    return i == j ? std::log(radius / 2)
                  : std::log(std::abs(static_cast<double>(i) - static_cast<double>(j)) + radius);
  };
  for (size_t i = 0; i < intervals; ++i) {
    distances[i] = std::numbers::ln2;
    for (size_t j = 0; j < intervals; ++j)
      distances[i] += distance(i, j);
  }
  for (size_t placed = intervals; placed < count; ++placed) {
    // By symmetry two intervals are equally bad, but for rounding: the right one.
    const double most = *std::max_element(distances.begin(), distances.end());
    size_t worst = intervals - 1;
    while (distances[worst] < most - 1e-9)
      --worst;
    ++nodes[worst];
    for (size_t i = 0; i < intervals; ++i)
      distances[i] += distance(i, worst);
  }
  return nodes;
}

std::vector<double> hanKiNodes(const std::vector<unsigned> &distribution, double radius) {
  std::vector<double> nodes;
  const size_t range = distribution.size() / 2;
  double centre = -static_cast<double>(range);
  for (unsigned count : distribution) {
    for (unsigned k = 0; k < count; ++k)
      nodes.push_back(2 * k + 1 == count
                          ? centre
                          : centre + radius * std::cos(std::numbers::pi * (k + 0.5) / count));
    ++centre;
  }
  return nodes;
}

std::vector<double> interpolateCosine(const std::vector<double> &nodes, long double factor,
                                      long double frequency, double halfWidth) {
  const Real quarter = 0.25;
  std::vector<Real> differences;
  differences.reserve(nodes.size());
  for (double node : nodes)
    differences.push_back(factor * cos(frequency * (node - quarter)));
  divideDifferences(differences, nodes);
  const std::vector<Real> roots = chebyshevRoots(nodes.size());
  std::vector<Real> values;
  values.reserve(nodes.size());
  for (const Real &root : roots)
    values.push_back(evaluateNewton(differences, nodes, halfWidth * root + quarter));
  return chebyshevCoefficients(values, roots);
}

} // namespace sluice::algorithms
