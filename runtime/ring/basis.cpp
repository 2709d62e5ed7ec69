//===- basis.cpp - ordered sets of limbs ------------------------------------------------------===//
#include "runtime/ring/basis.h"

#include <algorithm>
#include <cmath>

namespace sluice::ring {

Expected<Basis> Basis::create(const Ring &ring, std::span<const uint16_t> limbs) {
  Basis basis;
  basis.ring = &ring;
  for (uint16_t limb : limbs) {
    if (limb >= ring.limbCount())
      return Status::error(StatusCode::invalidArgument, "limb %u is not in the table of %zu limbs",
                           unsigned{limb}, ring.limbCount());
    if (basis.contains(limb))
      return Status::error(StatusCode::invalidArgument, "limb %u stands twice in a basis",
                           unsigned{limb});
    basis.indices.push_back(limb);
  }
  return basis;
}

bool Basis::contains(uint16_t limb) const {
  return std::find(indices.begin(), indices.end(), limb) != indices.end();
}

uint64_t Basis::productModulo(const Modulus &t) const { return puncturedProductModulo(size(), t); }

uint64_t Basis::puncturedProductModulo(size_t i, const Modulus &t) const {
  uint64_t product = 1;
  for (size_t k = 0; k < size(); ++k)
    if (k != i)
      product = t.mul(product, t.reduce(modulus(k).value()));
  return product;
}

double Basis::productLog2() const {
  double sum = 0;
  for (size_t i = 0; i < size(); ++i)
    sum += std::log2(static_cast<double>(modulus(i).value()));
  return sum;
}

} // namespace sluice::ring
