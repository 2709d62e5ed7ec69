//===- encryptor.cpp - encryption of a program's inputs --------------------------------------===//
#include "runtime/client/encryptor.h"

#include "runtime/client/encoder.h"
#include "runtime/client/limb_change.h"
#include "runtime/ring/basis.h"
#include "runtime/ring/embedding.h"
#include "runtime/ring/uniform.h"

#include <algorithm>

namespace sluice::client {
namespace {

/// Numbers of the streams of one encryption's secret root.
enum Stream : uint64_t { errorStream, secondErrorStream, ternaryStream };

using Limbs = std::span<const uint16_t>;

/// The encoded input, and what is known of the ciphertext before encryption.
struct Message {
  wire::Ciphertext ciphertext;
  ring::RoundedSlots coefficients;
};

Expected<Message> encode(const Parameters &parameters, uint32_t index, const Tensor &values) {
  const Manifest &manifest = parameters.manifest();
  assert(index < manifest.inputs.size());
  const ManifestTensor &tensor = manifest.inputs[index];
  SLUICE_ASSIGN_OR_RETURN(uint64_t items, countItems(tensor, values));
  SLUICE_ASSIGN_OR_RETURN(Slots slots, packInput(tensor, manifest.slots, values));
  Expected<ring::RoundedSlots> rounded =
      ring::roundSlots(parameters.ring(), slots, {tensor.scale.high, tensor.scale.low},
                       manifest.forecast.precisionBits);
  if (!rounded)
    return rounded.status().withContext("input '" + tensor.name + "'");
  Message message{wire::Ciphertext(), std::move(*rounded)};
  message.ciphertext.index = index;
  message.ciphertext.items = items;
  return message;
}

/// Whether the top level has every limb of this one.
bool isInTopLevel(const Manifest &manifest, Limbs level) {
  const std::vector<uint16_t> &top = manifest.levels.back();
  return std::ranges::all_of(
      level, [&](uint16_t limb) { return std::ranges::find(top, limb) != top.end(); });
}

enum Half : size_t { b, a };

/// Encryption under the public key: (v, e0, e1), the key's rows, and the arithmetic on them.
class PublicEncryption {
public:
  PublicEncryption(const Parameters &parameters, const wire::PublicKey &key, Entropy &entropy)
      : parameters(parameters), ring(parameters.ring()), kernels(ring.kernels()), key(key),
        keyLimbs(wire::publicKeyLimbs(parameters.manifest())) {
    SecretRoot root = entropy.drawSecretRoot();
    v = sampleUniformTernary(root, ternaryStream, ring.degree());
    errors[b] = sampleError(root, errorStream, ring.degree());
    errors[a] = sampleError(root, secondErrorStream, ring.degree());
  }

  /// round((v * pk + e) / P) + (message, 0) at a level whose limbs the top level has.
  std::vector<ring::Poly> atSubset(Limbs level, const ring::RoundedSlots &message) const;
  /// Any level: round(f * (v * pk + e + (message / f, 0))), f the fraction that leads to the level.
  std::vector<ring::Poly> atAnyLevel(Limbs level, const ring::RoundedSlots &message) const;

private:
  const uint64_t *keyRow(Half half, uint16_t limb, AlignedWords &expanded) const;
  SecretRows dividends(Half half) const;
  std::vector<ring::Poly> remainders(Limbs special, Limbs level) const;
  void divideRow(uint16_t limb, Half half, const uint64_t *scaledV, const uint64_t *message,
                 uint64_t inverse, uint64_t *error, uint64_t *row) const;

  const Parameters &parameters;
  const ring::Ring &ring;
  const kernels::KernelTable &kernels;
  const wire::PublicKey &key;
  std::vector<uint16_t> keyLimbs;
  SmallPoly v, errors[2];
};

/// The row of a half of the key; that of `a` is expanded into `expanded`.
const uint64_t *PublicEncryption::keyRow(Half half, uint16_t limb, AlignedWords &expanded) const {
  if (half == Half::b)
    return key.b.limb(static_cast<size_t>(std::ranges::find(keyLimbs, limb) - keyLimbs.begin()));
  if (expanded.isEmpty())
    expanded = AlignedWords(ring.degree());
  ring::expandUniformLimb(key.seed, 0, limb, ring.modulus(limb), expanded.span());
  return expanded.data();
}

/// v * half + error modulo all limbs of the key, evaluation form.
SecretRows PublicEncryption::dividends(Half half) const {
  SecretRows x(keyLimbs.size(), ring.degree());
  forEachWithScratch(parameters, keyLimbs.size(), 1, [&](size_t i, SecretRows &scratch) {
    AlignedWords expanded;
    const kernels::PrimeConstants &prime = ring.modulus(keyLimbs[i]).constants();
    evaluateSmallInto(parameters, v, keyLimbs[i], x.row(i));
    evaluateSmallInto(parameters, errors[half], keyLimbs[i], scratch.row(0));
    kernels.mac(prime, ring.degree(), x.row(i), scratch.row(0), x.row(i),
                keyRow(half, keyLimbs[i], expanded));
  });
  return x;
}

/// v * half + error modulo P, centred, modulo the limbs of a level, in coefficient form: 0 without
/// P.
std::vector<ring::Poly> PublicEncryption::remainders(Limbs special, Limbs level) const {
  const size_t degree = ring.degree();
  SecretRows x[2] = {{special.size(), degree}, {special.size(), degree}};
  forEachWithScratch(parameters, special.size(), 2, [&](size_t i, SecretRows &scratch) {
    const kernels::PrimeConstants &prime = ring.modulus(special[i]).constants();
    uint64_t *evaluatedV = scratch.row(0), *error = scratch.row(1);
    AlignedWords expanded;
    evaluateSmallInto(parameters, v, special[i], evaluatedV);
    for (Half half : {Half::b, Half::a}) {
      uint64_t *row = x[half].row(i);
      kernels.mul(prime, degree, row, evaluatedV, keyRow(half, special[i], expanded));
      kernels.intt(ring.tables(special[i]), row, row);
      reduceSmallInto(parameters, errors[half], special[i], error);
      kernels.add(prime, degree, row, row, error);
    }
  });
  std::vector<ring::Poly> out;
  for (Half half : {Half::b, Half::a}) {
    out.emplace_back(level.size(), degree);
    if (!special.empty())
      convertCentred(ring, parameters.threads(), special, x[half], level, out[half].view());
  }
  return out;
}

/// From r, the remainder modulo P in coefficient form, to (v * half + error - r) / P + message:
/// everything of small coefficients goes through one transform. scaledV = v / P, evaluation form;
/// `error` is scratch.
void PublicEncryption::divideRow(uint16_t limb, Half half, const uint64_t *scaledV,
                                 const uint64_t *message, uint64_t inverse, uint64_t *error,
                                 uint64_t *row) const {
  const kernels::PrimeConstants &prime = ring.modulus(limb).constants();
  AlignedWords expanded;
  reduceSmallInto(parameters, errors[half], limb, error);
  kernels.subMulScalar(prime, ring.degree(), row, error, row, inverse);
  if (message)
    kernels.add(prime, ring.degree(), row, row, message);
  kernels.ntt(ring.tables(limb), row, row);
  kernels.mac(prime, ring.degree(), row, row, scaledV, keyRow(half, limb, expanded));
}

std::vector<ring::Poly> PublicEncryption::atSubset(Limbs level,
                                                   const ring::RoundedSlots &message) const {
  const size_t degree = ring.degree();
  const Limbs special = parameters.manifest().special;
  const ring::Basis divisor = ring::Basis::create(ring, special).value();
  std::vector<ring::Poly> out = remainders(special, level);
  forEachWithScratch(parameters, level.size(), 3, [&](size_t i, SecretRows &scratch) {
    const ring::Modulus &modulus = ring.modulus(level[i]);
    const uint64_t inverse = modulus.inverse(divisor.productModulo(modulus));
    uint64_t *scaledV = scratch.row(0), *encoded = scratch.row(1), *error = scratch.row(2);
    evaluateSmallInto(parameters, v, level[i], scaledV);
    kernels.mulScalar(modulus.constants(), degree, scaledV, scaledV, inverse);
    message.reduce(ring, level[i], {encoded, degree});
    divideRow(level[i], Half::b, scaledV, encoded, inverse, error, out[b].limb(i));
    divideRow(level[i], Half::a, scaledV, nullptr, inverse, error, out[a].limb(i));
  });
  return out;
}

std::vector<ring::Poly> PublicEncryption::atAnyLevel(Limbs level,
                                                     const ring::RoundedSlots &message) const {
  const size_t degree = ring.degree();
  std::vector<ring::Poly> out;
  for (Half half : {Half::b, Half::a}) {
    SecretRows x = dividends(half);
    if (half == Half::b) {
      SecretRows encoded(level.size(), degree), scaled(keyLimbs.size(), degree);
      for (size_t i = 0; i < level.size(); ++i)
        message.reduce(ring, level[i], {encoded.row(i), degree});
      ring::toEvalInPlace(ring, level, encoded.view(), parameters.threads());
      rescaleLimbs(ring, parameters.threads(), level, std::move(encoded), keyLimbs, scaled.view());
      for (size_t i = 0; i < keyLimbs.size(); ++i)
        kernels.add(ring.modulus(keyLimbs[i]).constants(), degree, x.row(i), x.row(i),
                    scaled.row(i));
    }
    out.emplace_back(level.size(), degree);
    rescaleLimbs(ring, parameters.threads(), keyLimbs, std::move(x), level, out.back().view());
  }
  return out;
}

} // namespace

Expected<wire::Ciphertext> encrypt(const Parameters &parameters, const SecretKey &key,
                                   uint32_t index, const Tensor &values, Entropy &entropy) {
  SLUICE_ASSIGN_OR_RETURN(Message message, encode(parameters, index, values));
  const ring::Ring &ring = parameters.ring();
  const kernels::KernelTable &kernels = ring.kernels();
  const size_t degree = ring.degree();
  Limbs limbs = parameters.level(parameters.manifest().inputs[index].level);
  wire::Ciphertext &ciphertext = message.ciphertext;
  ciphertext.keyId = key.keyId;
  ciphertext.seed = entropy.drawPublicSeed();
  SecretRoot root = entropy.drawSecretRoot();
  SmallPoly error = sampleError(root, errorStream, degree);

  ring::Poly b(limbs.size(), degree), a(limbs.size(), degree);
  ring::expandUniform(ring, limbs, *ciphertext.seed, 0, a.view(), parameters.threads());
  forEachWithScratch(parameters, limbs.size(), 1, [&](size_t i, SecretRows &scratch) {
    const kernels::PrimeConstants &prime = ring.modulus(limbs[i]).constants();
    uint64_t *row = b.limb(i), *secret = scratch.row(0);
    message.coefficients.reduce(ring, limbs[i], {row, degree});
    reduceSmallInto(parameters, error, limbs[i], secret);
    kernels.add(prime, degree, row, row, secret);
    kernels.ntt(ring.tables(limbs[i]), row, row);
    evaluateSmallInto(parameters, key.coefficients, limbs[i], secret);
    kernels.negate(prime, degree, secret, secret);
    kernels.mac(prime, degree, row, row, a.limb(i), secret);
  });
  ciphertext.polynomials.push_back(std::move(b));
  ciphertext.polynomials.push_back(std::move(a));
  return std::move(ciphertext);
}

Expected<wire::Ciphertext> encrypt(const Parameters &parameters, const wire::PublicKey &key,
                                   uint32_t index, const Tensor &values, Entropy &entropy) {
  SLUICE_ASSIGN_OR_RETURN(Message message, encode(parameters, index, values));
  const Manifest &manifest = parameters.manifest();
  Limbs limbs = parameters.level(manifest.inputs[index].level);
  PublicEncryption encryption(parameters, key, entropy);
  message.ciphertext.keyId = key.keyId;
  // Division by P takes a uniform v * pk + e to a uniform result, which hides the message that is
  // added to it. By a fraction it does not: there the message is divided too.
  message.ciphertext.polynomials = isInTopLevel(manifest, limbs)
                                       ? encryption.atSubset(limbs, message.coefficients)
                                       : encryption.atAnyLevel(limbs, message.coefficients);
  return std::move(message.ciphertext);
}

} // namespace sluice::client
