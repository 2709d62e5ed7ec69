//===- key_generator_test.cpp - evaluation keys do what they are for -------------------------===//
#include "runtime/client/key_generator.h"

#include "runtime/ring/uniform.h"
#include "test/runtime/client/hybrid_key_switch.h"
#include "test/runtime/wire/fixtures.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace sluice;
using namespace sluice::client;
using test::Limbs;
using test::Row;
using test::Rows;

struct Case {
  const char *name;
  test::ManifestOptions options;
};

/// N = 2^12; digits of one or two limbs; P close to the digits (the error term of section 3
/// decides) or larger (the rounding term does).
const Case cases[] = {
    {"DigitsOfOneLimb",
     {.levelBits = {40, 36, 38},
      .specialBits = {41},
      .insecure = true,
      .permutedRotations = {1, -3}}},
    {"DigitsOfTwoLimbs",
     {.levelBits = {45, 40, 41, 42, 38},
      .specialBits = {44, 43},
      .digitLimbs = 2,
      .insecure = true,
      .permutedRotations = {5}}},
    {"LargeP",
     {.levelBits = {45, 40, 41}, .specialBits = {50, 49}, .digitLimbs = 2, .insecure = true}},
    {"CutToLowerLevels",
     {.levelBits = {45, 40, 41, 42},
      .specialBits = {44, 43},
      .digitLimbs = 2,
      .insecure = true,
      .permutedRotations = {5},
      .keyLevels = {2, 0, 1}}},
    {"EphemeralSecret",
     {.levelBits = {40, 36, 38}, .specialBits = {41}, .insecure = true, .ephemeralBits = 41}},
    {"SparseSecret",
     {.levelBits = {40, 36, 38},
      .specialBits = {48},
      .insecure = true,
      .ephemeralBits = 48,
      .secret = SecretDistribution::sparse192}},
};

class KeySwitch : public testing::TestWithParam<Case> {
protected:
  KeySwitch()
      : manifest(test::makeManifest(GetParam().options)),
        parameters(*Parameters::fromManifest(test::bytesOf(wire::writeManifest(manifest)), "m",
                                             {.allowInsecure = true})),
        ring(parameters.ring()), entropy(Entropy::insecureFromSeed(1)),
        secret(makeSecretKey(parameters, entropy)) {
    // The ephemeral secret is never given away: what the same entropy gives again.
    Entropy again = Entropy::insecureFromSeed(1);
    makeSecretKey(parameters, again);
    if (manifest.ephemeral)
      ephemeral = sampleSparseTernary(again.drawSecretRoot(), 0, parameters.degree(), 32);
  }

  test::HybridKey readKey(const wire::EvaluationKeysReader &reader, size_t k) {
    const ManifestKey &what = manifest.evaluationKeys[k];
    test::HybridKey key{manifest.specialLimbs(what.kind), what.limbs, what.digits, {}, {}};
    std::vector<uint64_t> words(wire::keyWords(manifest, what));
    EXPECT_TRUE(reader.readKey(k, words).isOk());
    auto next = words.begin();
    for (uint32_t j = 0; j < what.digits.size(); ++j) {
      Rows b, a;
      for (uint16_t limb : what.limbs) {
        b.emplace_back(next, next + static_cast<ptrdiff_t>(ring.degree()));
        next += static_cast<ptrdiff_t>(ring.degree());
        ring::expandUniformLimb(reader.seed(k), j, limb, ring.modulus(limb),
                                a.emplace_back(ring.degree()));
      }
      key.b.push_back(std::move(b));
      key.a.push_back(std::move(a));
    }
    return key;
  }

  /// What the key switches from: s^2, sigma_g(s) or, permuted, s, or a secret.
  Row source(const ManifestKey &what, uint16_t limb) const {
    if (what.kind == KeyKind::toEphemeral)
      return secretRow(limb);
    if (what.kind == KeyKind::toMain)
      return rowOf(ephemeral, limb);
    if (what.kind == KeyKind::galois)
      return secretRow(limb, what.permuted ? 1 : what.element);
    Row out = secretRow(limb);
    for (uint64_t &value : out)
      value = ring.modulus(limb).mul(value, value);
    return out;
  }

  /// What it switches to: s or, permuted, the secret whose sigma_g is s, or the ephemeral one.
  Row target(const ManifestKey &what, uint16_t limb) const {
    if (what.kind == KeyKind::toEphemeral)
      return rowOf(ephemeral, limb);
    uint32_t inverse = 1;
    while (what.permuted && inverse * what.element % (2 * ring.degree()) != 1)
      inverse += 2;
    return secretRow(limb, inverse);
  }

  Row secretRow(uint16_t limb, uint32_t g = 1) const { return rowOf(secret.coefficients, limb, g); }

  /// sigma_g of a small polynomial, straight from its coefficients.
  Row rowOf(const SmallPoly &poly, uint16_t limb, uint32_t g = 1) const {
    const ring::Modulus &q = ring.modulus(limb);
    size_t degree = ring.degree();
    Row out(degree);
    for (size_t k = 0; k < degree; ++k) {
      size_t exponent = k * g % (2 * degree);
      int64_t value = exponent < degree ? poly[k] : -poly[k];
      out[exponent % degree] = q.reduceSigned(value);
    }
    ring.kernels().ntt(ring.tables(limb), out.data(), out.data());
    return out;
  }

  /// Centred coefficients of c0 + c1 * target - c * source modulo one limb.
  std::vector<double> errors(const ManifestKey &what, uint16_t limb, const Row &c0, const Row &c1,
                             const Row &c) const {
    const ring::Modulus &q = ring.modulus(limb);
    Row s = target(what, limb), from = source(what, limb), out(ring.degree());
    for (size_t k = 0; k < out.size(); ++k)
      out[k] = q.sub(q.add(c0[k], q.mul(c1[k], s[k])), q.mul(c[k], from[k]));
    ring.kernels().intt(ring.tables(limb), out.data(), out.data());
    std::vector<double> centred;
    for (uint64_t value : out)
      centred.push_back(2 * value > q.value() ? -static_cast<double>(q.value() - value)
                                              : static_cast<double>(value));
    return centred;
  }

  /// Section 3 (and 16.4): N sigma^2 / (12 P^2) * sum D_j^2 + (1 + h) / 12.
  double predictedVariance(const ManifestKey &what, const Limbs &level) const {
    double logP = wire::productLog2(manifest, manifest.specialLimbs(what.kind)), squares = 0, h = 0;
    for (const Limbs &digit : what.digits) {
      Limbs alive;
      for (uint16_t limb : digit)
        if (test::contains(level, limb))
          alive.push_back(limb);
      if (!alive.empty())
        squares += std::exp2(2 * (wire::productLog2(manifest, alive) - logP));
    }
    for (int8_t coefficient : what.kind == KeyKind::toEphemeral ? ephemeral : secret.coefficients)
      h += coefficient != 0;
    return static_cast<double>(ring.degree()) * 3.2 * 3.2 / 12 * squares + (1 + h) / 12;
  }

  Manifest manifest;
  Parameters parameters;
  const ring::Ring &ring;
  Entropy entropy;
  SecretKey secret;
  SmallPoly ephemeral;
};

TEST_P(KeySwitch, NoiseIsThatOfTheFormulaAtEveryLevel) {
  std::vector<uint8_t> file;
  ASSERT_TRUE(makeEvaluationKeys(parameters, secret, entropy, wire::Sink::toMemory(file)).isOk());
  wire::EvaluationKeysReader reader =
      *wire::EvaluationKeysReader::open(wire::Source::fromMemory(file, "k"), parameters.manifest());
  std::mt19937_64 generator(5);
  for (size_t k = 0; k < manifest.evaluationKeys.size(); ++k) {
    const ManifestKey &what = manifest.evaluationKeys[k];
    test::HybridKey key = readKey(reader, k);
    for (const Limbs &level : manifest.levels) {
      if (!test::contains(what.limbs, level.back()))
        continue; // above the level that the key serves
      Rows c;
      for (uint16_t limb : level) {
        Row &row = c.emplace_back(ring.degree());
        for (uint64_t &value : row)
          value = ring.modulus(limb).reduce(generator());
      }
      auto [u, v] = test::innerProduct(ring, key, level, c);
      Limbs extended = test::join(key.special, level);
      Rows c0 = test::rescale(ring, extended, level, u),
           c1 = test::rescale(ring, extended, level, v);
      std::vector<double> first = errors(what, level[0], c0[0], c1[0], c[0]);
      for (size_t i = 1; i < level.size(); ++i) // one small integer, seen modulo every limb
        ASSERT_EQ(errors(what, level[i], c0[i], c1[i], c[i]), first);
      double squares = 0;
      for (double error : first)
        squares += error * error;
      double ratio =
          std::sqrt(squares / static_cast<double>(first.size()) / predictedVariance(what, level));
      EXPECT_GT(ratio, 0.9) << wire::keyName(what) << ", " << level.size() << " limbs";
      EXPECT_LT(ratio, 1.1) << wire::keyName(what) << ", " << level.size() << " limbs";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, KeySwitch, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

std::vector<uint8_t> makeAllBytes(unsigned threads) {
  std::string text = wire::writeManifest(test::makeManifest());
  Parameters parameters = *Parameters::fromManifest(test::bytesOf(text), "m", {false, threads});
  Entropy entropy = Entropy::insecureFromSeed(11);
  SecretKey secret = makeSecretKey(parameters, entropy);
  std::vector<uint8_t> publicKey, evaluationKeys;
  EXPECT_TRUE(wire::writePublicKey(*makePublicKey(parameters, secret, entropy),
                                   parameters.manifest(), wire::Sink::toMemory(publicKey))
                  .isOk());
  EXPECT_TRUE(
      makeEvaluationKeys(parameters, secret, entropy, wire::Sink::toMemory(evaluationKeys)).isOk());
  publicKey.insert(publicKey.end(), evaluationKeys.begin(), evaluationKeys.end());
  return publicKey;
}

TEST(KeyGenerator, SameBytesAtAnyNumberOfThreads) {
  std::vector<uint8_t> one = makeAllBytes(1);
  EXPECT_EQ(one, makeAllBytes(2));
  EXPECT_EQ(one, makeAllBytes(7));
}

/// Bytes of the `b` halves in a file of evaluation keys.
uint64_t keyBytes(const std::vector<uint8_t> &file) {
  return wire::SectionReader::open(wire::Source::fromMemory(file, "k"),
                                   wire::FileKind::evaluationKeys, wire::evaluationKeySections)
      ->section("keys")
      ->size;
}

TEST(KeyGenerator, ExactlyTheManifestsKeysWithProgress) {
  std::string text = wire::writeManifest(test::makeManifest({.rotations = {1, 2, 4}}));
  Parameters parameters = *Parameters::fromManifest(test::bytesOf(text), "m", {});
  Entropy entropy = Entropy::insecureFromSeed(11);
  SecretKey secret = makeSecretKey(parameters, entropy);
  std::vector<size_t> seen;
  std::vector<uint8_t> file;
  Status status = makeEvaluationKeys(parameters, secret, entropy, wire::Sink::toMemory(file),
                                     [&](size_t done, size_t total) {
                                       EXPECT_EQ(total, 4u);
                                       seen.push_back(done);
                                     });
  ASSERT_TRUE(status.isOk()) << status.message();
  EXPECT_EQ(seen, (std::vector<size_t>{1, 2, 3, 4}));
  // 4 keys of 2 digits and 3 limbs: only the b halves travel.
  EXPECT_EQ(keyBytes(file), 4u * 2 * 3 * 4096 * 8);
  EXPECT_LT(file.size(), keyBytes(file) + 4096);
}

TEST(KeyGenerator, AKeyHasTheLimbsAndDigitsOfTheLevelThatItServes) {
  test::ManifestOptions options{.levelBits = {30, 30, 30, 30},
                                .specialBits = {31},
                                .insecure = true,
                                .rotations = {1, 2},
                                .keyLevels = {3, 1, 0}};
  std::string text = wire::writeManifest(test::makeManifest(options));
  Parameters parameters = *Parameters::fromManifest(test::bytesOf(text), "m", {true});
  Entropy entropy = Entropy::insecureFromSeed(11);
  SecretKey secret = makeSecretKey(parameters, entropy);
  std::vector<uint8_t> file;
  ASSERT_TRUE(makeEvaluationKeys(parameters, secret, entropy, wire::Sink::toMemory(file)).isOk());
  // A digit a limb, and one limb of P.
  EXPECT_EQ(keyBytes(file), (4u * 5 + 2 * 3 + 1 * 2) * 4096 * 8);
}

} // namespace
