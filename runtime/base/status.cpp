//===- status.cpp - errors as values ----------------------------------------------------------===//
#include "runtime/base/status.h"

#include <cstdarg>
#include <cstdio>

namespace sluice {

const char *statusCodeName(StatusCode code) {
  switch (code) {
  case StatusCode::ok:
    return "ok";
  case StatusCode::invalidArgument:
    return "invalidArgument";
  case StatusCode::outOfRange:
    return "outOfRange";
  case StatusCode::corruptFile:
    return "corruptFile";
  case StatusCode::unsupportedVersion:
    return "unsupportedVersion";
  case StatusCode::mismatch:
    return "mismatch";
  case StatusCode::notFound:
    return "notFound";
  case StatusCode::io:
    return "io";
  case StatusCode::insecure:
    return "insecure";
  case StatusCode::internal:
    return "internal";
  }
  return "unknown";
}

Status Status::error(StatusCode code, const char *format, ...) {
  assert(code != StatusCode::ok && "an error needs a code");
  Status status;
  status.statusCode = code;
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  if (length > 0) {
    status.text.resize(static_cast<size_t>(length));
    std::vsnprintf(status.text.data(), status.text.size() + 1, format, again);
  }
  va_end(again);
  return status;
}

Status Status::withContext(const std::string &prefix) const {
  if (isOk())
    return Status();
  Status status = *this;
  status.text = prefix + ": " + text;
  return status;
}

} // namespace sluice
