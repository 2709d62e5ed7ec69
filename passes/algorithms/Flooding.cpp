//===- Flooding.cpp - how large errors can be that flooding must hide -------------------------===//

#include "passes/algorithms/Flooding.h"

#include "runtime/abi/flooding.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::algorithms {

double errorNormBound(double deviation, uint64_t numbers, uint64_t decryptions,
                      double statisticalBits) {
  const auto k = static_cast<double>(numbers);
  const double u = statisticalBits * std::numbers::ln2 +
                   std::log(static_cast<double>(std::max<uint64_t>(decryptions, 1)));
  return errorMargin * deviation * std::sqrt(k + 2 * std::sqrt(k * u) + 2 * u);
}

double floodingBits(uint64_t numbers, uint64_t decryptions, double statisticalBits) {
  return std::log2(floodingDeviation(errorNormBound(1, numbers, decryptions, statisticalBits),
                                     decryptions, statisticalBits));
}

PrecisionSearch searchPrecision(double wanted, unsigned first,
                                const std::function<std::optional<double>(unsigned)> &reached) {
  PrecisionSearch found;
  std::optional<unsigned> tooFew, tooMany;
  for (unsigned bits = first;;) {
    std::optional<double> precision = reached(bits);
    if (precision && *precision >= wanted) {
      found.bits = bits;
      found.best = precision;
      return found;
    }
    unsigned next = bits >= 4 ? bits - 4 : 0;
    if (precision) {
      found.best = std::max(found.best.value_or(*precision), *precision);
      tooFew = bits;
      next = bits + std::max(1U, static_cast<unsigned>(std::ceil(wanted - *precision)));
    } else {
      tooMany = bits;
    }
    if (tooFew && tooMany && (next <= *tooFew || next >= *tooMany))
      next = (*tooFew + *tooMany) / 2;
    if (next == bits || next == tooFew || next == tooMany)
      return found;
    bits = next;
  }
}

} // namespace sluice::algorithms
