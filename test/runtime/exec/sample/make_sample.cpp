//===- make_sample.cpp - writes the sample program, and all files that go with it -----------===//
//
// make-sample FOLDER          sample.sluice
// make-sample --all FOLDER    also its manifest, keys and ciphertexts, from fixed seeds
//
//===----------------------------------------------------------------------------------------===//
#include "runtime/client/client.h"
#include "runtime/client/secret_key_io.h"
#include "runtime/exec/executor.h"
#include "runtime/wire/manifest.h"
#include "test/runtime/exec/sample/sample.h"
#include "test/runtime/exec/sample/sample_parameters.h"

#include <cstdio>
#include <cstring>
#include <fstream>

namespace sluice::sample {
namespace {

Status writeFile(const std::string &path, std::span<const uint8_t> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file ? Status() : Status::error(StatusCode::io, "cannot write %s", path.c_str());
}

Status writeCiphertext(const wire::Ciphertext &ciphertext, const Manifest &manifest,
                       const std::string &path) {
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> sink, wire::Sink::createFile(path));
  return wire::writeCiphertext(ciphertext, manifest, std::move(sink));
}

/// Secret, public and evaluation keys; afterwards the client has the secret key.
Status writeKeys(client::Client &client, const std::string &folder, wire::PublicKey &publicKey) {
  client.makeSecretKey();
  SLUICE_ASSIGN_OR_RETURN(
      std::unique_ptr<wire::Sink> secretSink,
      client::createSecretKeyFile(folder + "/secret.key", wire::Existing::replace));
  SLUICE_RETURN_IF_ERROR(client.writeSecretKey(std::move(secretSink)));
  SLUICE_ASSIGN_OR_RETURN(publicKey, client.makePublicKey());
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> publicSink,
                          wire::Sink::createFile(folder + "/public.key"));
  SLUICE_RETURN_IF_ERROR(wire::writePublicKey(publicKey, client.manifest(), std::move(publicSink)));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Sink> keySink,
                          wire::Sink::createFile(folder + "/eval.keys"));
  return client.makeEvaluationKeys(std::move(keySink));
}

Status run(const std::string &folder, std::span<const wire::Ciphertext> inputs) {
  ThreadPool pool(1);
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> file,
                          wire::Source::openFile(folder + "/sample.sluice"));
  SLUICE_ASSIGN_OR_RETURN(std::shared_ptr<const exec::Program> program,
                          exec::Program::load(std::move(file), pool));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<wire::Source> keyFile,
                          wire::Source::openFile(folder + "/eval.keys"));
  SLUICE_ASSIGN_OR_RETURN(std::shared_ptr<const exec::KeySet> keys,
                          exec::KeySet::load(std::move(keyFile), *program, pool));
  SLUICE_ASSIGN_OR_RETURN(exec::Executor executor,
                          exec::Executor::create(program, keys, pool, {.checkCalls = true}));
  std::vector<wire::Ciphertext> outputs;
  SLUICE_RETURN_IF_ERROR(executor.run(inputs, outputs));
  return writeCiphertext(outputs[0], program->manifest(), folder + "/result.ct");
}

/// x is encrypted with the secret key (seeded), y with the public key.
Status writeAll(const std::string &folder, const Manifest &manifest) {
  std::string text = wire::writeManifest(manifest);
  std::span<const uint8_t> bytes{reinterpret_cast<const uint8_t *>(text.data()), text.size()};
  SLUICE_RETURN_IF_ERROR(writeFile(folder + "/manifest.json", bytes));
  SLUICE_ASSIGN_OR_RETURN(client::Client client,
                          client::Client::create(bytes, "manifest.json",
                                                 {.allowInsecure = true, .threads = 1},
                                                 client::Entropy::insecureFromSeed(1)));
  wire::PublicKey publicKey;
  SLUICE_RETURN_IF_ERROR(writeKeys(client, folder, publicKey));
  client::Tensor x{{3, lanes}, {}}, y{{lanes}, {0.75, -1, 0.125, 0.5}};
  for (uint64_t i = 0; i < 3 * lanes; ++i)
    x.values.push_back((static_cast<double>(i) - 6) / 8);
  std::vector<wire::Ciphertext> inputs(2);
  SLUICE_ASSIGN_OR_RETURN(inputs[0], client.encrypt(0, x));
  SLUICE_ASSIGN_OR_RETURN(client::Client sender,
                          client::Client::create(bytes, "manifest.json",
                                                 {.allowInsecure = true, .threads = 1},
                                                 client::Entropy::insecureFromSeed(2)));
  sender.setPublicKey(std::move(publicKey));
  SLUICE_ASSIGN_OR_RETURN(inputs[1], sender.encrypt(1, y));
  SLUICE_RETURN_IF_ERROR(writeCiphertext(inputs[0], manifest, folder + "/x.ct"));
  SLUICE_RETURN_IF_ERROR(writeCiphertext(inputs[1], manifest, folder + "/y.ct"));
  return run(folder, inputs);
}

Status make(const std::string &folder, bool all) {
  std::vector<uint8_t> code = sampleCode();
  SLUICE_RETURN_IF_ERROR(writeFile(folder + "/sample.sluice", sampleFile(code)));
  return all ? writeAll(folder, sampleManifest(code)) : Status();
}

} // namespace
} // namespace sluice::sample

int main(int argc, char **argv) {
  bool all = argc == 3 && std::strcmp(argv[1], "--all") == 0;
  if (argc != 2 && !all) {
    std::fprintf(stderr, "usage: make-sample [--all] FOLDER\n");
    return 2;
  }
  sluice::Status status = sluice::sample::make(argv[argc - 1], all);
  if (!status.isOk())
    std::fprintf(stderr, "make-sample: %s\n", status.message().c_str());
  return status.isOk() ? 0 : 1;
}
