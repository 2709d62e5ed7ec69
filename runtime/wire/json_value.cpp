//===- json_value.cpp - checked access to untrusted JSON -------------------------------------===//
#include "runtime/wire/json_value.h"

#include "runtime/wire/hash.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace sluice::wire {
namespace {

using nlohmann::json;

/// Accepts every event: parses only to learn where a document goes wrong.
struct ErrorPosition : nlohmann::json_sax<json> {
  size_t position = 0;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t &) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t where, const std::string &, const json::exception &) override {
    position = where;
    return false;
  }
};

unsigned long long wide(uint64_t value) { return value; }

} // namespace

Expected<json> parseJson(std::span<const uint8_t> bytes, const std::string &name) {
  json document = json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false);
  if (!document.is_discarded())
    return document;
  ErrorPosition finder;
  json::sax_parse(bytes.begin(), bytes.end(), &finder);
  return Status::error(StatusCode::corruptFile, "%s: not valid JSON at byte %zu", name.c_str(),
                       finder.position);
}

std::string toText(const nlohmann::ordered_json &document, int indent) {
  return document.dump(indent, ' ', false, json::error_handler_t::replace);
}

Status JsonValue::error(const char *format, ...) const {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return Status::error(StatusCode::corruptFile, "%s: %s", path.c_str(), text);
}

Expected<std::optional<JsonValue>> JsonValue::optionalField(const char *key) const {
  if (!json->is_object())
    return error("must be an object");
  auto found = json->find(key);
  if (found == json->end())
    return std::optional<JsonValue>();
  JsonValue value(*found, path + (isDocument ? ": " : ".") + key);
  value.isDocument = false;
  return std::optional<JsonValue>(std::move(value));
}

Expected<JsonValue> JsonValue::field(const char *key) const {
  SLUICE_ASSIGN_OR_RETURN(std::optional<JsonValue> found, optionalField(key));
  if (!found)
    return error("field '%s' is missing", key);
  return std::move(*found);
}

Expected<uint64_t> JsonValue::asInteger(uint64_t low, uint64_t high) const {
  const uint64_t *value = json->get_ptr<const json::number_unsigned_t *>();
  if (!value)
    return error("must be an integer from %llu to %llu", wide(low), wide(high));
  if (*value < low || *value > high)
    return error("%llu is not in %llu to %llu", wide(*value), wide(low), wide(high));
  return *value;
}

Expected<double> JsonValue::asNumber() const {
  if (!json->is_number())
    return error("must be a number");
  double value = json->get<double>(); // never throws for a number
  if (!std::isfinite(value))
    return error("must be finite");
  return value;
}

Expected<bool> JsonValue::asBoolean() const {
  if (const bool *value = json->get_ptr<const json::boolean_t *>())
    return *value;
  return error("must be true or false");
}

Expected<std::string> JsonValue::asText(size_t maxBytes) const {
  const std::string *value = json->get_ptr<const json::string_t *>();
  if (!value)
    return error("must be a text");
  if (value->size() > maxBytes)
    return error("has %zu bytes, at most %zu are allowed", value->size(), maxBytes);
  for (unsigned char c : *value)
    if (c < 0x20 || c == 0x7F)
      return error("must not contain control characters");
  return *value;
}

Expected<std::vector<JsonValue>> JsonValue::asArray(size_t min, size_t max) const {
  if (!json->is_array())
    return error("must be an array");
  if (json->size() < min || json->size() > max)
    return error("has %zu elements, %zu to %zu are allowed", json->size(), min, max);
  std::vector<JsonValue> elements;
  elements.reserve(json->size());
  for (const auto &element : *json) {
    elements.emplace_back(element, path + "[" + std::to_string(elements.size()) + "]");
    elements.back().isDocument = false;
  }
  return elements;
}

Expected<std::vector<uint16_t>> JsonValue::asDistinctIndices(size_t min, size_t max,
                                                             uint64_t bound) const {
  SLUICE_ASSIGN_OR_RETURN(std::vector<JsonValue> elements, asArray(min, max));
  std::vector<bool> seen(bound);
  std::vector<uint16_t> indices;
  for (const JsonValue &element : elements) {
    SLUICE_ASSIGN_OR_RETURN(uint64_t index, element.asInteger(0, bound - 1));
    if (seen[index])
      return element.error("%llu stands twice", wide(index));
    seen[index] = true;
    indices.push_back(static_cast<uint16_t>(index));
  }
  return indices;
}

Expected<uint64_t> JsonValue::integer(const char *key, uint64_t low, uint64_t high) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue value, field(key));
  return value.asInteger(low, high);
}

Expected<double> JsonValue::number(const char *key) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue value, field(key));
  return value.asNumber();
}

Expected<bool> JsonValue::boolean(const char *key) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue value, field(key));
  return value.asBoolean();
}

Expected<std::string> JsonValue::text(const char *key, size_t maxBytes) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue value, field(key));
  return value.asText(maxBytes);
}

Expected<std::vector<JsonValue>> JsonValue::array(const char *key, size_t min, size_t max) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue value, field(key));
  return value.asArray(min, max);
}

Expected<std::vector<uint16_t>> JsonValue::distinctIndices(const char *key, size_t min, size_t max,
                                                           uint64_t bound) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue value, field(key));
  return value.asDistinctIndices(min, max, bound);
}

Expected<std::string> JsonValue::hex(const char *key, size_t bytes) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue value, field(key));
  SLUICE_ASSIGN_OR_RETURN(std::string digits, value.asText(2 * bytes));
  if (!fromHex(digits, bytes))
    return value.error("must be %zu hexadecimal digits in lower case", 2 * bytes);
  return digits;
}

Expected<uint32_t> JsonValue::checkFormat(const DocumentFormat &expected) const {
  SLUICE_ASSIGN_OR_RETURN(JsonValue format, field("format"));
  SLUICE_ASSIGN_OR_RETURN(std::string text, format.asText(64));
  if (text != expected.format)
    return format.error("is '%s', but %s has '%s'", text.c_str(), expected.holder, expected.format);
  constexpr uint64_t exactIntegers = uint64_t(1) << 53; // as JSON numbers
  SLUICE_ASSIGN_OR_RETURN(uint64_t version, integer("version", 1, exactIntegers));
  if (version > expected.newestVersion)
    return Status::error(StatusCode::unsupportedVersion,
                         "%s: %s %llu is newer than this %s reads (version %u): %s", path.c_str(),
                         expected.versionName, static_cast<unsigned long long>(version),
                         expected.reader, expected.newestVersion, expected.remedy);
  return static_cast<uint32_t>(version);
}

} // namespace sluice::wire
