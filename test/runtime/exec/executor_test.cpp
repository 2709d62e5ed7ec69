//===- executor_test.cpp - the sample program on real ciphertexts ---------------------------===//
#include "runtime/client/client.h"
#include "runtime/exec/executor.h"
#include "runtime/wire/manifest.h"
#include "test/runtime/exec/sample/sample.h"
#include "test/runtime/exec/sample/sample_parameters.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

static std::atomic<size_t> allocationCount{0};

// Not inlined: GCC would see malloc on one side and operator delete on the other.
[[gnu::noinline]] void *operator new(size_t size) {
  ++allocationCount;
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    std::abort();
  return memory;
}
[[gnu::noinline]] void operator delete(void *memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace sluice {
namespace {

std::span<const uint8_t> bytesOf(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

/// A client and a server that share nothing but bytes.
class ExecutorTest : public testing::Test {
protected:
  ExecutorTest() : manifest(sample::sampleManifest(sample::sampleCode())) {
    std::string text = wire::writeManifest(manifest);
    auto created = client::Client::create(bytesOf(text), "manifest", {true, 1},
                                          client::Entropy::insecureFromSeed(42));
    EXPECT_TRUE(created.isOk()) << created.message();
    client.emplace(std::move(*created));
    client->makeSecretKey();
    EXPECT_TRUE(client->makeEvaluationKeys(wire::Sink::toMemory(keyBytes)).isOk());
    std::vector<uint8_t> file = sample::sampleFile(sample::sampleCode());
    auto loaded = exec::Program::load(wire::Source::fromMemory(file, "sample.sluice"), pool);
    EXPECT_TRUE(loaded.isOk()) << loaded.message();
    program = std::move(*loaded);
    auto set = exec::KeySet::load(wire::Source::fromMemory(keyBytes, "eval.keys"), *program, pool);
    EXPECT_TRUE(set.isOk()) << set.message();
    keys = std::move(*set);
  }

  /// The program of this process with another manifest and function, for what the sample does not
  /// do.
  std::shared_ptr<const exec::Program> variant(Manifest manifest, sluice_program_run_fn function) {
    auto made = exec::Program::fromFunction(std::move(manifest), sample::sampleSection(),
                                            sample::sampleConstants(), function, pool);
    EXPECT_TRUE(made.isOk()) << made.message();
    return *made;
  }

  exec::Executor makeExecutor(std::shared_ptr<const exec::Program> program, ThreadPool &pool,
                              bool checkCalls = false) {
    auto executor = exec::Executor::create(std::move(program), keys, pool, {checkCalls});
    EXPECT_TRUE(executor.isOk()) << executor.message();
    return std::move(*executor);
  }

  wire::Ciphertext encrypt(uint32_t input, client::Tensor values) {
    auto ciphertext = client->encrypt(input, values);
    EXPECT_TRUE(ciphertext.isOk()) << ciphertext.message();
    return std::move(*ciphertext);
  }

  /// `items` rows of x, and y.
  std::vector<wire::Ciphertext> sampleInputs(uint64_t items) {
    x = {{items, sample::lanes}, {}};
    for (uint64_t i = 0; i < items * sample::lanes; ++i)
      x.values.push_back(0.9 - 0.055 * static_cast<double>(i));
    y = {{sample::lanes}, {0.75, -1, 0.125, 0.5}};
    std::vector<wire::Ciphertext> inputs;
    inputs.push_back(encrypt(0, x));
    inputs.push_back(encrypt(1, y));
    return inputs;
  }

  void expectResult(const wire::Ciphertext &output, uint64_t items) {
    auto result = client->decrypt(output);
    ASSERT_TRUE(result.isOk()) << result.message();
    EXPECT_EQ(result->shape, (std::vector<uint64_t>{items, sample::lanes}));
    const double weights[] = {1.5, -0.5, 2, 0.25};
    for (uint64_t item = 0; item < items; ++item)
      for (uint64_t e = 0; e < sample::lanes; ++e) {
        uint64_t next = (e + 1) % sample::lanes;
        double expected = weights[e] * x.values[item * sample::lanes + next] * y.values[next];
        // Fresh noise at scale 2^45, a slot of 64 coefficients: about 2^-36. Key switching and
        // rescaling add less.
        EXPECT_NEAR(result->values[item * sample::lanes + e], expected, 0x1p-30)
            << "item " << item << ", element " << e;
      }
  }

  ThreadPool pool{2};
  Manifest manifest;
  std::optional<client::Client> client;
  std::vector<uint8_t> keyBytes;
  std::shared_ptr<const exec::Program> program;
  std::shared_ptr<const exec::KeySet> keys;
  client::Tensor x, y;
  std::vector<wire::Ciphertext> outputs;
};

bool equalResidues(const wire::Ciphertext &a, const wire::Ciphertext &b) {
  return std::ranges::equal(a.polynomials, b.polynomials, [](const auto &p, const auto &q) {
    return std::ranges::equal(p.view().span(), q.view().span());
  });
}

TEST_F(ExecutorTest, ComputesWhatTheClientDecrypts) {
  exec::Executor executor = makeExecutor(program, pool);
  for (uint64_t items : {8, 3}) {
    Status status = executor.run(sampleInputs(items), outputs);
    ASSERT_TRUE(status.isOk()) << status.message();
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_EQ(outputs[0].items, items);
    EXPECT_EQ(outputs[0].direction, wire::Direction::output);
    EXPECT_EQ(outputs[0].polynomials.size(), 2u);
    expectResult(outputs[0], items);
  }
}

TEST_F(ExecutorTest, GivesTheSameResiduesOnAnyNumberOfThreadsAndUnderTheChecker) {
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  exec::Executor reference = makeExecutor(program, pool);
  ASSERT_TRUE(reference.run(inputs, outputs).isOk());
  for (unsigned threads : {1u, 4u})
    for (bool checkCalls : {false, true}) {
      ThreadPool others(threads);
      exec::Executor executor = makeExecutor(program, others, checkCalls);
      std::vector<wire::Ciphertext> again;
      Status status = executor.run(inputs, again);
      ASSERT_TRUE(status.isOk()) << status.message();
      EXPECT_TRUE(equalResidues(outputs[0], again[0])) << threads << " threads";
    }
}

TEST_F(ExecutorTest, TakesInputsInAnyOrder) {
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  std::swap(inputs[0], inputs[1]);
  exec::Executor executor = makeExecutor(program, pool);
  ASSERT_TRUE(executor.run(inputs, outputs).isOk());
  expectResult(outputs[0], 8);
}

TEST_F(ExecutorTest, SecondRunAllocatesNothing) {
  exec::Executor executor = makeExecutor(program, pool);
  ASSERT_TRUE(executor.run(sampleInputs(8), outputs).isOk());
  std::vector<wire::Ciphertext> inputs = sampleInputs(5);
  const uint64_t *buffer = outputs[0].polynomials[1].view().data;
  size_t before = allocationCount;
  Status status = executor.run(inputs, outputs);
  size_t allocations = allocationCount - before;
  ASSERT_TRUE(status.isOk()) << status.message();
  EXPECT_EQ(allocations, 0u);
  EXPECT_EQ(outputs[0].polynomials[1].view().data, buffer);
  expectResult(outputs[0], 5);
}

TEST_F(ExecutorTest, CountsWhatTheRunUsed) {
  exec::Executor executor = makeExecutor(program, pool);
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE(executor.run(inputs, outputs).isOk());
    for (const exec::FunctionUsage &usage : executor.backend().usage())
      if (usage.name == std::string("inner_product")) {
        EXPECT_EQ(usage.calls, 2u);
        EXPECT_EQ(usage.limbs, 2u * (5 + 4));
      }
  }
  EXPECT_EQ(executor.backend().arenaBytes(), uint64_t{sample::arenaSlots} * 64 * 8);
  EXPECT_GT(executor.statistics().computeMs, 0);
  EXPECT_GE(executor.statistics().totalMs, executor.statistics().computeMs);
}

//===- Refusals ===//

TEST_F(ExecutorTest, NeedsKeys) {
  auto executor = exec::Executor::create(program, nullptr, pool);
  ASSERT_FALSE(executor.isOk());
  EXPECT_EQ(executor.message(), "program 'sample' needs evaluation keys");
  EXPECT_EQ(executor.status().code(), StatusCode::notFound);
}

TEST_F(ExecutorTest, RefusesKeysOfAnotherProgram) {
  Manifest other = manifest;
  other.programId = std::string(64, 'e');
  auto executor = exec::Executor::create(variant(other, sluice_program_run), keys, pool);
  ASSERT_FALSE(executor.isOk());
  EXPECT_EQ(executor.message(), "the evaluation keys are for program " +
                                    manifest.programId.substr(0, 16) +
                                    "…, but this is program eeeeeeeeeeeeeeee… ('sample')");
  EXPECT_EQ(executor.status().code(), StatusCode::mismatch);
}

/// Runs with these inputs, which are refused.
std::string refusal(exec::Executor executor, std::span<const wire::Ciphertext> inputs) {
  std::vector<wire::Ciphertext> outputs;
  Status status = executor.run(inputs, outputs);
  EXPECT_FALSE(status.isOk());
  EXPECT_TRUE(outputs.empty());
  return status.message();
}

TEST_F(ExecutorTest, RefusesMissingAndRepeatedInputs) {
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  EXPECT_EQ(refusal(makeExecutor(program, pool), {inputs.data(), 1}),
            "input 'y' of 'sample' is missing");
  inputs[1] = encrypt(0, x);
  EXPECT_EQ(refusal(makeExecutor(program, pool), inputs), "input 'x' was given twice");
}

TEST_F(ExecutorTest, RefusesAnOutputAsInput) {
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  inputs[1].direction = wire::Direction::output;
  EXPECT_EQ(refusal(makeExecutor(program, pool), inputs), "output 1 was given, but 'sample' has 1");
  inputs[1].index = 0;
  EXPECT_EQ(refusal(makeExecutor(program, pool), inputs),
            "output 'result' was given, but 'sample' has no input of that name, shape, level and "
            "scale");
}

// An output that has the name, the place and the scale of an input is that input.
TEST_F(ExecutorTest, TakesAnOutputThatIsAnInput) {
  Manifest again = manifest;
  again.outputs[0] = again.inputs[0];
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  inputs[0].direction = wire::Direction::output;
  std::vector<wire::Ciphertext> expected, outputs;
  auto nothing = [](sluice_context *, const sluice_functions *) -> int32_t { return 0; };
  exec::Executor executor = makeExecutor(variant(again, nothing), pool);
  ASSERT_TRUE(executor.run(inputs, outputs).isOk());
  for (auto change : {+[](ManifestTensor &tensor) { tensor.level -= 1; },
                      +[](ManifestTensor &tensor) { tensor.isComplex = true; },
                      +[](ManifestTensor &tensor) { tensor.scale.exact = "2^31"; },
                      +[](ManifestTensor &tensor) { tensor.name = "other"; }}) {
    Manifest other = again;
    change(other.outputs[0]);
    EXPECT_EQ(refusal(makeExecutor(variant(other, nothing), pool), inputs)
                  .find("has no input of that name"),
              other.outputs[0].name.size() +
                  std::string("output '' was given, but 'sample' ").size());
  }
}

TEST_F(ExecutorTest, RefusesAnotherClientsCiphertext) {
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  std::string id = inputs[1].keyId;
  inputs[1].keyId = std::string(32, 'b');
  EXPECT_EQ(refusal(makeExecutor(program, pool), inputs),
            "input 'y' was encrypted under key " + std::string(32, 'b') +
                ", but the evaluation keys belong to key " + id);
}

TEST_F(ExecutorTest, RefusesAnotherLevel) {
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  inputs[0].polynomials[1] = ring::Poly(2, 64);
  EXPECT_EQ(refusal(makeExecutor(program, pool), inputs),
            "input 'x' has 2 limbs of 64 words, but level 2 of 'sample' has 3 limbs of 64");
  inputs[0].polynomials.resize(1);
  EXPECT_EQ(refusal(makeExecutor(program, pool), inputs), "input 'x' has 1 polynomials, not 2");
}

TEST_F(ExecutorTest, RefusesDifferentNumbersOfItems) {
  Manifest both = manifest;
  both.inputs[1].batched = true;
  both.inputs[1].batch = sample::batch;
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  inputs[1].items = 3;
  EXPECT_EQ(refusal(makeExecutor(variant(both, sluice_program_run), pool), inputs),
            "input 'x' holds 8 items, but input 'y' holds 3");
}

TEST_F(ExecutorTest, ReportsAProgramThatFails) {
  auto failing = [](sluice_context *, const sluice_functions *) -> int32_t { return 3; };
  std::vector<wire::Ciphertext> inputs = sampleInputs(8);
  EXPECT_EQ(refusal(makeExecutor(variant(manifest, failing), pool), inputs),
            "program 'sample' returned 3, not 0");
}

} // namespace
} // namespace sluice
