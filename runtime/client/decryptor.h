//===- decryptor.h - decryption of a program's outputs ---------------------------------------===//
#ifndef SLUICE_RUNTIME_CLIENT_DECRYPTOR_H
#define SLUICE_RUNTIME_CLIENT_DECRYPTOR_H

#include "runtime/client/encoder.h"
#include "runtime/client/secret_key.h"
#include "runtime/wire/ciphertext.h"

namespace sluice::client {

/// The slots of a ciphertext, as many as the manifest packs.
/// mismatch: it belongs to another secret key.
Expected<Slots> decryptSlots(const Parameters &parameters, const SecretKey &key,
                             const wire::Ciphertext &ciphertext);

/// The values of an output (or input) of the program, for the batch items that are present.
Expected<Tensor> decrypt(const Parameters &parameters, const SecretKey &key,
                         const wire::Ciphertext &ciphertext);

} // namespace sluice::client

#endif // SLUICE_RUNTIME_CLIENT_DECRYPTOR_H
