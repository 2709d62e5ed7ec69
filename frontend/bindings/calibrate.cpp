//===- calibrate.cpp - kernel timings for Python ----------------------------------------------===//

#include "frontend/bindings/errors.h"
#include "frontend/bindings/module.h"

#include "runtime/base/threads.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/calibrate/cuda_costs.h"
#include "runtime/wire/cost_file.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace sluice::python {
namespace {

nb::bytes costFile(const Costs &costs) {
  std::string text = wire::writeCosts(costs);
  return nb::bytes(text.data(), text.size());
}

class DeviceCalibration {
public:
  explicit DeviceCalibration(const std::string &device)
      : pool(std::make_unique<ThreadPool>()),
        calibration(unwrap(calibrate::DeviceCalibration::create(device, *pool))) {}

  void measure(unsigned logN, const nb::bytes &code, unsigned samples, double sampleMs) {
    const std::span<const uint8_t> bytes(static_cast<const uint8_t *>(code.data()), code.size());
    raiseIfFailed(
        withoutLock([&] { return calibration.measure(logN, bytes, {samples, sampleMs}); }));
  }
  nb::bytes file() const { return costFile(unwrap(calibration.costs())); }

private:
  std::unique_ptr<ThreadPool> pool; // outlives the calibration
  calibrate::DeviceCalibration calibration;
};

} // namespace

void bindCalibrate(nb::module_ &m) {
  m.def(
      "calibrate",
      [] {
        unsigned threads = unwrap(threadCountFromEnvironment());
        return costFile(unwrap(withoutLock([&] { return calibrate::measureCosts(threads); })));
      },
      "Times the kernels on this machine, about 15 s; the content of a cost file.");

  nb::class_<DeviceCalibration>(m, "DeviceCalibration", "Times kernels on a CUDA device.")
      .def(nb::init<const std::string &>(), "device"_a,
           "\"cuda\", or \"emulated:PREFIX\" with the shared objects PREFIX12.so to PREFIX16.so.")
      .def("measure", &DeviceCalibration::measure, "log_n"_a, "code"_a, nb::kw_only(),
           "samples"_a = calibrate::Effort{}.samples, "sample_ms"_a = calibrate::Effort{}.sampleMs,
           "Times the kernels of one degree; `code` is that of calibration_code(log_n).")
      .def("file", &DeviceCalibration::file,
           "The content of a cost file, after all degrees from 12 to 16.");
  m.attr("min_cost_log_n") = minCostLogN;
  m.attr("max_cost_log_n") = maxCostLogN;
}

} // namespace sluice::python
