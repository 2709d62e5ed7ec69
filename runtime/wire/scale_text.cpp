//===- scale_text.cpp - exact scales as manifests write them ---------------------------------===//
#include "runtime/wire/scale_text.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace sluice::wire {
namespace {

/// Reads from the front of a text.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  bool isAtEnd() const { return text.empty(); }
  bool take(std::string_view token) {
    if (!text.starts_with(token))
      return false;
    text.remove_prefix(token.size());
    return true;
  }
  std::optional<int64_t> integer() {
    int64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value > maxInteger || value < -maxInteger)
      return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return value;
  }

private:
  static constexpr int64_t maxInteger = int64_t(1) << 48;
  std::string_view text;
};

/// log2 of "2" or "q<index>".
std::optional<long double> base(Scanner &scanner, std::span<const uint64_t> limbs) {
  if (scanner.take("q")) {
    std::optional<int64_t> index = scanner.integer();
    if (!index || *index < 0 || *index >= static_cast<int64_t>(limbs.size()))
      return std::nullopt;
    return std::log2(static_cast<long double>(limbs[static_cast<size_t>(*index)]));
  }
  if (scanner.take("2"))
    return 1.0L;
  return std::nullopt;
}

/// "5", "-1" or "(45/2)".
std::optional<long double> exponent(Scanner &scanner) {
  bool isFraction = scanner.take("(");
  std::optional<int64_t> numerator = scanner.integer();
  if (!numerator || !isFraction)
    return numerator;
  if (!scanner.take("/"))
    return scanner.take(")") ? numerator : std::nullopt;
  std::optional<int64_t> denominator = scanner.integer();
  if (!denominator || *denominator < 1 || !std::has_single_bit(static_cast<uint64_t>(*denominator)))
    return std::nullopt;
  if (!scanner.take(")"))
    return std::nullopt;
  return static_cast<long double>(*numerator) / static_cast<long double>(*denominator);
}

} // namespace

std::optional<double> scaleTextLog2(std::string_view text, std::span<const uint64_t> limbs) {
  Scanner scanner(text);
  long double log = 0;
  do {
    std::optional<long double> term = base(scanner, limbs);
    if (!term)
      return std::nullopt;
    std::optional<long double> power = 1.0L;
    if (scanner.take("^"))
      power = exponent(scanner);
    if (!power)
      return std::nullopt;
    log += *term * *power;
  } while (scanner.take(" * "));
  if (!scanner.isAtEnd())
    return std::nullopt;
  return static_cast<double>(log);
}

} // namespace sluice::wire
