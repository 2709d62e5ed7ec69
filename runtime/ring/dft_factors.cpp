//===- dft_factors.cpp - the sparse factors of the embedding ----------------------------------===//
//
// Entries are kept as exponents of the 4n-th root of unity exp(2 pi i / 4n) until the end: a group
// never adds two of them into one entry, since a product of butterflies has one path from each
// input to each output.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/ring/dft_factors.h"

#include "runtime/ring/roots_of_unity.h"

#include <numeric>
#include <optional>

namespace sluice::ring {

namespace {

/// An exponent modulo 4n; nothing for a zero.
using Entry = std::optional<uint64_t>;
/// By its place in [0, n): entry r of diagonal k stands in column (r + k) mod n.
using Diagonals = std::map<uint64_t, std::vector<Entry>>;

/// V_i: blocks [[I, W], [I, -W]] of 2h rows, W the powers exp(2 pi i 5^t / 8h).
Diagonals radixTwoFactor(unsigned logSlots, unsigned number) {
  const uint64_t n = uint64_t{1} << logSlots, h = n >> number;
  std::vector<uint64_t> powers(h);
  for (uint64_t t = 0, power = 1; t < h; ++t, power = power * 5 % (8 * h))
    powers[t] = power * (4 * n / (8 * h));
  Diagonals factor;
  for (uint64_t k : {uint64_t{0}, h, n - h})
    factor[k].resize(n);
  for (uint64_t r = 0; r < n; ++r) {
    const uint64_t t = r % h;
    const bool isLower = r % (2 * h) >= h;
    factor[isLower ? n - h : 0][r] = 0;
    factor[isLower ? 0 : h][r] = isLower ? (powers[t] + 2 * n) % (4 * n) : powers[t];
  }
  return factor;
}

/// The conjugate transpose.
Diagonals adjoint(const Diagonals &matrix, uint64_t n) {
  Diagonals result;
  for (const auto &[k, entries] : matrix) {
    std::vector<Entry> &own = result[(n - k) % n];
    own.resize(n);
    for (uint64_t r = 0; r < n; ++r)
      if (const Entry &entry = entries[r])
        own[(r + k) % n] = (4 * n - *entry) % (4 * n);
  }
  return result;
}

Diagonals product(const Diagonals &a, const Diagonals &b, uint64_t n) {
  Diagonals result;
  for (const auto &[i, left] : a)
    for (const auto &[j, right] : b) {
      std::vector<Entry> &own = result[(i + j) % n];
      own.resize(n);
      for (uint64_t r = 0; r < n; ++r)
        if (const Entry &x = left[r], &y = right[(r + i) % n]; x && y)
          own[r] = (*x + *y) % (4 * n);
    }
  return result;
}

/// A diagonal's number in (-n/2, n/2].
int64_t centred(uint64_t k, uint64_t n) {
  return static_cast<int64_t>(k) - (k > n / 2 ? static_cast<int64_t>(n) : 0);
}

} // namespace

std::vector<int64_t> dftDiagonals(const DftGroup &group) {
  const int64_t n = int64_t{1} << group.logSlots, step = n >> (group.first + group.count - 1);
  const int64_t most = (int64_t{1} << group.count) - 1; // on each side of 0
  std::vector<int64_t> indices;
  for (int64_t u = -most; u <= most; ++u)
    if (const int64_t k = u * step; group.first > 1 || (-n / 2 < k && k <= n / 2))
      indices.push_back(k);
  return indices;
}

std::map<int64_t, std::vector<std::complex<double>>> dftMatrix(const DftGroup &group) {
  const uint64_t n = uint64_t{1} << group.logSlots;
  Diagonals matrix = radixTwoFactor(group.logSlots, group.first);
  for (unsigned i = 1; i < group.count; ++i)
    matrix = product(matrix, radixTwoFactor(group.logSlots, group.first + i), n);
  if (group.direction == DftDirection::coefficientsToSlots)
    matrix = adjoint(matrix, n);
  const RootsOfUnity roots(4 * n);
  std::map<int64_t, std::vector<std::complex<double>>> result;
  for (const auto &[k, entries] : matrix) {
    std::vector<std::complex<double>> &own = result[centred(k, n)];
    own.resize(n);
    for (uint64_t r = 0; r < n; ++r)
      if (const Entry &entry = entries[r])
        own[r] = roots.rounded(*entry);
  }
  return result;
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
