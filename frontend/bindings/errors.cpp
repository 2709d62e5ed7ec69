//===- errors.cpp - statuses become Python exceptions -----------------------------------------===//

#include "frontend/bindings/errors.h"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace sluice::python {

static const char *className(StatusCode code) {
  switch (code) {
  case StatusCode::ok:
  case StatusCode::internal:
    return "InternalError";
  case StatusCode::invalidArgument:
    return "InvalidArgumentError";
  case StatusCode::outOfRange:
    return "OutOfRangeError";
  case StatusCode::corruptFile:
    return "CorruptFileError";
  case StatusCode::unsupportedVersion:
    return "UnsupportedVersionError";
  case StatusCode::mismatch:
    return "MismatchError";
  case StatusCode::notFound:
    return "NotFoundError";
  case StatusCode::io:
    return "InputOutputError";
  case StatusCode::insecure:
    return "InsecureError";
  }
  return "InternalError";
}

void raiseIfFailed(const Status &status) {
  if (status.isOk())
    return;
  nb::object type = nb::module_::import_("sluice.errors").attr(className(status.code()));
  PyErr_SetString(type.ptr(), status.message().c_str());
  throw nb::python_error();
}

} // namespace sluice::python
