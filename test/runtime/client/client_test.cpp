//===- client_test.cpp - one client of one program -------------------------------------------===//
#include "runtime/client/client.h"

#include "test/runtime/wire/fixtures.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::client;

Client makeClient(Manifest manifest = test::makeManifest()) {
  Expected<Client> client = Client::create(test::bytesOf(wire::writeManifest(manifest)), "m", {},
                                           Entropy::insecureFromSeed(1));
  EXPECT_TRUE(client) << client.message();
  return std::move(*client);
}

TEST(Client, WithoutKeysItSaysSo) {
  Client client = makeClient();
  Tensor values{{3, 5}, std::vector<double>(15)};
  EXPECT_EQ(client.encrypt(0, values).status().message(),
            "there is no key to encrypt with: make or read one");
  EXPECT_EQ(client.makePublicKey().status().message(),
            "there is no secret key: make or read one first");
  EXPECT_FALSE(client.hasKey());
  EXPECT_EQ(client.decrypt({}).status().code(), StatusCode::notFound);
  client.makeSecretKey();
  EXPECT_TRUE(client.encrypt(0, values));
  EXPECT_EQ(client.encrypt(1, values).status().message(), "there is no input 1: the program has 1");
}

TEST(Client, PublicKeyEncryptsForTheSecretKey) {
  Client owner = makeClient(), other = makeClient();
  owner.makeSecretKey();
  other.setPublicKey(*owner.makePublicKey());
  Tensor values{{3, 5}, std::vector<double>(15, 1.5)};
  EXPECT_EQ(other.decrypt(*owner.encrypt(0, values)).status().message(),
            "the key is a public key, with which one can only encrypt: secret.key is needed here");
  Tensor decrypted = *owner.decrypt(*other.encrypt(0, values));
  EXPECT_EQ(decrypted.shape, (std::vector<uint64_t>{1, 3, 5}));
  EXPECT_NEAR(decrypted.values[14], 1.5, 1e-4);
}

TEST(Client, InputsByName) {
  Manifest manifest = test::makeManifest();
  Client one = makeClient(manifest);
  EXPECT_EQ(*one.inputIndex(""), 0u);
  EXPECT_EQ(*one.inputIndex("x"), 0u);
  EXPECT_EQ(one.inputIndex("z").status().message(), "there is no input 'z'; the program has 'x'");
  manifest.inputs.push_back(manifest.inputs[0]);
  manifest.inputs[1].name = "y";
  Client two = makeClient(manifest);
  EXPECT_EQ(*two.inputIndex("y"), 1u);
  EXPECT_EQ(two.inputIndex("").status().message(), "the program has 2 inputs ('x', 'y'): name one");
}

} // namespace
