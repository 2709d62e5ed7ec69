//===- randomness_test.cpp - the two roots of all randomness ---------------------------------===//
#include "runtime/client/randomness.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice::client;
using Bytes = std::vector<uint8_t>;

Bytes stream(const SecretRoot &root, uint64_t number, size_t size = 64) {
  Bytes out(size);
  root.fillStream(number, out);
  return out;
}

TEST(Randomness, StreamsAreRepeatableAndDiffer) {
  SecretRoot root = Entropy::fromSystem().drawSecretRoot();
  EXPECT_EQ(stream(root, 1), stream(root, 1));
  EXPECT_NE(stream(root, 1), stream(root, 2));
  Bytes longer = stream(root, 1, 100);
  longer.resize(64);
  EXPECT_EQ(longer, stream(root, 1)) << "a stream has one beginning";
}

TEST(Randomness, SystemDrawsDiffer) {
  Entropy entropy = Entropy::fromSystem();
  EXPECT_NE(stream(entropy.drawSecretRoot(), 0), stream(entropy.drawSecretRoot(), 0));
  EXPECT_NE(entropy.drawPublicSeed(), entropy.drawPublicSeed());
  EXPECT_NE(entropy.drawKeyId(), entropy.drawKeyId());
}

TEST(Randomness, InsecureEntropyFollowsFromItsSeed) {
  Entropy a = Entropy::insecureFromSeed(7), b = Entropy::insecureFromSeed(7),
          c = Entropy::insecureFromSeed(8);
  PublicSeed first = a.drawPublicSeed();
  EXPECT_EQ(first, b.drawPublicSeed());
  EXPECT_NE(first, c.drawPublicSeed());
  EXPECT_NE(first, a.drawPublicSeed());
  EXPECT_EQ(stream(a.drawSecretRoot(), 3).size(), 64u);
}

/// The public seed says nothing of the secret root even where both follow from one test seed.
TEST(Randomness, RootsAreIndependent) {
  Entropy a = Entropy::insecureFromSeed(7), b = Entropy::insecureFromSeed(7);
  PublicSeed seed = a.drawPublicSeed();
  SecretRoot root = b.drawSecretRoot(); // drawn at the same position
  SecretRoot same = Entropy::insecureFromSeed(7).drawSecretRoot();
  EXPECT_EQ(stream(root, 0), stream(same, 0));
  EXPECT_NE(Bytes(seed.begin(), seed.end()), stream(root, 0, 32));
}

} // namespace
