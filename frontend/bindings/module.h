//===- module.h - what the parts of the extension module share --------------------------------===//
#ifndef SLUICE_FRONTEND_BINDINGS_MODULE_H
#define SLUICE_FRONTEND_BINDINGS_MODULE_H

#include "runtime/wire/stream.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sluice::python {

/// Add the classes Client and Server to the module.
void bindClient(nanobind::module_ &m);
void bindServer(nanobind::module_ &m);
/// Adds the function calibrate and the class DeviceCalibration.
void bindCalibrate(nanobind::module_ &m);

/// A copy as a Python object.
nanobind::bytes asBytes(std::span<const uint8_t> bytes);

/// A source over `content`, which must outlive it; `name` stands for the file in messages.
std::unique_ptr<wire::Source> memorySource(const nanobind::bytes &content, const std::string &name);

/// The result of `work`, which runs without the interpreter's lock and touches no Python object.
template <typename Work> auto withoutLock(Work work) {
  nanobind::gil_scoped_release released;
  return work();
}

} // namespace sluice::python

#endif // SLUICE_FRONTEND_BINDINGS_MODULE_H
