//===- csv.cpp - numbers in lines ------------------------------------------------------------===//
#include "runtime/client/csv.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>
#include <vector>

namespace sluice::client {
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

/// What is wrong with a field, or null.
const char *parseNumber(std::string_view field, double &value) {
  if (field.starts_with('+') && !field.starts_with("+-"))
    field.remove_prefix(1); // which from_chars does not take
  auto [rest, failure] = std::from_chars(field.data(), field.data() + field.size(), value);
  bool isWhole = rest == field.data() + field.size();
  if (isWhole && failure == std::errc())
    return nullptr;
  if (isWhole && failure == std::errc::result_out_of_range)
    return "beyond the range of doubles";
  return "not a number";
}

/// Whether a field can be a column's name: it begins with neither a digit nor a sign nor a point,
/// so that a number with an error in it is never passed over.
bool isName(std::string_view field) {
  double ignored;
  return field.find_first_of("+-.0123456789") != 0 && parseNumber(field, ignored) != nullptr;
}

Status lineError(const std::string &name, size_t line, const std::string &what) {
  return Status::error(StatusCode::corruptFile, "%s: line %zu%s", name.c_str(), line, what.c_str());
}

/// Appends a line's numbers; the first field that is none is an error.
Status appendLine(const std::vector<std::string_view> &fields, size_t line, const std::string &name,
                  std::vector<double> &values) {
  if (values.size() + fields.size() > maxFileValues)
    return lineError(name, line, ": more than " + std::to_string(maxFileValues) + " values");
  for (size_t column = 0; column < fields.size(); ++column) {
    double value = 0;
    const char *fault = parseNumber(fields[column], value);
    if (fault) // the text is data, which messages do not show
      return lineError(name, line, ", column " + std::to_string(column + 1) + ": " + fault);
    values.push_back(value);
  }
  return Status();
}

/// A text in UTF-8 without its mark.
Expected<std::string_view> withoutByteOrderMark(std::string_view text, const std::string &name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return Status::error(StatusCode::corruptFile, "%s: this is UTF-16; save it as UTF-8",
                         name.c_str());
  if (text.starts_with("\xEF\xBB\xBF"))
    text.remove_prefix(3);
  return text;
}

} // namespace

Expected<Tensor> readCsv(std::string_view whole, const std::string &name) {
  SLUICE_ASSIGN_OR_RETURN(std::string_view text, withoutByteOrderMark(whole, name));
  Tensor tensor;
  uint64_t rows = 0, columns = 0;
  bool isFirst = true;
  for (size_t line = 1; !text.empty(); ++line) {
    std::string_view content = trimmed(takeUntil(text, '\n'));
    if (content.empty() || content.starts_with('#'))
      continue;
    if (content.find(';') != std::string_view::npos)
      return lineError(name, line, ": there is a ';', but commas separate the values");
    std::vector<std::string_view> fields = splitFields(content);
    if (std::exchange(isFirst, false) && std::ranges::all_of(fields, isName))
      continue;
    if (rows > 0 && fields.size() != columns)
      return lineError(name, line,
                       " has " + std::to_string(fields.size()) +
                           " columns, but the lines before have " + std::to_string(columns));
    SLUICE_RETURN_IF_ERROR(appendLine(fields, line, name, tensor.values));
    columns = fields.size();
    ++rows;
  }
  if (rows == 0)
    return Status::error(StatusCode::corruptFile, "%s: there are no numbers", name.c_str());
  tensor.shape = {rows, columns};
  return tensor;
}

std::string writeCsv(const Tensor &tensor) {
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

} // namespace sluice::client
