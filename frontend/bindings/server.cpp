//===- server.cpp - the server's side for Python ----------------------------------------------===//

#include "frontend/bindings/errors.h"
#include "frontend/bindings/module.h"

#include "runtime/exec/executor.h"

#include <nanobind/stl/pair.h>

#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

namespace sluice::python {
namespace {

using NamedBytes = std::pair<nb::bytes, std::string>;

/// A program with its keys, if it needs any, ready to run. Not for two runs at a time: the
/// interpreter's lock is released while one runs, so the Python class holds a lock of its own.
class Server {
public:
  Server(const nb::bytes &artifact, const std::string &name, std::unique_ptr<wire::Source> keys,
         const std::string &device)
      : pool(std::make_unique<ThreadPool>()),
        executor(create(artifact, name, std::move(keys), device)) {}

  std::vector<nb::bytes> run(const std::vector<NamedBytes> &inputs) {
    std::vector<std::unique_ptr<wire::Source>> sources;
    for (const auto &[content, name] : inputs)
      sources.push_back(memorySource(content, name));
    std::vector<std::vector<uint8_t>> results;
    raiseIfFailed(withoutLock([&] { return runOnSources(std::move(sources), results); }));
    std::vector<nb::bytes> bytes;
    for (const std::vector<uint8_t> &result : results)
      bytes.push_back(asBytes(result));
    return bytes;
  }

  /// Milliseconds of the last run: of all of it, and of the compiled code alone.
  std::pair<double, double> runMs() const {
    return {executor.statistics().totalMs, executor.statistics().computeMs};
  }

  /// Milliseconds of each stage of the last run.
  std::vector<std::pair<std::string, double>> stagesMs() const { return executor.stagesMs(); }

  uint64_t constantBytes() const { return executor.program().statistics().constantBytes; }

  std::string backend() const { return executor.backend().description(); }

private:
  exec::Executor create(const nb::bytes &artifact, const std::string &name,
                        std::unique_ptr<wire::Source> keys, const std::string &device) {
    std::unique_ptr<wire::Source> source = memorySource(artifact, name);
    return unwrap(withoutLock([&]() -> Expected<exec::Executor> {
      Expected<std::shared_ptr<const exec::Program>> program =
          exec::Program::load(std::move(source), *pool, exec::constantFormFor(device));
      if (!program)
        return program.status();
      const exec::ExecutorOptions options = {.device = device};
      if (!keys)
        return exec::Executor::create(*program, nullptr, *pool, options);
      Expected<std::shared_ptr<const exec::KeySet>> keySet =
          exec::KeySet::load(std::move(keys), **program, *pool);
      if (!keySet)
        return keySet.status();
      return exec::Executor::create(*program, *keySet, *pool, options);
    }));
  }

  Status runOnSources(std::vector<std::unique_ptr<wire::Source>> sources,
                      std::vector<std::vector<uint8_t>> &results) {
    const Manifest &manifest = executor.program().manifest();
    std::vector<wire::Ciphertext> inputs;
    for (std::unique_ptr<wire::Source> &source : sources) {
      Expected<wire::Ciphertext> input = wire::readCiphertext(std::move(source), manifest);
      if (!input)
        return input.status();
      inputs.push_back(std::move(*input));
    }
    if (Status status = executor.run(inputs, outputs); !status.isOk())
      return status;
    results.resize(outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      std::unique_ptr<wire::Sink> sink = wire::Sink::toMemory(results[i]);
      if (Status status = wire::writeCiphertext(outputs[i], manifest, std::move(sink));
          !status.isOk())
        return status;
    }
    return Status();
  }

  std::unique_ptr<ThreadPool> pool; // outlives the executor
  exec::Executor executor;
  std::vector<wire::Ciphertext> outputs; // of the last run, reused by the next
};

} // namespace

void bindServer(nb::module_ &m) {
  nb::class_<Server>(m, "Server", "A program and one client's evaluation keys.")
      .def(
          "__init__",
          [](Server *self, const nb::bytes &artifact, const std::string &name,
             const std::string &keysPath, const std::string &device) {
            new (self) Server(artifact, name, unwrap(wire::Source::openFile(keysPath)), device);
          },
          "artifact"_a, "name"_a, "keys_path"_a, nb::kw_only(), "device"_a = "cpu")
      .def(
          "__init__",
          [](Server *self, const nb::bytes &artifact, const std::string &name,
             const std::string &device) { new (self) Server(artifact, name, nullptr, device); },
          "artifact"_a, "name"_a, nb::kw_only(), "device"_a = "cpu",
          "For programs that switch no keys.")
      .def(
          "__init__",
          [](Server *self, const nb::bytes &artifact, const std::string &name,
             const nb::bytes &keys, const std::string &device) {
            new (self) Server(artifact, name, memorySource(keys, "evaluation keys"), device);
          },
          "artifact"_a, "name"_a, "keys"_a, nb::kw_only(), "device"_a = "cpu")
      .def("run", &Server::run, "ciphertexts"_a,
           "Runs on pairs (bytes, name for messages), one an input; gives the outputs' bytes.")
      .def_prop_ro("backend", &Server::backend,
                   "Where it computes: 'cpu, avx512ifma, 2 threads', or the GPU and its driver.")
      .def_prop_ro("run_ms", &Server::runMs,
                   "Milliseconds of the last run: of all of it, of the compiled code alone.")
      .def_prop_ro("stages_ms", &Server::stagesMs,
                   "Pairs (stage, milliseconds) of the last run, for programs that have stages.")
      .def_prop_ro("constant_bytes", &Server::constantBytes, "Bytes of the encoded constants.");
}

} // namespace sluice::python
