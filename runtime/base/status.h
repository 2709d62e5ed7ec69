//===- status.h - errors as values ------------------------------------------------------------===//
//
// No exception crosses a border between the runtime's libraries: what can fail because of its input
// returns a Status or an Expected. A programmer's error (an index out of range, a form mixed up) is
// an assertion.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_BASE_STATUS_H
#define SLUICE_RUNTIME_BASE_STATUS_H

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace sluice {

enum class StatusCode : uint8_t {
  ok,
  invalidArgument,    // an argument that could never be right
  outOfRange,         // a value or index outside of what the object allows
  corruptFile,        // bytes that no version of the format allows
  unsupportedVersion, // a file or feature of another version
  mismatch,           // two objects, each fine, that do not belong together
  notFound,           // a named thing that is missing
  io,                 // the operating system refused
  insecure,           // refused to keep the promised security
  internal,           // a defect of this program
};

/// The name of a code as it stands in the enumeration, such as "corruptFile".
const char *statusCodeName(StatusCode code);

/// Success, or a code with a message for people. Messages say what is wrong, where, and what would
/// be right; they never contain secret values.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;

  /// A failure; `format` as for printf. `code` must not be ok.
  [[gnu::format(printf, 2, 3)]] static Status error(StatusCode code, const char *format, ...);

  bool isOk() const { return statusCode == StatusCode::ok; }
  StatusCode code() const { return statusCode; }
  const std::string &message() const { return text; }

  /// The same failure with "prefix: " before its message; success stays success.
  Status withContext(const std::string &prefix) const;

private:
  StatusCode statusCode = StatusCode::ok;
  std::string text;
};

/// A value, or the Status that says why there is none.
template <typename T> class [[nodiscard]] Expected {
public:
  Expected(T value) : content(std::in_place_index<0>, std::move(value)) {}
  Expected(Status failure) : content(std::in_place_index<1>, std::move(failure)) {
    assert(!std::get_if<1>(&content)->isOk() && "an Expected without a value needs an error");
  }

  bool isOk() const { return content.index() == 0; }
  explicit operator bool() const { return isOk(); }

  /// The status: ok if there is a value.
  Status status() const { return isOk() ? Status() : *std::get_if<1>(&content); }
  /// The failure's message; empty if there is a value.
  std::string message() const {
    return isOk() ? std::string() : std::get_if<1>(&content)->message();
  }

  T &value() & { return *valueOrAssert(); }
  const T &value() const & { return *const_cast<Expected *>(this)->valueOrAssert(); }
  /// From a temporary by value, so that a range-for over it is safe.
  T value() && { return std::move(*valueOrAssert()); }

  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

private:
  T *valueOrAssert() {
    assert(isOk() && "value of a failed Expected");
    return std::get_if<0>(&content);
  }

  std::variant<T, Status> content;
};

} // namespace sluice

/// Returns from the enclosing function (of type Status or Expected) if `expression`, a Status, is a
/// failure.
#define SLUICE_RETURN_IF_ERROR(expression)                                                         \
  do {                                                                                             \
    if (::sluice::Status sluiceStatus = (expression); !sluiceStatus.isOk())                        \
      return sluiceStatus;                                                                         \
  } while (false)

// NOLINTBEGIN(bugprone-macro-parentheses): names and declarations cannot stand in parentheses.

/// Declares or assigns `target` from `expression`, an Expected; returns its status if it has no
/// value. Two statements: not for an unbraced `if`.
#define SLUICE_ASSIGN_OR_RETURN(target, expression)                                                \
  SLUICE_ASSIGN_OR_RETURN_NAMED(SLUICE_STATUS_JOIN(sluiceExpected, __LINE__), target, expression)
#define SLUICE_ASSIGN_OR_RETURN_NAMED(name, target, expression)                                    \
  auto name = (expression);                                                                        \
  if (!name.isOk())                                                                                \
    return name.status();                                                                          \
  target = std::move(name).value()
// NOLINTEND(bugprone-macro-parentheses)
#define SLUICE_STATUS_JOIN(a, b) SLUICE_STATUS_JOIN_EXPANDED(a, b)
#define SLUICE_STATUS_JOIN_EXPANDED(a, b) a##b

#endif // SLUICE_RUNTIME_BASE_STATUS_H
