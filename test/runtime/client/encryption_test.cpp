//===- encryption_test.cpp - encryptor and decryptor -----------------------------------------===//
#include "runtime/client/client.h"

#include "runtime/ring/primes.h"
#include "runtime/ring/uniform.h"
#include "test/runtime/wire/fixtures.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace {

using namespace sluice;
using namespace sluice::client;

Client makeClient(const test::ManifestOptions &options, uint64_t seed = 1, unsigned threads = 2) {
  std::string text = wire::writeManifest(test::makeManifest(options));
  Expected<Client> client = Client::create(test::bytesOf(text), "m", {options.insecure, threads},
                                           Entropy::insecureFromSeed(seed));
  EXPECT_TRUE(client) << client.message();
  client->makeSecretKey();
  return std::move(*client);
}

/// Values that fill every slot: shape (lanes,), a whole batch.
Tensor randomValues(const Manifest &manifest, unsigned seed) {
  const ManifestTensor &tensor = manifest.inputs[0];
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(tensor.rangeLow, tensor.rangeHigh);
  Tensor out{{tensor.batch, tensor.lanes}, std::vector<double>(tensor.batch * tensor.lanes)};
  for (double &value : out.values)
    value = uniform(generator);
  return out;
}

double standardDeviation(const std::vector<double> &a, const std::vector<double> &b) {
  double squares = 0;
  for (size_t k = 0; k < a.size(); ++k)
    squares += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(squares / static_cast<double>(a.size()));
}

/// Error of a slot's real part for independent coefficient errors of the given variance.
double slotDeviation(double coefficientVariance, const Manifest &manifest) {
  return std::sqrt(coefficientVariance * static_cast<double>(manifest.degree()) / 2) /
         manifest.inputs[0].scale.high;
}

Parameters makeParameters(const Manifest &manifest) {
  std::string text = wire::writeManifest(manifest);
  Expected<Parameters> parameters =
      Parameters::fromManifest(test::bytesOf(text), "m", {manifest.security.insecure, 2});
  EXPECT_TRUE(parameters) << parameters.message();
  return std::move(*parameters);
}

/// `row` out of evaluation form, centred.
std::vector<double> centredCoefficients(const ring::Ring &ring, uint16_t limb, uint64_t *row) {
  ring.kernels().intt(ring.tables(limb), row, row);
  uint64_t q = ring.modulus(limb).value();
  std::vector<double> out(ring.degree());
  for (size_t k = 0; k < ring.degree(); ++k)
    out[k] = row[k] > q / 2 ? -static_cast<double>(q - row[k]) : static_cast<double>(row[k]);
  return out;
}

/// The errors of an encryption of zeros: c0 + c1 * s, which its first limb holds.
std::vector<double> errorsOf(const Parameters &parameters, const SecretKey &key,
                             const wire::Ciphertext &ciphertext) {
  const ring::Ring &ring = parameters.ring();
  const Manifest &manifest = parameters.manifest();
  uint16_t limb = manifest.levels[manifest.inputs[0].level][0];
  SecretRows s = evaluateSmall(parameters, key.coefficients, std::span(&limb, 1));
  ring::Poly sum(1, ring.degree());
  ring.kernels().mac(ring.modulus(limb).constants(), ring.degree(), sum.limb(0),
                     ciphertext.polynomials[0].limb(0), ciphertext.polynomials[1].limb(0),
                     s.row(0));
  return centredCoefficients(ring, limb, sum.limb(0));
}

/// Encryptions of zeros under one public key against docs/mathematics.md section 0: the errors
/// v * e + e0 + e1 * s, divided by the modulus that the level has less than where encryption
/// started, and the rounding of both halves unless nothing was divided.
void expectErrorsOfTheory(const Parameters &parameters, double divisorLog2) {
  const Manifest &manifest = parameters.manifest();
  Entropy entropy = Entropy::insecureFromSeed(11);
  SecretKey key = makeSecretKey(parameters, entropy);
  wire::PublicKey publicKey = *makePublicKey(parameters, key, entropy);
  Tensor zeros = randomValues(manifest, 1);
  std::ranges::fill(zeros.values, 0);
  double squares = 0, count = 0;
  while (count < 1 << 16) {
    wire::Ciphertext ciphertext = *encrypt(parameters, publicKey, 0, zeros, entropy);
    for (double error : errorsOf(parameters, key, ciphertext)) {
      squares += error * error;
      ++count;
    }
  }
  double n = static_cast<double>(parameters.degree());
  double h = n - static_cast<double>(std::ranges::count(key.coefficients, 0));
  double masked = 3.2 * 3.2 * (n * 2 / 3 + 1 + h) * std::exp2(-2 * divisorLog2);
  double expected = masked + (divisorLog2 > 0 ? (1 + h) / 12 : 0);
  // The coefficients of r * s are correlated by the autocorrelation of s, whose squares add up to
  // as much again as h^2: the mean of `count` squares has variance 4 / count, not 2 / count. The
  // key's own error stays the same in all runs: the mean of its N squares has variance 2 / N.
  double deviation = 2 / std::sqrt(count) + masked / expected * std::sqrt(2 / n);
  EXPECT_NEAR(squares / count / expected, 1, 5 * deviation);
}

struct Case {
  const char *name;
  test::ManifestOptions options;
};

class Encryption : public testing::TestWithParam<Case> {};

TEST_P(Encryption, SecretKeyRoundTripHasTheErrorOfTheory) {
  Client client = makeClient(GetParam().options);
  Tensor values = randomValues(client.manifest(), 1);
  Expected<wire::Ciphertext> ciphertext = client.encrypt(0, values);
  ASSERT_TRUE(ciphertext) << ciphertext.message();
  Expected<Tensor> decrypted = client.decrypt(*ciphertext);
  ASSERT_TRUE(decrypted) << decrypted.message();
  EXPECT_EQ(decrypted->shape, values.shape);
  double predicted = slotDeviation(3.2 * 3.2 + 1.0 / 12, client.manifest());
  double ratio = standardDeviation(decrypted->values, values.values) / predicted;
  EXPECT_GT(ratio, 0.93);
  EXPECT_LT(ratio, 1.07);
}

/// Public key: the rounding of both halves and of the encoding; P makes all errors negligible.
TEST_P(Encryption, PublicKeyRoundTripHasTheErrorOfTheory) {
  Client client = makeClient(GetParam().options);
  Expected<wire::PublicKey> publicKey = client.makePublicKey();
  ASSERT_TRUE(publicKey) << publicKey.message();
  Tensor values = randomValues(client.manifest(), 2);
  Entropy entropy = Entropy::insecureFromSeed(3);
  Expected<wire::Ciphertext> ciphertext =
      encrypt(client.parameters(), *publicKey, 0, values, entropy);
  ASSERT_TRUE(ciphertext) << ciphertext.message();
  EXPECT_FALSE(ciphertext->seed);
  Tensor decrypted = *client.decrypt(*ciphertext);
  double h = static_cast<double>(client.manifest().degree()) * 2 / 3; // expected non-zeros
  double variance = (1 + h) / 12 + 1.0 / 12;
  double ratio = standardDeviation(decrypted.values, values.values) /
                 slotDeviation(variance, client.manifest());
  EXPECT_GT(ratio, 0.9);
  EXPECT_LT(ratio, 1.1);
}

TEST_P(Encryption, PublicKeyErrorsAreThoseOfTheory) {
  Manifest manifest = test::makeManifest(GetParam().options);
  expectErrorsOfTheory(makeParameters(manifest), wire::productLog2(manifest, manifest.special));
}

/// Below the top level the key is read modulo P and that level.
TEST_P(Encryption, PublicKeyErrorsAreThoseOfTheoryAtTheLowestLevel) {
  Manifest manifest = test::makeManifest(GetParam().options);
  manifest.inputs[0].level = 0;
  expectErrorsOfTheory(makeParameters(manifest), wire::productLog2(manifest, manifest.special));
}

INSTANTIATE_TEST_SUITE_P(
    Rings, Encryption,
    testing::Values(
        Case{"N12", {.shape = {32}}},
        Case{"N13", {.logN = 13, .levelBits = {50, 40, 40}, .specialBits = {50}, .shape = {32}}},
        Case{"N14",
             {.logN = 14,
              .levelBits = {50, 45, 45, 45, 45},
              .specialBits = {50, 50},
              .digitLimbs = 2,
              .shape = {32}}}),
    [](const auto &info) { return info.param.name; });

/// One level is not inside the next: limbs 1 2 | 2 3 4, so that encryption at level 0 needs the
/// rational rescale from the top.
TEST(EncryptionOpenChain, PublicKeyServesLevelsOutsideOfTheTop) {
  test::ManifestOptions options{.logN = 11,
                                .levelBits = {40, 42, 43, 44},
                                .specialBits = {50},
                                .insecure = true,
                                .shape = {32},
                                .rotations = {}};
  Manifest manifest = test::makeManifest(options);
  manifest.levels = {{1, 2}, {2, 3, 4}};
  manifest.evaluationKeys.clear();
  manifest.inputs[0].level = 0;
  manifest.security = test::describeSecurity(manifest, true);
  Client client = *Client::create(test::bytesOf(wire::writeManifest(manifest)), "m",
                                  {.allowInsecure = true}, Entropy::insecureFromSeed(1));
  client.makeSecretKey();
  wire::PublicKey publicKey = *client.makePublicKey();
  Tensor values = randomValues(manifest, 1);
  Entropy entropy = Entropy::insecureFromSeed(3);
  wire::Ciphertext ciphertext = *encrypt(client.parameters(), publicKey, 0, values, entropy);
  Tensor decrypted = *client.decrypt(ciphertext);
  double h = static_cast<double>(manifest.degree()) * 2 / 3;
  double ratio = standardDeviation(decrypted.values, values.values) /
                 slotDeviation((1 + h) / 12 + 1.0 / 12, manifest);
  EXPECT_GT(ratio, 0.85);
  EXPECT_LT(ratio, 1.15);
  expectErrorsOfTheory(client.parameters(),
                       wire::productLog2(manifest, std::vector<uint16_t>{0, 3, 4}) -
                           wire::productLog2(manifest, std::vector<uint16_t>{1}));
}

/// Nothing to divide by: all errors stay, and there is no rounding.
TEST(Encryption, WithoutSpecialLimbs) {
  Client client = makeClient({.specialBits = {}, .shape = {32}});
  wire::PublicKey publicKey = *client.makePublicKey();
  Tensor values = randomValues(client.manifest(), 1);
  Entropy entropy = Entropy::insecureFromSeed(3);
  Tensor decrypted = *client.decrypt(*encrypt(client.parameters(), publicKey, 0, values, entropy));
  double h = static_cast<double>(client.manifest().degree()) * 2 / 3;
  double ratio = standardDeviation(decrypted.values, values.values) /
                 slotDeviation(3.2 * 3.2 * (1 + 2 * h), client.manifest());
  EXPECT_GT(ratio, 0.9);
  EXPECT_LT(ratio, 1.1);
  expectErrorsOfTheory(client.parameters(), 0);
}

/// Without an error, dividing a half of the ciphertext by that of the key would give v.
TEST(Encryption, BothHalvesHaveErrors) {
  Manifest manifest = test::makeManifest(
      {.logN = 11, .levelBits = {40}, .specialBits = {}, .insecure = true, .shape = {32}});
  Parameters parameters = makeParameters(manifest);
  const ring::Ring &ring = parameters.ring();
  const ring::Modulus &modulus = ring.modulus(0);
  Entropy entropy = Entropy::insecureFromSeed(3);
  wire::PublicKey publicKey =
      *makePublicKey(parameters, makeSecretKey(parameters, entropy), entropy);
  Tensor zeros{{32, 32}, std::vector<double>(1024)};
  wire::Ciphertext ciphertext = *encrypt(parameters, publicKey, 0, zeros, entropy);
  ring::Poly a(1, ring.degree());
  ring::expandUniformLimb(publicKey.seed, 0, 0, modulus, a.view().span());
  const uint64_t *halves[] = {std::as_const(publicKey.b).limb(0), std::as_const(a).limb(0)};
  for (size_t half : {0, 1}) {
    uint64_t *row = ciphertext.polynomials[half].limb(0);
    for (size_t k = 0; k < ring.degree(); ++k)
      row[k] = modulus.mul(row[k], modulus.inverse(halves[half][k]));
    std::vector<double> quotient = centredCoefficients(ring, 0, row);
    EXPECT_GT(*std::ranges::max_element(quotient), 0x1p38) << half;
  }
}

/// Two levels of one limb each, without P, the upper one and a half times the lower: a division by
/// 3/2. Of the lower residues half come from one upper residue and half from two, by their place.
Manifest makeCoarseDivision() {
  Manifest manifest = test::makeManifest(
      {.logN = 11, .levelBits = {40, 40}, .specialBits = {}, .insecure = true, .shape = {32}});
  uint64_t step = 2 * manifest.degree();
  manifest.limbs[1] = manifest.limbs[0] / 2 * 3 / step * step + 1;
  while (!ring::isNttPrime(manifest.logN, manifest.limbs[1]))
    manifest.limbs[1] += step;
  manifest.levels = {{0}, {1}};
  manifest.inputs[0].level = 0;
  manifest.security = test::describeSecurity(manifest, true);
  return manifest;
}

/// The number of x modulo `from` with round(to * x / from) = c modulo `to`, for c not 0.
int countOrigins(uint64_t c, uint64_t from, uint64_t to) {
  auto below = [&](uint64_t twice) { // how many x >= 0 have 2 * to * x < twice * from, less one
    return static_cast<unsigned __int128>(twice) * from / (2 * static_cast<unsigned __int128>(to));
  };
  return static_cast<int>(below(2 * c + 1) - below(2 * c - 1));
}

TEST(EncryptionOpenChain, ErrorsWithoutSpecialLimbsAreThoseOfTheory) {
  expectErrorsOfTheory(makeParameters(makeCoarseDivision()), std::log2(1.5));
}

/// A uniform upper residue gives a lower one of two origins with probability 2/3. A message added
/// afterwards would move the result away from where that is so, and be seen by that: 1/2.
TEST(EncryptionOpenChain, TheMessageDoesNotShowThroughACoarseDivision) {
  Parameters parameters = makeParameters(makeCoarseDivision());
  const Manifest &manifest = parameters.manifest();
  Entropy entropy = Entropy::insecureFromSeed(3);
  SecretKey key = makeSecretKey(parameters, entropy);
  wire::PublicKey publicKey = *makePublicKey(parameters, key, entropy);
  Tensor values = randomValues(manifest, 1);
  wire::Ciphertext ciphertext = *encrypt(parameters, publicKey, 0, values, entropy);
  Tensor decrypted = *decrypt(parameters, key, ciphertext);
  EXPECT_LT(standardDeviation(decrypted.values, values.values), 1e-3);
  uint64_t *row = ciphertext.polynomials[0].limb(0);
  parameters.ring().kernels().intt(parameters.ring().tables(0), row, row);
  double twice = 0, n = static_cast<double>(parameters.degree());
  for (uint64_t c : std::span(row, parameters.degree()))
    twice += countOrigins(c, manifest.limbs[1], manifest.limbs[0]) == 2;
  EXPECT_NEAR(twice / n, 2.0 / 3, 5 * std::sqrt(2.0 / 9 / n));
}

/// Through a file, with fewer slots than N/2 and fewer items than the batch.
TEST(Encryption, SparsePackingThroughAFile) {
  Manifest manifest = test::makeManifest({.shape = {3}});
  manifest.slots = 64;
  manifest.inputs[0].batch = manifest.outputs[0].batch = 16;
  Client client = *Client::create(test::bytesOf(wire::writeManifest(manifest)), "m", {},
                                  Entropy::insecureFromSeed(1));
  client.makeSecretKey();
  Tensor values{{2, 3}, {1, 2, 3, -4, -5, -6}};
  std::vector<uint8_t> file;
  ASSERT_TRUE(
      wire::writeCiphertext(*client.encrypt(0, values), manifest, wire::Sink::toMemory(file))
          .isOk());
  wire::Ciphertext read = *wire::readCiphertext(wire::Source::fromMemory(file, "c"), manifest);
  Tensor decrypted = *client.decrypt(read);
  EXPECT_EQ(decrypted.shape, values.shape);
  for (size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(decrypted.values[k], values.values[k], 1e-5);
}

TEST(Encryption, FreshEntropyGivesFreshCiphertexts) {
  Client client = makeClient({.shape = {32}});
  Tensor values = randomValues(client.manifest(), 1);
  wire::Ciphertext a = *client.encrypt(0, values), b = *client.encrypt(0, values);
  EXPECT_NE(a.seed, b.seed);
  EXPECT_FALSE(std::ranges::equal(std::as_const(a.polynomials[0]).view().span(),
                                  std::as_const(b.polynomials[0]).view().span()));
}

TEST(Decryption, AnotherKeyIsRefused) {
  Client one = makeClient({}, 1), two = makeClient({}, 2);
  wire::Ciphertext ciphertext = *one.encrypt(0, {{3, 5}, std::vector<double>(15)});
  Status status = two.decrypt(ciphertext).status();
  EXPECT_EQ(status.code(), StatusCode::mismatch);
  EXPECT_NE(status.message().find("belongs to secret key " + ciphertext.keyId), std::string::npos);
}

/// With the key's name forged, what comes out is noise over the whole modulus, not the message.
TEST(Decryption, AnotherKeyGivesNothing) {
  Client one = makeClient({.shape = {32}}, 1), two = makeClient({.shape = {32}}, 2);
  Tensor values = randomValues(one.manifest(), 1);
  wire::Ciphertext ciphertext = *one.encrypt(0, values);
  SecretKey wrong =
      makeSecretKey(two.parameters(), *std::make_unique<Entropy>(Entropy::insecureFromSeed(9)));
  wrong.keyId = ciphertext.keyId;
  Tensor decrypted = *decrypt(one.parameters(), wrong, ciphertext);
  EXPECT_GT(standardDeviation(decrypted.values, values.values), 1e6);
}

} // namespace
