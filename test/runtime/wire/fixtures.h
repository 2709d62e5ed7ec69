//===- fixtures.h - manifests and files for tests --------------------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_WIRE_FIXTURES_H
#define SLUICE_TEST_RUNTIME_WIRE_FIXTURES_H

#include "runtime/abi/flooding.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/primes.h"
#include "runtime/wire/certificate.h"
#include "runtime/wire/manifest.h"

#include <cmath>
#include <string>
#include <vector>

namespace sluice::test {

/// What a test wants of a manifest; the default is small and secure.
struct ManifestOptions {
  unsigned logN = 12;
  std::vector<unsigned> levelBits = {36, 30}; // of the limb that each level adds
  std::vector<unsigned> specialBits = {38};
  size_t digitLimbs = 1; // limbs of Q per digit
  bool insecure = false;
  bool batched = true;
  std::vector<uint64_t> shape = {3, 5}; // padded to 4 x 8 lanes
  double range = 8;
  std::vector<int64_t> rotations = {1};
  std::vector<int64_t> permutedRotations = {};
  std::vector<size_t> keyLevels = {}; // that the first keys serve; the others: the top one
  unsigned ephemeralBits = 0; // of the limb that the ephemeral secret's key adds; 0: no such secret
  SecretDistribution secret = SecretDistribution::uniformTernary;
  uint64_t decryptions = 0; // that may be shared; 0: no certificate
};

/// limbs: those of P first, then one per level. Sizes that repeat give distinct primes.
inline std::vector<uint64_t> makePrimes(const ManifestOptions &options) {
  std::vector<uint64_t> primes;
  auto append = [&](unsigned bits) {
    primes.push_back((*ring::nttPrimesBelow(options.logN, bits, 1, primes))[0]);
  };
  for (unsigned bits : options.specialBits)
    append(bits);
  for (unsigned bits : options.levelBits)
    append(bits);
  if (options.ephemeralBits)
    append(options.ephemeralBits);
  return primes;
}

/// Appends a key for the level that `options` gives to it.
inline void addKey(Manifest &manifest, const ManifestOptions &options, KeyKind kind,
                   uint32_t element, bool permuted = false) {
  ManifestKey key{kind, element, manifest.special, {}, permuted};
  size_t index = manifest.evaluationKeys.size();
  const std::vector<uint16_t> &level = index < options.keyLevels.size()
                                           ? manifest.levels[options.keyLevels[index]]
                                           : manifest.levels.back();
  key.limbs.insert(key.limbs.end(), level.begin(), level.end());
  for (size_t first = 0; first < level.size(); first += options.digitLimbs) {
    size_t last = std::min(first + options.digitLimbs, level.size());
    key.digits.emplace_back(level.begin() + static_cast<ptrdiff_t>(first),
                            level.begin() + static_cast<ptrdiff_t>(last));
  }
  manifest.evaluationKeys.push_back(std::move(key));
}

/// Appends the second secret, and the keys that lead to it at level 0 and back at the top.
inline void addEphemeral(Manifest &manifest, const ManifestOptions &options) {
  ManifestEphemeral &ephemeral = manifest.ephemeral.emplace();
  ephemeral.special = {static_cast<uint16_t>(manifest.limbs.size() - 1)};
  ManifestKey key{KeyKind::toEphemeral, 0, ephemeral.special, {}};
  for (uint16_t limb : manifest.levels[0]) {
    key.limbs.push_back(limb);
    key.digits.push_back({limb});
  }
  ephemeral.logQP = wire::productLog2(manifest, key.limbs);
  if (auto row = findSecurityRow(ephemeral.distribution, manifest.logN)) {
    ephemeral.limit = row->limitBits;
    ephemeral.row = row->name;
  }
  manifest.evaluationKeys.push_back(key);
  addKey(manifest, options, KeyKind::toMain, 0);
}

inline ManifestSecurity describeSecurity(const Manifest &manifest, bool insecure) {
  ManifestSecurity security;
  security.insecure = insecure;
  security.logQP = wire::largestModulusLog2(manifest);
  security.row = "none";
  if (auto row = findSecurityRow(manifest.secret, manifest.logN); row && !insecure) {
    security.limit = row->limitBits;
    security.row = std::string(row->name);
  }
  return security;
}

/// Appends a certificate for errors of deviation 2^-24, whose norm may be twice what that gives.
inline void addCertificate(Manifest &manifest, uint64_t decryptions) {
  ManifestCertificate &certificate = manifest.certificate.emplace();
  certificate.keys = wire::certifyKeys(manifest);
  certificate.decryptions = decryptions;
  certificate.statisticalBits = defaultStatisticalBits;
  for (const ManifestTensor &tensor : manifest.outputs) {
    double deviation = 0x1p-24;
    double norm = 2 * deviation * std::sqrt(double(wire::numbersGivenOut(tensor)));
    double flooding = floodingDeviation(norm, decryptions, defaultStatisticalBits);
    certificate.outputs.push_back(
        {tensor.name, deviation, norm, flooding, precisionAfterFlooding(deviation, flooding)});
  }
}

/// A manifest with one input "x" (top level) and one output "result" (level 0), both at scale
/// 2^30.
inline Manifest makeManifest(const ManifestOptions &options = {}) {
  Manifest manifest;
  manifest.programName = "score";
  manifest.programId = std::string(62, 'a') + "01";
  manifest.compiler = "sluice 0.1.0";
  manifest.logN = options.logN;
  manifest.secret = options.secret;
  manifest.limbs = makePrimes(options);
  std::vector<uint16_t> level;
  for (size_t i = 0; i < manifest.limbs.size(); ++i) {
    if (i < options.specialBits.size()) {
      manifest.special.push_back(static_cast<uint16_t>(i));
      continue;
    }
    if (i == options.specialBits.size() + options.levelBits.size())
      break;
    level.push_back(static_cast<uint16_t>(i));
    manifest.levels.push_back(level);
  }
  manifest.slots = manifest.degree() / 2;
  ManifestTensor tensor{"x",
                        options.shape,
                        -options.range,
                        options.range,
                        1,
                        1,
                        options.batched,
                        static_cast<uint32_t>(manifest.levels.size() - 1),
                        {"2^30", 0x1p30, 0}};
  for (uint64_t size : options.shape)
    tensor.lanes *= std::bit_ceil(size);
  tensor.batch = manifest.slots / tensor.lanes;
  manifest.inputs.push_back(tensor);
  manifest.outputs.push_back(
      {"result", {}, 0, 0, 1, tensor.batch, options.batched, 0, tensor.scale});
  if (!options.specialBits.empty()) {
    addKey(manifest, options, KeyKind::relinearize, 0);
    for (int64_t steps : options.rotations)
      addKey(manifest, options, KeyKind::galois, ring::rotationElement(options.logN, steps));
    for (int64_t steps : options.permutedRotations)
      addKey(manifest, options, KeyKind::galois, ring::rotationElement(options.logN, steps),
             /*permuted=*/true);
  }
  if (options.ephemeralBits)
    addEphemeral(manifest, options);
  manifest.security = describeSecurity(manifest, options.insecure);
  if (options.decryptions)
    addCertificate(manifest, options.decryptions);
  return manifest;
}

inline std::vector<uint8_t> bytesOf(const std::string &text) { return {text.begin(), text.end()}; }

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_WIRE_FIXTURES_H
