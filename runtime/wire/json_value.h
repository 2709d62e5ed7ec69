//===- json_value.h - checked access to untrusted JSON ---------------------------------------===//
//
// For the readers of wire and exec: the only header that includes the JSON library, whose throwing
// functions are not used.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_WIRE_JSON_VALUE_H
#define SLUICE_RUNTIME_WIRE_JSON_VALUE_H

#include "runtime/base/status.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sluice::wire {

/// What a kind of document must say that it is, and the words of the messages when it does not.
struct DocumentFormat {
  const char *format;      ///< the value of field "format"
  const char *holder;      ///< what has it: "a manifest"
  const char *versionName; ///< "manifest version"
  uint32_t newestVersion;  ///< the largest "version" that this reader knows
  const char *reader;      ///< what this reader is: "program", "runtime"
  const char *remedy;      ///< for one that is newer: "update Sluice"
};

/// Parses a document (corruptFile: not JSON; the message has the position). `name` stands first in
/// messages.
Expected<nlohmann::json> parseJson(std::span<const uint8_t> bytes, const std::string &name);

/// Text of a document made here, compact unless an indentation is given; invalid UTF-8 is replaced.
std::string toText(const nlohmann::ordered_json &json, int indent = -1);

/// A value of a document and its place, which messages name: "x.json: levels[2]: ...". The document
/// must outlive it.
class JsonValue {
public:
  /// A whole document, of the file `name`.
  JsonValue(const nlohmann::json &document, std::string name)
      : json(&document), path(std::move(name)) {}

  /// A failure at this place; `code` is corruptFile unless said otherwise.
  [[gnu::format(printf, 2, 3)]] Status error(const char *format, ...) const;
  const std::string &place() const { return path; }

  /// The field `key` of an object.
  Expected<JsonValue> field(const char *key) const;
  /// The same, or nothing if an object has no such field.
  Expected<std::optional<JsonValue>> optionalField(const char *key) const;

  /// This value, if it is an integer in [low, high].
  Expected<uint64_t> asInteger(uint64_t low, uint64_t high) const;
  /// … a finite number.
  Expected<double> asNumber() const;
  Expected<bool> asBoolean() const;
  /// … a text of at most `maxBytes` bytes without control characters.
  Expected<std::string> asText(size_t maxBytes) const;
  /// … an array of `min` to `max` elements.
  Expected<std::vector<JsonValue>> asArray(size_t min, size_t max) const;
  /// … an array of `min` to `max` distinct integers below `bound`.
  Expected<std::vector<uint16_t>> asDistinctIndices(size_t min, size_t max, uint64_t bound) const;

  /// field(key), then as….
  Expected<uint64_t> integer(const char *key, uint64_t low, uint64_t high) const;
  Expected<double> number(const char *key) const;
  Expected<bool> boolean(const char *key) const;
  Expected<std::string> text(const char *key, size_t maxBytes) const;
  Expected<std::vector<JsonValue>> array(const char *key, size_t min, size_t max) const;
  Expected<std::vector<uint16_t>> distinctIndices(const char *key, size_t min, size_t max,
                                                  uint64_t bound) const;
  /// The text of exactly 2 * `bytes` lower-case hexadecimal digits at `key`.
  Expected<std::string> hex(const char *key, size_t bytes) const;

  /// Checks the fields "format" (corruptFile) and "version" (unsupportedVersion) of a document;
  /// gives the version.
  Expected<uint32_t> checkFormat(const DocumentFormat &expected) const;

private:
  const nlohmann::json *json;
  std::string path;
  bool isDocument = true; // fields follow the name after ": ", after a place after "."
};

} // namespace sluice::wire

#endif // SLUICE_RUNTIME_WIRE_JSON_VALUE_H
