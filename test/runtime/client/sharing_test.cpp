//===- sharing_test.cpp - decryptions that may be shared -------------------------------------===//
#include "runtime/client/key_files.h"

#include "runtime/abi/flooding.h"
#include "runtime/client/secret_key_io.h"
#include "test/runtime/wire/fixtures.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::client;
namespace fs = std::filesystem;

/// Input and output alike, at level 0: what was encrypted can stand for what was computed.
Manifest makeManifest(uint64_t decryptions = 2, uint64_t slots = 2048, bool isComplex = false) {
  Manifest manifest = test::makeManifest({.shape = {32}, .range = 1});
  manifest.slots = slots;
  manifest.inputs[0].batch = slots / 32;
  manifest.inputs[0].level = 0;
  manifest.inputs[0].isComplex = isComplex;
  manifest.outputs[0] = manifest.inputs[0];
  manifest.outputs[0].name = "result";
  if (decryptions)
    test::addCertificate(manifest, decryptions);
  return manifest;
}

Client makeClient(const Manifest &manifest, uint64_t seed = 1, bool hasKey = true) {
  Expected<Client> client = Client::create(test::bytesOf(wire::writeManifest(manifest)), "m", {},
                                           Entropy::insecureFromSeed(seed));
  EXPECT_TRUE(client) << client.message();
  if (hasKey)
    client->makeSecretKey();
  return std::move(*client);
}

Tensor zeros(const Manifest &manifest) {
  const ManifestTensor &tensor = manifest.inputs[0];
  return {{tensor.batch, 32}, std::vector<double>(tensor.batch * 32)};
}

wire::Ciphertext makeOutput(Client &client) {
  wire::Ciphertext ciphertext = *client.encrypt(0, zeros(client.manifest()));
  ciphertext.direction = wire::Direction::output;
  return ciphertext;
}

double rms(const std::vector<double> &values) {
  double squares = 0;
  for (double value : values)
    squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

/// Shared values of zero are the flooding: real and complex, fewer slots than N/2 and all of them.
TEST(Sharing, ValuesHaveTheDeviationOfTheCertificate) {
  for (uint64_t slots : {256, 2048})
    for (bool isComplex : {false, true}) {
      Client client = makeClient(makeManifest(64, slots, isComplex));
      wire::Ciphertext output = makeOutput(client);
      const double expected = client.manifest().certificate->outputs[0].floodingDeviation;
      std::vector<double> values;
      while (values.size() < 1 << 14) {
        Expected<Tensor> shared = client.decryptToShare(output);
        ASSERT_TRUE(shared) << shared.message();
        values.insert(values.end(), shared->values.begin(), shared->values.end());
      }
      double ratio = rms(values) / expected;
      EXPECT_NEAR(ratio, 1, 5 / std::sqrt(2.0 * static_cast<double>(values.size())))
          << slots << isComplex;
    }
}

/// Without the flooding they are some 2^17 times as precise.
TEST(Sharing, DecryptionItselfStaysAsItIs) {
  Client plain = makeClient(makeManifest(0)), sharing = makeClient(makeManifest(2));
  wire::Ciphertext a = makeOutput(plain), b = makeOutput(sharing);
  EXPECT_EQ(plain.decrypt(a)->values, sharing.decrypt(b)->values);
  ASSERT_TRUE(sharing.decryptToShare(b));
  EXPECT_EQ(plain.decrypt(a)->values, sharing.decrypt(b)->values);
  const CertifiedOutput &output = sharing.manifest().certificate->outputs[0];
  EXPECT_LT(rms(sharing.decrypt(b)->values) * 0x1p15, output.floodingDeviation);
  EXPECT_EQ(sharing.sharedCount(), 1u) << "a decryption that is not shared does not count";
}

TEST(Sharing, EveryOneHasNoiseOfItsOwn) {
  Client client = makeClient(makeManifest(2));
  wire::Ciphertext output = makeOutput(client);
  std::vector<double> one = client.decryptToShare(output)->values,
                      two = client.decryptToShare(output)->values;
  const double deviation = client.manifest().certificate->outputs[0].floodingDeviation;
  for (size_t k = 0; k < one.size(); ++k)
    one[k] -= two[k];
  EXPECT_NEAR(rms(one) / deviation, std::sqrt(2), 0.1);
}

TEST(Sharing, MoreNoiseForWhoAsksForIt) {
  Client client = makeClient(makeManifest(3));
  wire::Ciphertext output = makeOutput(client);
  const double stated = client.manifest().certificate->outputs[0].floodingDeviation;
  EXPECT_NEAR(rms(client.decryptToShare(output, 8 * stated)->values) / stated, 8, 0.8);
  EXPECT_NEAR(rms(client.decryptToShare(output, stated / 8)->values) / stated, 1, 0.1);
  for (double tooMuch : {1e10, std::nan("")})
    EXPECT_EQ(client.decryptToShare(output, tooMuch).status().code(), StatusCode::outOfRange);
  EXPECT_EQ(client.sharedCount(), 2u);
  EXPECT_TRUE(client.decryptToShare(output)) << "a refusal takes nothing";
}

TEST(Sharing, EndsWithTheCount) {
  Client client = makeClient(makeManifest(2));
  wire::Ciphertext output = makeOutput(client);
  EXPECT_TRUE(client.decryptToShare(output));
  EXPECT_TRUE(client.decryptToShare(output));
  EXPECT_EQ(client.decryptToShare(output).message(),
            "2 shared decryptions are allowed under this key, and all were made: make new keys, or "
            "compile for more decryptions");
  EXPECT_TRUE(client.decrypt(output));
  client.makeSecretKey();
  EXPECT_TRUE(client.decryptToShare(makeOutput(client))) << "a new key has a new count";
}

TEST(Sharing, IsRefusedWhereNothingIsPromised) {
  Client client = makeClient(makeManifest(0));
  Status status = client.decryptToShare(makeOutput(client)).status();
  EXPECT_EQ(status.code(), StatusCode::insecure);
  EXPECT_EQ(status.message(),
            "program 'score' was compiled to share no decryption: compile it with --decryptions "
            "(in Python decryptions=) and make new keys");
  Manifest none = makeManifest(2); // a certificate that allows none
  none.certificate->decryptions = 0;
  none.certificate->statisticalBits = 0;
  none.certificate->outputs.clear();
  client = makeClient(none);
  EXPECT_EQ(client.decryptToShare(makeOutput(client)).message(), status.message());
}

TEST(Sharing, OnlyOutputsUnderThisKey) {
  Client client = makeClient(makeManifest(2)), other = makeClient(makeManifest(2), 2);
  wire::Ciphertext input = *client.encrypt(0, zeros(client.manifest()));
  EXPECT_EQ(client.decryptToShare(input).message(),
            "only outputs can be shared, not what was encrypted as input 'x'");
  EXPECT_EQ(client.decryptToShare(makeOutput(other)).status().code(), StatusCode::mismatch);
  EXPECT_EQ(client.sharedCount(), 0u);
}

class SharingFiles : public testing::Test {
protected:
  SharingFiles() : folder(testing::TempDir() + "sharing_files_test") { fs::remove_all(folder); }
  ~SharingFiles() override { fs::remove_all(folder); }

  std::string keys(const char *name = "keys") const { return folder + "/" + name; }

  /// A client with the key of a folder.
  Client open(const char *name = "keys", const Manifest &manifest = makeManifest(2)) {
    Client client = makeClient(manifest, 9, false);
    Status status = readKeyFile(client, keys(name) + "/secret.key", KeyUse::decrypt);
    EXPECT_TRUE(status.isOk()) << status.message();
    return client;
  }

  std::string folder;
};

TEST_F(SharingFiles, TheCountIsKeptBesideTheKey) {
  Client client = makeClient(makeManifest(2));
  ASSERT_TRUE(writeKeyFiles(client, keys()));
  EXPECT_TRUE(fs::exists(keys() + "/secret.key.count"));
  wire::Ciphertext output = makeOutput(client);
  EXPECT_TRUE(open().decryptToShare(output));
  EXPECT_TRUE(client.decryptToShare(output)) << "its own count is the file's";
  EXPECT_EQ(client.sharedCount(), 2u);
  EXPECT_EQ(open().decryptToShare(output).status().code(), StatusCode::insecure);
  EXPECT_TRUE(open().decrypt(output));
}

TEST_F(SharingFiles, AKeyOfAProgramThatSharesNothingHasNoCount) {
  Client client = makeClient(makeManifest(0));
  ASSERT_TRUE(writeKeyFiles(client, keys()));
  EXPECT_FALSE(fs::exists(keys() + "/secret.key.count"));
}

TEST_F(SharingFiles, NewKeysReplaceTheCount) {
  Client client = makeClient(makeManifest(1));
  ASSERT_TRUE(writeKeyFiles(client, keys()));
  ASSERT_TRUE(client.decryptToShare(makeOutput(client)));
  Client next = makeClient(makeManifest(1), 2);
  ASSERT_TRUE(writeKeyFiles(next, keys(), wire::Existing::replace));
  EXPECT_TRUE(next.decryptToShare(makeOutput(next)));
}

TEST_F(SharingFiles, ACopyThatAClientMakesSharesNothing) {
  Client client = makeClient(makeManifest(2));
  ASSERT_TRUE(writeKeyFiles(client, keys()));
  Client again = open();
  ASSERT_TRUE(writeKeyFiles(again, keys("copy")));
  wire::Ciphertext output = makeOutput(client);
  EXPECT_EQ(open("copy").decryptToShare(output).status().code(), StatusCode::insecure);
  EXPECT_TRUE(open("copy").decrypt(output));
  EXPECT_TRUE(open().decryptToShare(output));
}

/// A server that sends another manifest for the same program cannot lower what was promised.
TEST_F(SharingFiles, TheManifestIsTheOneThatTheKeyWasMadeFor) {
  Client client = makeClient(makeManifest(2));
  ASSERT_TRUE(writeKeyFiles(client, keys()));
  wire::Ciphertext output = makeOutput(client);
  Manifest smaller = makeManifest(2);
  CertifiedOutput &promise = smaller.certificate->outputs[0];
  promise.deviation /= 2;
  promise.errorNorm /= 2;
  promise.floodingDeviation /= 2;
  promise.precisionBits += 1;
  for (const Manifest &manifest : {smaller, makeManifest(3)}) {
    Status status = open("keys", manifest).decryptToShare(output).status();
    EXPECT_EQ(status.code(), StatusCode::mismatch);
    EXPECT_NE(status.message().find("was made for another manifest of this program"),
              std::string::npos)
        << status.message();
  }
  EXPECT_TRUE(open().decryptToShare(output));
}

TEST_F(SharingFiles, AKeyThatWasMadeToShareNothing) {
  Client old = makeClient(makeManifest(0));
  ASSERT_TRUE(writeKeyFiles(old, keys()));
  Client client = open("keys", makeManifest(2));
  Status status = client.decryptToShare(makeOutput(old)).status();
  EXPECT_EQ(status.code(), StatusCode::insecure);
  EXPECT_NE(status.message().find("was made to share no decryption: make new keys"),
            std::string::npos)
      << status.message();
}

TEST_F(SharingFiles, AKeyWithoutItsCount) {
  Client client = makeClient(makeManifest(2));
  std::vector<uint8_t> bytes;
  ASSERT_TRUE(client.writeSecretKey(wire::Sink::toMemory(bytes)).isOk());
  Client other = makeClient(makeManifest(2), 2, false);
  other.setSecretKey(*readSecretKey(wire::Source::fromMemory(bytes, "s"), client.manifest()));
  EXPECT_EQ(other.decryptToShare(makeOutput(client)).status().code(), StatusCode::notFound);
  ASSERT_TRUE(writeKeyFiles(client, keys()));
  fs::remove(keys() + "/secret.key.count");
  EXPECT_EQ(open().decryptToShare(makeOutput(client)).status().code(), StatusCode::notFound);
}

} // namespace
