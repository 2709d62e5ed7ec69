//===- v1_test.cpp - files of format version 1 stay readable --------------------------------===//
//
// The files in test/compat/v1 were written once, by tools/dev/bless_compat.py, from an insecure toy
// program. Every later version reads them, computes the same residues from them, and writes the
// same bytes.
//
//===----------------------------------------------------------------------------------------===//
#include "runtime/client/client.h"
#include "runtime/client/secret_key_io.h"
#include "runtime/exec/executor.h"
#include "runtime/wire/evaluation_keys.h"
#include "runtime/wire/manifest.h"
#include "runtime/wire/public_key.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace sluice {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes golden(const std::string &name) {
  std::ifstream file(std::string(SLUICE_COMPAT_FOLDER) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::unique_ptr<wire::Source> source(const Bytes &bytes, const char *name) {
  return wire::Source::fromMemory(bytes, name);
}

class CompatV1Test : public testing::Test {
protected:
  CompatV1Test() : manifestBytes(golden("manifest.json")) {
    auto created = client::Client::create(manifestBytes, "manifest.json", {true, 1});
    EXPECT_TRUE(created.isOk()) << created.message();
    client.emplace(std::move(*created));
    Bytes secret = golden("secret.key");
    auto key = client::readSecretKey(source(secret, "secret.key"), manifest());
    EXPECT_TRUE(key.isOk()) << key.message();
    client->setSecretKey(std::move(*key));
  }

  const Manifest &manifest() const { return client->manifest(); }

  wire::Ciphertext readCiphertext(const char *name) {
    Bytes bytes = golden(name);
    auto ciphertext = wire::readCiphertext(source(bytes, name), manifest());
    EXPECT_TRUE(ciphertext.isOk()) << ciphertext.message();
    return std::move(*ciphertext);
  }

  void expectDecrypts(const wire::Ciphertext &ciphertext, const std::vector<double> &expected) {
    auto values = client->decrypt(ciphertext);
    ASSERT_TRUE(values.isOk()) << values.message();
    ASSERT_EQ(values->values.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(values->values[i], expected[i], 0x1p-30) << "element " << i;
  }

  Bytes manifestBytes;
  ThreadPool pool{1};
  std::optional<client::Client> client;
};

std::vector<double> x() {
  std::vector<double> values;
  for (int i = 0; i < 12; ++i)
    values.push_back((i - 6) / 8.0);
  return values;
}

const double y[] = {0.75, -1, 0.125, 0.5}, weights[] = {1.5, -0.5, 2, 0.25};

/// c * rotate(x * y): what the sample program computes.
std::vector<double> expectedResult() {
  std::vector<double> values;
  for (size_t i = 0; i < 12; ++i) {
    size_t e = i % 4, next = (e + 1) % 4;
    values.push_back(weights[e] * x()[i - e + next] * y[next]);
  }
  return values;
}

TEST_F(CompatV1Test, CiphertextsDecrypt) {
  expectDecrypts(readCiphertext("x.ct"), x());
  expectDecrypts(readCiphertext("y.ct"), {std::begin(y), std::end(y)});
  expectDecrypts(readCiphertext("result.ct"), expectedResult());
}

TEST_F(CompatV1Test, ProgramComputesTheSameResidues) {
  Bytes programBytes = golden("sample.sluice"), keyBytes = golden("eval.keys");
  auto program = exec::Program::load(source(programBytes, "sample.sluice"), pool);
  ASSERT_TRUE(program.isOk()) << program.message();
  auto keys = exec::KeySet::load(source(keyBytes, "eval.keys"), **program, pool);
  ASSERT_TRUE(keys.isOk()) << keys.message();
  auto executor = exec::Executor::create(*program, *keys, pool);
  ASSERT_TRUE(executor.isOk()) << executor.message();
  std::vector<wire::Ciphertext> inputs, outputs;
  inputs.push_back(readCiphertext("x.ct"));
  inputs.push_back(readCiphertext("y.ct"));
  Status status = executor->run(inputs, outputs);
  ASSERT_TRUE(status.isOk()) << status.message();
  Bytes written;
  ASSERT_TRUE(wire::writeCiphertext(outputs[0], manifest(), wire::Sink::toMemory(written)).isOk());
  EXPECT_EQ(written, golden("result.ct"));
}

TEST_F(CompatV1Test, ManifestIsTheProgramsAndIsWrittenAlike) {
  Bytes file = golden("sample.sluice");
  auto section = wire::readManifestBytes(source(file, "sample.sluice"));
  ASSERT_TRUE(section.isOk()) << section.message();
  EXPECT_EQ(*section, manifestBytes);
  EXPECT_EQ(wire::writeManifest(manifest()),
            std::string(manifestBytes.begin(), manifestBytes.end()));
}

TEST_F(CompatV1Test, CiphertextsAreWrittenAlike) {
  for (const char *name : {"x.ct", "y.ct", "result.ct"}) {
    Bytes written;
    ASSERT_TRUE(
        wire::writeCiphertext(readCiphertext(name), manifest(), wire::Sink::toMemory(written))
            .isOk());
    EXPECT_EQ(written, golden(name)) << name;
  }
}

TEST_F(CompatV1Test, KeysAreWrittenAlike) {
  Bytes file = golden("public.key"), written;
  auto publicKey = wire::readPublicKey(source(file, "public.key"), manifest());
  ASSERT_TRUE(publicKey.isOk()) << publicKey.message();
  ASSERT_TRUE(wire::writePublicKey(*publicKey, manifest(), wire::Sink::toMemory(written)).isOk());
  EXPECT_EQ(written, file);

  file = golden("eval.keys");
  written.clear();
  auto reader = wire::EvaluationKeysReader::open(source(file, "eval.keys"), manifest());
  ASSERT_TRUE(reader.isOk()) << reader.message();
  size_t count = manifest().evaluationKeys.size();
  std::vector<wire::Seed> seeds;
  for (size_t k = 0; k < count; ++k)
    seeds.push_back(reader->seed(k));
  auto writer = wire::EvaluationKeysWriter::begin(wire::Sink::toMemory(written), manifest(),
                                                  reader->keyId(), seeds);
  ASSERT_TRUE(writer.isOk()) << writer.message();
  for (size_t k = 0; k < count; ++k) {
    std::vector<uint64_t> words(wire::keyWords(manifest(), manifest().evaluationKeys[k]));
    ASSERT_TRUE(reader->readKey(k, words).isOk());
    ASSERT_TRUE(writer->append(words).isOk());
  }
  ASSERT_TRUE(writer->finish().isOk());
  EXPECT_EQ(written, file);
}

TEST_F(CompatV1Test, SecretKeyIsWrittenAlike) {
  Bytes written;
  ASSERT_TRUE(client->writeSecretKey(wire::Sink::toMemory(written)).isOk());
  EXPECT_EQ(written, golden("secret.key"));
}

} // namespace
} // namespace sluice
