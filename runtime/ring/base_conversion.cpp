//===- base_conversion.cpp - the constants of one base conversion -----------------------------===//
#include "runtime/ring/base_conversion.h"

namespace sluice::ring {

BaseConversion::BaseConversion(const Basis &source, const Basis &destination)
    : factors(source.size() * destination.size()) {
  assert(source.size() >= 1 && source.size() <= kernels::maxConvertSources);
  for (size_t k = 0; k < source.size(); ++k) {
    const Modulus &q = source.modulus(k);
    uint64_t inverse = q.inverse(source.puncturedProductModulo(k, q));
    const kernels::LimbTables &limb = source.tables(k);
    sources.push_back({q.constants(), q.shoupFactor(inverse), &limb,
                       q.shoupFactor(q.mul(inverse, limb.inverseN.value)),
                       q.shoupFactor(q.mul(inverse, limb.inverseNRoot.value))});
  }
  for (size_t i = 0; i < destination.size(); ++i) {
    const Modulus &t = destination.modulus(i);
    uint64_t *row = factors.data() + i * source.size();
    for (size_t k = 0; k < source.size(); ++k)
      row[k] = source.puncturedProductModulo(k, t);
    destinations.push_back(
        {t.constants(), row, t.negate(source.productModulo(t)), &destination.tables(i)});
  }
  convertTables = {sources.size(), sources.data(), destinations.size(), destinations.data()};
}

} // namespace sluice::ring
