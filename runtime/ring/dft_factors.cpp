//===- dft_factors.cpp - the sparse factors of the embedding ----------------------------------===//
//
// A product of butterflies has one path from each input to each output, so an entry of a group is 0
// or one root of unity, whose exponent is a sum over the factors. Diagonals are computed each on
// its own.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/ring/dft_factors.h"

#include "runtime/ring/roots_of_unity.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sluice::ring {

namespace {

using Complex = std::complex<double>;

/// The diagonals of a group in (-n/2, n/2], ascending.
std::vector<int64_t> groupDiagonals(const DftGroup &group) {
  const int64_t n = int64_t{1} << group.logSlots, step = n >> (group.first + group.count - 1);
  const int64_t most = (int64_t{1} << group.count) - 1; // on each side of 0
  std::vector<int64_t> indices;
  for (int64_t u = -most; u <= most; ++u)
    if (const int64_t k = u * step; group.first > 1 || (-n / 2 < k && k <= n / 2))
      indices.push_back(k);
  return indices;
}

} // namespace

std::vector<int64_t> dftDiagonals(const DftMatrix &matrix) {
  const int64_t n = int64_t{1} << matrix.group.logSlots;
  std::vector<int64_t> indices = groupDiagonals(matrix.group);
  if (matrix.form == DftForm::fromHalves) {
    // Column c of M stands in columns c and c + n: on diagonals k and k + n, whichever row it is.
    for (size_t i = 0, count = indices.size(); i < count; ++i)
      indices.push_back(indices[i] > 0 ? indices[i] - n : indices[i] + n);
    std::ranges::sort(indices);
  }
  return indices;
}

DftEntries::DftEntries(uint32_t logSlots)
    : n(uint64_t{1} << logSlots), powers(n / 2), roots(4 * n) {
  for (uint64_t t = 0, power = 1; t < n / 2; ++t, power = power * 5 % (4 * n))
    powers[t] = static_cast<uint32_t>(power);
  const RootsOfUnity exact(4 * n);
  for (uint64_t k = 0; k < 4 * n; ++k)
    roots[k] = exact.rounded(k);
}

/// Diagonal k < n of the group's matrix, times `factor`. V_i has blocks [[I, W], [I, -W]] of 2h
/// rows, h = n / 2^i, W the powers exp(2 pi i 5^t / 8h): on the way from a column to a row it
/// replaces bit h. Exponents are those of exp(2 pi i / 4n).
std::vector<Complex> DftEntries::groupDiagonal(const DftGroup &group, uint64_t k,
                                               double factor) const {
  const uint64_t largest = n >> group.first, smallest = n >> (group.first + group.count - 1);
  const uint64_t replaced = 2 * largest - smallest, exponents = 4 * n - 1;
  const bool isAdjoint = group.direction == DftDirection::coefficientsToSlots;
  std::vector<Complex> values(n);
  for (uint64_t r = 0; r < n; ++r) {
    uint64_t row = r, column = (r + k) & (n - 1);
    if (((row ^ column) & ~replaced) != 0)
      continue;
    if (isAdjoint)
      std::swap(row, column);
    uint64_t exponent = 0;
    for (uint64_t h = largest, step = n / (2 * h); h >= smallest; h /= 2, step *= 2)
      if ((column & h) != 0)
        exponent += powers[row & (h - 1)] * step + ((row & h) != 0 ? 2 * n : 0);
    values[r] = roots[(isAdjoint ? -exponent : exponent) & exponents] * factor;
  }
  return values;
}

std::vector<Complex> DftEntries::values(const DftDiagonal &diagonal) const {
  const DftMatrix &matrix = diagonal.matrix;
  const uint64_t size = matrix.size();
  const bool isLeftOut = matrix.form == DftForm::ontoFirstHalf && diagonal.index > n / 2 &&
                         diagonal.index <= size - n / 2; // M's diagonals are those in (-n/2, n/2]
  if (isLeftOut)
    return std::vector<Complex>(size);
  std::vector<Complex> values = groupDiagonal(matrix.group, diagonal.index % n, matrix.factor);
  values.resize(size);
  if (matrix.form == DftForm::fromHalves)
    for (uint64_t r = size; r-- > 0;) {
      const Complex entry = values[r % n];
      const bool isImaginary = (r + diagonal.index) % size >= n;
      values[r] = isImaginary ? Complex(-entry.imag(), entry.real()) : entry;
    }
  if (matrix.halvesColumnZero)
    values[(size - diagonal.index) % size] *= 0.5;
  std::ranges::rotate(values, values.begin() + static_cast<ptrdiff_t>(diagonal.rotation));
  return values;
}

std::vector<Complex> dftValues(const DftDiagonal &diagonal) {
  return DftEntries(diagonal.matrix.group.logSlots).values(diagonal);
}

std::vector<DftGroup> dftGroups(DftDirection direction, std::span<const int64_t> sizes) {
  const bool isFromFirst = direction == DftDirection::coefficientsToSlots;
  const auto logSlots =
      static_cast<unsigned>(std::accumulate(sizes.begin(), sizes.end(), int64_t{0}));
  unsigned next = isFromFirst ? 1 : logSlots + 1;
  std::vector<DftGroup> groups;
  for (int64_t size : sizes) {
    const auto count = static_cast<unsigned>(size);
    groups.push_back({direction, logSlots, isFromFirst ? next : next - count, count});
    next = isFromFirst ? next + count : next - count;
  }
  return groups;
}

} // namespace sluice::ring
