//===- key_generator.cpp - the keys that a manifest lists, and no more -----------------------===//
#include "runtime/client/key_generator.h"

#include "runtime/ring/basis.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/uniform.h"
#include "runtime/wire/manifest.h"

#include <algorithm>
#include <numeric>

namespace sluice::client {
namespace {

using Limbs = std::span<const uint16_t>;

/// Refuses a key under `secret` whose modulus is too large, unless the parameters are for tests
/// anyway.
Status checkKeyModulus(const Parameters &parameters, SecretDistribution secret, Limbs limbs,
                       const std::string &what) {
  const Manifest &manifest = parameters.manifest();
  if (manifest.security.insecure)
    return Status();
  return wire::checkModulus(manifest, secret, wire::productLog2(manifest, limbs), what);
}

SmallPoly sampleSecret(const Parameters &parameters, SecretDistribution distribution,
                       const SecretRoot &root) {
  const size_t weight = secretWeight(distribution);
  if (weight == 0)
    return sampleUniformTernary(root, 0, parameters.degree());
  return sampleSparseTernary(root, 0, parameters.degree(), weight);
}

std::vector<uint16_t> allLimbs(const Parameters &parameters) {
  std::vector<uint16_t> limbs(parameters.manifest().limbs.size());
  std::iota(limbs.begin(), limbs.end(), uint16_t{0});
  return limbs;
}

} // namespace

/// One key on its way: what, and the numbers that all its rows share.
struct EvaluationKeyMaker::Task {
  const ManifestKey &what;
  const wire::Seed &seed;
  ring::Basis special;
  std::vector<SmallPoly> errors;     // one a digit
  std::vector<uint32_t> permutation; // of a Galois key: from s to s', or to the secret it leads to
};

SecretKey makeSecretKey(const Parameters &parameters, Entropy &entropy) {
  SecretRoot root = entropy.drawSecretRoot();
  SecretKey key{wire::toHex(entropy.drawKeyId()),
                sampleSecret(parameters, parameters.manifest().secret, root)};
  const std::optional<ManifestCertificate> &certificate = parameters.manifest().certificate;
  if (certificate && certificate->decryptions > 0)
    key.sharing = {parameters.manifestHash(), certificate->decryptions};
  return key;
}

Expected<wire::PublicKey> makePublicKey(const Parameters &parameters, const SecretKey &key,
                                        Entropy &entropy) {
  const ring::Ring &ring = parameters.ring();
  std::vector<uint16_t> limbs = wire::publicKeyLimbs(parameters.manifest());
  SLUICE_RETURN_IF_ERROR(
      checkKeyModulus(parameters, parameters.manifest().secret, limbs, "the public key's modulus"));
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
    evaluateSmallInto(parameters, error, limbs[i], row);
    ring.kernels().negate(prime, ring.degree(), s.row(i), s.row(i));
    ring.kernels().mac(prime, ring.degree(), row, row, a.data(), s.row(i));
  });
  return out;
}

Expected<EvaluationKeyMaker> EvaluationKeyMaker::create(const Parameters &parameters,
                                                        const SecretKey &key, Entropy &entropy) {
  const Manifest &manifest = parameters.manifest();
  // Manifests with a key to the ephemeral secret have one.
  const SecretDistribution ephemeralDistribution =
      manifest.ephemeral ? manifest.ephemeral->distribution : manifest.secret;
  for (const ManifestKey &what : manifest.evaluationKeys)
    SLUICE_RETURN_IF_ERROR(checkKeyModulus(
        parameters, what.kind == KeyKind::toEphemeral ? ephemeralDistribution : manifest.secret,
        what.limbs, "the modulus of the key for " + wire::keyName(what)));
  SmallPoly ephemeral;
  if (manifest.ephemeral)
    ephemeral = sampleSecret(parameters, ephemeralDistribution, entropy.drawSecretRoot());
  return EvaluationKeyMaker(parameters, key, ephemeral);
}

EvaluationKeyMaker::EvaluationKeyMaker(const Parameters &parameters, const SecretKey &key,
                                       const SmallPoly &ephemeralSecret)
    : parameters(parameters), s(evaluateSmall(parameters, key.coefficients, allLimbs(parameters))),
      ephemeral(ephemeralSecret.empty()
                    ? SecretRows(0, parameters.degree())
                    : evaluateSmall(parameters, ephemeralSecret, allLimbs(parameters))) {}

/// minusS = minus the secret that the key leads to, source = P * s', s' the one that it comes from,
/// modulo one limb.
void EvaluationKeyMaker::makeSecrets(const Task &task, uint16_t limb, uint64_t *minusS,
                                     uint64_t *source) const {
  const ring::Ring &ring = parameters.ring();
  const kernels::KernelTable &kernels = ring.kernels();
  const ring::Modulus &modulus = ring.modulus(limb);
  const kernels::PrimeConstants &prime = modulus.constants();
  const size_t degree = ring.degree();
  const KeyKind kind = task.what.kind;
  const uint64_t *secret = row(kind == KeyKind::toMain, limb);
  const bool isGalois = kind == KeyKind::galois;
  if (isGalois && task.what.permuted) {
    kernels.automorphism(degree, source, secret, task.permutation.data());
    kernels.negate(prime, degree, minusS, source);
  } else {
    kernels.negate(prime, degree, minusS, row(kind == KeyKind::toEphemeral, limb));
  }
  const uint64_t factor = task.special.productModulo(modulus);
  if (isGalois && !task.what.permuted) {
    kernels.automorphism(degree, source, secret, task.permutation.data());
    secret = source;
  } else if (kind == KeyKind::relinearize) {
    kernels.mul(prime, degree, source, secret, secret);
    secret = source;
  }
  kernels.mulScalar(prime, degree, source, secret, factor);
}

/// All digits' rows of one limb, e - a*s + P*w_j*s', w_j = 1 on the limbs of digit j and 0 on the
/// others (docs/mathematics.md 16.4). A row holds the error while it is made, never a product with
/// s.
void EvaluationKeyMaker::makeRows(const Task &task, size_t i, SecretRows &scratch,
                                  std::span<uint64_t> out) const {
  const ring::Ring &ring = parameters.ring();
  const kernels::KernelTable &kernels = ring.kernels();
  const uint16_t limb = task.what.limbs[i];
  const ring::Modulus &modulus = ring.modulus(limb);
  const size_t degree = ring.degree();
  uint64_t *minusS = scratch.row(0), *source = scratch.row(1);
  makeSecrets(task, limb, minusS, source);
  AlignedWords a(degree);
  for (size_t j = 0; j < task.errors.size(); ++j) {
    uint64_t *row = out.data() + (j * task.what.limbs.size() + i) * degree;
    ring::expandUniformLimb(task.seed, static_cast<uint32_t>(j), limb, modulus, a.span());
    evaluateSmallInto(parameters, task.errors[j], limb, row);
    kernels.mac(modulus.constants(), degree, row, row, a.data(), minusS);
    const std::vector<uint16_t> &digit = task.what.digits[j];
    if (std::ranges::find(digit, limb) != digit.end())
      kernels.add(modulus.constants(), degree, row, row, source);
  }
}

void EvaluationKeyMaker::make(const ManifestKey &what, const wire::Seed &seed,
                              const SecretRoot &root, uint64_t firstStream,
                              std::span<uint64_t> out) const {
  const ring::Ring &ring = parameters.ring();
  assert(out.size() == wire::keyWords(parameters.manifest(), what));
  Task task{what,
            seed,
            ring::Basis::create(ring, parameters.manifest().specialLimbs(what.kind)).value(),
            std::vector<SmallPoly>(what.digits.size()),
            {}};
  if (what.kind == KeyKind::galois)
    task.permutation = ring::evalPermutation(
        ring.logN(),
        what.permuted ? ring::inverseElement(ring.logN(), what.element) : what.element);
  parallelFor(parameters.threads(), task.errors.size(), [&](size_t j) {
    task.errors[j] = sampleError(root, firstStream + j, ring.degree());
  });
  forEachWithScratch(parameters, what.limbs.size(), 2,
                     [&](size_t i, SecretRows &scratch) { makeRows(task, i, scratch, out); });
}

Status makeEvaluationKeys(const Parameters &parameters, const SecretKey &key, Entropy &entropy,
                          std::unique_ptr<wire::Sink> sink, const Progress &progress) {
  const Manifest &manifest = parameters.manifest();
  uint64_t largest = 0;
  SLUICE_ASSIGN_OR_RETURN(EvaluationKeyMaker maker,
                          EvaluationKeyMaker::create(parameters, key, entropy));
  for (const ManifestKey &what : manifest.evaluationKeys)
    largest = std::max(largest, wire::keyWords(manifest, what));
  std::vector<wire::Seed> seeds(manifest.evaluationKeys.size());
  for (wire::Seed &seed : seeds)
    seed = entropy.drawPublicSeed();
  SecretRoot root = entropy.drawSecretRoot();
  SLUICE_ASSIGN_OR_RETURN(
      wire::EvaluationKeysWriter writer,
      wire::EvaluationKeysWriter::begin(std::move(sink), manifest, key.keyId, seeds));
  SLUICE_ASSIGN_OR_RETURN(AlignedWords words, AlignedWords::tryAllocate(largest));
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
