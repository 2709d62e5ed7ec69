//===- secret_key.cpp - the secret key in memory ---------------------------------------------===//
#include "runtime/client/secret_key.h"

namespace sluice::client {

SecretRows evaluateSmall(const Parameters &parameters, std::span<const int8_t> coefficients,
                         std::span<const uint16_t> limbs) {
  const ring::Ring &ring = parameters.ring();
  SecretRows rows(limbs.size(), ring.degree());
  parallelFor(parameters.threads(), limbs.size(), [&](size_t i) {
    uint64_t *row = rows.row(i);
    reduceSmall(coefficients, ring.modulus(limbs[i]), {row, ring.degree()});
    ring.kernels().ntt(ring.tables(limbs[i]), row, row);
  });
  return rows;
}

} // namespace sluice::client
