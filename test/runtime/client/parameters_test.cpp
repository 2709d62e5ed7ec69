//===- parameters_test.cpp - a manifest and its ring -----------------------------------------===//
#include "runtime/client/parameters.h"

#include "test/runtime/wire/fixtures.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::client;

Status statusOf(const test::ManifestOptions &options, bool allowInsecure) {
  std::string text = wire::writeManifest(test::makeManifest(options));
  return Parameters::fromManifest(test::bytesOf(text), "m", {.allowInsecure = allowInsecure})
      .status();
}

TEST(Parameters, SecureManifestsAreTaken) { EXPECT_TRUE(statusOf({}, false).isOk()); }

TEST(Parameters, InsecureOnesMustBeAllowed) {
  Status status = statusOf({.logN = 5, .insecure = true, .shape = {4}}, false);
  EXPECT_EQ(status.code(), StatusCode::insecure);
  EXPECT_EQ(status.message(), "m: its parameters are marked insecure: a test program, whose keys "
                              "protect nothing. Allow it explicitly if that is what you want");
  EXPECT_TRUE(statusOf({.logN = 5, .insecure = true, .shape = {4}}, true).isOk());
}

TEST(Parameters, AllowingInsecureOnesDoesNotWeakenTheCheckOfOthers) {
  EXPECT_EQ(statusOf({.levelBits = {36, 36}}, true).code(), StatusCode::insecure);
}

} // namespace
