//===- decryptor.h - decryption of a program's outputs ---------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_DECRYPTOR_H
#define SLUICE_RUNTIME_CLIENT_DECRYPTOR_H

#include "runtime/client/encoder.h"
#include "runtime/client/flooding.h"
#include "runtime/client/secret_key.h"
#include "runtime/wire/ciphertext.h"

namespace sluice::client {

/// The slots of a ciphertext, as many as the manifest packs, after `noise`, if there is some, was
/// added to the coefficients. mismatch: it belongs to another secret key.
Expected<Slots> decryptSlots(const Parameters &parameters, const SecretKey &key,
                             const wire::Ciphertext &ciphertext,
                             const FloodingNoise *noise = nullptr);

/// The values of an output (or input) of the program, for the batch items that are present.
Expected<Tensor> decrypt(const Parameters &parameters, const SecretKey &key,
                         const wire::Ciphertext &ciphertext);

/// Whether a ciphertext may be decrypted to be shared as far as it goes: under this key and
/// manifest (insecure: compiled or made to share none; mismatch: made for another manifest, or the
/// ciphertext for another key; invalidArgument: no output; outOfRange: noise of `leastDeviation` is
/// more than its level can hold).
Status checkSharing(const Parameters &parameters, const SecretKey &key,
                    const wire::Ciphertext &ciphertext, double leastDeviation = 0);

/// The values of an output for which checkSharing found nothing, flooded by what the certificate
/// says, or by `leastDeviation` in units of values where that is more. The caller counts.
Expected<Tensor> decryptToShare(const Parameters &parameters, const SecretKey &key,
                                const wire::Ciphertext &ciphertext, Entropy &entropy,
                                double leastDeviation = 0);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_DECRYPTOR_H
