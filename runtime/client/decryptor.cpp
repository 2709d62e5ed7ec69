//===- decryptor.cpp - decryption of a program's outputs -------------------------------------===//
#include "runtime/client/decryptor.h"

#include "runtime/abi/flooding.h"
#include "runtime/ring/embedding.h"
#include "runtime/wire/certificate.h"

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

static Status checkKey(const SecretKey &key, const wire::Ciphertext &ciphertext) {
  if (ciphertext.keyId == key.keyId)
    return Status();
  return Status::error(StatusCode::mismatch,
                       "the ciphertext belongs to secret key %s, but this is key %s",
                       ciphertext.keyId.c_str(), key.keyId.c_str());
}

Expected<Slots> decryptSlots(const Parameters &parameters, const SecretKey &key,
                             const wire::Ciphertext &ciphertext, const FloodingNoise *noise) {
  SLUICE_RETURN_IF_ERROR(checkKey(key, ciphertext));
  const ManifestTensor &tensor = ciphertext.tensor(parameters.manifest());
  std::span<const uint16_t> limbs = parameters.level(tensor.level);
  std::vector<SecretRows> messages; // a limb of the message costs two transforms: only those needed
  ring::LimbSource decrypted = [&](size_t first, size_t count) {
    messages.push_back(
        decryptRows(parameters, key, ciphertext, first, limbs.subspan(first, count)));
    for (size_t i = 0; noise && i < count; ++i)
      noise->addTo(parameters, limbs[first + i], messages.back().row(i));
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

/// Deviation of each coefficient of output `index`; there is a certificate.
static Expected<double> floodingOf(const Manifest &manifest, uint32_t index, double least) {
  if (!manifest.certificate)
    return Status::error(StatusCode::internal, "a manifest without certificate");
  const ManifestTensor &tensor = manifest.outputs[index];
  double wanted = std::max(least, manifest.certificate->outputs[index].floodingDeviation);
  double room = wire::floodingRoom(manifest, tensor);
  if (wanted <= room)
    return coefficientDeviation(wanted, tensor.scale.high, manifest.slots);
  return Status::error(StatusCode::outOfRange,
                       "noise of deviation %g does not fit output '%s': %g is the most", wanted,
                       tensor.name.c_str(), room);
}

Status checkSharing(const Parameters &parameters, const SecretKey &key,
                    const wire::Ciphertext &ciphertext, double leastDeviation) {
  const std::optional<ManifestCertificate> &certificate = parameters.manifest().certificate;
  if (!certificate || certificate->decryptions == 0)
    return Status::error(StatusCode::insecure,
                         "program '%s' was compiled to share no decryption: compile it with "
                         "--decryptions (in Python decryptions=) and make new keys",
                         parameters.manifest().programName.c_str());
  if (!key.sharing)
    return Status::error(StatusCode::insecure,
                         "the secret key %s was made to share no decryption: "
                         "make new keys for this program",
                         key.keyId.c_str());
  if (key.sharing->manifest != parameters.manifestHash() ||
      key.sharing->allowed != certificate->decryptions)
    return Status::error(StatusCode::mismatch,
                         "the secret key %s was made for another manifest of this program, which "
                         "may promise something else: use that one, or make new keys",
                         key.keyId.c_str());
  SLUICE_RETURN_IF_ERROR(checkKey(key, ciphertext));
  if (ciphertext.direction != wire::Direction::output)
    return Status::error(StatusCode::invalidArgument,
                         "only outputs can be shared, not what was encrypted as input '%s'",
                         ciphertext.tensor(parameters.manifest()).name.c_str());
  return floodingOf(parameters.manifest(), ciphertext.index, leastDeviation).status();
}

Expected<Tensor> decryptToShare(const Parameters &parameters, const SecretKey &key,
                                const wire::Ciphertext &ciphertext, Entropy &entropy,
                                double leastDeviation) {
  const Manifest &manifest = parameters.manifest();
  SLUICE_ASSIGN_OR_RETURN(double deviation, floodingOf(manifest, ciphertext.index, leastDeviation));
  const FloodingNoise noise =
      FloodingNoise::sample(entropy.drawSecretRoot(), 0, deviation, parameters.degree());
  SLUICE_ASSIGN_OR_RETURN(Slots slots, decryptSlots(parameters, key, ciphertext, &noise));
  return unpack(ciphertext.tensor(manifest), slots, ciphertext.items);
}

} // namespace sluice::client
