//===- encryption_test.cpp - encryptor and decryptor -----------------------------------------===//
#include "runtime/client/client.h"

#include "test/runtime/wire/fixtures.h"

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

/// Public key: e0 + e1 * s, the rounding of both halves, and v * e / P, which P makes negligible.
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
  double variance = (1 + h) * (3.2 * 3.2 + 1.0 / 12) + 1.0 / 12;
  double ratio = standardDeviation(decrypted.values, values.values) /
                 slotDeviation(variance, client.manifest());
  EXPECT_GT(ratio, 0.9);
  EXPECT_LT(ratio, 1.1);
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
                 slotDeviation((1 + h) * (3.2 * 3.2 + 1.0 / 12), manifest);
  EXPECT_GT(ratio, 0.85);
  EXPECT_LT(ratio, 1.15);
}

TEST(Encryption, WithoutSpecialLimbs) {
  Client client = makeClient({.specialBits = {}, .shape = {32}});
  wire::PublicKey publicKey = *client.makePublicKey();
  Tensor values = randomValues(client.manifest(), 1);
  Entropy entropy = Entropy::insecureFromSeed(3);
  Tensor decrypted = *client.decrypt(*encrypt(client.parameters(), publicKey, 0, values, entropy));
  EXPECT_LT(standardDeviation(decrypted.values, values.values), 1e-3);
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
