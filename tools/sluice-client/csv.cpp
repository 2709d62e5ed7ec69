//===- csv.cpp - numbers in lines ------------------------------------------------------------===//
#include "tools/sluice-client/csv.h"

#include <charconv>
#include <cstdio>
#include <optional>
#include <vector>

namespace sluice::tools {
namespace {

/// Takes the part before the next `separator` off the front of `text`.
std::string_view takeUntil(std::string_view &text, char separator) {
  size_t end = std::min(text.find(separator), text.size());
  std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> splitFields(std::string_view line) {
  std::vector<std::string_view> fields;
  bool hasMore = true;
  while (hasMore) {
    hasMore = line.find(',') != std::string_view::npos;
    fields.push_back(trimmed(takeUntil(line, ',')));
  }
  return fields;
}

std::optional<double> parseNumber(std::string_view field) {
  double value = 0;
  auto [rest, failure] = std::from_chars(field.begin(), field.end(), value);
  if (field.empty() || failure != std::errc() || rest != field.end())
    return std::nullopt;
  return value;
}

/// Appends a line's numbers; the first field that is none is an error.
Status appendLine(const std::vector<std::string_view> &fields, size_t line, const std::string &name,
                  std::vector<double> &values) {
  for (size_t column = 0; column < fields.size(); ++column) {
    std::optional<double> value = parseNumber(fields[column]);
    if (!value) // the text is data, which messages do not show
      return Status::error(StatusCode::corruptFile, "%s: line %zu, column %zu: not a number",
                           name.c_str(), line, column + 1);
    values.push_back(*value);
  }
  return Status();
}

bool hasNumber(const std::vector<std::string_view> &fields) {
  for (std::string_view field : fields)
    if (parseNumber(field))
      return true;
  return false;
}

} // namespace

Expected<client::Tensor> readCsv(std::string_view text, const std::string &name) {
  client::Tensor tensor;
  uint64_t rows = 0, columns = 0;
  for (size_t line = 1; !text.empty(); ++line) {
    std::string_view content = trimmed(takeUntil(text, '\n'));
    if (content.empty())
      continue;
    std::vector<std::string_view> fields = splitFields(content);
    if (line == 1 && !hasNumber(fields))
      continue;
    if (rows > 0 && fields.size() != columns)
      return Status::error(
          StatusCode::corruptFile, "%s: line %zu has %zu columns, but the lines before have %llu",
          name.c_str(), line, fields.size(), static_cast<unsigned long long>(columns));
    SLUICE_RETURN_IF_ERROR(appendLine(fields, line, name, tensor.values));
    columns = fields.size();
    ++rows;
  }
  if (rows == 0)
    return Status::error(StatusCode::corruptFile, "%s: there are no numbers", name.c_str());
  tensor.shape = {rows, columns};
  return tensor;
}

std::string writeCsv(const client::Tensor &tensor) {
  size_t rows = tensor.shape.empty() ? 1 : tensor.shape[0];
  size_t columns = rows == 0 ? 0 : tensor.values.size() / rows;
  std::string out;
  for (size_t k = 0; k < tensor.values.size(); ++k) {
    char number[32];
    std::snprintf(number, sizeof number, "%.17g", tensor.values[k]);
    out += number;
    out += (k + 1) % columns == 0 ? '\n' : ',';
  }
  return out;
}

} // namespace sluice::tools
