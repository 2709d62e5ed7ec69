//===- fixtures.h - manifests and files for tests --------------------------------------------===//
#ifndef SLUICE_TEST_RUNTIME_WIRE_FIXTURES_H
#define SLUICE_TEST_RUNTIME_WIRE_FIXTURES_H

#include "runtime/ring/galois.h"
#include "runtime/ring/primes.h"
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
  return primes;
}

inline ManifestKey makeKey(const Manifest &manifest, KeyKind kind, uint32_t element,
                           size_t digitLimbs, bool permuted = false) {
  ManifestKey key{kind, element, manifest.special, {}, permuted};
  const std::vector<uint16_t> &top = manifest.levels.back();
  key.limbs.insert(key.limbs.end(), top.begin(), top.end());
  for (size_t first = 0; first < top.size(); first += digitLimbs) {
    size_t last = std::min(first + digitLimbs, top.size());
    key.digits.emplace_back(top.begin() + static_cast<ptrdiff_t>(first),
                            top.begin() + static_cast<ptrdiff_t>(last));
  }
  return key;
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

/// A manifest with one input "x" (top level) and one output "result" (level 0), both at scale
/// 2^30.
inline Manifest makeManifest(const ManifestOptions &options = {}) {
  Manifest manifest;
  manifest.programName = "score";
  manifest.programId = std::string(62, 'a') + "01";
  manifest.compiler = "sluice 0.1.0";
  manifest.logN = options.logN;
  manifest.limbs = makePrimes(options);
  std::vector<uint16_t> level;
  for (size_t i = 0; i < manifest.limbs.size(); ++i) {
    if (i < options.specialBits.size()) {
      manifest.special.push_back(static_cast<uint16_t>(i));
      continue;
    }
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
    manifest.evaluationKeys.push_back(
        makeKey(manifest, KeyKind::relinearize, 0, options.digitLimbs));
    for (int64_t steps : options.rotations)
      manifest.evaluationKeys.push_back(makeKey(manifest, KeyKind::galois,
                                                ring::rotationElement(options.logN, steps),
                                                options.digitLimbs));
    for (int64_t steps : options.permutedRotations)
      manifest.evaluationKeys.push_back(makeKey(manifest, KeyKind::galois,
                                                ring::rotationElement(options.logN, steps),
                                                options.digitLimbs, /*permuted=*/true));
  }
  manifest.security = describeSecurity(manifest, options.insecure);
  return manifest;
}

inline std::vector<uint8_t> bytesOf(const std::string &text) { return {text.begin(), text.end()}; }

} // namespace sluice::test

#endif // SLUICE_TEST_RUNTIME_WIRE_FIXTURES_H
