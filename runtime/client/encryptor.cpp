//===- encryptor.cpp - encryption of a program's inputs --------------------------------------===//
#include "runtime/client/encryptor.h"

#include "runtime/client/encoder.h"
#include "runtime/client/limb_change.h"
#include "runtime/ring/embedding.h"
#include "runtime/ring/uniform.h"

#include <algorithm>

namespace sluice::client {
namespace {

/// Numbers of the streams of one encryption's secret root.
enum Stream : uint64_t { errorStream, secondErrorStream, ternaryStream };

using Limbs = std::span<const uint16_t>;

/// The encoded input in evaluation form, and what is known of the ciphertext before encryption.
struct Message {
  wire::Ciphertext ciphertext;
  SecretRows rows;
};

Expected<Message> encode(const Parameters &parameters, uint32_t index, const Tensor &values) {
  const Manifest &manifest = parameters.manifest();
  assert(index < manifest.inputs.size());
  const ManifestTensor &tensor = manifest.inputs[index];
  Limbs limbs = parameters.level(tensor.level);
  SLUICE_ASSIGN_OR_RETURN(uint64_t items, countItems(tensor, values));
  SLUICE_ASSIGN_OR_RETURN(Slots slots, packInput(tensor, manifest.slots, values));
  Message message{wire::Ciphertext(), SecretRows(limbs.size(), parameters.degree())};
  ring::Scale2 scale{tensor.scale.high, tensor.scale.low};
  SLUICE_RETURN_IF_ERROR(ring::encodeSlots(parameters.ring(), limbs, slots, scale,
                                           message.rows.view(), manifest.forecast.precisionBits)
                             .withContext("input '" + tensor.name + "'"));
  ring::toEvalInPlace(parameters.ring(), limbs, message.rows.view(), parameters.threads());
  message.ciphertext.index = index;
  message.ciphertext.items = items;
  return message;
}

/// out += rows.
void addRows(const Parameters &parameters, Limbs limbs, const SecretRows &rows,
             ring::PolyView out) {
  const ring::Ring &ring = parameters.ring();
  parallelFor(parameters.threads(), limbs.size(), [&](size_t i) {
    ring.kernels().add(ring.modulus(limbs[i]).constants(), ring.degree(), out.limb(i), out.limb(i),
                       rows.row(i));
  });
}

/// out += small, for a small polynomial of coefficients.
void addSmall(const Parameters &parameters, Limbs limbs, std::span<const int8_t> small,
              ring::PolyView out) {
  addRows(parameters, limbs, evaluateSmall(parameters, small, limbs), out);
}

/// Whether the top level has every limb of this one.
bool isInTopLevel(const Manifest &manifest, Limbs level) {
  const std::vector<uint16_t> &top = manifest.levels.back();
  return std::ranges::all_of(
      level, [&](uint16_t limb) { return std::ranges::find(top, limb) != top.end(); });
}

/// The limbs of the public key that an encryption at a level starts from: P and the level if the
/// top level holds it, else all.
std::vector<uint16_t> startingLimbs(const Manifest &manifest, Limbs level, bool isInTop) {
  if (!isInTop)
    return wire::publicKeyLimbs(manifest);
  std::vector<uint16_t> limbs = manifest.special;
  limbs.insert(limbs.end(), level.begin(), level.end());
  return limbs;
}

enum class Half { b, a };

/// One half of an encryption of zero, v * half + error, modulo the limbs `start` of the key.
SecretRows encryptZero(const Parameters &parameters, const wire::PublicKey &key, Half half,
                       Limbs start, const SmallPoly &v, const SmallPoly &error) {
  const ring::Ring &ring = parameters.ring();
  const kernels::KernelTable &kernels = ring.kernels();
  size_t degree = ring.degree();
  std::vector<uint16_t> keyLimbs = wire::publicKeyLimbs(parameters.manifest());
  SecretRows x = evaluateSmall(parameters, v, start);
  parallelFor(parameters.threads(), start.size(), [&](size_t i) {
    const ring::Modulus &modulus = ring.modulus(start[i]);
    AlignedWords a;
    const uint64_t *factor = nullptr;
    if (half == Half::a) {
      a = AlignedWords(degree);
      ring::expandUniformLimb(key.seed, 0, start[i], modulus, a.span());
      factor = a.data();
    } else {
      factor =
          key.b.limb(static_cast<size_t>(std::ranges::find(keyLimbs, start[i]) - keyLimbs.begin()));
    }
    kernels.mul(modulus.constants(), degree, x.row(i), x.row(i), factor);
    SecretRows errorRow(1, degree); // one limb at a time: no more memory than the division takes
    reduceSmall(error, modulus, {errorRow.row(0), degree});
    kernels.ntt(ring.tables(start[i]), errorRow.row(0), errorRow.row(0));
    kernels.add(modulus.constants(), degree, x.row(i), x.row(i), errorRow.row(0));
  });
  return x;
}

} // namespace

Expected<wire::Ciphertext> encrypt(const Parameters &parameters, const SecretKey &key,
                                   uint32_t index, const Tensor &values, Entropy &entropy) {
  SLUICE_ASSIGN_OR_RETURN(Message message, encode(parameters, index, values));
  const ring::Ring &ring = parameters.ring();
  Limbs limbs = parameters.level(parameters.manifest().inputs[index].level);
  wire::Ciphertext &ciphertext = message.ciphertext;
  ciphertext.keyId = key.keyId;
  ciphertext.seed = entropy.drawPublicSeed();
  SecretRoot root = entropy.drawSecretRoot();

  ring::Poly b(limbs.size(), ring.degree()), a(limbs.size(), ring.degree());
  ring::expandUniform(ring, limbs, *ciphertext.seed, 0, a.view(), parameters.threads());
  addSmall(parameters, limbs, sampleError(root, errorStream, ring.degree()), b.view());
  addRows(parameters, limbs, message.rows, b.view());
  SecretRows s = evaluateSmall(parameters, key.coefficients, limbs);
  parallelFor(parameters.threads(), limbs.size(), [&](size_t i) {
    const kernels::PrimeConstants &prime = ring.modulus(limbs[i]).constants();
    ring.kernels().negate(prime, ring.degree(), s.row(i), s.row(i));
    ring.kernels().mac(prime, ring.degree(), b.limb(i), b.limb(i), a.limb(i), s.row(i));
  });
  ciphertext.polynomials.push_back(std::move(b));
  ciphertext.polynomials.push_back(std::move(a));
  return std::move(ciphertext);
}

Expected<wire::Ciphertext> encrypt(const Parameters &parameters, const wire::PublicKey &key,
                                   uint32_t index, const Tensor &values, Entropy &entropy) {
  SLUICE_ASSIGN_OR_RETURN(Message message, encode(parameters, index, values));
  const ring::Ring &ring = parameters.ring();
  const Manifest &manifest = parameters.manifest();
  Limbs limbs = parameters.level(manifest.inputs[index].level);
  wire::Ciphertext &ciphertext = message.ciphertext;
  ciphertext.keyId = key.keyId;
  SecretRoot root = entropy.drawSecretRoot();

  bool isInTop = isInTopLevel(manifest, limbs);
  std::vector<uint16_t> start = startingLimbs(manifest, limbs, isInTop);
  SmallPoly v = sampleUniformTernary(root, ternaryStream, ring.degree());
  for (Half half : {Half::b, Half::a}) {
    SmallPoly error =
        sampleError(root, half == Half::b ? errorStream : secondErrorStream, ring.degree());
    SecretRows x = encryptZero(parameters, key, half, start, v, error);
    // Division by P takes a uniform x to a uniform result, which hides what is added to it. By a
    // fraction it does not: there the message is divided too.
    if (half == Half::b && !isInTop) {
      SecretRows scaled(start.size(), ring.degree());
      rescaleLimbs(ring, parameters.threads(), limbs, std::move(message.rows), start,
                   scaled.view());
      addRows(parameters, start, scaled, x.view());
    }
    ring::Poly out(limbs.size(), ring.degree());
    rescaleLimbs(ring, parameters.threads(), start, std::move(x), limbs, out.view());
    ciphertext.polynomials.push_back(std::move(out));
  }
  if (isInTop)
    addRows(parameters, limbs, message.rows, ciphertext.polynomials[0].view());
  return std::move(ciphertext);
}

} // namespace sluice::client
