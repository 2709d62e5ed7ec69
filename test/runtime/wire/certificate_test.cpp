//===- certificate_test.cpp - the certificate in a manifest ----------------------------------===//
#include "test/runtime/wire/fixtures.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace sluice;
using namespace sluice::wire;
using nlohmann::json;

json makeJson(test::ManifestOptions options = {}) {
  options.decryptions = options.decryptions ? options.decryptions : 3;
  return json::parse(writeManifest(test::makeManifest(options)));
}

Status statusOf(const json &document) {
  return readManifest(test::bytesOf(document.dump()), "m").status();
}

json with(json document, const std::string &pointer, const json &value) {
  document[json::json_pointer("/certificate" + pointer)] = value;
  return document;
}

TEST(Certificate, RoundTrip) {
  Manifest manifest = test::makeManifest({.decryptions = 3});
  manifest.certificate->log2Failure = -130.5;
  std::string text = writeManifest(manifest);
  Expected<Manifest> read = readManifest(test::bytesOf(text), "m");
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(writeManifest(*read), text);
  const ManifestCertificate &certificate = *read->certificate;
  EXPECT_EQ(certificate.keys, manifest.certificate->keys);
  EXPECT_EQ(certificate.log2Failure, -130.5);
  EXPECT_EQ(certificate.decryptions, 3u);
  EXPECT_EQ(certificate.statisticalBits, 30);
  ASSERT_EQ(certificate.outputs.size(), 1u);
  EXPECT_EQ(certificate.outputs[0].name, "result");
  // 64 items of errors 2^-24, doubled: 2^-20. sqrt(12 * 3) = 6.
  EXPECT_EQ(certificate.outputs[0].errorNorm, 0x1p-20);
  EXPECT_EQ(certificate.outputs[0].floodingDeviation, 6 * 0x1p-5);
}

TEST(Certificate, IsNotNeeded) {
  std::string text = writeManifest(test::makeManifest());
  EXPECT_EQ(text.find("certificate"), std::string::npos);
  EXPECT_FALSE(readManifest(test::bytesOf(text), "m")->certificate);
}

TEST(Certificate, OfAProgramThatSharesNothing) {
  json document = makeJson();
  json &certificate = document["certificate"];
  certificate["decryptions"] = 0;
  certificate["statistical_bits"] = 0;
  certificate["outputs"][0]["flooding_deviation"] = 0;
  certificate["outputs"][0]["precision_bits"] = 24;
  EXPECT_TRUE(statusOf(document).isOk()) << statusOf(document).message();
  certificate["outputs"] = json::array(); // no forecast
  EXPECT_TRUE(statusOf(document).isOk()) << statusOf(document).message();
}

/// Special limbs of 38 bits, levels of 36 and 66 bits: the sums are the tests' own.
TEST(Certificate, NamesTheLargestModulusOfEveryKindOfKey) {
  Manifest manifest = test::makeManifest(
      {.rotations = {1, 2}, .permutedRotations = {3}, .keyLevels = {0, 0, 1, 0}});
  std::vector<CertifiedKey> keys = certifyKeys(manifest);
  ASSERT_EQ(keys.size(), 3u);
  const std::pair<const char *, double> expected[] = {
      {"public_key", 104}, {"relinearize", 74}, {"galois", 104}};
  for (size_t k = 0; k < keys.size(); ++k) {
    EXPECT_EQ(keys[k].object, expected[k].first);
    EXPECT_NEAR(keys[k].logQP, expected[k].second, 0.01);
    EXPECT_EQ(keys[k].limit, 106u);
    EXPECT_EQ(keys[k].row, "uniform ternary, N = 2^12");
  }
}

TEST(Certificate, TheEphemeralSecretsKeyHasARowOfItsOwn) {
  Manifest manifest = test::makeManifest(
      {.logN = 16, .levelBits = {50, 40}, .specialBits = {50}, .ephemeralBits = 49});
  std::vector<CertifiedKey> keys = certifyKeys(manifest);
  ASSERT_EQ(keys.size(), 5u);
  EXPECT_EQ(keys[3].object, "to_ephemeral");
  EXPECT_NEAR(keys[3].logQP, 99, 0.01);
  EXPECT_EQ(keys[3].limit, 117u);
  EXPECT_EQ(keys[4].object, "to_main");
  EXPECT_NEAR(keys[4].logQP, 140, 0.01);
  EXPECT_EQ(keys[4].limit, 1747u);
}

struct Wrong {
  const char *pointer;
  json value;
  const char *message;
  StatusCode code = StatusCode::corruptFile;
};

TEST(Certificate, WhatDoesNotFitIsRefused) {
  const Wrong cases[] = {
      {"/keys/0/log_qp", 90.0,
       "m: certificate.keys[0]: must be public_key with log_qp 104.00, limit 106, row \"uniform "
       "ternary, N = 2^12\""},
      {"/keys/1/limit", 214,
       "m: certificate.keys[1]: must be relinearize with log_qp 104.00, limit 106, row \"uniform "
       "ternary, N = 2^12\""},
      {"/keys/2/object", "to_main",
       "m: certificate.keys[2]: must be galois with log_qp 104.00, limit 106, row \"uniform "
       "ternary, N = 2^12\""},
      {"/keys/2/row", "none",
       "m: certificate.keys[2]: must be galois with log_qp 104.00, limit 106, row \"uniform "
       "ternary, N = 2^12\""},
      {"/keys", json::array(), "m: certificate.keys: has 0 kinds of keys; there are 3"},
      {"/log2_failure", 0.5, "m: certificate.log2_failure: 0.5 is not the log2 of a part of 1"},
      {"/decryptions", -1,
       "m: certificate.decryptions: must be an integer from 0 to 1099511627776"},
      {"/decryptions", uint64_t(1) << 41,
       "m: certificate.decryptions: 2199023255552 is not in 0 to 1099511627776"},
      {"/decryptions", 0,
       "m: certificate.statistical_bits: must be 0 where no decryption may be shared"},
      {"/statistical_bits", 0, "m: certificate.statistical_bits: 0 is not in 0 to 128"},
      {"/statistical_bits", 129, "m: certificate.statistical_bits: 129 is not in 0 to 128"},
      {"/statistical_bits", 29,
       "m: certificate.statistical_bits: 29 bits are promised of shared decryptions; 30 are the "
       "least",
       StatusCode::insecure},
      {"/outputs", json::array(), "m: certificate.outputs: has 0 outputs; the program has 1"},
      {"/outputs/0/name", "x",
       "m: certificate.outputs[0].name: output 0 of the program is "
       "'result'"},
      {"/outputs/0/deviation", 0,
       "m: certificate.outputs[0].deviation: 0 is less than 1.21667e-08, the error of one "
       "rounding"},
      {"/outputs/0/deviation", 0x1p-22,
       "m: certificate.outputs[0].error_norm: 9.53674e-07 is less than 1.90735e-06, that of 64 "
       "errors of this deviation"},
      {"/outputs/0/error_norm", -0x1p-20,
       "m: certificate.outputs[0].error_norm: -9.53674e-07 is less than 4.76837e-07, that of 64 "
       "errors of this deviation"},
      {"/outputs/0/error_norm", 0x1p-19,
       "m: certificate.outputs[0].flooding_deviation: 0.1875 is stated, but the other numbers give "
       "0.375"},
      {"/outputs/0/flooding_deviation", 0.1874,
       "m: certificate.outputs[0].flooding_deviation: 0.1874 is stated, but the other numbers give "
       "0.1875"},
      {"/decryptions", 4,
       "m: certificate.outputs[0].flooding_deviation: 0.1875 is stated, but the other numbers give "
       "0.216506"},
      {"/statistical_bits", 31,
       "m: certificate.outputs[0].flooding_deviation: 0.1875 is stated, but the other numbers give "
       "0.265165"},
      {"/outputs/0/flooding_deviation", 0,
       "m: certificate.outputs[0].flooding_deviation: 0 is stated, but the other numbers give "
       "0.1875"},
      {"/outputs/0/flooding_deviation", -1,
       "m: certificate.outputs[0].flooding_deviation: -1 is stated, but the other numbers give "
       "0.1875"},
      {"/outputs/0/precision_bits", 20,
       "m: certificate.outputs[0].precision_bits: 20.00 is stated, but the deviations give 2.42"},
  };
  ASSERT_TRUE(statusOf(makeJson()).isOk()) << statusOf(makeJson()).message();
  for (const Wrong &wrong : cases) {
    Status status = statusOf(with(makeJson(), wrong.pointer, wrong.value));
    EXPECT_EQ(status.message(), wrong.message);
    EXPECT_EQ(status.code(), wrong.code) << wrong.message;
  }
}

/// Level 0 has 36 bits: 35 with a sign, 4 of them for 16 deviations. 2^31 / 2^30 * sqrt(2048).
TEST(Certificate, FloodingMustFitItsLevel) {
  json document = with(makeJson(), "/outputs/0/flooding_deviation", 90.0);
  document["certificate"]["outputs"][0]["precision_bits"] = -std::log2(90.0);
  EXPECT_TRUE(statusOf(document).isOk()) << statusOf(document).message();
  document["certificate"]["outputs"][0]["flooding_deviation"] = 91.0;
  document["certificate"]["outputs"][0]["precision_bits"] = -std::log2(91.0);
  EXPECT_EQ(statusOf(document).message(), "m: certificate.outputs[0].flooding_deviation: 91 is "
                                          "more than 90.5096, which level 0 can hold");
}

TEST(Certificate, FewerBitsAreForInsecurePrograms) {
  test::ManifestOptions options{.insecure = true, .decryptions = 3};
  json document = with(makeJson(options), "/statistical_bits", 20);
  EXPECT_TRUE(statusOf(document).isOk()) << statusOf(document).message();
}

TEST(Certificate, EveryFieldIsRequiredAndOfItsType) {
  json whole = makeJson(), flat = whole["certificate"].flatten();
  for (const auto &[name, value] : flat.items()) {
    json::json_pointer pointer("/certificate" + name);
    json document = whole;
    document[pointer.parent_pointer()].erase(pointer.back());
    EXPECT_NE(statusOf(document).message().find("field '" + pointer.back() + "' is missing"),
              std::string::npos)
        << name;
    for (const json &wrong : {json(nullptr), json(json::object()), json(json::array())})
      EXPECT_EQ(statusOf(with(whole, name, wrong)).code(), StatusCode::corruptFile) << name;
  }
  EXPECT_EQ(statusOf(with(whole, "", 1)).code(), StatusCode::corruptFile);
}

TEST(Certificate, NumbersThatADecryptionGivesOut) {
  ManifestTensor tensor{"y", {3, 5}, 0, 0, 32, 64, true, 0, {}, false};
  EXPECT_EQ(numbersGivenOut(tensor), 64u * 15);
  tensor.batched = false;
  EXPECT_EQ(numbersGivenOut(tensor), 15u);
  tensor.isComplex = true;
  EXPECT_EQ(numbersGivenOut(tensor), 30u);
}

} // namespace
