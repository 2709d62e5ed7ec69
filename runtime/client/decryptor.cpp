//===- decryptor.cpp - decryption of a program's outputs -------------------------------------===//
#include "runtime/client/decryptor.h"

#include "runtime/ring/embedding.h"

#include <algorithm>

namespace sluice::client {

/// sum_p polynomials[p] * s^p in coefficient form, by Horner's rule, in limbs first, first + 1 ...
/// of the ciphertext, which are limbs `limbs` of the ring.
static SecretRows decryptRows(const Parameters &parameters, const SecretKey &key,
                              const wire::Ciphertext &ciphertext, size_t first,
                              std::span<const uint16_t> limbs) {
  const ring::Ring &ring = parameters.ring();
  SecretRows s = evaluateSmall(parameters, key.coefficients, limbs);
  SecretRows message(limbs.size(), ring.degree());
  parallelFor(parameters.threads(), limbs.size(), [&](size_t i) {
    const kernels::PrimeConstants &prime = ring.modulus(limbs[i]).constants();
    uint64_t *row = message.row(i);
    const auto &polynomials = ciphertext.polynomials;
    std::copy_n(polynomials.back().limb(first + i), ring.degree(), row);
    for (size_t p = polynomials.size() - 1; p-- > 0;)
      ring.kernels().mac(prime, ring.degree(), row, polynomials[p].limb(first + i), row, s.row(i));
    ring.kernels().intt(ring.tables(limbs[i]), row, row);
  });
  return message;
}

Expected<Slots> decryptSlots(const Parameters &parameters, const SecretKey &key,
                             const wire::Ciphertext &ciphertext) {
  if (ciphertext.keyId != key.keyId)
    return Status::error(StatusCode::mismatch,
                         "the ciphertext belongs to secret key %s, but this is key %s",
                         ciphertext.keyId.c_str(), key.keyId.c_str());
  const ManifestTensor &tensor = ciphertext.tensor(parameters.manifest());
  std::span<const uint16_t> limbs = parameters.level(tensor.level);
  std::vector<SecretRows> messages; // a limb of the message costs two transforms: only those needed
  ring::LimbSource decrypted = [&](size_t first, size_t count) {
    messages.push_back(
        decryptRows(parameters, key, ciphertext, first, limbs.subspan(first, count)));
    return ring::ConstPolyView(messages.back().view());
  };
  Slots slots(parameters.manifest().slots);
  SLUICE_RETURN_IF_ERROR(ring::decodeSlots(parameters.ring(), limbs, decrypted,
                                           {tensor.scale.high, tensor.scale.low}, slots,
                                           parameters.manifest().forecast.precisionBits));
  return slots;
}

Expected<Tensor> decrypt(const Parameters &parameters, const SecretKey &key,
                         const wire::Ciphertext &ciphertext) {
  SLUICE_ASSIGN_OR_RETURN(Slots slots, decryptSlots(parameters, key, ciphertext));
  return unpack(ciphertext.tensor(parameters.manifest()), slots, ciphertext.items);
}

} // namespace sluice::client
