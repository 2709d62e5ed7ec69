//===- Chebyshev.cpp - polynomial approximation on an interval --------------------------------===//

#include "passes/algorithms/Chebyshev.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>

namespace sluice::algorithms {

//===----------------------------------------------------------------------===//
// Polynomial
//===----------------------------------------------------------------------===//

unsigned Polynomial::degree() const {
  for (size_t i = coefficients.size(); i > 1; --i)
    if (coefficients[i - 1] != 0)
      return i - 1;
  return 0;
}

template <typename T> static T toUnit(Interval interval, T x) {
  return (2.0 * x - interval.low - interval.high) / (interval.high - interval.low);
}

template <typename T> static T clenshaw(const std::vector<double> &coefficients, T t) {
  T next = 0, afterNext = 0;
  for (size_t i = coefficients.size(); i-- > 1;) {
    T current = coefficients[i] + 2.0 * t * next - afterNext;
    afterNext = next;
    next = current;
  }
  return (coefficients.empty() ? 0 : coefficients[0]) + t * next - afterNext;
}

template <typename T> static T horner(const std::vector<double> &coefficients, T x) {
  T value = 0;
  for (size_t i = coefficients.size(); i-- > 0;)
    value = value * x + coefficients[i];
  return value;
}

template <typename T> static T evaluate(const Polynomial &p, T x) {
  return p.basis == Basis::chebyshev ? clenshaw(p.coefficients, toUnit(p.interval, x))
                                     : horner(p.coefficients, x);
}

double Polynomial::operator()(double x) const { return evaluate(*this, x); }

std::complex<double> Polynomial::operator()(std::complex<double> x) const {
  return evaluate(*this, x);
}

/// Coefficients of dp/dt: d_{i-1} = d_{i+1} + 2 i c_i, d_0 halved.
static std::vector<double> chebyshevDerivative(const std::vector<double> &c) {
  std::vector<double> d(c.size() + 1, 0.0);
  for (size_t i = c.size(); i-- > 1;)
    d[i - 1] = d[i + 1] + 2.0 * i * c[i];
  d[0] /= 2;
  return d;
}

double Polynomial::derivative(double x) const {
  if (basis == Basis::chebyshev)
    return clenshaw(chebyshevDerivative(coefficients), toUnit(interval, x)) * 2 /
           (interval.high - interval.low);
  std::vector<double> d;
  for (size_t i = 1; i < coefficients.size(); ++i)
    d.push_back(i * coefficients[i]);
  return horner(d, x);
}

unsigned polynomialDepth(unsigned degree) {
  unsigned depth = 0;
  while ((uint64_t(1) << depth) < uint64_t(degree) + 1)
    ++depth;
  return depth;
}

//===----------------------------------------------------------------------===//
// Approximation
//===----------------------------------------------------------------------===//

/// Point i of n + 1 Chebyshev extrema mapped to the interval; i = 0 is its low end.
static double gridPoint(Interval interval, double i, size_t n) {
  double t = -std::cos(std::numbers::pi * i / double(n));
  return std::midpoint(interval.low, interval.high) + t * (interval.high - interval.low) / 2;
}

static size_t gridSize(const Polynomial &p) {
  return std::max<size_t>(2048, 64 * p.coefficients.size());
}

Polynomial interpolate(const RealFunction &f, Interval interval, unsigned degree) {
  assert(interval.isFinite() && interval.low < interval.high);
  // c_i = 2/n sum_j f(x_j) cos(i theta_j), theta_j = pi (j + 1/2) / n; exact for polynomials of
  // degree < n.
  unsigned n = degree + 1;
  std::vector<long double> values(n);
  long double center = (static_cast<long double>(interval.low) + interval.high) / 2;
  long double halfWidth = (static_cast<long double>(interval.high) - interval.low) / 2;
  for (unsigned j = 0; j < n; ++j) {
    long double theta = std::numbers::pi_v<long double> * (j + 0.5L) / n;
    values[j] = f(static_cast<double>(center + halfWidth * std::cos(theta)));
  }
  Polynomial result{Basis::chebyshev, std::vector<double>(n), interval};
  // cos depends on i (2j + 1) modulo 4n only.
  std::vector<long double> cosines(4 * n);
  for (unsigned k = 0; k < 4 * n; ++k)
    cosines[k] = std::cos(std::numbers::pi_v<long double> * k / (2 * n));
  for (unsigned i = 0; i < n; ++i) {
    long double sum = 0;
    for (unsigned j = 0; j < n; ++j)
      sum += values[j] * cosines[uint64_t(i) * (2 * j + 1) % (4 * n)];
    result.coefficients[i] = static_cast<double>(sum * (i == 0 ? 1.0L : 2.0L) / n);
  }
  double largest = 0;
  for (double c : result.coefficients)
    largest = std::max(largest, std::fabs(c));
  for (double &c : result.coefficients)
    if (std::fabs(c) < largest * 0x1p-52)
      c = 0;
  return result;
}

double measureError(const RealFunction &f, const Polynomial &p, Interval domain) {
  size_t n = gridSize(p);
  double error = 0;
  for (size_t i = 0; i <= n; ++i) {
    double x = gridPoint(domain, i, n);
    error = std::max(error, std::fabs(f(x) - p(x)));
  }
  return error;
}

Interval imageOf(const Polynomial &p, Interval domain) {
  size_t n = gridSize(p);
  Interval image = p(domain.low);
  double before = image.low, here = before;
  for (size_t i = 1; i <= n; ++i) {
    double after = p(gridPoint(domain, i, n));
    image = hull(image, after);
    // Between points of the grid: the vertex of the parabola through three of them, in the angle.
    double curvature = before - 2 * here + after;
    if (i > 1 && (here - before) * (after - here) < 0)
      image = hull(image, p(gridPoint(domain, i - 1 + (before - after) / (2 * curvature), n)));
    before = here;
    here = after;
  }
  double margin = (image.high - image.low) * 0x1p-17;
  return {image.low - margin, image.high + margin};
}

double maxSlope(const Polynomial &p, Interval domain) {
  size_t n = gridSize(p);
  double slope = 0;
  for (size_t i = 0; i <= n; ++i)
    slope = std::max(slope, std::fabs(p.derivative(gridPoint(domain, i, n))));
  return slope;
}

static Polynomial truncate(const Polynomial &p, unsigned degree) {
  Polynomial result = p;
  result.coefficients.resize(degree + 1);
  return result;
}

std::optional<Approximation> approximate(const RealFunction &f, Interval interval, double tolerance,
                                         unsigned maxDegree) {
  assert(tolerance > 0);
  // Double the degree until the interpolant itself is good enough (or cannot be), then cut its
  // tail.
  for (unsigned degree = 16;; degree = std::min(2 * degree, 2 * maxDegree)) {
    Polynomial full = interpolate(f, interval, degree);
    bool isLast = degree >= 2 * maxDegree;
    if (!isLast && measureError(f, full, interval) > tolerance / 4)
      continue;
    unsigned low = 0, high = std::min(full.degree(), maxDegree);
    if (measureError(f, truncate(full, high), interval) > tolerance)
      return std::nullopt;
    // Bisection: the error of a truncation falls with its degree, up to ripples that cost a degree
    // at most.
    while (low < high) {
      unsigned middle = (low + high) / 2;
      if (measureError(f, truncate(full, middle), interval) <= tolerance)
        high = middle;
      else
        low = middle + 1;
    }
    Polynomial best = truncate(full, high);
    best = truncate(best, best.degree());
    return Approximation{best, measureError(f, best, interval)};
  }
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// The smallest power of two >= x, within 2^-60 .. 2^60.
static double powerOfTwoAtLeast(double x) {
  int exponent = -60;
  while (exponent < 60 && std::ldexp(1.0, exponent) < x)
    ++exponent;
  return std::ldexp(1.0, exponent);
}

Interval widenToPowerOfTwo(Interval range) {
  assert(range.isFinite());
  double symmetric = powerOfTwoAtLeast(range.magnitude());
  double halfWidth = powerOfTwoAtLeast((range.high - range.low) / 2);
  if (symmetric <= halfWidth)
    return {-symmetric, symmetric};
  // A centre with few bits keeps both ends exact; rounding it may uncover an end, then the next
  // width is taken.
  for (;; halfWidth *= 2) {
    double grid = halfWidth / 64;
    double center = std::round((range.low + range.high) / 2 / grid) * grid;
    if (symmetric <= halfWidth)
      return {-symmetric, symmetric};
    if (center - halfWidth <= range.low && range.high <= center + halfWidth)
      return {center - halfWidth, center + halfWidth};
  }
}

Interval widenAwayFromZero(Interval range) {
  assert(range.isFinite() && range.low < range.high);
  if (range.low < 0) {
    Interval mirrored = widenAwayFromZero({-range.high, -range.low});
    return {-mirrored.high, -mirrored.low};
  }
  for (double halfWidth = powerOfTwoAtLeast((range.high - range.low) / 2);; halfWidth *= 2) {
    double grid = std::ldexp(halfWidth, -30); // ends and centre are exact
    double low = std::floor(range.low / grid) * grid, high = low + 2 * halfWidth;
    if (high >= range.high)
      return {low, high};
  }
}

} // namespace sluice::algorithms
