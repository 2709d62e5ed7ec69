//===- limb_change.h - division of a secret polynomial from one set of limbs to another ------===//
#ifndef SLUICE_RUNTIME_CLIENT_LIMB_CHANGE_H
#define SLUICE_RUNTIME_CLIENT_LIMB_CHANGE_H

#include "runtime/client/secret_key.h"

#include <span>

namespace sluice::client {

/// The centred representative of x modulo the limbs `source`, modulo the limbs `target`;
/// coefficient form, in parallel over pieces of the coefficients. `source` is not empty.
void convertCentred(const ring::Ring &ring, ThreadPool &pool, std::span<const uint16_t> source,
                    const SecretRows &x, std::span<const uint16_t> target, ring::PolyView out);

/// The rational rescale (docs/mathematics.md 16.3): out = round(b * x / a) modulo the limbs
/// `target`, for x modulo the limbs `source`; a is the product of the limbs only in source, b of
/// those only in target. Evaluation form, rows in the order of the lists; x is used up.
void rescaleLimbs(const ring::Ring &ring, ThreadPool &pool, std::span<const uint16_t> source,
                  SecretRows x, std::span<const uint16_t> target, ring::PolyView out);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_LIMB_CHANGE_H
