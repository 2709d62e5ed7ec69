//===- calibrate.cpp - kernel timings for Python ----------------------------------------------===//

#include "frontend/bindings/errors.h"
#include "frontend/bindings/module.h"

#include "runtime/base/threads.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/wire/cost_file.h"

namespace nb = nanobind;

namespace sluice::python {

void bindCalibrate(nb::module_ &m) {
  m.def(
      "calibrate",
      [] {
        unsigned threads = unwrap(threadCountFromEnvironment());
        std::string text =
            wire::writeCosts(unwrap(withoutLock([&] { return calibrate::measureCosts(threads); })));
        return nb::bytes(text.data(), text.size());
      },
      "Times the kernels on this machine, about 15 s; the content of a cost file.");
}

} // namespace sluice::python
