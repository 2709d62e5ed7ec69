//===- fit.cpp - costs of parts from times of sums --------------------------------------------===//
#include "runtime/calibrate/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace sluice::calibrate {
namespace {

constexpr size_t partCount = 3;
using Parts = std::array<double, partCount>;
using Row = std::array<double, partCount + 1>; // coefficients and the right-hand side

/// Pivots below this are 0 but for rounding: entries are counts a nanosecond.
constexpr double singular = 1e-12;

/// Gauss-Jordan elimination with the largest pivot; nothing for a singular system.
std::optional<Parts> solve(std::array<Row, partCount> rows) {
  for (size_t column = 0; column < partCount; ++column) {
    auto pivot = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(column), rows.end(),
        [&](const Row &a, const Row &b) { return std::fabs(a[column]) < std::fabs(b[column]); });
    std::swap(rows[column], *pivot);
    if (std::fabs(rows[column][column]) < singular)
      return std::nullopt;
    for (size_t other = 0; other < partCount; ++other) {
      if (other == column)
        continue;
      double factor = rows[other][column] / rows[column][column];
      for (size_t k = 0; k <= partCount; ++k)
        rows[other][k] -= factor * rows[column][k];
    }
  }
  Parts parts;
  for (size_t n = 0; n < partCount; ++n)
    parts[n] = rows[n][partCount] / rows[n][n];
  return parts;
}

/// Least squares with the parts outside of the set `used` (bits) held at 0.
std::optional<Parts> fitSome(std::span<const TimedSum> sums, unsigned used) {
  std::array<Row, partCount> normal{};
  for (const TimedSum &sum : sums)
    for (size_t i = 0; i < partCount; ++i) {
      double weight = used >> i & 1 ? sum.counts[i] / sum.ns : 0;
      for (size_t k = 0; k < partCount; ++k)
        normal[i][k] += weight * (used >> k & 1 ? sum.counts[k] / sum.ns : 0);
      normal[i][partCount] += weight;
    }
  for (size_t i = 0; i < partCount; ++i)
    if (!(used >> i & 1))
      normal[i][i] = 1;
  return solve(normal);
}

double squaredErrors(std::span<const TimedSum> sums, const Parts &parts) {
  double squares = 0;
  for (const TimedSum &sum : sums) {
    double error = -1;
    for (size_t i = 0; i < partCount; ++i)
      error += sum.counts[i] * parts[i] / sum.ns;
    squares += error * error;
  }
  return squares;
}

} // namespace

// With three parts there are few sets of those that are not 0: the best is found by trying all.
std::array<double, 3> fitParts(std::span<const TimedSum> sums) {
  Parts best{};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned used = 0; used < 1u << partCount; ++used) {
    std::optional<Parts> parts = fitSome(sums, used);
    if (!parts || std::ranges::any_of(*parts, [](double part) { return part < 0; }))
      continue;
    if (double squares = squaredErrors(sums, *parts); squares < least) {
      least = squares;
      best = *parts;
    }
  }
  return best;
}

} // namespace sluice::calibrate
