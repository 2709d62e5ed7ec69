//===- errors.h - statuses become Python exceptions -------------------------------------------===//
#ifndef SLUICE_FRONTEND_BINDINGS_ERRORS_H
#define SLUICE_FRONTEND_BINDINGS_ERRORS_H

#include "runtime/base/status.h"

#include <utility>

namespace sluice::python {

/// Raises the class of sluice.errors that stands for the status's code, unless it is ok. Needs the
/// interpreter's lock.
void raiseIfFailed(const Status &status);

/// The value, or its status raised.
template <typename T> T unwrap(Expected<T> result) {
  raiseIfFailed(result.status());
  return std::move(result).value();
}

} // namespace sluice::python

#endif // SLUICE_FRONTEND_BINDINGS_ERRORS_H
