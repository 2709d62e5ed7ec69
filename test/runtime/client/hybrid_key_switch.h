//===- hybrid_key_switch.h - a key switch composed of kernels, for tests ---------------------===//
//
// docs/mathematics.md 16.4, step by step; checked itself by vectors_test against the reference.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_CLIENT_HYBRID_KEY_SWITCH_H
#define SLUICE_TEST_RUNTIME_CLIENT_HYBRID_KEY_SWITCH_H

#include "runtime/client/limb_change.h"
#include "runtime/ring/base_conversion.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sluice::test {

using Row = std::vector<uint64_t>;
using Rows = std::vector<Row>;
using Limbs = std::vector<uint16_t>;

/// A switching key over `limbs`, special ones first: b[j] and a[j] have a row for each.
struct HybridKey {
  Limbs special, limbs;
  std::vector<Limbs> digits;
  std::vector<Rows> b, a;
};

inline bool contains(const Limbs &limbs, uint16_t limb) {
  return std::ranges::find(limbs, limb) != limbs.end();
}

inline Limbs join(Limbs first, const Limbs &second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

inline Rows toRows(ring::ConstPolyView poly) {
  Rows rows;
  for (size_t i = 0; i < poly.limbCount; ++i)
    rows.emplace_back(poly.limb(i), poly.limb(i) + poly.degree);
  return rows;
}

/// The rational rescale of rows in evaluation form.
inline Rows rescale(const ring::Ring &ring, const Limbs &source, const Limbs &target,
                    const Rows &input) {
  ThreadPool pool(2);
  client::SecretRows x(input.size(), ring.degree());
  for (size_t i = 0; i < input.size(); ++i)
    std::ranges::copy(input[i], x.row(i));
  ring::Poly out(target.size(), ring.degree());
  client::rescaleLimbs(ring, pool, source, std::move(x), target, out.view());
  return toRows(std::as_const(out).view());
}

/// [c]_{digit and level}, centred, modulo each limb of `extended`; empty if the digit has no limb
/// of the level. c: rows of the level, coefficient form; result: evaluation form.
inline Rows extendDigit(const ring::Ring &ring, const Limbs &digit, const Limbs &level,
                        const Limbs &extended, const Rows &c) {
  Limbs alive;
  std::vector<const uint64_t *> sources;
  for (size_t i = 0; i < level.size(); ++i) {
    if (!contains(digit, level[i]))
      continue;
    alive.push_back(level[i]);
    sources.push_back(c[i].data());
  }
  if (alive.empty())
    return {};
  Rows rows(extended.size(), Row(ring.degree()));
  std::vector<uint64_t *> destinations;
  for (Row &row : rows)
    destinations.push_back(row.data());
  ring::BaseConversion conversion(*ring::Basis::create(ring, alive),
                                  *ring::Basis::create(ring, extended));
  ring.kernels().baseConvert(conversion.tables(), ring.degree(), destinations.data(),
                             sources.data());
  for (size_t i = 0; i < rows.size(); ++i)
    ring.kernels().ntt(ring.tables(extended[i]), rows[i].data(), rows[i].data());
  return rows;
}

/// (u, v) over P and the level, for c over the level; evaluation form throughout.
inline std::pair<Rows, Rows> innerProduct(const ring::Ring &ring, const HybridKey &key,
                                          const Limbs &level, Rows c) {
  for (size_t i = 0; i < level.size(); ++i)
    ring.kernels().intt(ring.tables(level[i]), c[i].data(), c[i].data());
  Limbs extended = join(key.special, level);
  std::vector<Rows> digits;
  for (const Limbs &digit : key.digits)
    digits.push_back(extendDigit(ring, digit, level, extended, c));
  Rows u(extended.size(), Row(ring.degree())), v = u;
  for (size_t i = 0; i < extended.size(); ++i) {
    size_t row = static_cast<size_t>(std::ranges::find(key.limbs, extended[i]) - key.limbs.begin());
    std::vector<const uint64_t *> d, b, a;
    for (size_t j = 0; j < digits.size(); ++j) {
      if (digits[j].empty())
        continue;
      d.push_back(digits[j][i].data());
      b.push_back(key.b[j][row].data());
      a.push_back(key.a[j][row].data());
    }
    ring.kernels().innerProduct(ring.modulus(extended[i]).constants(), ring.degree(), u[i].data(),
                                v[i].data(), d.size(), d.data(), b.data(), a.data());
  }
  return {std::move(u), std::move(v)};
}

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_CLIENT_HYBRID_KEY_SWITCH_H
