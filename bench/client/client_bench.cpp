//===- client_bench.cpp - the time of what the owner of the secret does -----------------------===//
//
// bench-client PROGRAM.sluice [--benchmark_…]: encoding, encryption under the public key,
// decryption, keys, at the level of the program's first input and with the program's evaluation
// keys: the first of them in memory, and all as a file. One thread. Encoding is timed by its parts,
// which client::encrypt calls too.
//
//===------------------------------------------------------------------------------------------===//
#include "runtime/client/decryptor.h"
#include "runtime/client/encoder.h"
#include "runtime/client/encryptor.h"
#include "runtime/client/key_generator.h"
#include "runtime/ring/embedding.h"
#include "runtime/wire/manifest.h"

#include <benchmark/benchmark.h>
#include <cstdio>
#include <random>

using namespace sluice;
using namespace sluice::client;

namespace {

/// Ends the program after an error: a benchmark has nobody to report to.
template <typename T> T orEnd(Expected<T> value) {
  if (!value) {
    std::fprintf(stderr, "bench-client: %s\n", value.status().message().c_str());
    std::exit(1);
  }
  return std::move(*value);
}

void orEnd(const Status &status) {
  if (!status.isOk()) {
    std::fprintf(stderr, "bench-client: %s\n", status.message().c_str());
    std::exit(1);
  }
}

Parameters readParameters(const char *path) {
  std::vector<uint8_t> bytes = orEnd(wire::readManifestBytes(orEnd(wire::Source::openFile(path))));
  return orEnd(Parameters::fromManifest(bytes, path, {.threads = 1}));
}

/// One client with its keys and one encrypted input.
class Owner {
public:
  explicit Owner(const char *path)
      : parameters(readParameters(path)), secret(makeSecretKey(parameters, entropy)),
        publicKey(orEnd(makePublicKey(parameters, secret, entropy))),
        rows(input().size(), parameters.degree()) {
    const ManifestTensor &tensor = parameters.manifest().inputs[0];
    values.shape = tensor.shape;
    values.values.resize(1);
    for (uint64_t size : tensor.shape)
      values.values.resize(values.values.size() * size);
    std::mt19937_64 random{1};
    std::uniform_real_distribution<double> uniform(tensor.rangeLow, tensor.rangeHigh);
    for (double &value : values.values)
      value = uniform(random);
    encrypt();
  }

  void encode() {
    const ManifestTensor &tensor = parameters.manifest().inputs[0];
    Slots slots = orEnd(packInput(tensor, parameters.manifest().slots, values));
    orEnd(ring::encodeSlots(parameters.ring(), input(), slots,
                            {tensor.scale.high, tensor.scale.low}, rows.view(),
                            parameters.manifest().forecast.precisionBits));
    ring::toEvalInPlace(parameters.ring(), input(), rows.view(), parameters.threads());
  }
  void encrypt() { fresh = orEnd(client::encrypt(parameters, publicKey, 0, values, entropy)); }
  void decrypt() { benchmark::DoNotOptimize(orEnd(client::decrypt(parameters, secret, fresh))); }
  void makePair() {
    SecretKey key = makeSecretKey(parameters, entropy);
    benchmark::DoNotOptimize(orEnd(makePublicKey(parameters, key, entropy)));
  }
  /// The program's first key, in new memory.
  void makeEvaluation() {
    const ManifestKey &what = parameters.manifest().evaluationKeys[0];
    AlignedWords key(wire::keyWords(parameters.manifest(), what));
    EvaluationKeyMaker maker = orEnd(EvaluationKeyMaker::create(parameters, secret, entropy));
    maker.make(what, entropy.drawPublicSeed(), entropy.drawSecretRoot(), 0, key.span());
    benchmark::DoNotOptimize(key.data());
  }
  /// All keys as a file with its checksum.
  void writeEvaluation() {
    bytes.clear();
    orEnd(makeEvaluationKeys(parameters, secret, entropy, wire::Sink::toMemory(bytes)));
  }
  std::string backend() const {
    return std::string("cpu, ") + parameters.ring().kernels().name + ", 1 thread";
  }

private:
  const std::vector<uint16_t> &input() const {
    return parameters.level(parameters.manifest().inputs[0].level);
  }

  Entropy entropy = Entropy::fromSystem();
  Parameters parameters;
  SecretKey secret;
  wire::PublicKey publicKey;
  ring::Poly rows;
  Tensor values;
  wire::Ciphertext fresh;
  std::vector<uint8_t> bytes; // keeps its memory between two writeEvaluation
};

void addBenchmark(const char *name, Owner &owner, void (Owner::*step)()) {
  benchmark::RegisterBenchmark(name, [step, &owner](benchmark::State &state) {
    for (auto _ : state)
      (owner.*step)();
    state.SetLabel(owner.backend());
  })->Unit(benchmark::kMillisecond);
}

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench-client PROGRAM.sluice [--benchmark_...]\n");
    return 2;
  }
  Owner owner(argv[1]);
  addBenchmark("keygen_pair", owner, &Owner::makePair);
  addBenchmark("keygen_evaluation", owner, &Owner::makeEvaluation);
  addBenchmark("keygen_evaluation_file", owner, &Owner::writeEvaluation);
  addBenchmark("encode", owner, &Owner::encode);
  addBenchmark("encode_encrypt", owner, &Owner::encrypt);
  addBenchmark("decrypt_decode", owner, &Owner::decrypt);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
