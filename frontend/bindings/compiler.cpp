//===- compiler.cpp - the compiler for Python: sluice._compiler -------------------------------===//
//
// A module of its own beside sluice._sluice, so that clients and servers do not load LLVM.
//
//===------------------------------------------------------------------------------------------===//

#include "frontend/bindings/bootstrap.h"

#include "passes/driver/CalibrationCode.h"
#include "passes/driver/Compile.h"
#include "runtime/abi/flooding.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

nb::bytes asBytes(const std::string &text) { return nb::bytes(text.data(), text.size()); }

sluice::Phase phaseNamed(const std::string &name) {
  if (std::optional<sluice::Phase> phase = sluice::parsePhase(name))
    return *phase;
  std::string message = "there is no phase '" + name + "'; the phases are";
  for (sluice::Phase phase : sluice::allPhases())
    message += " " + sluice::phaseName(phase).str();
  throw std::invalid_argument(message);
}

const char *severityName(sluice::Diagnostic::Severity severity) {
  switch (severity) {
  case sluice::Diagnostic::Severity::Error:
    return "error";
  case sluice::Diagnostic::Severity::Warning:
    return "warning";
  case sluice::Diagnostic::Severity::Remark:
    return "remark";
  case sluice::Diagnostic::Severity::Note:
    return "note";
  }
  return "error";
}

sluice::Target targetNamed(const std::string &name) {
  if (std::optional<sluice::Target> target = sluice::parseTarget(name))
    return *target;
  std::string message = "there is no target '" + name + "'; the targets are";
  for (sluice::Target target : sluice::allTargets())
    message += " " + sluice::targetName(target).str();
  throw std::invalid_argument(message);
}

sluice::CompileOptions optionsOf(const std::string &name, const std::string &from,
                                 const std::string &to, double precisionBits, int64_t batch,
                                 int64_t logN, double comparisonGap, bool insecure) {
  sluice::CompileOptions options;
  options.name = name;
  options.from = phaseNamed(from);
  options.to = phaseNamed(to);
  options.pipeline.precisionBits = precisionBits;
  options.pipeline.batch = batch;
  options.pipeline.logN = logN;
  options.pipeline.comparisonGap = comparisonGap;
  options.pipeline.insecure = insecure;
  return options;
}

sluice::CompileResult compile(const std::string &source, const std::string &fileName,
                              const std::string &name, const std::string &from,
                              const std::string &to, double precisionBits, int64_t batch,
                              int64_t logN, double comparisonGap, bool insecure,
                              const std::string &costs, uint64_t decryptions,
                              double statisticalBits, const std::string &target) {
  sluice::CompileOptions options =
      optionsOf(name, from, to, precisionBits, batch, logN, comparisonGap, insecure);
  options.costsFile = costs;
  options.pipeline.target = targetNamed(target);
  options.sharing = {decryptions, statisticalBits};
  nb::gil_scoped_release released;
  return sluice::compileModule(source, fileName, options);
}

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

sluice::SimulationResult simulate(const std::string &source, const std::string &fileName,
                                  const std::vector<Values> &inputs, const std::string &phase,
                                  std::optional<uint64_t> noiseSeed) {
  sluice::CompileOptions options = optionsOf("", phase, phase, 0, 0, 0, 0, false);
  sluice::TensorItems items;
  for (const Values &values : inputs)
    items.emplace_back(values.data(), values.data() + values.size());
  nb::gil_scoped_release released;
  return sluice::simulateModule(source, fileName, options, items, noiseSeed);
}

nb::ndarray<nb::numpy, double> arrayOf(std::vector<double> values) {
  auto *kept = new std::vector<double>(std::move(values));
  nb::capsule owner(kept, [](void *p) noexcept { delete static_cast<std::vector<double> *>(p); });
  return nb::ndarray<nb::numpy, double>(kept->data(), {kept->size()}, owner);
}

std::vector<std::pair<std::string, std::string>> stagesOf(const sluice::CompileResult &result) {
  std::vector<std::pair<std::string, std::string>> stages;
  for (const auto &[phase, text] : result.stages)
    stages.emplace_back(sluice::phaseName(phase).str(), text);
  return stages;
}

} // namespace

NB_MODULE(_compiler, m) {
  m.doc() = "The Sluice compiler: MLIR text to artifact.";

  nb::class_<sluice::Diagnostic>(m, "Diagnostic", "One message of the compiler, with its notes.")
      .def_prop_ro("severity",
                   [](const sluice::Diagnostic &self) { return severityName(self.severity); })
      .def_ro("message", &sluice::Diagnostic::message)
      .def_prop_ro("file", [](const sluice::Diagnostic &self) { return self.position.file; })
      .def_prop_ro("line", [](const sluice::Diagnostic &self) { return self.position.line; })
      .def_prop_ro("column", [](const sluice::Diagnostic &self) { return self.position.column; })
      .def_ro("notes", &sluice::Diagnostic::notes);

  nb::class_<sluice::CompileResult>(m, "CompileResult", "What compile() produced.")
      .def_ro("succeeded", &sluice::CompileResult::succeeded)
      .def_prop_ro("artifact",
                   [](const sluice::CompileResult &self) { return asBytes(self.artifact); })
      .def_prop_ro("manifest",
                   [](const sluice::CompileResult &self) { return asBytes(self.manifest); })
      .def_prop_ro("stages", &stagesOf, "Pairs (phase, text) of the phases that were kept.")
      .def_prop_ro(
          "device_source",
          [](const sluice::CompileResult &self) -> std::optional<std::string> {
            if (!self.deviceProgram)
              return std::nullopt;
            return self.deviceProgram->source;
          },
          "The CUDA C++ source of the device code, for target cuda from phase llvm on.")
      .def_ro("diagnostics", &sluice::CompileResult::diagnostics)
      .def_prop_ro(
          "report_json",
          [](const sluice::CompileResult &self) { return sluice::formatReportJson(self.report); })
      .def_prop_ro(
          "candidates",
          [](const sluice::CompileResult &self) {
            return self.report.candidates.empty()
                       ? std::string()
                       : sluice::formatCandidates(self.report.candidates);
          },
          "The parameters that were looked at, as a table; also where none was found.");

  m.def("compile", &compile, "source"_a, "file_name"_a, nb::kw_only(), "name"_a = "",
        "from_phase"_a = "traced", "to_phase"_a = "artifact", "precision_bits"_a = 16.0,
        "batch"_a = 0, "log_n"_a = 0, "comparison_gap"_a = 0.0, "insecure"_a = false,
        "costs"_a = "", "decryptions"_a = 0, "statistical_bits"_a = sluice::defaultStatisticalBits,
        "target"_a = "cpu",
        "Compiles MLIR text of phase from_phase up to to_phase. Raises ValueError for an unknown "
        "phase or target; every other problem is in the result's diagnostics.");

  nb::class_<sluice::SimulationResult>(m, "SimulationResult", "What simulate() computed.")
      .def_ro("succeeded", &sluice::SimulationResult::succeeded)
      .def_prop_ro(
          "outputs",
          [](const sluice::SimulationResult &self) {
            std::vector<nb::ndarray<nb::numpy, double>> outputs;
            for (const std::vector<double> &values : self.outputs)
              outputs.push_back(arrayOf(values));
            return outputs;
          },
          nb::rv_policy::move) // fresh arrays, which nothing inside the result owns
      .def_ro("diagnostics", &sluice::SimulationResult::diagnostics);

  m.def("simulate", &simulate, "source"_a, "file_name"_a, "inputs"_a, nb::kw_only(), "phase"_a,
        "noise_seed"_a = nb::none(),
        "Runs MLIR text of a phase from traced to settled in the clear: one flat array a tensor, "
        "item after item. With noise_seed (settled only) errors are drawn from the noise model.");

  nb::class_<sluice::CalibrationCode>(m, "CalibrationCode", "What calibration_code() produced.")
      .def_prop_ro("bytes", [](const sluice::CalibrationCode &self) { return asBytes(self.bytes); })
      .def_ro("diagnostics", &sluice::CalibrationCode::diagnostics);
  m.def("calibration_code", &sluice::compileCalibration, "log_n"_a,
        nb::call_guard<nb::gil_scoped_release>(),
        "Compiles the kernels that are timed on devices, for rings of degree 2^log_n; no bytes "
        "when a diagnostic is an error.");

  sluice::python::bindBootstrap(m);

  m.def("phases", [] {
    std::vector<std::string> names;
    for (sluice::Phase phase : sluice::allPhases())
      names.push_back(sluice::phaseName(phase).str());
    return names;
  });
}
