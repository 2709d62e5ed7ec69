//===- secret_key.cpp - the secret key in memory ---------------------------------------------===//
#include "runtime/client/secret_key.h"

namespace sluice::client {

void reduceSmallInto(const Parameters &parameters, std::span<const int8_t> coefficients,
                     uint16_t limb, uint64_t *out) {
  const ring::Ring &ring = parameters.ring();
  assert(coefficients.size() == ring.degree());
  ring.kernels().reduceSmall(ring.modulus(limb).constants(), ring.degree(), out,
                             coefficients.data());
}

void evaluateSmallInto(const Parameters &parameters, std::span<const int8_t> coefficients,
                       uint16_t limb, uint64_t *out) {
  reduceSmallInto(parameters, coefficients, limb, out);
  parameters.ring().kernels().ntt(parameters.ring().tables(limb), out, out);
}

SecretRows evaluateSmall(const Parameters &parameters, std::span<const int8_t> coefficients,
                         std::span<const uint16_t> limbs) {
  SecretRows rows(limbs.size(), parameters.degree());
  parallelFor(parameters.threads(), limbs.size(), [&](size_t i) {
    evaluateSmallInto(parameters, coefficients, limbs[i], rows.row(i));
  });
  return rows;
}

} // namespace sluice::client
