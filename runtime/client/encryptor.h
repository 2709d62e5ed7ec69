//===- encryptor.h - encryption of a program's inputs ----------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_ENCRYPTOR_H
#define SLUICE_RUNTIME_CLIENT_ENCRYPTOR_H

#include "runtime/client/secret_key.h"
#include "runtime/client/tensor.h"
#include "runtime/wire/ciphertext.h"
#include "runtime/wire/public_key.h"

namespace sluice::client {

/// Encrypts input `index` of the manifest under the secret key: (-a*s + e + m, a), with `a` the
/// expansion of a public seed, so that half of the ciphertext travels as 32 bytes.
/// Errors: as packInput; outOfRange if the encoded values do not fit 120 bits.
Expected<wire::Ciphertext> encrypt(const Parameters &parameters, const SecretKey &key,
                                   uint32_t index, const Tensor &values, Entropy &entropy);

/// The same under the public key: round((v*pk + (P*m + e0, e1)) / P), v uniform ternary
/// (docs/mathematics.md section 0; by 16.3 for a level with limbs outside of the top level).
Expected<wire::Ciphertext> encrypt(const Parameters &parameters, const wire::PublicKey &key,
                                   uint32_t index, const Tensor &values, Entropy &entropy);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_ENCRYPTOR_H
