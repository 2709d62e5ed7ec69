//===- limb_change.cpp - division of a secret polynomial from one set of limbs to another ----===//
#include "runtime/client/limb_change.h"

#include "runtime/ring/base_conversion.h"

#include <algorithm>
#include <utility>

namespace sluice::client {
namespace {

using Limbs = std::span<const uint16_t>;

ring::Basis basisOf(const ring::Ring &ring, Limbs limbs) {
  return ring::Basis::create(ring, limbs).value(); // lists of a checked manifest
}

size_t positionIn(Limbs limbs, uint16_t limb) {
  return static_cast<size_t>(std::ranges::find(limbs, limb) - limbs.begin());
}

std::vector<uint16_t> without(Limbs limbs, Limbs removed) {
  std::vector<uint16_t> rest;
  for (uint16_t limb : limbs)
    if (positionIn(removed, limb) == removed.size())
      rest.push_back(limb);
  return rest;
}

/// convertCentred from rows anywhere.
void convert(const ring::Ring &ring, ThreadPool &pool, const ring::Basis &from,
             const ring::Basis &to, const std::vector<const uint64_t *> &source,
             ring::PolyView out) {
  constexpr size_t pieceWords = 1024;
  ring::BaseConversion conversion(from, to);
  size_t degree = ring.degree(), piece = std::min(degree, pieceWords);
  parallelFor(pool, degree / piece, [&](size_t index) {
    std::vector<const uint64_t *> sources(source);
    for (const uint64_t *&row : sources)
      row += index * piece;
    std::vector<uint64_t *> destinations;
    destinations.reserve(to.size());
    for (size_t i = 0; i < to.size(); ++i)
      destinations.push_back(out.limb(i) + index * piece);
    ring.kernels().baseConvert(conversion.tables(), piece, destinations.data(), sources.data());
  });
}

/// r = [b * x]_a modulo every target limb, in evaluation form. Overwrites the dropped rows of x.
SecretRows remainder(const ring::Ring &ring, ThreadPool &pool, Limbs source, SecretRows &x,
                     Limbs target, const ring::Basis &dropped, const ring::Basis &added) {
  const kernels::KernelTable &kernels = ring.kernels();
  SecretRows r(target.size(), ring.degree());
  if (dropped.size() == 0)
    return r;
  std::vector<const uint64_t *> rows;
  for (uint16_t limb : dropped.limbs())
    rows.push_back(x.row(positionIn(source, limb)));
  parallelFor(pool, dropped.size(), [&](size_t i) {
    uint64_t *row = x.row(positionIn(source, dropped[i]));
    const ring::Modulus &modulus = dropped.modulus(i);
    kernels.mulScalar(modulus.constants(), ring.degree(), row, row, added.productModulo(modulus));
    kernels.intt(ring.tables(dropped[i]), row, row);
  });
  convert(ring, pool, dropped, basisOf(ring, target), rows, r.view());
  parallelFor(pool, target.size(),
              [&](size_t i) { kernels.ntt(ring.tables(target[i]), r.row(i), r.row(i)); });
  return r;
}

} // namespace

void convertCentred(const ring::Ring &ring, ThreadPool &pool, Limbs source, const SecretRows &x,
                    Limbs target, ring::PolyView out) {
  std::vector<const uint64_t *> rows;
  rows.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i)
    rows.push_back(x.row(i));
  convert(ring, pool, basisOf(ring, source), basisOf(ring, target), rows, out);
}

void rescaleLimbs(const ring::Ring &ring, ThreadPool &pool, Limbs source, SecretRows x,
                  Limbs target, ring::PolyView out) {
  const kernels::KernelTable &kernels = ring.kernels();
  ring::Basis dropped = basisOf(ring, without(source, target));
  ring::Basis added = basisOf(ring, without(target, source));
  SecretRows r = remainder(ring, pool, source, x, target, dropped, added);
  parallelFor(pool, target.size(), [&](size_t i) {
    const ring::Modulus &modulus = ring.modulus(target[i]);
    uint64_t inverse = modulus.inverse(dropped.productModulo(modulus));
    size_t kept = positionIn(source, target[i]);
    if (kept == source.size()) { // b * x is 0 here
      kernels.mulScalar(modulus.constants(), ring.degree(), out.limb(i), r.row(i),
                        modulus.negate(inverse));
      return;
    }
    uint64_t *row = x.row(kept);
    if (added.size() != 0)
      kernels.mulScalar(modulus.constants(), ring.degree(), row, row, added.productModulo(modulus));
    kernels.subMulScalar(modulus.constants(), ring.degree(), out.limb(i), row, r.row(i), inverse);
  });
}

} // namespace sluice::client
