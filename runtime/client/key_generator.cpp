//===- key_generator.cpp - the keys that a manifest lists, and no more -----------------------===//
#include "runtime/client/key_generator.h"

#include "runtime/ring/basis.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/uniform.h"
#include "runtime/wire/manifest.h"

#include <algorithm>

namespace sluice::client {
namespace {

using Limbs = std::span<const uint16_t>;

/// Refuses a key whose modulus is too large, unless the parameters are for tests anyway.
Status checkKeyModulus(const Parameters &parameters, Limbs limbs, const std::string &what) {
  const Manifest &manifest = parameters.manifest();
  if (manifest.security.insecure)
    return Status();
  return wire::checkModulus(manifest, wire::productLog2(manifest, limbs), what);
}

/// Makes the `b` halves of evaluation keys; holds what they share.
class EvaluationKeyMaker {
public:
  EvaluationKeyMaker(const Parameters &parameters, const SecretKey &key)
      : parameters(parameters), ring(parameters.ring()), key(key) {}

  /// All digits of one key, in the order of the file. Errors come from streams firstStream + j.
  void make(const ManifestKey &what, const wire::Seed &seed, const SecretRoot &root,
            uint64_t firstStream, std::span<uint64_t> out) const;

private:
  SecretRows permuted(const ManifestKey &what, uint32_t element, const SecretRows &s) const;
  SecretRows sourceTimesP(const ManifestKey &what, const SecretRows &s) const;
  void makeRow(const ManifestKey &what, const wire::Seed &seed, size_t j, size_t i,
               const SmallPoly &error, const SecretRows &minusS, const SecretRows &source,
               uint64_t *row) const;

  const Parameters &parameters;
  const ring::Ring &ring;
  const SecretKey &key;
};

/// sigma_element(s).
SecretRows EvaluationKeyMaker::permuted(const ManifestKey &what, uint32_t element,
                                        const SecretRows &s) const {
  SecretRows out(what.limbs.size(), ring.degree());
  std::vector<uint32_t> permutation = ring::evalPermutation(ring.logN(), element);
  parallelFor(parameters.threads(), what.limbs.size(), [&](size_t i) {
    ring.kernels().automorphism(ring.degree(), out.row(i), s.row(i), permutation.data());
  });
  return out;
}

/// P * s' modulo the key's limbs; s' is s^2, sigma_g(s) or, for a permuted key, s.
SecretRows EvaluationKeyMaker::sourceTimesP(const ManifestKey &what, const SecretRows &s) const {
  size_t degree = ring.degree();
  bool isSquare = what.kind == KeyKind::relinearize;
  SecretRows out = permuted(what, isSquare || what.permuted ? 1 : what.element, s);
  ring::Basis special = ring::Basis::create(ring, parameters.manifest().special).value();
  parallelFor(parameters.threads(), what.limbs.size(), [&](size_t i) {
    const ring::Modulus &modulus = ring.modulus(what.limbs[i]);
    if (isSquare)
      ring.kernels().mul(modulus.constants(), degree, out.row(i), s.row(i), s.row(i));
    ring.kernels().mulScalar(modulus.constants(), degree, out.row(i), out.row(i),
                             special.productModulo(modulus));
  });
  return out;
}

/// b = e - a*s + P*w_j*s' modulo limb i, minusS = -s the secret that the key leads to, w_j = 1 on
/// the limbs of digit j and 0 on the others (docs/mathematics.md 16.4). The row holds the error
/// while it is made, never a product with s.
void EvaluationKeyMaker::makeRow(const ManifestKey &what, const wire::Seed &seed, size_t j,
                                 size_t i, const SmallPoly &error, const SecretRows &minusS,
                                 const SecretRows &source, uint64_t *row) const {
  uint16_t limb = what.limbs[i];
  const ring::Modulus &modulus = ring.modulus(limb);
  const kernels::PrimeConstants &prime = modulus.constants();
  size_t degree = ring.degree();
  AlignedWords a(degree);
  ring::expandUniformLimb(seed, static_cast<uint32_t>(j), limb, modulus, a.span());
  reduceSmall(error, modulus, {row, degree});
  ring.kernels().ntt(ring.tables(limb), row, row);
  ring.kernels().mac(prime, degree, row, row, a.data(), minusS.row(i));
  const std::vector<uint16_t> &digit = what.digits[j];
  if (std::ranges::find(digit, limb) != digit.end())
    ring.kernels().add(prime, degree, row, row, source.row(i));
}

void EvaluationKeyMaker::make(const ManifestKey &what, const wire::Seed &seed,
                              const SecretRoot &root, uint64_t firstStream,
                              std::span<uint64_t> out) const {
  size_t degree = ring.degree(), rows = what.limbs.size();
  SecretRows s = evaluateSmall(parameters, key.coefficients, what.limbs);
  SecretRows source = sourceTimesP(what, s);
  if (what.permuted)
    s = permuted(what, ring::inverseElement(ring.logN(), what.element), s);
  std::vector<SmallPoly> errors(what.digits.size());
  parallelFor(parameters.threads(), errors.size(),
              [&](size_t j) { errors[j] = sampleError(root, firstStream + j, degree); });
  parallelFor(parameters.threads(), rows, [&](size_t i) {
    ring.kernels().negate(ring.modulus(what.limbs[i]).constants(), degree, s.row(i), s.row(i));
  });
  parallelFor(parameters.threads(), errors.size() * rows, [&](size_t index) {
    size_t j = index / rows, i = index % rows;
    makeRow(what, seed, j, i, errors[j], s, source, out.data() + index * degree);
  });
}

} // namespace

SecretKey makeSecretKey(const Parameters &parameters, Entropy &entropy) {
  SecretRoot root = entropy.drawSecretRoot();
  return {wire::toHex(entropy.drawKeyId()), sampleUniformTernary(root, 0, parameters.degree())};
}

Expected<wire::PublicKey> makePublicKey(const Parameters &parameters, const SecretKey &key,
                                        Entropy &entropy) {
  const ring::Ring &ring = parameters.ring();
  std::vector<uint16_t> limbs = wire::publicKeyLimbs(parameters.manifest());
  SLUICE_RETURN_IF_ERROR(checkKeyModulus(parameters, limbs, "the public key's modulus"));
  wire::PublicKey out{key.keyId, entropy.drawPublicSeed(), ring::Poly(limbs.size(), ring.degree())};
  SecretRoot root = entropy.drawSecretRoot();
  SmallPoly error = sampleError(root, 0, ring.degree());
  SecretRows s = evaluateSmall(parameters, key.coefficients, limbs);
  parallelFor(parameters.threads(), limbs.size(), [&](size_t i) {
    const ring::Modulus &modulus = ring.modulus(limbs[i]);
    const kernels::PrimeConstants &prime = modulus.constants();
    AlignedWords a(ring.degree());
    ring::expandUniformLimb(out.seed, 0, limbs[i], modulus, a.span());
    uint64_t *row = out.b.limb(i);
    reduceSmall(error, modulus, {row, ring.degree()});
    ring.kernels().ntt(ring.tables(limbs[i]), row, row);
    ring.kernels().negate(prime, ring.degree(), s.row(i), s.row(i));
    ring.kernels().mac(prime, ring.degree(), row, row, a.data(), s.row(i));
  });
  return out;
}

Status makeEvaluationKeys(const Parameters &parameters, const SecretKey &key, Entropy &entropy,
                          std::unique_ptr<wire::Sink> sink, const Progress &progress) {
  const Manifest &manifest = parameters.manifest();
  uint64_t largest = 0;
  for (const ManifestKey &what : manifest.evaluationKeys) {
    SLUICE_RETURN_IF_ERROR(checkKeyModulus(parameters, what.limbs,
                                           "the modulus of the key for " + wire::keyName(what)));
    largest = std::max(largest, wire::keyWords(manifest, what));
  }
  std::vector<wire::Seed> seeds(manifest.evaluationKeys.size());
  for (wire::Seed &seed : seeds)
    seed = entropy.drawPublicSeed();
  SecretRoot root = entropy.drawSecretRoot();
  SLUICE_ASSIGN_OR_RETURN(
      wire::EvaluationKeysWriter writer,
      wire::EvaluationKeysWriter::begin(std::move(sink), manifest, key.keyId, seeds));
  SLUICE_ASSIGN_OR_RETURN(AlignedWords words, AlignedWords::tryAllocate(largest));
  EvaluationKeyMaker maker(parameters, key);
  uint64_t stream = 0;
  for (size_t k = 0; k < seeds.size(); ++k) {
    const ManifestKey &what = manifest.evaluationKeys[k];
    std::span<uint64_t> out = words.span().first(wire::keyWords(manifest, what));
    maker.make(what, seeds[k], root, stream, out);
    stream += what.digits.size();
    SLUICE_RETURN_IF_ERROR(writer.append(out));
    if (progress)
      progress(k + 1, seeds.size());
  }
  return writer.finish();
}

} // namespace sluice::client
